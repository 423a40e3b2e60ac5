"""Operations on values that may be unknown; what is not said here is anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulekit import ir
from rulekit.analysis.prove.smt.values import (
    ANYTHING,
    Anything,
    Many,
    Value,
    belongs,
    both,
    chosen,
    either,
    known,
    negated,
    total,
)
from rulekit.ir.semantics.operations import divide, modulo
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional


def worked_out(e: ir.Op, parts: Sequence[Value], sizes: Mapping[str, int]) -> Value:
    """The value of an operation other than `and`, `or`, `not`."""
    if any(isinstance(part, Anything) for part in parts):
        return ANYTHING
    sets = [part for part in parts if isinstance(part, Many)]
    if len(sets) == len(parts):
        return _of_sets(e.op, sets)
    if sets and e.op == "has":
        return belongs(parts[0], sets[0])
    if sets:
        return ANYTHING
    if e.op in ("successor", "predecessor"):
        return _beside(e, parts[0], sizes)
    if e.op in ("div_down", "div_up", "div_nearest", "mod"):
        return _divided(e.op, parts[0], parts[1])
    work = _SCALARS.get(e.op)
    plain = all(isinstance(part.type, Flag | Int | Month | Member | Optional) for part in e.operands)
    return work(*parts) if work is not None and plain else ANYTHING


def _of_sets(op: str, sets: Sequence[Many]) -> Value:
    names = list(dict.fromkeys(member for each in sets for member in each.members))

    def of(each: Many, member: int) -> Any:
        return each.members.get(member, False)

    first, last = sets[0], sets[-1]
    match op:
        case "union":
            return Many({m: either(of(each, m) for each in sets) for m in names})
        case "inter":
            return Many({m: both(of(each, m) for each in sets) for m in names})
        case "diff":
            return Many({m: both((of(first, m), negated(of(last, m)))) for m in names})
        case "count":
            return total(chosen(of(first, m), 1, 0) for m in names)
        case "is_empty":
            return negated(either(first.members.values()))
        case "within":
            return both(either((negated(of(first, m)), of(last, m))) for m in names)
        case "eq" | "ne":
            same = both(_same(of(first, m), of(last, m)) for m in names)
            return same if op == "eq" else negated(same)
        case "only":
            return _only(first)
        case _:
            return ANYTHING


def _only(one: Many) -> Value:
    """The member of a set that has one; of another set it is whatever comes of this."""
    found: Value = ANYTHING
    for member, holds in one.members.items():
        found = member if isinstance(found, Anything) else chosen(holds, member, found)
    return found


def _same(a: Any, b: Any) -> Any:
    if isinstance(a, bool):
        return b if a else negated(b)
    if isinstance(b, bool):
        return a if b else negated(a)
    return a == b


def _beside(e: ir.Op, value: Any, sizes: Mapping[str, int]) -> Value:
    step = 1 if e.op == "successor" else -1
    kind = e.operands[0].type
    if not isinstance(kind, Member):
        return value + step
    beyond = value == (sizes[kind.domain] - 1 if step == 1 else 0)
    # Where nothing is beyond the last, to ask for it faults, and anything may come of it.
    return chosen(beyond, NONE, value + step) if isinstance(e.type, Optional) else value + step


def _divided(op: str, a: Any, b: Any) -> Value:
    if not known(b) or b <= 0:
        return ANYTHING
    if known(a):
        return modulo(a, b) if op == "mod" else divide(a, b, op.removeprefix("div_"))
    match op:
        case "mod":
            return a % b
        case "div_down":
            return a / b
        case "div_up":
            return -((-a) / b)
        case _:
            return (2 * a + b) / (2 * b)


def _or_else(value: Any, other: Any) -> Value:
    return chosen(value == NONE, other, value)


_SCALARS: dict[str, Callable[..., Value]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b if known(a) or known(b) else ANYTHING,
    "neg": lambda a: -a,
    "abs": lambda a: chosen(a < 0, -a, a),
    "smaller": lambda a, b: chosen(a < b, a, b),
    "larger": lambda a, b: chosen(a > b, a, b),
    "ranged": lambda a, low, high: a,
    "eq": _same,
    "ne": lambda a, b: negated(_same(a, b)),
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "is_none": lambda a: a == NONE,
    "or_else": _or_else,
}
"""Of numbers, flags and members.  z3's `/` rounds down where what divides is positive."""
