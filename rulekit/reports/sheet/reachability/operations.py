"""Possible results of built-in operations, from the possible values of their operands.

The result holds every value that the table of operations gives for operands that there may be; where an
operation faults, play stops, and nothing comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
from operator import and_, or_
from typing import Final

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.expr import OpName, Value
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import LAZY, meaning_of
from rulekit.reports.sheet.reachability.guess import (
    EITHER,
    MOST,
    NO,
    NOTHING,
    YES,
    Guess,
    Kinds,
    Members,
    join,
    of_ids,
)

MOST_PAIRS = 400
"""Combinations of operands, and entries of a table, that are evaluated one by one."""

Form = Callable[[Kinds, ir.Op, Sequence[Guess]], Guess]


def operation_guess(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    """Return the possible results of an operation other than `and` and `or`."""
    if any(part == NOTHING for part in (parts[:1] if e.op in LAZY else parts)):
        return NOTHING
    form = FORMS.get(e.op)
    if form is not None:
        return form(kinds, e, parts)
    wide = _spread(kinds, e, parts)
    scalars = [guess for guess in wide if isinstance(guess, frozenset)]
    if len(scalars) < len(wide) or prod(map(len, scalars)) > MOST_PAIRS:
        return kinds.spread(None, e.type)
    values = frozenset(_values(kinds, e, scalars))
    return values if len(values) <= MOST else kinds.spread(None, e.type)


def _spread(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> list[Guess]:
    return [kinds.spread(part, operand.type) for part, operand in zip(parts, e.operands, strict=True)]


def _values(kinds: Kinds, e: ir.Op, scalars: Sequence[frozenset[Value]]) -> list[Value]:
    work, values = meaning_of(e, kinds.sizes), []
    for operands in product(*scalars):
        try:
            values.append(work(*operands))
        except Fault:
            continue
    return values


# -- comparisons


def _comparison(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    one, other = _spread(kinds, e, parts)
    if e.op in ("gt", "ge"):
        one, other = other, one
    if not (isinstance(one, frozenset) and isinstance(other, frozenset)) or t.NONE in one | other:
        return EITHER
    if e.op in ("lt", "gt"):
        return YES if max(one) < min(other) else NO if min(one) >= max(other) else EITHER  # type: ignore[operator, type-var]
    return YES if max(one) <= min(other) else NO if min(one) > max(other) else EITHER  # type: ignore[operator, type-var]


def _equal(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    """True if both can be one value alone, false if they have none in common."""
    one, other = _spread(kinds, e, parts)
    equal, differ = (YES, NO) if e.op == "eq" else (NO, YES)
    if isinstance(one, Members) and isinstance(other, Members) and one.exact and other.exact:
        return equal if one.mask == other.mask else differ
    if not (isinstance(one, frozenset) and isinstance(other, frozenset)):
        return EITHER
    if one.isdisjoint(other):
        return differ
    return equal if len(one) == len(other) == 1 else EITHER


# -- sets, and lists of members, of which the members are known and not the order


def _of_sets(work: Callable[..., Guess]) -> Form:
    """Return a form for operands that are all known as sets or lists; otherwise anything is possible."""

    def form(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        sets = [guess for guess in _spread(kinds, e, parts) if isinstance(guess, Members)]
        return work(*sets) if sets and len(sets) == len(parts) else kinds.spread(None, e.type)

    return form


def _of_first(work: Callable[[Members], Guess]) -> Form:
    """Return a form for a first operand that is known as a set or list; otherwise anything is possible."""

    def form(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        return work(parts[0]) if isinstance(parts[0], Members) else kinds.spread(None, e.type)

    return form


def _union(*sets: Members) -> Guess:
    return Members(reduce(or_, (part.mask for part in sets)), all(part.exact for part in sets))


def _inter(*sets: Members) -> Guess:
    return Members(reduce(and_, (part.mask for part in sets)), all(part.exact for part in sets))


def _diff(one: Members, other: Members) -> Guess:
    return Members(one.mask & ~other.mask if other.exact else one.mask, one.exact and other.exact)


def _within(one: Members, other: Members) -> Guess:
    if not one.mask or other.exact and not one.mask & ~other.mask:
        return YES
    return NO if one.exact and one.mask & ~other.mask else EITHER


def _count(of: Members) -> Guess:
    most = of.mask.bit_count()
    return frozenset((most,)) if of.exact else frozenset(range(most + 1)) if most < MOST else None


def _single(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    value = kinds.spread(parts[0], e.operands[0].type)
    if not isinstance(value, frozenset):
        return kinds.spread(None, e.type)
    return Members(kinds.ids(value, e.operands[0].type), len(value) == 1)


def _has(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    value, within = kinds.spread(parts[0], e.operands[0].type), parts[1]
    if not (isinstance(value, frozenset) and isinstance(within, Members)):
        return EITHER
    mask = kinds.ids(value, e.operands[0].type)
    if not mask & within.mask:
        return NO
    return YES if within.exact and not mask & ~within.mask and t.NONE not in value else EITHER


def _list_has(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    within = parts[1]
    if isinstance(within, Members) and not kinds.ids(parts[0], e.operands[0].type) & within.mask:
        return NO
    return EITHER


def _list_of(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    if not (isinstance(e.type, t.ListOf) and isinstance(e.type.of, t.Member)):
        return None
    masks = (kinds.ids(part, operand.type) for part, operand in zip(parts, e.operands, strict=True))
    return Members(reduce(or_, masks, 0), False)


# -- one value or another


def _or_else(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    one = kinds.spread(parts[0], e.operands[0].type)
    if not isinstance(one, frozenset):
        return None
    return join(one - {t.NONE}, parts[1]) if t.NONE in one else one


def _clip(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    return kinds.clip(kinds.spread(parts[0], e.operands[0].type), e.type)


def _unknown(kinds: Kinds, e: ir.Op, parts: Sequence[Guess]) -> Guess:
    return kinds.spread(None, e.type)


_AMONG = _of_first(lambda of: Members(of.mask, False))  # no more than the first operand holds
FORMS: Final[Mapping[OpName, Form]] = {
    "lt": _comparison,
    "le": _comparison,
    "gt": _comparison,
    "ge": _comparison,
    "eq": _equal,
    "ne": _equal,
    "union": _of_sets(_union),
    "inter": _of_sets(_inter),
    "diff": _of_sets(_diff),
    "within": _of_sets(_within),
    "single": _single,
    "has": _has,
    "count": _of_first(_count),
    "is_empty": _of_first(lambda of: YES if not of.mask else NO if of.exact else EITHER),
    "only": lambda kinds, e, parts: of_ids(kinds.ids(parts[0], e.operands[0].type)),
    "list_has": _list_has,
    "item": _of_first(lambda of: of_ids(of.mask)),
    "list_of": _list_of,
    "length": _unknown,
    "index_of": _unknown,
    "rest": _AMONG,
    "to_set": _AMONG,
    "to_list": _AMONG,
    "at_most": _AMONG,
    "without": _AMONG,
    "joined": _of_sets(lambda *lists: Members(reduce(or_, (part.mask for part in lists)), False)),
    "map_get": _unknown,
    "map_has": _unknown,
    "map_with": _unknown,
    "no_map": _unknown,
    "ratio_column": _unknown,
    "or_else": _or_else,
    "ranged": _clip,
}
"""Operations on values too many to list; any other operation runs for every combination of its operands."""
