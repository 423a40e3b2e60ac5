"""Terms of formulas, of which z3 gets only those that a finished formula has, each once.

A term is cheap to make, so a formula that becomes too large costs little.  Equal terms are one object: it is
known by its number, and `==` makes a term, as with z3.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, Final

import z3

Operand = Any
"""A term, or an int or bool that is known."""


class FormulaTerm:
    """An operation on terms and known values, or a variable; made by `FormulaTerms` and by operators."""

    __slots__ = ("terms", "number", "op", "parts")
    __hash__ = object.__hash__

    def __init__(self, terms: FormulaTerms, number: int, op: str, parts: tuple[Operand, ...]) -> None:
        self.terms, self.number, self.op, self.parts = terms, number, op, parts

    def __eq__(self, other: Operand) -> Any:
        return self.terms.of("eq", self, other)

    def __lt__(self, other: Operand) -> Any:
        return self.terms.of("lt", self, other)

    def __le__(self, other: Operand) -> Any:
        return self.terms.of("le", self, other)

    def __gt__(self, other: Operand) -> Any:
        return self.terms.of("gt", self, other)

    def __ge__(self, other: Operand) -> Any:
        return self.terms.of("ge", self, other)

    def __add__(self, other: Operand) -> Any:
        return self.terms.of("add", self, other)

    def __radd__(self, other: Operand) -> Any:
        return self.terms.of("add", other, self)

    def __sub__(self, other: Operand) -> Any:
        return self.terms.of("sub", self, other)

    def __rsub__(self, other: Operand) -> Any:
        return self.terms.of("sub", other, self)

    def __mul__(self, other: Operand) -> Any:
        return self.terms.of("mul", self, other)

    def __rmul__(self, other: Operand) -> Any:
        return self.terms.of("mul", other, self)

    def __neg__(self) -> Any:
        return self.terms.of("neg", self)

    def __mod__(self, other: Operand) -> Any:
        return self.terms.of("mod", self, other)

    def __truediv__(self, other: Operand) -> Any:
        return self.terms.of("div", self, other)


def term_of(op: str, *parts: Operand) -> FormulaTerm:
    """Return a term of parts of which one at least is a term."""
    terms = next(part.terms for part in parts if isinstance(part, FormulaTerm))
    return terms.of(op, *parts)


class FormulaTerms:
    """The terms of one formula: a part has a lower number than every term that it is in."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], FormulaTerm] = {}

    def of(self, op: str, *parts: Operand) -> FormulaTerm:
        """Return the term of an operation."""
        key = (
            op,
            *((part.number, None) if isinstance(part, FormulaTerm) else (type(part), part) for part in parts),
        )
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = FormulaTerm(self, len(self._known), op, parts)
        return term


class Translation:
    """Terms as expressions of z3, in the order in which they were made.

    Args:
        roots: The terms to translate; their parts are translated, too.
    """

    def __init__(self, roots: Iterable[Operand]) -> None:
        reached: dict[int, FormulaTerm] = {}
        waiting = [root for root in roots if isinstance(root, FormulaTerm)]
        while waiting:
            term = waiting.pop()
            if term.number not in reached:
                reached[term.number] = term
                waiting += [part for part in term.parts if isinstance(part, FormulaTerm)]
        self._made: dict[int, Any] = {}
        self._numerals: dict[int, Any] = {}
        for number in sorted(reached):
            self._made[number] = self._make(reached[number])

    def of(self, term: Operand) -> Any:
        """Return the expression of a root or of a part of one; None for any other term."""
        return self._made.get(term.number) if isinstance(term, FormulaTerm) else self._constant(term)

    def _constant(self, value: Operand) -> Any:
        if isinstance(value, bool):
            return z3.BoolVal(value)
        if value not in self._numerals:
            self._numerals[value] = z3.IntVal(value)
        return self._numerals[value]

    def _make(self, term: FormulaTerm) -> Any:
        if term.op in _VARIABLES:
            return _VARIABLES[term.op](term.parts[0])
        return _OPERATIONS[term.op](*map(self.of, term.parts))


_VARIABLES: Final = {"int": z3.Int, "bool": z3.Bool}
_OPERATIONS: Final[dict[str, Any]] = {
    "and": z3.And,
    "or": z3.Or,
    "not": z3.Not,
    "if": z3.If,
    "sum": z3.Sum,
    "eq": operator.eq,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "mod": operator.mod,
    "div": operator.truediv,
}
