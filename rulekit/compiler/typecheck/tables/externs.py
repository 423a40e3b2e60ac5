"""Extern tables: the rules declare their shape, the owner's file holds their rows, which are checked."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rulekit import ir
from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.populate.cells import CellReader
from rulekit.compiler.typecheck.context import CheckContext, Params, Signature
from rulekit.compiler.typecheck.conversions import without_none
from rulekit.compiler.typecheck.tables.boxes import Box, of_positions
from rulekit.compiler.typecheck.tables.lookups import Columns, table_result
from rulekit.compiler.typecheck.tables.rows import covered_positions
from rulekit.compiler.typecheck.tables.shape import TableShape, require_size, rounding_way, value_count
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ruleset import CellValue, DataFile, RowData, TableData
from rulekit.syntax.tree import items as i

_RANGE = re.compile(r"(-?\d+)?\.\.(-?\d+)?")
_MOST_NAMED = 120
"""Rows that a hint names; their author needs each of them."""
Rows = dict[int, tuple[Value, ...]]
"""Results by the number of a combination of keys."""


@frozen
class _Unfilled:
    """A row with empty cells: the combinations of keys it covers, and the empty columns."""

    row: RowData
    places: tuple[int, ...]
    columns: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    """The rows read so far, and what reads them.

    `whose` says whose they are, `types` are those of the result columns, `listed` the keys that the table
    has; `first` is the first row of each combination; `sound`: no row is faulty.
    """

    whose: str

    types: Mapping[str, t.Type]
    listed: Box
    cells: CellReader
    rows: Rows = field(default_factory=dict)
    first: dict[int, Span] = field(default_factory=dict)
    unfilled: list[_Unfilled] = field(default_factory=list)
    sound: bool = True


class OwnerTable:
    """An extern table as its owner must write it."""

    def __init__(self, ctx: CheckContext, decl: i.ExternTable, shape: TableShape) -> None:
        self.ctx = ctx
        self._decl = decl
        self._shape = shape
        self._name = decl.name.text
        self._declared = Label(decl.span, "declared here")

    def columns(self, unnamed: str) -> list[str]:
        """The columns that the file must have; `unnamed` is the owner's name for a single result."""
        keys = [param.name for param in self._shape.params]
        return [*keys, *(column.name or unnamed for column in self._decl.columns)]

    def listed_words(self) -> tuple[tuple[str, ...], ...]:
        """For each key the values that the table has, as the file must write them."""
        return tuple(
            tuple(self._word(place, at) for at in members(inside))
            for place, inside in enumerate(self._listed_keys())
        )

    def is_sampler(self, file: DataFile) -> bool:
        """Whether the table of the file is a sampler's."""
        return self._name in file.tables and file.tables[self._name].sampler

    def rows(self, columns: tuple[t.Type, ...], file: DataFile) -> Rows | None:
        """The owner's rows; None if the file lacks the table or a column."""
        data = file.tables.get(self._name)
        if data is None:
            message = f"`{file.file}` has no table `{self._name}`"
            self.ctx.report(kinds.OWNER_COLUMN, message, self._decl.span)
            return None
        keys = {param.name for param in self._shape.params}
        expected = self.columns(next((c for c in data.columns if c not in keys), data.columns[-1]))
        if not self._has_columns(data, expected):
            return None
        world = self.ctx.world
        cells = CellReader(world.domains, world.kinds, world.data_members, self.ctx.findings)
        types = dict(zip(expected[len(self._shape.params) :], columns, strict=True))
        listed = self._listed_keys()
        reading = _Reading("sampler" if data.sampler else "owner data", types, listed, cells)
        for row in data.rows:
            self._read(row, dict(zip(data.columns, row.cells, strict=True)), reading)
        if reading.unfilled:
            self._report_unfilled(reading, len(data.rows))
        if reading.sound:
            self._report_missing(reading, data.span)
        return reading.rows

    def _has_columns(self, data: TableData, expected: list[str]) -> bool:
        """Whether a table has the expected columns; a missing or unknown one is reported."""
        hint = f"its columns are {', '.join(expected)}"
        missing = [f"`{column}`" for column in expected if column not in data.columns]
        unknown = [column for column in data.columns if column not in expected]
        if missing:
            message = f"`{self._name}` has no column{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
        elif unknown:
            message = f"`{self._name}` declares no column `{unknown[0]}`"
        else:
            return True
        self.ctx.report(kinds.OWNER_COLUMN, message, data.span, hint, self._declared)
        return False

    def _read(self, row: RowData, cell_of: Mapping[str, CellValue], reading: _Reading) -> None:
        types, cells = reading.types, reading.cells
        places = tuple(self._combinations(cell_of, cells))
        empty = tuple(column for column, type_ in types.items() if _is_empty(type_, cell_of[column]))
        values: list[Value | None] = [t.GAP for _ in types]
        if empty:
            reading.unfilled.append(_Unfilled(row, places[:1], empty))
        else:
            values = [cells.read(type_, cell_of[column]) for column, type_ in types.items()]
        results = tuple(value for value in values if value is not None)
        complete = len(results) == len(values)
        reading.sound &= bool(places) and complete
        self._report_places(row, places, reading)
        for at in places:
            reading.first.setdefault(at, row.span)
            if complete:
                reading.rows[at] = results

    def _report_places(self, row: RowData, places: tuple[int, ...], reading: _Reading) -> None:
        """Report a row beyond the listed keys, or a second row for the same keys."""
        beyond = [at for at in places if not self._within(reading.listed, at)]
        if beyond:
            message = f"{self._row_words(beyond[0])} is not among the listed keys"
            self.ctx.report(kinds.OWNER_KEY, message, row.span, None, self._declared)
        twice = [at for at in places if at in reading.first]
        if twice:
            message = f"{self._row_words(twice[0])} has two rows"
            again = Label(reading.first[twice[0]], "its first row")
            self.ctx.report(kinds.DUPLICATE_ROW, message, row.span, "keep one of them", again)

    # -- keys

    def _listed_keys(self) -> Box:
        """The keys that the table has: those of its `keys` lines, else all that can occur."""
        wanted = list(self._shape.possible())
        lists = {name.text: cells for name, cells in self._decl.keys}
        for place, number in enumerate(self._shape.keys):
            name = self._shape.params[number].name
            if name in lists and number not in self._shape.ratios:
                covered = [covered_positions(self.ctx, cell, number, self._shape) for cell in lists[name]]
                wanted[place] &= of_positions(sorted({at for positions in covered for at in positions}))
        return tuple(wanted)

    def _within(self, listed: Box, at: int) -> bool:
        positions = self._shape.positions(at)
        return all(inside >> position & 1 for inside, position in zip(listed, positions, strict=True))

    def _combinations(self, cell_of: Mapping[str, CellValue], cells: CellReader) -> Iterator[int]:
        """The combinations of keys of a row: one, or one for every number of a range (`1..3`, `9..`)."""
        positions = (self._positions(number, cell_of, cells) for number in self._shape.keys)
        return map(self._shape.number, itertools.product(*positions))

    def _positions(self, number: int, cell_of: Mapping[str, CellValue], cells: CellReader) -> tuple[int, ...]:
        param = self._shape.params[number]
        cell = cell_of[param.name]
        if number in self._shape.ratios:
            return self._odds(self._shape.ratios[number], cell)
        if isinstance(param.type, t.Int) and isinstance(cell.value, str):
            return self._range(param.type, cell)
        value = cells.read(param.type, cell)
        low = param.type.low if isinstance(param.type, t.Int | t.Month) else 0
        return (value - low,) if isinstance(value, int) else ()

    def _odds(self, declared: tuple[Fraction, ...], cell: CellValue) -> tuple[int, ...]:
        above, _, below = str(cell.value).partition(":")
        is_ratio = above.isdigit() and below.isdigit() and int(below) > 0
        value = Fraction(int(above), int(below)) if is_ratio else None
        if value is None or value not in declared:
            self.ctx.report(kinds.OWNER_KEY, f"`{cell.value}` is not among the declared odds", cell.span)
            return ()
        return (declared.index(value),)

    def _range(self, type_: t.Int, cell: CellValue) -> tuple[int, ...]:
        ends = _RANGE.fullmatch(str(cell.value))
        if ends is None:
            message = f"expected a number or a range such as `1..3`, found `{cell.value}`"
            self.ctx.report(kinds.OWNER_KEY, message, cell.span)
            return ()
        low = int(ends.group(1)) if ends.group(1) else type_.low
        high = int(ends.group(2)) if ends.group(2) else type_.high
        if low < type_.low or high > type_.high or low > high:
            self.ctx.report(kinds.OWNER_KEY, f"`{cell.value}` is outside {type_}", cell.span)
            return ()
        return tuple(range(low - type_.low, high - type_.low + 1))

    # -- findings

    def _report_missing(self, reading: _Reading, span: Span) -> None:
        """Report the combinations of keys that no row has."""
        listed, rows = reading.listed, reading.rows
        combinations = range(math.prod(self._shape.sizes))
        missing = [at for at in combinations if at not in rows and self._within(listed, at)]
        if missing:
            where = self._row_words(missing[0])
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            message = f"the {reading.whose} for `{self._name}` has no row for {where}{more}"
            names = _listed_words([self._short(at) for at in missing])
            hint = f"add rows for {names}" if len(missing) > 1 else "add the row"
            self.ctx.report(kinds.OWNER_GAP, message, span, hint, self._declared)

    def _report_unfilled(self, reading: _Reading, rows: int) -> None:
        """Report empty cells: one finding a table, at the first of them."""
        unfilled, columns = reading.unfilled, len(reading.types)
        many = sum(len(entry.columns) for entry in unfilled)
        cells = "a cell" if many == 1 else f"{many:,} cells"
        message = f"{cells} of the {reading.whose} for `{self._name}` {'is' if many == 1 else 'are'} empty"
        by_columns: dict[tuple[str, ...], list[str]] = {}
        for entry in unfilled:
            name = self._short(entry.places[0]) if entry.places else str(entry.row.cells[0].plain)
            by_columns.setdefault(entry.columns, []).append(name)
        parts = [
            f"{'all' if len(empty) == columns > 1 else ', '.join(f'`{column}`' for column in empty)} of "
            f"{'every row' if len(names) == rows > 1 else _listed_words(names)}"
            for empty, names in by_columns.items()
        ]
        hint = f"fill in {'; '.join(parts)}"
        self.ctx.report(kinds.OWNER_GAP, message, unfilled[0].row.span, hint, self._declared)

    # -- words

    def _row_words(self, at: int) -> str:
        """One combination of keys, as the file must write it."""
        words = [self._word(place, position) for place, position in enumerate(self._shape.positions(at))]
        names = [self._shape.params[key].name for key in self._shape.keys]
        return ", ".join(f"{name} {word}" for name, word in zip(names, words, strict=True))

    def _short(self, at: int) -> str:
        """The same; a table's only key needs no name."""
        return self._row_words(at) if len(self._shape.keys) > 1 else self._word(0, at)

    def _word(self, place: int, position: int) -> str:
        """A value of a key by the name that data files use, which is not its title."""
        type_ = without_none(self._shape.params[self._shape.keys[place]].type)
        if isinstance(type_, t.Member):
            return self.ctx.world.domains[type_.domain].members[position].replace("_", " ")
        return self._shape.value(place, position)


def _is_empty(type_: t.Type, cell: CellValue) -> bool:
    return cell.value is None and not isinstance(type_, t.Optional)


def _listed_words(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


@frozen
class ExternChecker:
    """Makes extern tables: dense where the owner's numbers are present, else a fault when they are needed."""

    ctx: CheckContext
    owner: Mapping[str, DataFile]

    def table(self, name: str) -> Signature:
        """Make an extern table."""
        decl = self.ctx.names.externs[name]
        params = self.ctx.params(decl.params)
        columns = tuple(self.ctx.reader.read(column.type) for column in decl.columns)
        result = table_result(decl, columns)
        signature = self.ctx.results.signatures[name] = Signature(params, result)
        with self.ctx.recovering():
            self._make(decl, params, columns, result)
        return signature

    def _make(self, decl: i.ExternTable, params: Params, columns: Columns, result: t.Type) -> None:
        name = decl.name.text
        shape = self._shape(decl, params)
        total = math.prod(shape.sizes)
        require_size(self.ctx, total, len(columns), decl.span)
        file = self.owner.get(name)
        owned = OwnerTable(self.ctx, decl, shape)
        rows = owned.rows(columns, file) if file is not None else None
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        dense = self._dense(decl, total, columns, rows or {})
        table = f"table:{name}"
        missing = decl.file if rows is None else ""
        made_up_for = decl.file if file is not None and owned.is_sampler(file) else ""
        wanted = missing or made_up_for
        self.ctx.results.statics[table] = ir.StaticTable(
            table,
            shape.static_keys(),
            result,
            dense,
            missing,
            made_up_for,
            tuple(owned.columns("result")) if wanted else (),
            owned.listed_words() if wanted else (),
        )
        body = ir.Static(table, shape.index(), result, t.GAP in dense)
        self.ctx.add_function(table, params, body, site, result)

    def _dense(self, decl: i.ExternTable, total: int, columns: Columns, rows: Rows) -> tuple[Value, ...]:
        """A value for every combination of keys: the result, or the number of its row in static columns."""
        if not isinstance(table_result(decl, columns), t.Row):
            return tuple(rows[at][0] if at in rows else t.GAP for at in range(total))
        for place, (column, type_) in enumerate(zip(decl.columns, columns, strict=True)):
            name = f"table:{decl.name.text}.{column.name}"
            cells = tuple(row[place] for row in rows.values()) or (t.GAP,)
            self.ctx.results.statics[name] = ir.StaticTable(name, ((0, max(0, len(rows) - 1)),), type_, cells)
        numbers = {at: number for number, at in enumerate(rows)}
        return tuple(numbers.get(at, t.GAP) for at in range(total))

    def _shape(self, decl: i.ExternTable, params: Params) -> TableShape:
        """The keys' sizes; odds come from the `keys` line, which they need."""
        listed = {name.text: cells for name, cells in decl.keys}
        ratios = {
            number: self._odds(decl, param, listed.get(param.name))
            for number, param in enumerate(params)
            if isinstance(param.type, t.Ratio)
        }
        sizes = tuple(
            len(ratios[number]) if number in ratios else value_count(self.ctx, param.type, decl.span)
            for number, param in enumerate(params)
        )
        way = rounding_way(self.ctx, decl.rounding, params)
        return TableShape(self.ctx.world, params, tuple(range(len(params))), sizes, ratios, way)

    def _odds(
        self, decl: i.ExternTable, param: ir.Param, cells: tuple[i.Cell, ...] | None
    ) -> tuple[Fraction, ...]:
        if not cells or any(cell.kind != "ratio" or not cell.high for cell in cells):
            hint = f"add `keys {param.name}: 1:2, 1:1, 2:1`"
            message = f"the odds of `{param.name}` are not listed"
            self.ctx.fail(kinds.TABLE_SHAPE, message, decl.span, hint)
        return tuple(sorted(Fraction(cell.low or 0, cell.high or 1) for cell in cells))
