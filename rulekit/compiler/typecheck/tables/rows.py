"""Tables as printed: the keys that each row covers, and the combinations that no row covers, or two."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from rulekit.base import bits
from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.conversions import mask, without_none
from rulekit.compiler.typecheck.tables.boxes import Box, TableCover, volume
from rulekit.compiler.typecheck.tables.shape import TableLine, TableShape, require_size, value_count
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import same

Across = dict[int, tuple[int, tuple[int, ...]]]
"""For columns headed by members of a key: the key and those members."""


@frozen
class _Head:
    """The head of a table: for each column the key that heads it, if any, and the keys that run across."""

    row: i.TableRow
    down: tuple[int | None, ...]
    across: Across

    @property
    def keys(self) -> list[int]:
        """The keys that head columns."""
        return [key for key in self.down if key is not None]


def read_rows(
    ctx: CheckContext, decl: i.Table, params: Params, results: int
) -> tuple[TableShape, tuple[TableLine, ...], bool]:
    """Read the shape of a table and its rows as lines (with a key across, one for each cell).

    Also return whether all rows could be read; a faulty one is reported.
    """
    head = _read_head(ctx, decl, params, results)
    keys = _key_order(ctx, decl, head)
    rows = decl.rows[1:]
    ratios = {
        key: _listed_odds(ctx, rows, head.down.index(key))
        for key in keys
        if isinstance(params[key].type, t.Ratio)
    }
    sizes = tuple(
        len(ratios[key]) if key in ratios else value_count(ctx, params[key].type, decl.span) for key in keys
    )
    require_size(ctx, math.prod(sizes), decl.span)
    shape = TableShape(ctx.world, params, keys, sizes, ratios)
    lines: list[TableLine] = []
    whole = True
    for row in rows:
        read = _read_row(ctx, row, head, shape, results)
        whole = whole and read is not None
        lines += read or []
    return shape, _with_rest(lines, shape), whole


def dense_rows(shape: TableShape, lines: tuple[TableLine, ...]) -> list[int]:
    """For every combination of keys the number of its line, or -1; of several lines the first."""
    dense = [-1] * math.prod(shape.sizes)
    for number in reversed(range(len(lines))):
        for combination in itertools.product(*lines[number].keys):
            dense[shape.number(combination)] = number
    return dense


# -- the head


def _read_head(ctx: CheckContext, decl: i.Table, params: Params, results: int) -> _Head:
    head = decl.rows[0]
    by_name = {param.name: index for index, param in enumerate(params)}
    down: list[int | None] = []
    across: Across = {}
    for place, cell in enumerate(head.cells):
        key = by_name.get(cell.names[0].text) if len(cell.names) == 1 else None
        down.append(key)
        members = _members_across(ctx, cell, params) if key is None and results == 1 else None
        if members is not None:
            across[place] = members
    _refuse_numbers(ctx, head, len(head.cells) - len(across) - sum(key is not None for key in down) - results)
    return _Head(head, tuple(down), across)


def _refuse_numbers(ctx: CheckContext, head: i.TableRow, more: int) -> None:
    """Report numbers and odds as headers where there are `more` columns than results."""
    numbers = [cell for cell in head.cells if not cell.names]
    if more > 0 and numbers:
        names = [f"c{number}" for number in range(1, len(numbers) + 1)]
        hint = (
            f"declare `enum Column: {', '.join(names)}`, make it the type of the input that runs across,"
            f" and write `{' | '.join(names)}` in the header"
        )
        ctx.fail(
            kinds.TABLE_SHAPE, "a header of several columns needs names, not numbers", numbers[0].span, hint
        )


def _members_across(ctx: CheckContext, cell: i.Cell, params: Params) -> tuple[int, tuple[int, ...]] | None:
    """The key whose members a head cell names, and those members."""
    if not cell.names:
        return None
    for index, param in enumerate(params):
        type_ = without_none(param.type)
        if isinstance(type_, t.Member):
            members = [members_named(ctx, name.text, type_) for name in cell.names]
            if all(members):
                return index, tuple(number for numbers in members for number in numbers)
    return None


def members_named(ctx: CheckContext, name: str, type_: t.Member) -> tuple[int, ...]:
    """The members of a type that a name in a cell stands for: one, or all of a kind."""
    world = ctx.world
    inside = mask(world, type_)
    kind = world.kinds.get(name)
    for domain, number in world.members.get(name, ()):
        if domain == type_.domain and inside >> number & 1:
            return (number,)
    if kind is not None and kind.domain == type_.domain and kind.members & inside:
        return bits.member_ids(kind.members & inside)
    return ()


def _key_order(ctx: CheckContext, decl: i.Table, head: _Head) -> tuple[int, ...]:
    across, span = {key for key, _ in head.across.values()}, head.row.span
    if len(across) > 1:
        ctx.fail(kinds.TABLE_SHAPE, "only one input can run across", span)
    if len(set(head.keys)) != len(head.keys):
        ctx.fail(kinds.TABLE_SHAPE, "an input heads two columns", span)
    if across & set(head.keys):
        ctx.fail(kinds.TABLE_SHAPE, "an input heads a column and also runs across", span)
    if not head.keys and not across:
        names = ", ".join(param.name.text for param in decl.params)
        ctx.fail(kinds.TABLE_SHAPE, "no column has an input as its header", span, f"the inputs are {names}")
    return tuple(sorted({*head.keys, *across}))


def _listed_odds(ctx: CheckContext, rows: tuple[i.TableRow, ...], place: int) -> tuple[Fraction, ...]:
    """The odds that a table prints, ascending: a lookup is rounded to one of them."""
    odds = set()
    for cell in (row.cells[place] for row in rows if place < len(row.cells)):
        if cell.kind != "ratio" or not cell.high:
            ctx.fail(kinds.TABLE_SHAPE, "expected odds, such as `3:1`", cell.span)
        odds.add(Fraction(cell.low or 0, cell.high))
    return tuple(sorted(odds))


# -- the rows


def _read_row(
    ctx: CheckContext, row: i.TableRow, head: _Head, shape: TableShape, results: int
) -> list[TableLine] | None:
    """One line for a row, or with a key across one for each result cell; None, reported, for a faulty row."""
    if len(row.cells) != len(head.row.cells):
        message = f"this row has {len(row.cells)} cells, but the header has {len(head.row.cells)}"
        ctx.report(kinds.TABLE_SHAPE, message, row.span, None, Label(head.row.span, "the header"))
        return None
    with ctx.recovering():
        keys = {
            key: covered_positions(ctx, row.cells[place], key, shape)
            for place, key in enumerate(head.down)
            if key is not None
        }
        if head.across:
            sets = ((place, keys | {key: members}) for place, (key, members) in head.across.items())
            return [
                TableLine(tuple(of[key] for key in shape.keys), (row.cells[place],), row)
                for place, of in sets
            ]
        cells = tuple(cell for cell, key in zip(row.cells, head.down, strict=True) if key is None)
        if len(cells) != results:
            message = f"found {len(cells)} results, but {results} are declared"
            ctx.fail(kinds.TABLE_SHAPE, message, row.span, "give each result column a header")
        return [TableLine(tuple(keys[k] for k in shape.keys), cells, row)]
    return None


def covered_positions(ctx: CheckContext, cell: i.Cell, key: int, shape: TableShape) -> tuple[int, ...]:
    """The positions of a key that a cell covers; empty stands for the rest (`otherwise`).

    Raises:
        Wrong: The cell holds no value of the key.
    """
    type_ = shape.params[key].type
    if cell.kind == "otherwise":
        return ()
    if cell.kind == "nothing":
        return tuple(range(shape.sizes[shape.keys.index(key)]))
    if key in shape.ratios:
        return (shape.ratios[key].index(Fraction(cell.low or 0, cell.high or 1)),)
    if isinstance(type_, t.Int | t.Month) and cell.kind in ("int", "signed", "range", "date", "dates"):
        low = type_.low if cell.low is None else cell.low
        high = type_.high if cell.high is None else cell.high
        if low > high or low < type_.low or high > type_.high:
            _refuse_outside(ctx, type_, shape.params[key].name, cell)
        return tuple(range(low - type_.low, high - type_.low + 1))
    if isinstance(type_, t.Flag) and cell.kind == "flag":
        return (int(cell.low == 1),)
    if isinstance(type_, t.Member) and cell.names:
        return cell_members(ctx, cell, type_, kinds_too=True)
    name = shape.params[key].name
    ctx.fail(kinds.TABLE_SHAPE, f"expected `{type_}` for `{name}`", cell.span)


def cell_members(ctx: CheckContext, cell: i.Cell, type_: t.Member, *, kinds_too: bool) -> tuple[int, ...]:
    """The members that a cell names, each alone or (`kinds_too`) all of a kind.

    Raises:
        Wrong: A name is not one of the type's.
    """
    numbers: list[int] = []
    for name in cell.names:
        members = members_named(ctx, name.text, type_)
        if not members or (len(members) > 1 and not kinds_too):
            hint = meant(name.text, ctx.world.domains[type_.domain].members)
            ctx.fail(kinds.UNKNOWN_NAME, f"`{type_}` has no member `{name.text}`", name.span, hint)
        numbers += members
    return tuple(numbers)


def _refuse_outside(ctx: CheckContext, type_: t.Int | t.Month, key: str, cell: i.Cell) -> NoReturn:
    low, high = map(t.month_text if isinstance(type_, t.Month) else str, (type_.low, type_.high))
    message = f"outside {low}..{high}, the values of `{key}`"
    hint = "months outside the calendar never occur" if isinstance(type_, t.Month) else None
    ctx.fail(kinds.TABLE_SHAPE, message, cell.span, hint)


def _with_rest(lines: list[TableLine], shape: TableShape) -> tuple[TableLine, ...]:
    """The lines with `otherwise` in a key column as the values that no other row names there."""
    complete = []
    for line in lines:
        keys = list(line.keys)
        for place, positions in enumerate(keys):
            if not positions:
                taken = {n for other in lines for n in other.keys[place]}
                keys[place] = tuple(n for n in range(shape.sizes[place]) if n not in taken)
        complete.append(replace(line, keys=tuple(keys)))
    return tuple(complete)


MOST_TOLD = 5
"""Findings of one kind about one table."""
Overlap = tuple[int, int, Box]
"""Two rows and the combinations that both cover."""


def report_cover(
    ctx: CheckContext, decl: i.Table, shape: TableShape, lines: tuple[TableLine, ...], *, whole: bool
) -> None:
    """Report gaps and overlaps, as one finding where they touch; `whole`: all rows could be read."""
    table = _Table(decl, shape, lines, shape.cover(lines))
    overlaps = table.cover.overlaps()
    gaps = table.cover.gaps() if whole else []
    boxes = [*gaps, *(box for _, _, box in overlaps)]
    groups = sorted(table.cover.groups(boxes), key=lambda group: -max(volume(boxes[n]) for n in group))
    single = sum(all(n < len(gaps) for n in group) for group in groups) == 1
    reported = {True: 0, False: 0}
    for group in groups:
        missing = [gaps[n] for n in group if n < len(gaps)]
        double = [overlaps[n - len(gaps)] for n in group if n >= len(gaps)]
        reported[bool(double)] += 1
        if reported[bool(double)] <= MOST_TOLD:
            ctx.findings.add(table.overlap(double, missing) if double else table.gap(missing, single=single))


@frozen
class _Table:
    """A table with what its rows cover."""

    decl: i.Table
    shape: TableShape
    lines: tuple[TableLine, ...]
    cover: TableCover

    def gap(self, missing: Sequence[Box], *, single: bool) -> Diagnostic:
        """The finding of combinations that no row covers; `single`: the table has no other such finding."""
        largest = self.cover.grown(max(missing, key=volume))
        where = self.shape.words(self.cover, largest)
        more = sum(map(volume, missing)) - volume(largest)
        name = self.decl.name.text
        labels, edits = self._edits(missing, range(len(self.lines)), gap=True)
        message = f"no row of `{name}` covers {where}" + (f" and {more} more" if more else "")
        hint = edits or "add a row; `otherwise` in an input column matches everything else"
        key = (f"table {name}", *(() if single else (where,)))
        return Diagnostic(kinds.TABLE_GAP, message, self.decl.span, labels, hint, key=key)

    def overlap(self, double: Sequence[Overlap], missing: Sequence[Box]) -> Diagnostic:
        """The finding of combinations that two rows cover, and of gaps beside them."""
        unequal = [pair for pair in double if not same(self.lines[pair[0]].cells, self.lines[pair[1]].cells)]
        kind = kinds.TABLE_OVERLAP if unequal else kinds.SAME_RESULT_TWICE
        first, second, box = max(unequal or double, key=lambda pair: volume(pair[2]))
        where = self.shape.words(self.cover, box)
        message = f"rows overlap at {where}" + ("" if unequal else " with the same result")
        hint: str | None = "start each row where the previous one ends"
        if missing:
            largest = max(missing, key=volume)
            message += f", and no row covers {self.shape.words(self.cover, largest)}"
            hint = "extend one of them to the gap"
        else:
            rows = sorted({number for one, other, _ in double for number in (one, other)})
            _, edits = self._edits([box for _, _, box in double], rows, gap=False)
            hint = edits or ("remove one of them" if not unequal else hint)
        labels = (Label(self.lines[first].place, "also covered here"),)
        key = (f"table {self.decl.name.text}", where)
        return Diagnostic(kind, message, self.lines[second].place, labels, hint, key=key)

    def _edits(
        self, boxes: Sequence[Box], rows: Iterable[int], *, gap: bool
    ) -> tuple[tuple[Label, ...], str | None]:
        """Edges of rows that may be misread; moving any one of them settles the whole finding."""
        labels, edits = [], []
        for number in rows:
            for axis, position, begins in self.cover.edge_moves(boxes, number, gap=gap):
                value = self.shape.value(axis, position)
                word = "start" if begins else "end"
                name = self.shape.params[self.shape.keys[axis]].name
                head = f" ({name})" if len(self.shape.keys) > 1 else ""
                span = self.lines[number].place
                edits.append(f"{word} the row on line {span.line} at {value}{head}")
                labels.append(Label(span, f"should this {word} at {value}?"))
        return tuple(labels), ", or ".join(edits) or None
