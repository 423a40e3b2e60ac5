"""The cells that a formula may read: each a number or a flag of the solver's, within its type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from rulekit.analysis.prove.answers import Cell
from rulekit.analysis.prove.smt.values import ANYTHING, Anything, Many, Value, either
from rulekit.base.bits import listed
from rulekit.ir.types import NONE, Flag, Int, Member, Month, Optional, SetOf, Type


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
        found: dict[Cell, Any] = {}
        for cell, variable in self._made.items():
            value = model.eval(variable)
            if z3.is_int_value(value):
                found[cell] = value.as_long()
            elif z3.is_true(value) or z3.is_false(value):
                found[cell] = z3.is_true(value)
        return found

    def cell(self, cell: Cell, kind: Type) -> Value:
        if cell not in self._made:
            made = self._variable(f"{cell[0]}{list(cell[1])}", kind)
            if isinstance(made, Anything):
                return made
            self._made[cell] = made
        return self._made[cell]

    def _variable(self, name: str, kind: Type) -> Value:
        """Some value of a type."""
        if isinstance(kind, Flag):
            return z3.Bool(name)
        if isinstance(kind, Int | Month | Member | Optional):
            made = z3.Int(name)
            self.bounds.append(self._within(made, kind))
            return made
        return ANYTHING

    def _within(self, value: Any, kind: Type) -> Any:
        """That a number is of a type."""
        match kind:
            case Optional():
                return either((value == NONE, self._within(value, kind.of)))
            case Int() | Month():
                return z3.And(value >= kind.low, value <= kind.high)
            case Member() if mask := self._mask(kind):
                return _in_mask(value, mask)
            case _:
                return True

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
        return listed(self._mask(kind))

    def kept(self, name: str, keys: tuple[int, ...], kind: Type) -> Value:
        """What a state or a parameter holds for keys that are known."""
        if isinstance(kind, SetOf):
            each = {n: self.cell((f"{name} has", (*keys, n)), Flag()) for n in self.numbers(kind.of)}
            return Many(each)
        return self.cell((name, keys), kind)


def _in_mask(value: Any, mask: int) -> Any:
    """That a number is one of the bits of a mask."""
    size = mask.bit_length()
    if mask == (1 << size) - 1:
        return z3.And(value >= 0, value < size)
    return either(value == bit for bit in range(size) if mask >> bit & 1)
