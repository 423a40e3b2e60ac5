"""Python expressions as text that knows how tightly it binds, and the interface of what writes them.

The parts (`loops`, `operations`) write one kind of expression each and hand the expressions inside it back to
the writer; `expressions` implements it and knows all parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple, Self

from rulekit.base.bits import listed
from rulekit.ir import Const, Expr
from rulekit.runtime.codegen.module_writer import Unit

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

    @abstractmethod
    def value(self, e: Expr) -> Py:
        """Any expression as its value; flags are 0 or 1 (or the equal `bool`)."""

    @abstractmethod
    def truth(self, e: Expr) -> Py:
        """A flag as something true or false."""

    @abstractmethod
    def flag(self, state: str, keys: tuple[Expr, ...]) -> tuple[str, Py]:
        """Cell and bit of one flag."""

    def within(self, names: Mapping[str, str], site: int | None = None) -> Self:
        """A writer for another function of the same module, with other names in sight."""
        return type(self)(self.unit, names, self.site if site is None else site)

    def text(self, e: Expr) -> str:
        """A value as text for a place that takes any expression."""
        return self.value(e).text

    def members(self, e: Expr) -> str:
        """The members of a set in id order, as the text of a tuple."""
        if isinstance(e, Const) and isinstance(e.value, int):
            numbers = listed(e.value)
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
