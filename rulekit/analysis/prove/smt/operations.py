"""Operations on values that may be unknown; what is not said here is anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.prove.smt.values import (
    ANYTHING,
    Anything,
    Many,
    Value,
    belongs,
    both,
    choose,
    either,
    is_known,
    negation,
    total,
)
from rulekit.ir.expr import OpName
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import OPERATIONS, meaning_of
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional, SetOf


def operation_value(e: ir.Op, parts: Sequence[Value], sizes: Mapping[str, int]) -> Value:
    """The value of an operation; the formula itself writes `and`, `or`, `not` and `single`."""
    if any(isinstance(part, Anything) for part in parts):
        return ANYTHING
    sets = [part for part in parts if isinstance(part, Many)]
    if sets and e.op == "has":
        return belongs(parts[0], sets[0])
    if sets:
        form = SETS.get(e.op)
        return form(*sets) if form is not None and len(sets) == len(parts) else ANYTHING
    if not all(isinstance(part.type, Flag | Int | Month | Member | Optional) for part in e.operands):
        return ANYTHING
    if all(map(is_known, parts)):
        return _plain(e, parts, sizes)
    form = SCALARS.get(e.op)
    if form is None or len(parts) > len(OPERATIONS[e.op].takes):
        return ANYTHING
    return form(e, sizes, *parts)


def _plain(e: ir.Op, parts: Sequence[Value], sizes: Mapping[str, int]) -> Value:
    """An operation on known values; anything where it faults, or gives what is no number."""
    try:
        value = meaning_of(e, sizes)(*parts)
    except Fault:
        return ANYTHING
    return value if is_known(value) and not isinstance(e.type, SetOf) else ANYTHING


# -- of sets


def _holds(each: Many, member: int) -> Any:
    return each.members.get(member, False)


def _names(sets: Sequence[Many]) -> list[int]:
    return list(dict.fromkeys(member for one in sets for member in one.members))


def _union(*sets: Many) -> Value:
    return Many({m: either(_holds(one, m) for one in sets) for m in _names(sets)})


def _inter(*sets: Many) -> Value:
    return Many({m: both(_holds(one, m) for one in sets) for m in _names(sets)})


def _diff(first: Many, last: Many) -> Value:
    return Many({m: both((_holds(first, m), negation(_holds(last, m)))) for m in _names((first, last))})


def _count(one: Many) -> Value:
    return total(choose(holds, 1, 0) for holds in one.members.values())


def _within(first: Many, last: Many) -> Value:
    return both(either((negation(_holds(first, m)), _holds(last, m))) for m in _names((first, last)))


def _same_set(first: Many, last: Many) -> Value:
    return both(_same(_holds(first, m), _holds(last, m)) for m in _names((first, last)))


def _only(one: Many) -> Value:
    """The member of a set that has one; anything for another set, which faults."""
    value: Value = ANYTHING
    for member, holds in one.members.items():
        value = member if isinstance(value, Anything) else choose(holds, member, value)
    return value


SETS: Final[Mapping[OpName, Callable[..., Value]]] = {
    "union": _union,
    "inter": _inter,
    "diff": _diff,
    "count": _count,
    "is_empty": lambda one: negation(either(one.members.values())),
    "within": _within,
    "eq": _same_set,
    "ne": lambda first, last: negation(_same_set(first, last)),
    "only": _only,
}
"""Operations on sets alone."""


# -- of numbers, flags and members


def _same(a: Any, b: Any) -> Any:
    if isinstance(a, bool):
        return b if a else negation(b)
    if isinstance(b, bool):
        return a if b else negation(a)
    return a == b


def _beside(e: ir.Op, sizes: Mapping[str, int], value: Any) -> Value:
    step = 1 if e.op == "successor" else -1
    kind = e.operands[0].type
    if not isinstance(kind, Member):
        return value + step
    beyond = value == (sizes[kind.domain] - 1 if step == 1 else 0)
    # Where nothing is beyond the last, to ask for it faults, and anything may come of it.
    return choose(beyond, NONE, value + step) if isinstance(e.type, Optional) else value + step


def _quotient(e: ir.Op, sizes: Mapping[str, int], a: Any, b: Any) -> Value:
    """A quotient or remainder; z3's `/` rounds down where what divides is positive."""
    if not is_known(b) or b <= 0:
        return ANYTHING
    match e.op:
        case "mod":
            return a % b
        case "div_down":
            return a / b
        case "div_up":
            return -((-a) / b)
        case _:
            return (2 * a + b) / (2 * b)


SCALARS: Final[Mapping[OpName, Callable[..., Value]]] = {
    "add": lambda e, sizes, *parts: total(parts),
    "sub": lambda e, sizes, a, b: a - b,
    "mul": lambda e, sizes, a, b: a * b if is_known(a) or is_known(b) else ANYTHING,
    "neg": lambda e, sizes, a: -a,
    "abs": lambda e, sizes, a: choose(a < 0, -a, a),
    "smaller": lambda e, sizes, a, b: choose(a < b, a, b),
    "larger": lambda e, sizes, a, b: choose(a > b, a, b),
    "ranged": lambda e, sizes, a, low, high: a,
    "div_down": _quotient,
    "div_up": _quotient,
    "div_nearest": _quotient,
    "mod": _quotient,
    "eq": lambda e, sizes, a, b: _same(a, b),
    "ne": lambda e, sizes, a, b: negation(_same(a, b)),
    "lt": lambda e, sizes, a, b: a < b,
    "le": lambda e, sizes, a, b: a <= b,
    "gt": lambda e, sizes, a, b: a > b,
    "ge": lambda e, sizes, a, b: a >= b,
    "is_none": lambda e, sizes, a: a == NONE,
    "or_else": lambda e, sizes, a, b: choose(a == NONE, b, a),
    "successor": _beside,
    "predecessor": _beside,
}
"""Operations on numbers, flags and members of which one at least is not known."""


ELSEWHERE: Final[frozenset[OpName]] = frozenset(("and", "or", "not", "single", "has"))
"""Operations that the formula, or the set that is asked, writes itself."""

OPEN: Final[frozenset[OpName]] = frozenset(
    ("list_of", "length", "item", "index_of", "list_has", "rest", "joined", "to_set", "to_list", "at_most",
     "without", "map_get", "map_has", "ratio", "times_ratio", "ratio_column")
)  # fmt: skip
"""Operations of which the solver says nothing unless all operands are known."""
