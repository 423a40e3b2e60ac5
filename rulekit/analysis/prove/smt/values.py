"""Values of formulas: numbers and flags, known or not; sets, as what holds for each member."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeGuard

import z3

from rulekit.analysis.prove.search import Cell
from rulekit.base.bits import member_ids, members
from rulekit.base.frozen import frozen
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional, SetOf, Type

Scalar = Any
"""An int or bool that is known, else a z3 expression."""


@frozen
class Many:
    """A set: each number that may belong to it, with whether it does; any other does not."""

    members: Mapping[int, Scalar]


class Anything:
    """A value of which nothing is said."""


ANYTHING: Final = Anything()
Value = Scalar | Many | Anything


def is_known(value: Value) -> TypeGuard[int]:
    """Whether a value is a plain number or flag."""
    return isinstance(value, int)


def both(parts: Iterable[Scalar]) -> Scalar:
    """All of some flags."""
    return _join(parts, False, z3.And)


def either(parts: Iterable[Scalar]) -> Scalar:
    """Any of some flags."""
    return _join(parts, True, z3.Or)


def _join(parts: Iterable[Scalar], decides: bool, join: Callable[..., Scalar]) -> Scalar:
    """Flags as one; the first that `decides` is all that counts."""
    left = []
    for part in parts:
        if part is decides:
            return decides
        if part is not (not decides):
            left.append(part)
    if not left:
        return not decides
    return left[0] if len(left) == 1 else join(*left)


def negation(flag: Scalar) -> Scalar:
    """Not a flag."""
    return not flag if isinstance(flag, bool) else z3.Not(flag)


def choose(test: Scalar, then: Value, other: Value) -> Value:
    """One value or the other."""
    if isinstance(test, bool):
        return then if test else other
    if isinstance(then, Anything) or isinstance(other, Anything):
        return ANYTHING
    if isinstance(then, Many) and isinstance(other, Many):
        names = dict.fromkeys((*then.members, *other.members))
        return Many({m: choose(test, then.members.get(m, False), other.members.get(m, False)) for m in names})
    if (
        is_known(then)
        and is_known(other)
        and then == other
        and isinstance(then, bool) is isinstance(other, bool)
    ):
        return then
    if then is True and other is False:
        return test
    if then is False and other is True:
        return z3.Not(test)
    return z3.If(test, then, other)


def total(parts: Iterable[Scalar]) -> Scalar:
    """The sum of some numbers."""
    fixed, left = 0, []
    for part in parts:
        if is_known(part):
            fixed += int(part)
        else:
            left.append(part)
    if not left:
        return fixed
    return z3.Sum(*left, fixed) if fixed or len(left) > 1 else left[0]


def belongs(number: Scalar, many: Many) -> Scalar:
    """Whether a number belongs to a set."""
    if is_known(number):
        return many.members.get(int(number), False)
    return either(both((number == member, holds)) for member, holds in many.members.items())


def of_mask(mask: int) -> Many:
    """A set that is known."""
    return Many(dict.fromkeys(members(mask), True))


class Cells:
    """The cells of one question, with the bounds that their types set."""

    def __init__(self, sizes: Mapping[str, int], kinds: Mapping[tuple[str, str], int]) -> None:
        """`sizes`: how many members a domain has.  `kinds`: a mask of members, by domain and name."""
        self.bounds: list[Any] = []
        self._sizes, self._kinds = sizes, kinds
        self._made: dict[Cell, Any] = {}
        self._fresh = 0

    def of(self, model: Any) -> dict[Cell, Any]:
        """What each cell is in a model; cells that do not matter are left out."""
        cells: dict[Cell, Any] = {}
        for cell, variable in self._made.items():
            value = model.eval(variable)
            if z3.is_int_value(value):
                cells[cell] = value.as_long()
            elif z3.is_true(value) or z3.is_false(value):
                cells[cell] = z3.is_true(value)
        return cells

    def cell(self, cell: Cell, kind: Type) -> Value:
        if cell not in self._made:
            variable = self._variable(f"{cell[0]}{list(cell[1])}", kind)
            if isinstance(variable, Anything):
                return variable
            self._made[cell] = variable
        return self._made[cell]

    def _variable(self, name: str, kind: Type) -> Value:
        """Some value of a type."""
        if isinstance(kind, Flag):
            return z3.Bool(name)
        if isinstance(kind, Int | Month | Member | Optional):
            variable = z3.Int(name)
            self.bounds.append(self._within(variable, kind))
            return variable
        return ANYTHING

    def _within(self, value: Any, kind: Type) -> Any:
        """That a number is of a type."""
        if isinstance(kind, Optional):
            return either((value == NONE, self._within(value, kind.of)))
        if isinstance(kind, Int | Month):
            return z3.And(value >= kind.low, value <= kind.high)
        return _in_mask(value, mask) if isinstance(kind, Member) and (mask := self._mask(kind)) else True

    def _mask(self, kind: Member) -> int:
        whole = (1 << self._sizes[kind.domain]) - 1
        return self._kinds.get((kind.domain, kind.name), whole)

    def any_of(self, kind: Type) -> Value:
        """A value of which only its type is known."""
        if isinstance(kind, SetOf):
            return Many({number: self.any_of(Flag()) for number in self.numbers(kind.of)})
        self._fresh += 1
        return self._variable(f"any'{self._fresh}", kind)

    def numbers(self, kind: Member | Int) -> Sequence[int]:
        if isinstance(kind, Int):
            return range(kind.high + 1)
        return member_ids(self._mask(kind))

    def state_cell(self, name: str, keys: tuple[int, ...], kind: Type) -> Value:
        """What a state or a parameter holds for keys that are known."""
        if isinstance(kind, SetOf):
            entries = {n: self.cell((f"{name} has", (*keys, n)), Flag()) for n in self.numbers(kind.of)}
            return Many(entries)
        return self.cell((name, keys), kind)


def _in_mask(value: Any, mask: int) -> Any:
    """That a number is one of the bits of a mask."""
    size = mask.bit_length()
    if mask == (1 << size) - 1:
        return z3.And(value >= 0, value < size)
    return either(value == bit for bit in range(size) if mask >> bit & 1)
