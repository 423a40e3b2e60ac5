"""Python expressions as text that knows how tightly it binds, and the interface of what writes them.

The parts (`loops`, `operations`) write one kind of expression each and hand the expressions inside it back to
the writer; `expressions` implements it and knows all parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple, Self

from rulekit.base.bits import member_ids
from rulekit.ir import Const, Expr
from rulekit.ir.types import Int
from rulekit.runtime.codegen.module_writer import Unit, padding_of
from rulekit.runtime.support.layout import Key

TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_AND, SHIFT, ADD, MULTIPLY, UNARY, ATOM = range(12)


class Py(NamedTuple):
    """Python text and the level of its outermost operator."""

    text: str
    level: int

    def at(self, level: int) -> str:
        """The text, bracketed if it binds less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


def less(value: Py, shift: int) -> Py:
    """A value with a constant taken off."""
    if shift == 0:
        return value
    return Py(f"{value.at(ADD)} {'-' if shift > 0 else '+'} {abs(shift)}", ADD)


def call(function: str, *arguments: str) -> Py:
    """A call."""
    return Py(f"{function}({', '.join(arguments)})", ATOM)


def infix(op: str, level: int, left: str, right: str) -> Py:
    """Two operands, already bracketed, around an operator."""
    return Py(f"{left} {op} {right}", level)


MOST_WRITTEN = 16
"""Longest tuple of members written out."""


class Writer(ABC):
    """Writes expressions for one function of the generated module.

    `names` maps locals to Python text: names, or short expressions that may be repeated.  `site` is
    the place in the rules to blame for what is written.
    """

    def __init__(self, unit: Unit, names: Mapping[str, str], site: int) -> None:
        self.unit = unit
        self.optimised = unit.optimised
        self.names = dict(names)
        self.site = site
        self._temps = 0
        self._levels = 0
        """Expressions around the one that is being written."""

    @abstractmethod
    def value(self, e: Expr) -> Py:
        """Any expression as its value; flags are 0 or 1 (or the equal `bool`)."""

    @abstractmethod
    def truth(self, e: Expr) -> Py:
        """A flag as something true or false."""

    def within(self, names: Mapping[str, str], site: int | None = None) -> Self:
        """A writer for another function of the same module, with other names in sight."""
        return type(self)(self.unit, names, self.site if site is None else site)

    def text(self, e: Expr) -> str:
        """A value as text for a place that takes any expression."""
        return self.value(e).text

    def members(self, e: Expr) -> str:
        """The members of a set in id order, as the text of a tuple."""
        if isinstance(e, Const) and isinstance(e.value, int):
            numbers = member_ids(e.value)
            if len(numbers) > MOST_WRITTEN:
                return self.unit.constant(numbers)
            self.unit.set_literals[self.site, repr(numbers)] = e.type
            return repr(numbers)
        return f"BITS[{self.text(e)}]"

    def test(self, e: Expr) -> str:
        """A flag as the text of a test."""
        return self.truth(e).text

    def temp(self) -> str:
        """A name for a value that is used twice within one expression."""
        self._temps += 1
        return f"t{self._temps}"

    # ------------------------------------------------------------ addresses

    # A key whose type allows values outside its domain is checked where it is used; every other key is
    # trusted, because the type checker has shown that it fits.

    def flag(self, state: str, keys: tuple[Expr, ...]) -> tuple[str, Py]:
        """Cell and bit of one flag."""
        return self.cell(state, keys[:-1]).text, self.bit(state, keys[-1])

    def cell(self, state: str, keys: tuple[Expr, ...]) -> Py:
        """The address of a cell; `keys` lacks the last key of a flag state."""
        layout = self.optimised.layout
        slots = layout.derived[state] if state in layout.derived else layout.slots[state]
        fixed, parts = slots.base, []
        for key, place in zip(keys, slots.keys, strict=True):
            number = _constant_key(key, place)
            if number is not None:
                fixed += (number - place.low) * place.stride
                continue
            fixed -= place.low * place.stride
            value = self._in_range(key, place, state)
            parts.append(value.at(ADD) if place.stride == 1 else f"{value.at(MULTIPLY)} * {place.stride}")
        if not parts:
            return Py(str(fixed), ATOM)
        return less(Py(" + ".join(parts), ADD), -fixed)

    def bit(self, state: str, key: Expr) -> Py:
        """The bit of a flag state's last key."""
        bits = self.optimised.layout.slots[state].bits
        assert bits is not None
        number = _constant_key(key, bits)
        if number is not None:
            return Py(str(number - bits.low), ATOM)
        return less(self._in_range(key, bits, state), bits.low)

    def row(self, table: str, key: Expr, domain: str | tuple[int, int]) -> str:
        """The position of a key within its level of a table."""
        if isinstance(domain, str):
            return self.text(key)
        low, high = domain
        shift = low - padding_of(low)
        if isinstance(key, Const) and isinstance(key.value, int) and low <= key.value <= high:
            return str(key.value - shift)
        if not self.optimised.facts.fits(key, domain):
            return less(Py(f"{self.unit.chart_check(table, low, high)}({self.text(key)})", ATOM), shift).text
        return less(self.value(key), shift).text

    def _in_range(self, key: Expr, place: Key, state: str) -> Py:
        """A key as a value, checked where its type allows too much."""
        domain = place.domain
        if isinstance(domain, tuple) and not self.optimised.facts.fits(key, domain):
            tested = self.unit.range_check(f"a key of `{state}`", Int(*domain))
            return Py(f"{tested}({self.text(key)})", ATOM)
        return self.value(key)


def _constant_key(key: Expr, place: Key) -> int | None:
    """A key known now that lies in its domain."""
    if isinstance(key, Const) and isinstance(key.value, int):
        domain = place.domain
        if isinstance(domain, str) and key.value >= 0:
            return int(key.value)
        if isinstance(domain, tuple) and domain[0] <= key.value <= domain[1]:
            return int(key.value)
    return None
