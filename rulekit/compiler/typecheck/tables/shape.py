"""The shape of a table: its keys and their values, and the words for them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.populate.fields import key_of, key_size
from rulekit.compiler.populate.type_reader import MAX_VALUES
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.conversions import mask, without_none
from rulekit.compiler.typecheck.tables.boxes import Box, TableCover, of_positions, runs
from rulekit.compiler.world import World
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.expr import Way

MAX_CELLS = 200_000
"""Combinations of keys of one table (spec 6.6)."""
MOST_NAMED = 4
"""Members by which a combination of keys is described."""
Keys = tuple[tuple[int, ...], ...]


@frozen
class TableLine:
    """One line of a lookup: the positions of each key that it covers, and its result cells.

    `heading` is the cell over a column of a key that runs across.
    """

    keys: Keys
    cells: tuple[i.Cell, ...]
    row: i.TableRow
    heading: i.Cell | None = None

    @property
    def place(self) -> Span:
        """The place of its row, without the end of the line."""
        end = self.row.cells[-1].span
        return replace(self.row.span, end_line=end.end_line, end_column=end.end_column)


@frozen
class TableShape:
    """A table's keys: parameters that head columns (or run across), with the number of values of each.

    `ratios` lists the odds of a key that is a ratio, ascending; `rounding`: the way to one of them.
    """

    world: World
    params: Params
    keys: tuple[int, ...]
    sizes: tuple[int, ...]
    ratios: dict[int, tuple[Fraction, ...]]
    rounding: Way

    # -- positions

    def is_ordered(self, place: int) -> bool:
        """Whether the values of a key have an order: numbers, months, odds."""
        key = self.keys[place]
        return key in self.ratios or isinstance(self.params[key].type, t.Int | t.Month)

    def possible(self) -> Box:
        """The combinations that can occur: a key over some members of a domain needs only those."""
        return tuple(
            mask(self.world, type_) if isinstance(type_, t.Member) else (1 << size) - 1
            for type_, size in zip((self.params[key].type for key in self.keys), self.sizes, strict=True)
        )

    def cover(self, lines: tuple[TableLine, ...]) -> TableCover:
        """The lines as boxes of combinations that can occur."""
        wanted = self.possible()
        rows = tuple(
            tuple(of_positions(key) & part for key, part in zip(line.keys, wanted, strict=True))
            for line in lines
        )
        return TableCover(rows, wanted, tuple(map(self.is_ordered, range(len(self.keys)))))

    def number(self, positions: tuple[int, ...]) -> int:
        """The number of a combination, from the position of each key."""
        at = 0
        for size, position in zip(self.sizes, positions, strict=True):
            at = at * size + position
        return at

    def positions(self, at: int) -> tuple[int, ...]:
        """The position of each key in a combination, from its number."""
        positions = []
        for size in reversed(self.sizes):
            at, position = divmod(at, size)
            positions.append(position)
        return tuple(reversed(positions))

    # -- as a static table

    def static_keys(self) -> tuple[str | tuple[int, int], ...]:
        """The keys of the static table."""
        return tuple(self._static_key(key) for key in self.keys)

    def _static_key(self, key: int) -> str | tuple[int, int]:
        return (0, len(self.ratios[key]) - 1) if key in self.ratios else key_of(self.params[key].type)

    def index(self) -> tuple[ir.Expr, ...]:
        """The keys of a lookup as expressions; odds are rounded to a printed column."""
        return tuple(map(self._index, self.keys))

    def _index(self, key: int) -> ir.Expr:
        value = ir.Local(self.params[key].name, self.params[key].type)
        if key not in self.ratios:
            return value
        odds = self.ratios[key]
        columns = ir.Const(odds, t.ListOf(t.Ratio(), len(odds)))
        return ir.Op("ratio_column", (value, columns), t.Int(0, len(odds) - 1), self.rounding)

    # -- words

    def words(self, cover: TableCover, box: Box) -> str:
        """A box in the table's own words, without the keys that may be anything."""
        parts = [
            self.key_words(place, box[place])
            for place in range(len(self.keys))
            if box[place] != cover.wanted[place]
        ]
        return ", ".join(parts) or "anything"

    def key_words(self, place: int, positions: int) -> str:
        """Some values of a key in the table's own words, with its name."""
        return f"{self.params[self.keys[place]].name} {self._stretches(place, positions)}"

    def _stretches(self, place: int, positions: int) -> str:
        if self.is_ordered(place):
            ends = [tuple(dict.fromkeys(self.value(place, end) for end in run)) for run in runs(positions)]
            month = isinstance(self.params[self.keys[place]].type, t.Month)
            words = [(" to " if month else "..").join(end) for end in ends]
        else:
            words = [self.value(place, n) for low, high in runs(positions) for n in range(low, high + 1)]
        more = len(words) - MOST_NAMED
        return " or ".join(words[:MOST_NAMED]) + (f" or {more} more" if more > 0 else "")

    def value(self, place: int, position: int) -> str:
        """A value of a key in the table's own words."""
        key = self.keys[place]
        type_ = self.params[key].type
        if key in self.ratios:
            return t.ratio_text(self.ratios[key][position])
        if isinstance(type_, t.Int | t.Month):
            return self.world.text(type_, type_.low + position)
        if isinstance(type_, t.Flag):
            return ("false", "true")[position]
        return self.world.text(without_none(type_), position)


def rounding_way(ctx: CheckContext, rounding: i.OddsRounding | None, params: Params) -> Way:
    """How a table rounds its odds.

    Raises:
        Wrong: The line names no input of odds.
    """
    if rounding is None:
        return "down"
    if not any(param.name == rounding.key.text and isinstance(param.type, t.Ratio) for param in params):
        ctx.fail(kinds.TABLE_SHAPE, f"`{rounding.key.text}` is not an input of odds", rounding.key.span)
    return rounding.way


def value_count(ctx: CheckContext, type_: t.Type, span: Span) -> int:
    """The number of values of a key's type.

    Raises:
        Wrong: The type cannot be a key.
    """
    if not isinstance(type_, t.Int | t.Month | t.Flag | t.Member):
        ctx.fail(kinds.TABLE_SHAPE, f"`{type_}` cannot be the input of a table", span)
    return key_size(key_of(type_), ctx.world.domains)


def require_size(ctx: CheckContext, total: int, results: int, span: Span) -> None:
    """Refuse a table with too many combinations of keys, and one with which all have too many entries.

    Args:
        total: The combinations of keys.
        results: The results of each.
    """
    hint = "use smaller ranges for the inputs"
    if total > MAX_CELLS:
        message = f"{total:,} combinations of inputs (limit: {MAX_CELLS:,})"
        ctx.fail(kinds.TABLE_SIZE, message, span, hint)
    ctx.table_entries += total * results
    if ctx.table_entries > MAX_VALUES:
        message = f"all tables together have more than {MAX_VALUES:,} entries"
        ctx.fail(kinds.TABLE_SIZE, message, span, hint)
