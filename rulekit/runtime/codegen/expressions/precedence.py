"""Python expressions as text that knows how tightly it binds."""

from __future__ import annotations

from typing import NamedTuple

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
