"""What built-in operations come to, on what their operands may be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.semantics.constant import WORKED
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
    number,
    of_ids,
)

MOST_PAIRS = 400
"""Combinations of operands, and entries of a table, that are worked out one by one."""
_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")


class Operations:
    """Operations of one program's types."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds

    def of(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        """What an operation other than `and` and `or` may come to."""
        if any(part == NOTHING for part in parts):
            return NOTHING
        special = getattr(self, f"_{e.op}", None)
        if special is not None:
            found: Guess = special(e, parts)
            return found
        return (
            self._on_sets(e, parts)
            if any(isinstance(p, Members) for p in parts)
            else self._worked_out(e, parts)
        )

    def _worked_out(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        """Of scalars: comparisons by the ends of what is compared, others by every combination."""
        wide = [self._kinds.spread(p, o.type) for p, o in zip(parts, e.operands, strict=True)]
        if e.op in _COMPARED:
            return _compared(e.op, wide[0], wide[1])
        known = [each for each in wide if isinstance(each, frozenset)]
        work = WORKED.get(e.op)
        if work is None or len(known) < len(wide) or prod(map(len, known)) > MOST_PAIRS:
            return self._kinds.spread(None, e.type)
        try:
            found = frozenset(work(*values) for values in product(*known))
        except (ArithmeticError, ValueError):
            return self._kinds.spread(None, e.type)
        return found if len(found) <= MOST else self._kinds.spread(None, e.type)

    def _on_sets(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        wide = [self._kinds.spread(p, o.type) for p, o in zip(parts, e.operands, strict=True)]
        one, other = wide[0], wide[-1]
        if e.op in ("eq", "ne") and isinstance(one, Members) and isinstance(other, Members):
            if one.exact and other.exact:
                return frozenset(((one.mask == other.mask) == (e.op == "eq"),))
            return EITHER
        if e.op in ("union", "inter", "diff") and isinstance(one, Members) and isinstance(other, Members):
            exact = one.exact and other.exact
            if e.op == "union":
                return Members(one.mask | other.mask, exact)
            if e.op == "inter":
                return Members(one.mask & other.mask, exact)
            return Members(one.mask & ~other.mask if other.exact else one.mask, exact)
        if e.op == "within" and isinstance(one, Members) and isinstance(other, Members):
            sure = not one.mask or other.exact and not one.mask & ~other.mask
            return YES if sure else EITHER
        return self._kinds.spread(None, e.type)

    def _single(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        one = parts[0]
        exact = isinstance(one, frozenset) and len(one) == 1
        return Members(self._kinds.ids(one, e.operands[0].type), exact)

    def _has(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        mask, within = self._kinds.ids(parts[0], e.operands[0].type), parts[1]
        none = isinstance(parts[0], frozenset) and t.NONE in parts[0]
        if not isinstance(within, Members):
            return EITHER
        if not mask & within.mask:
            return NO
        return YES if within.exact and not mask & ~within.mask and not none else EITHER

    def _list_has(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        within = parts[1]
        known = isinstance(within, Members)
        mask = self._kinds.ids(parts[0], e.operands[0].type)
        return NO if known and not mask & within.mask else EITHER  # type: ignore[union-attr]

    def _count(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        found = parts[0]
        if not isinstance(found, Members):
            return self._kinds.spread(None, e.type)
        most = found.mask.bit_count()
        return frozenset((most,)) if found.exact else frozenset(range(most + 1)) if most < MOST else None

    def _is_empty(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        found = parts[0]
        if not isinstance(found, Members):
            return EITHER
        return YES if not found.mask else NO if found.exact else EITHER

    def _only(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        return of_ids(self._kinds.ids(parts[0], e.operands[0].type))

    def _item(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        found = parts[0]
        return of_ids(found.mask) if isinstance(found, Members) else self._kinds.spread(None, e.type)

    def _list_of(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        of = e.type.of if isinstance(e.type, t.ListOf) else None
        if not isinstance(of, t.Member):
            return None
        pairs = zip(parts, e.operands, strict=True)
        mask = 0
        for part, operand in pairs:
            mask |= self._kinds.ids(part, operand.type)
        return Members(mask, False)

    def _same(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        found = parts[0]
        return Members(found.mask, False) if isinstance(found, Members) else self._kinds.spread(None, e.type)

    _rest = _to_set = _to_list = _at_most = _without = _same

    def _joined(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        masks = [p.mask for p in parts if isinstance(p, Members)]
        return Members(masks[0] | masks[-1], False) if len(masks) == len(parts) else None

    def _or_else(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        one = self._kinds.spread(parts[0], e.operands[0].type)
        if not isinstance(one, frozenset):
            return None
        sure = one - {t.NONE}
        return join(sure, parts[1]) if t.NONE in one else sure

    def _successor(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        return self._beside(e, parts, 1)

    def _predecessor(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        return self._beside(e, parts, -1)

    def _beside(self, e: ir.Op, parts: Sequence[Guess], step: int) -> Guess:
        of = e.operands[0].type
        if not (isinstance(parts[0], frozenset) and isinstance(of, t.Member)):
            return self._kinds.spread(None, e.type)
        size = self._kinds.sizes[of.domain]
        beside = (number(v) + step for v in parts[0])
        return frozenset(v if 0 <= v < size else t.NONE for v in beside)

    def _ranged(self, e: ir.Op, parts: Sequence[Guess]) -> Guess:
        return self._kinds.clipped(self._kinds.spread(parts[0], e.operands[0].type), e.type)


def _compared(op: str, one: Guess, other: Guess) -> Guess:
    if not (isinstance(one, frozenset) and isinstance(other, frozenset)):
        return EITHER
    if op in ("eq", "ne"):
        if one.isdisjoint(other):
            return NO if op == "eq" else YES
        return (YES if op == "eq" else NO) if len(one) == len(other) == 1 else EITHER
    if t.NONE in one or t.NONE in other:
        return EITHER
    if op in ("gt", "ge"):
        one, other, op = other, one, "lt" if op == "gt" else "le"
    surely, never = max(one) - min(other), min(one) - max(other)  # type: ignore[operator]
    least = 0 if op == "lt" else 1
    return YES if surely < least else NO if never >= least else EITHER
