"""Tables as printed: the keys that each row covers, and the combinations that no row covers, or two."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from rulekit import ir
from rulekit.base import bits
from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.conversions import mask, without_none
from rulekit.compiler.typecheck.tables.boxes import Box, TableCover, volume
from rulekit.compiler.typecheck.tables.shape import (
    TableLine,
    TableShape,
    require_size,
    rounding_way,
    value_count,
)
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import same

_NUMBERS = ("int", "signed", "range", "hyphen")
_MONTHS = ("date", "dates")


@frozen
class _Head:
    """The head of a table: for each column the key that heads it, if any; `across`: by column, the key of
    whose values it is."""

    row: i.TableRow
    down: tuple[int | None, ...]
    across: dict[int, int]

    @property
    def keys(self) -> list[int]:
        """The keys that head columns."""
        return [key for key in self.down if key is not None]


def read_rows(
    ctx: CheckContext, decl: i.Table, params: Params, columns: Sequence[t.Type]
) -> tuple[TableShape, tuple[TableLine, ...], bool]:
    """Read the shape of a table and its rows as lines (with a key across, one for each cell).

    Also return whether all rows could be read; a faulty one is reported.
    """
    head = _read_head(ctx, decl, params, len(columns))
    keys = _key_order(ctx, decl, head)
    rows = decl.rows[1:]
    ratios = {
        key: _listed_odds(ctx, _cells_of(head, rows, key))
        for key in keys
        if isinstance(params[key].type, t.Ratio)
    }
    sizes = tuple(
        len(ratios[key]) if key in ratios else value_count(ctx, params[key].type, decl.span) for key in keys
    )
    require_size(ctx, math.prod(sizes), len(columns), decl.span)
    way = rounding_way(ctx, decl.rounding, params)
    shape = TableShape(ctx.world, params, keys, sizes, ratios, way)
    lines: list[TableLine] = []
    whole = True
    across = {
        place: covered_positions(ctx, head.row.cells[place], key, shape) for place, key in head.across.items()
    }
    for row in rows:
        read = _read_row(ctx, row, head, across, shape, columns)
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
    down = tuple(by_name.get(cell.names[0].text) if len(cell.names) == 1 else None for cell in head.cells)
    headings = {place: cell for place, cell in enumerate(head.cells) if down[place] is None}
    parts = any(cell.parts for row in decl.rows[1:] for cell in row.cells)
    across: dict[int, int] = {}
    if results == 1 or parts or len(headings) > results:
        across = _keys_across(ctx, headings, set(down), params)
    if across:
        strays = [cell for place, cell in headings.items() if place not in across]
        inputs = tuple(param for key, param in enumerate(params) if key not in down)
        _refuse_others(ctx, strays, inputs, params[next(iter(across.values()))])
    return _Head(head, down, across)


def _keys_across(
    ctx: CheckContext, headings: Mapping[int, i.Cell], down: Collection[int | None], params: Params
) -> dict[int, int]:
    """The key of which each heading has members, or all have values; a lone number heads a result."""
    named = {place: _key_named(ctx, cell, params) for place, cell in headings.items()}
    across = {place: key for place, key in named.items() if key is not None}
    values = [cell for cell in headings.values() if not cell.names and cell.kind != "otherwise"]
    if values and len(headings) > 1 and not across:
        fitting = (
            key
            for key, param in enumerate(params)
            if key not in down and all(_may_head(cell, param.type) for cell in values)
        )
        key = next(fitting, None)
        if key is None:
            _refuse_values(ctx, values)
            message = f"no input that heads no column has the value `{values[0].column_name}`"
            ctx.fail(kinds.TABLE_SHAPE, message, values[0].span, "declare an input whose values run across")
        across = {place: key for place, cell in headings.items() if not cell.names}
    if len(set(across.values())) == 1:
        rest = (place for place, cell in headings.items() if cell.kind == "otherwise")
        across |= dict.fromkeys(rest, next(iter(across.values())))
    return across


def _refuse_values(ctx: CheckContext, headings: Iterable[i.Cell]) -> None:
    """Report headings that are not values of any key."""
    for cell in headings:
        if cell.kind not in (*_NUMBERS, *_MONTHS, "ratio", "flag"):
            message = "expected a value of an input, such as `3`, `1-3` or `3:1`"
            ctx.fail(kinds.TABLE_SHAPE, message, cell.span)


def _refuse_others(ctx: CheckContext, headings: Iterable[i.Cell], inputs: Params, across: ir.Param) -> None:
    """Report columns whose headings are not of the key that runs across.

    Args:
        inputs: The keys that head no column.
    """
    type_ = without_none(across.type)
    known = [param.name for param in inputs if param is not across]
    if isinstance(type_, t.Member):
        known += ctx.world.domains[type_.domain].members
    for cell in headings:
        message = "this column heads neither an input nor a value of the input that runs across"
        ctx.fail(kinds.TABLE_SHAPE, message, cell.span, _meant_heading([cell], known))


def _meant_heading(headings: Iterable[i.Cell], known: Collection[str]) -> str | None:
    """A hint with the known name that is most like the first misspelt heading that is like any."""
    unknown = (name.text for cell in headings for name in cell.names if name.text not in known)
    return next(filter(None, (meant(name, known) for name in unknown)), None)


def _may_head(cell: i.Cell, type_: t.Type) -> bool:
    """Whether a heading may be a value of a key that runs across."""
    match type_:
        case t.Int():
            return cell.kind in _NUMBERS
        case t.Ratio():
            return cell.kind in ("ratio", "hyphen")
        case t.Month():
            return cell.kind in _MONTHS
        case t.Flag():
            return cell.kind == "flag"
    return False


def _key_named(ctx: CheckContext, cell: i.Cell, params: Params) -> int | None:
    """The key whose members a heading names."""
    for index, param in enumerate(params):
        type_ = without_none(param.type)
        if cell.names and isinstance(type_, t.Member):
            if all(members_named(ctx, name.text, type_) for name in cell.names):
                return index
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
    across, span = set(head.across.values()), head.row.span
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


def _cells_of(head: _Head, rows: Sequence[i.TableRow], key: int) -> list[i.Cell]:
    """The cells that hold values of a key: in its column, or in the head."""
    if key in head.down:
        place = head.down.index(key)
        return [row.cells[place] for row in rows if place < len(row.cells)]
    return [cell for place, cell in enumerate(head.row.cells) if head.across.get(place) == key]


def _listed_odds(ctx: CheckContext, cells: Iterable[i.Cell]) -> tuple[Fraction, ...]:
    """The odds that a table prints, ascending: a lookup is rounded to one of them."""
    odds = set()
    for cell in cells:
        if cell.kind not in ("ratio", "hyphen") or not cell.high:
            ctx.fail(kinds.TABLE_SHAPE, "expected odds, such as `3:1`", cell.span)
        odds.add(Fraction(cell.low or 0, cell.high))
    return tuple(sorted(odds))


# -- the rows


def _read_row(
    ctx: CheckContext,
    row: i.TableRow,
    head: _Head,
    across: Mapping[int, tuple[int, ...]],
    shape: TableShape,
    columns: Sequence[t.Type],
) -> list[TableLine] | None:
    """One line for a row, or for each of its cells `across`; None, reported, for a faulty row."""
    if len(row.cells) != len(head.row.cells):
        size = "1 cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
        message = f"this row has {size}, but the header has {len(head.row.cells)}"
        ctx.report(kinds.TABLE_SHAPE, message, row.span, None, Label(head.row.span, "the header"))
        return None
    with ctx.recovering():
        keys = {
            key: covered_positions(ctx, row.cells[place], key, shape)
            for place, key in enumerate(head.down)
            if key is not None
        }
        if across:
            sets = ((place, keys | {head.across[place]: covered}) for place, covered in across.items())
            return [
                TableLine(
                    tuple(of[key] for key in shape.keys),
                    result_parts(ctx, row.cells[place], columns),
                    row,
                    head.row.cells[place],
                )
                for place, of in sets
            ]
        cells = tuple(cell for cell, key in zip(row.cells, head.down, strict=True) if key is None)
        if len(cells) != len(columns):
            message = f"found {len(cells)} results, but {len(columns)} are declared"
            headings = (cell for cell, key in zip(head.row.cells, head.down, strict=True) if key is None)
            unread = [param.name for key, param in enumerate(shape.params) if key not in shape.keys]
            hint = _meant_heading(headings, unread) or "give each result column a header"
            ctx.fail(kinds.TABLE_SHAPE, message, row.span, hint)
        return [TableLine(tuple(keys[k] for k in shape.keys), cells, row)]
    return None


def result_parts(ctx: CheckContext, cell: i.Cell, columns: Sequence[t.Type]) -> tuple[i.Cell, ...]:
    """The results of a cell under a key that runs across: its parts in order, or names where they belong.

    Raises:
        Wrong: The parts are not those of the results.
    """
    parts = cell.results
    if len(columns) == 1:
        return (cell,)
    nothing = i.Cell(cell.span, "nothing", None, None, (), None, "")
    if parts[0].kind == "nothing" and len(parts) == 1 and not cell.mark:
        return (nothing,) * len(columns)
    owners = [
        [place for place, type_ in enumerate(columns) if part.names and _has_names(ctx, part, type_)]
        for part in parts
    ]
    places = {owner[0]: part for owner, part in zip(owners, parts, strict=True) if len(owner) == 1}
    if len(places) == len(parts):
        return tuple(places.get(place, nothing) for place in range(len(columns)))
    if len(parts) == len(columns):
        return parts
    number = "1 part" if len(parts) == 1 else f"{len(parts)} parts"
    message = f"found {number}, but {len(columns)} results are declared"
    ctx.fail(kinds.TABLE_SHAPE, message, cell.span, f"write `{' / '.join('-' * len(columns))}` for no effect")


def _has_names(ctx: CheckContext, cell: i.Cell, type_: t.Type) -> bool:
    """Whether the names of a cell are members of a type."""
    inner = without_none(type_)
    of = inner.of if isinstance(inner, t.SetOf) else inner
    return isinstance(of, t.Member) and all(members_named(ctx, name.text, of) for name in cell.names)


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
    if (
        isinstance(type_, t.Int)
        and cell.kind in _NUMBERS
        or isinstance(type_, t.Month)
        and cell.kind in _MONTHS
    ):
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
_INPUTS = {"row": "an input column", "column": "the header"}
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
        line = "column" if self._is_across(largest) else "row"
        message = f"no {line} of `{name}` covers {where}" + (f" and {more} more" if more else "")
        hint = edits or f"add a {line}; `otherwise` in {_INPUTS[line]} matches everything else"
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
        places = [self.lines[number].place for number in (first, second)]
        if places[0] == places[1]:  # two columns of a row
            places = [heading.span for number in (first, second) if (heading := self.lines[number].heading)]
            message = message.replace(f"rows overlap at {where}", f"columns overlap at {self._across(box)}")
            hint = "start each column where the previous one ends"
        labels = (Label(places[0], "also covered here"),)
        key = (f"table {self.decl.name.text}", where)
        return Diagnostic(kind, message, places[1], labels, hint, key=key)

    def _across(self, box: Box) -> str:
        """The part of a box that columns decide, in words."""
        return ", ".join(
            self.shape.key_words(place, part)
            for place, part in enumerate(box)
            if not self._heads_column(place)
        )

    def _is_across(self, box: Box) -> bool:
        """Whether columns alone could cover a box: it has all values of the keys that head columns."""
        return box != self.cover.wanted and all(
            part == whole
            for place, (part, whole) in enumerate(zip(box, self.cover.wanted, strict=True))
            if self._heads_column(place)
        )

    def _heads_column(self, place: int) -> bool:
        name = self.shape.params[self.shape.keys[place]].name
        return name in {cell.column_name for cell in self.decl.rows[0].cells}

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
