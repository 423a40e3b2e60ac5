"""Random constant expressions over the small world, with types as the compiler gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.expr import OpName
from tests.unit.runtime.make import COLOR, FLAG, PIECE, SMALL, const

COLORS = t.SetOf(COLOR)
PIECES = t.SetOf(PIECE)
MAYBE = t.Optional(COLOR)
RATIO = t.Ratio()
MONTH = t.Month(12 * 1940, 12 * 1950)
PILE = t.ListOf(PIECE, 8)
SIZES = {"Color": 3, "piece": 5}
Draw = Callable[[st.SearchStrategy[Any]], Any]


def number(value: int) -> ir.Const:
    """A number as the compiler types it."""
    return const(value, t.Int(value, value))


def span(*values: int) -> t.Int:
    """The numbers from the lowest of some to the highest."""
    return t.Int(min(values), max(values))


def bounds(e: ir.Expr) -> tuple[int, int]:
    """The range of a number's type."""
    assert isinstance(e.type, t.Int | t.Month | t.Member)
    return (0, SIZES[e.type.domain] - 1) if isinstance(e.type, t.Member) else (e.type.low, e.type.high)


@dataclass
class Constants:
    """Draws expressions of each type; those of depth 0 are constants."""

    draw: Draw

    def pick(self, *options: Any) -> Any:
        """One of some values."""
        return self.draw(st.sampled_from(options))

    def whole(self, low: int, high: int) -> int:
        """A number in a range."""
        value: int = self.draw(st.integers(low, high))
        return value

    def either(self, make: Callable[[int], ir.Expr], depth: int) -> ir.Expr:
        """One of two expressions of a type, by a condition."""
        then, otherwise = make(depth), make(depth)
        kind = then.type
        if isinstance(kind, t.Int) and isinstance(otherwise.type, t.Int):
            kind = span(*bounds(then), *bounds(otherwise))
        elif isinstance(kind, t.ListOf) and isinstance(otherwise.type, t.ListOf):
            kind = t.ListOf(kind.of, max(kind.most, otherwise.type.most))
        return ir.If(self.flag(depth), then, otherwise, kind)

    def any(self, depth: int) -> ir.Expr:
        """An expression of any type."""
        makers = (self.flag, self.number, self.color, self.maybe, self.piece, self.colors, self.pieces)
        return self.pick(*makers, self.ratio, self.month, self.pile)(depth)  # type: ignore[no-any-return]

    def op(self, name: OpName, kind: t.Type, *parts: ir.Expr, detail: str = "") -> ir.Op:
        """An operation."""
        return ir.Op(name, parts, kind, detail)

    def flag(self, depth: int) -> ir.Expr:
        """A flag."""
        if depth <= 0:
            return const(self.pick(True, False), FLAG)
        n = depth - 1
        ordered = self.pick(self.number, self.ratio, self.month, self.color)
        alike = self.pick(self.number, self.maybe, self.colors, self.pieces, self.ratio, self.pile, self.flag)
        match self.whole(0, 9):
            case 0:
                parts = [self.flag(n) for _ in range(self.whole(2, 3))]
                return self.op(self.pick("and", "or"), FLAG, *parts)
            case 1:
                return self.op("not", FLAG, self.flag(n))
            case 2 | 3:
                return self.op(self.pick("lt", "le", "gt", "ge"), FLAG, ordered(n), ordered(n))
            case 4:
                return self.op(self.pick("eq", "ne"), FLAG, alike(n), alike(n))
            case 5:
                return self.op("has", FLAG, self.pick(self.maybe, self.color)(n), self.colors(n))
            case 6:
                return self.op("is_empty", FLAG, self.pick(self.colors, self.pieces)(n))
            case 7:
                return self.op("within", FLAG, self.pieces(n), self.pieces(n))
            case 8:
                return self.op("list_has", FLAG, self.piece(n), self.pile(n))
            case _:
                return self.op("is_none", FLAG, self.maybe(n))

    def number(self, depth: int) -> ir.Expr:
        """A number."""
        if depth <= 0:
            return number(self.whole(-6, 6))
        n = depth - 1
        match self.whole(0, 11):
            case 0 | 1:
                return self.arithmetic(n)
            case 2 | 3:
                return self.quotient(n)
            case 4:
                return self.op("count", t.Int(0, 5), self.pick(self.colors, self.pieces)(n))
            case 5:
                return self.op("length", t.Int(0, 100), self.pile(n))
            case 6:
                place = self.op("index_of", t.Optional(t.Int(1, 100)), self.piece(n), self.pile(n))
                return self.op("or_else", t.Int(0, 100), place, number(0))
            case 7:
                low, high = number(self.whole(-5, 0)), number(self.whole(1, 5))
                kind = span(bounds(low)[0], bounds(high)[1])
                return self.op("ranged", kind, self.number(n), low, high, detail="a number")
            case 8:
                columns = tuple(sorted({Fraction(self.whole(1, 9), self.whole(1, 4)) for _ in range(3)}))
                kind = t.Int(0, len(columns) - 1)
                way = self.pick("down", "up", "nearest")
                value = self.ratio(n)
                return self.op("ratio_column", kind, value, const(columns, t.ListOf(RATIO, 3)), detail=way)
            case 9:
                keys = (self.pick(number(self.whole(1, 6)), self.small(n)), self.color(n))
                return ir.Static("chart", keys, SMALL, True)
            case 10:
                return self.op("add", t.Int(0, 2), self.color(n), number(0))
            case _:
                return self.either(self.number, n)

    def small(self, depth: int) -> ir.Expr:
        """A number 0..5 that a fixed field holds."""
        return ir.Static("piece.power", (self.piece(depth),), SMALL)

    def arithmetic(self, depth: int) -> ir.Expr:
        """Sums, products and extremes."""
        a, b = self.number(depth), self.number(depth)
        (low, high), (least, most) = bounds(a), bounds(b)
        match self.whole(0, 5):
            case 0:
                return self.op("add", t.Int(low + least, high + most), a, b)
            case 1:
                return self.op("sub", t.Int(low - most, high - least), a, b)
            case 2:
                return self.op("mul", span(*(i * j for i in (low, high) for j in (least, most))), a, b)
            case 3:
                return self.op("smaller", t.Int(min(low, least), min(high, most)), a, b)
            case 4:
                return self.op("larger", t.Int(max(low, least), max(high, most)), a, b)
            case _:
                far = max(abs(low), abs(high))
                return self.op(self.pick("neg", "abs"), t.Int(-far, far), a)

    def quotient(self, depth: int) -> ir.Expr:
        """A division, by zero too."""
        a, b = self.number(depth), self.number(depth)
        far = max(map(abs, (*bounds(a), *bounds(b))))
        return self.op(self.pick("div_down", "div_up", "div_nearest", "mod"), t.Int(-far, far), a, b)

    def color(self, depth: int) -> ir.Expr:
        """A member of an enum."""
        if depth <= 0:
            return const(self.whole(0, 2), COLOR)
        n = depth - 1
        match self.whole(0, 3):
            case 0:
                return self.op("or_else", COLOR, self.maybe(n), self.color(n))
            case 1:
                return self.op("only", COLOR, self.colors(n))
            case 2:
                return self.op(self.pick("successor", "predecessor"), COLOR, self.color(n))
            case _:
                return self.either(self.color, n)

    def maybe(self, depth: int) -> ir.Expr:
        """A member of an enum, or none."""
        if depth <= 0:
            return const(self.pick(t.NONE, 0, 1, 2), MAYBE)
        n = depth - 1
        if self.pick(True, False):
            return self.op(self.pick("successor", "predecessor"), MAYBE, self.color(n))
        return self.either(self.maybe, n)

    def piece(self, depth: int) -> ir.Expr:
        """A piece."""
        if depth <= 0:
            return const(self.whole(0, 4), PIECE)
        n = depth - 1
        match self.whole(0, 2):
            case 0:
                return self.op("only", PIECE, self.pieces(n))
            case 1:
                return self.op("item", PIECE, self.pile(n), self.number(n))
            case _:
                return self.either(self.piece, n)

    def colors(self, depth: int) -> ir.Expr:
        """A set of members, of one that may be none too."""
        return self.members(COLORS, self.colors, self.pick(self.color, self.maybe), depth)

    def pieces(self, depth: int) -> ir.Expr:
        """A set of pieces."""
        if depth > 0 and self.whole(0, 5) == 0:
            return self.op("to_set", PIECES, self.pile(depth - 1))
        return self.members(PIECES, self.pieces, self.piece, depth)

    def members(
        self, kind: t.SetOf, more: Callable[[int], ir.Expr], one: Callable[[int], ir.Expr], depth: int
    ) -> ir.Expr:
        """A set of a type, of more sets or of one member."""
        if depth <= 0:
            return const(self.whole(0, 7), kind)
        n = depth - 1
        match self.whole(0, 3):
            case 0:
                return self.op("single", kind, one(n))
            case 1:
                return self.either(more, n)
            case _:
                return self.op(self.pick("union", "inter", "diff"), kind, more(n), more(n))

    def pile(self, depth: int) -> ir.Expr:
        """A list of pieces."""
        if depth <= 0:
            values = tuple(self.whole(0, 4) for _ in range(self.whole(0, 3)))
            return const(values, t.ListOf(PIECE, 3))
        n = depth - 1
        one, other = self.pile(n), self.pile(n)
        assert isinstance(one.type, t.ListOf)
        assert isinstance(other.type, t.ListOf)
        match self.whole(0, 6):
            case 0:
                parts = [self.piece(n) for _ in range(self.whole(1, 3))]
                return self.op("list_of", t.ListOf(PIECE, 3), *parts)
            case 1:
                return self.op("rest", one.type, one)
            case 2:
                return self.op("joined", t.ListOf(PIECE, one.type.most + other.type.most), one, other)
            case 3:
                return self.op("without", one.type, one, self.piece(n))
            case 4:
                most = self.whole(0, 3)
                return self.op("at_most", t.ListOf(PIECE, most), one, number(most), detail="a list")
            case 5:
                return self.op("to_list", t.ListOf(PIECE, 5), self.pieces(n))
            case _:
                return self.either(self.pile, n)

    def ratio(self, depth: int) -> ir.Expr:
        """A ratio."""
        if depth <= 0:
            return const(Fraction(self.whole(-6, 6), self.whole(1, 5)), RATIO)
        n = depth - 1
        match self.whole(0, 1):
            case 0:
                return self.op("ratio", RATIO, self.number(n), self.number(n))
            case _:
                return self.either(self.ratio, n)

    def month(self, depth: int) -> ir.Expr:
        """A month."""
        if depth <= 0:
            return const(self.whole(MONTH.low, MONTH.low + 12), MONTH)
        n = depth - 1
        month, by = self.month(n), self.number(n)
        (low, high), (least, most) = bounds(month), bounds(by)
        match self.whole(0, 3):
            case 0:
                return self.op("add", t.Month(low + least, high + most), month, by)
            case 1:
                return self.op("sub", t.Month(low - most, high - least), month, by)
            case 2:
                return self.op(self.pick("successor", "predecessor"), t.Month(low - 1, high + 1), month)
            case _:
                ends = (number(MONTH.low), number(MONTH.low + 6))
                kind = t.Month(MONTH.low, MONTH.low + 6)
                return self.op("ranged", kind, month, *ends, detail="a month")


@st.composite
def constants(draw: Draw) -> ir.Expr:
    """A constant expression of any type."""
    return Constants(draw).any(draw(st.integers(1, 4)))
