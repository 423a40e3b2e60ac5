"""Extern tables: their shape is declared here, their numbers come from the owner's file."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from rulekit import ir
from rulekit import types as t
from rulekit.cells import CellReader
from rulekit.data import Cell, DataFile
from rulekit.data.kinds import DUPLICATE_ROW
from rulekit.diagnostics import Label, Severity, declare
from rulekit.ir.expr import Value
from rulekit.source import Span
from rulekit.syntax import items as i
from rulekit.typecheck import kinds
from rulekit.typecheck.boxes import Box, of_positions
from rulekit.typecheck.choices import Choices
from rulekit.typecheck.context import Context, Signature
from rulekit.typecheck.covering import Shape
from rulekit.typecheck.shapes import MAX_CELLS

OWNER_COLUMN = declare(
    "RK605", "owner-column", "an owner's table without a declared column", Severity.ERROR, since="0.1.0"
)
OWNER_GAP = declare(
    "RK606", "owner-gap", "an owner's table without a declared row", Severity.ERROR, since="0.1.0"
)
OWNER_KEY = declare(
    "RK607", "owner-key", "an owner's row outside the declared keys", Severity.ERROR, since="0.1.0"
)

_RANGE = re.compile(r"(-?\d+)?\.\.(-?\d+)?")


class Externs(Choices):
    """Makes extern tables: dense where the owner's numbers are there, else a fault when they are needed."""

    def __init__(self, ctx: Context, owner: Mapping[str, DataFile]) -> None:
        super().__init__(ctx)
        self.owner = owner

    def extern_signature(self, name: str) -> Signature | None:
        decl = self.ctx.names.externs.get(name)
        if decl is None:
            return None
        params = self.ctx.params(decl.params)
        columns = tuple(self.ctx.reader.read(column.type) for column in decl.columns)
        result = columns[0] if len(columns) == 1 and not decl.columns[0].name else t.Row(name)
        signature = self.ctx.signatures[name] = Signature(params, result)
        with self.ctx.mending():
            self._extern(decl, params, columns, result)
        return signature

    def _extern(
        self, decl: i.ExternTable, params: tuple[ir.Param, ...], columns: tuple[t.Type, ...], result: t.Type
    ) -> None:
        name = decl.name.text
        shape = self._declared_shape(decl, params)
        total = math.prod(shape.sizes)
        if total > MAX_CELLS:
            message = f"{total:,} combinations of keys, at most {MAX_CELLS:,}"
            self.ctx.fail(kinds.TABLE_SIZE, message, decl.span, "give the keys smaller ranges")
        file = self.owner.get(name)
        rows = self._owner_rows(decl, shape, columns, file) if file is not None else None
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        keys, table = self.static_keys(shape), f"table:{name}"
        missing = decl.file if rows is None else ""
        found = rows or {}
        if isinstance(result, t.Row):
            order = list(found)
            numbers = {at: number for number, at in enumerate(order)}
            dense: list[Value] = [numbers.get(at, t.GAP) for at in range(total)]
            for place, (column, type_) in enumerate(zip(decl.columns, columns, strict=True)):
                text = f"{table}.{column.name}"
                cells = tuple(found[at][place] for at in order) or (t.GAP,)
                self.statics[text] = ir.StaticTable(text, ((0, max(0, len(order) - 1)),), type_, cells)
        else:
            dense = [found[at][0] if at in found else t.GAP for at in range(total)]
        wanted = tuple(self._columns(decl, shape, "result")) if missing else ()
        self.statics[table] = ir.StaticTable(table, keys, result, tuple(dense), missing, wanted)
        body = ir.Static(table, self._index(decl, shape), result, t.GAP in dense)
        self.keep(table, params, body, site, result)

    def _declared_shape(self, decl: i.ExternTable, params: tuple[ir.Param, ...]) -> Shape:
        """The keys' sizes; odds come from the `keys` line, which they need."""
        ratios: dict[int, tuple[Fraction, ...]] = {}
        listed = {name.text: cells for name, cells in decl.keys}
        for number, param in enumerate(params):
            if isinstance(param.type, t.Ratio):
                cells = listed.get(param.name)
                if not cells or any(cell.kind != "ratio" or not cell.high for cell in cells):
                    hint = f"add `keys {param.name}: 1:2, 1:1, 2:1`"
                    self.ctx.fail(
                        kinds.TABLE_SHAPE, f"the odds of `{param.name}` are not listed", decl.span, hint
                    )
                ratios[number] = tuple(sorted(Fraction(cell.low or 0, cell.high or 1) for cell in cells))
        order = tuple(range(len(params)))
        sizes = tuple(
            len(ratios[n]) if n in ratios else self._values_of(params[n].type, decl.span) for n in order
        )
        return Shape(params, order, sizes, ratios)

    def _index(self, decl: i.ExternTable, shape: Shape) -> tuple[ir.Expr, ...]:
        made: list[ir.Expr] = []
        for number in shape.keys:
            param = shape.params[number]
            value: ir.Expr = ir.Local(param.name, param.type)
            if number in shape.ratios:
                many = t.ListOf(t.Ratio(), len(shape.ratios[number]))
                columns = ir.Const(shape.ratios[number], many)  # type: ignore[arg-type]
                value = ir.Op("ratio_column", (value, columns), t.Int(0, many.most - 1), decl.rounding)
            made.append(value)
        return tuple(made)

    # -- the owner's file

    def _owner_rows(
        self, decl: i.ExternTable, shape: Shape, columns: tuple[t.Type, ...], file: DataFile
    ) -> dict[int, tuple[Value, ...]] | None:
        """The owner's rows by their position among all keys; None where the file does not fit."""
        name = decl.name.text
        data = file.tables.get(name)
        if data is None:
            self.ctx.tell(OWNER_COLUMN, f"`{file.file}` holds no table `{name}`", decl.span)
            return None
        keys = {param.name for param in shape.params}
        unnamed = next((column for column in data.columns if column not in keys), data.columns[-1])
        wanted = self._columns(decl, shape, unnamed)
        results = wanted[len(shape.params) :]
        hint = f"its columns are {', '.join(wanted)}"
        label = Label(decl.span, "declared here")
        lacking = [column for column in wanted if column not in data.columns]
        if lacking:
            self.ctx.tell(OWNER_COLUMN, f"`{name}` has no column `{lacking[0]}`", data.span, hint, label)
            return None
        more = [column for column in data.columns if column not in wanted]
        if more:
            message = f"no column `{more[0]}` is declared of `{name}`"
            self.ctx.tell(OWNER_COLUMN, message, data.span, hint, label)
            return None
        world = self.ctx.world
        cells = CellReader(world.domains, world.kinds, world.members, self.ctx.report)
        listed = self._listed(decl, shape)
        found: dict[int, tuple[Value, ...]] = {}
        first: dict[int, Span] = {}
        sound = True
        for row in data.rows:
            cell_of = dict(zip(data.columns, row.cells, strict=True))
            values = [cells.read(type_, cell_of[c]) for c, type_ in zip(results, columns, strict=True)]
            places = tuple(self._positions(shape, cell_of, cells))
            read = tuple(value for value in values if value is not None)
            sound &= bool(places) and len(read) == len(values)
            beyond = [at for at in places if not self._within(listed, shape, at)]
            if beyond:
                message = f"{self.at_words(shape, beyond[0])} is none of the keys that are listed"
                self.ctx.tell(OWNER_KEY, message, row.span, None, label)
            twice = [at for at in places if at in first]
            if twice:
                where = self.at_words(shape, twice[0])
                again = Label(first[twice[0]], "its first row")
                self.ctx.tell(DUPLICATE_ROW, f"{where} has two rows", row.span, "keep one of them", again)
            for at in places:
                first.setdefault(at, row.span)
                if len(read) == len(values):
                    found[at] = read
        if sound:
            self._complete(decl, shape, listed, found)
        return found

    def _listed(self, decl: i.ExternTable, shape: Shape) -> Box:
        """The keys that the table has: those of its `keys` lines, else all that can occur."""
        wanted = list(self.wanted(shape))
        lists = {name.text: cells for name, cells in decl.keys}
        for place, number in enumerate(shape.keys):
            param = shape.params[number]
            if param.name in lists and number not in shape.ratios:
                covered = [self._covers_key(cell, number, shape) for cell in lists[param.name]]
                wanted[place] &= of_positions(sorted({at for positions in covered for at in positions}))
        return tuple(wanted)

    def _within(self, listed: Box, shape: Shape, at: int) -> bool:
        return all(inside >> p & 1 for inside, p in zip(listed, self.split(shape, at), strict=True))

    def _columns(self, decl: i.ExternTable, shape: Shape, unnamed: str) -> list[str]:
        """The columns that the owner's table must have; a single result may be called as its owner likes."""
        return [*(param.name for param in shape.params), *(column.name or unnamed for column in decl.columns)]

    def _positions(self, shape: Shape, cell_of: Mapping[str, Cell], cells: CellReader) -> Iterator[int]:
        """Where a row stands among all keys: once, or for every number of a range (`1..3`, `9..`)."""
        places: list[tuple[int, ...]] = []
        for number in shape.keys:
            param = shape.params[number]
            cell = cell_of[param.name]
            if number in shape.ratios:
                places.append(self._odds(shape.ratios[number], cell))
            elif isinstance(param.type, t.Int) and isinstance(cell.value, str):
                places.append(self._range_of(param.type, cell))
            else:
                read = cells.read(param.type, cell)
                low = param.type.low if isinstance(param.type, t.Int | t.Month) else 0
                places.append((read - low,) if isinstance(read, int) else ())
        for combination in itertools.product(*places):
            at = 0
            for size, position in zip(shape.sizes, combination, strict=True):
                at = at * size + position
            yield at

    def _odds(self, declared: tuple[Fraction, ...], cell: Cell) -> tuple[int, ...]:
        above, _, below = str(cell.value).partition(":")
        fits = above.isdigit() and below.isdigit() and int(below) > 0
        value = Fraction(int(above), int(below)) if fits else None
        if value is None or value not in declared:
            self.ctx.tell(OWNER_KEY, f"`{cell.value}` is none of the declared odds", cell.span)
            return ()
        return (declared.index(value),)

    def _range_of(self, type_: t.Int, cell: Cell) -> tuple[int, ...]:
        found = _RANGE.fullmatch(str(cell.value))
        if found is None:
            self.ctx.tell(OWNER_KEY, f"`{cell.value}` is no number and no range such as `1..3`", cell.span)
            return ()
        low = int(found.group(1)) if found.group(1) else type_.low
        high = int(found.group(2)) if found.group(2) else type_.high
        if low < type_.low or high > type_.high or low > high:
            self.ctx.tell(OWNER_KEY, f"`{cell.value}` is not within {type_}", cell.span)
            return ()
        return tuple(range(low - type_.low, high - type_.low + 1))

    def _complete(
        self, decl: i.ExternTable, shape: Shape, listed: Box, found: dict[int, tuple[Value, ...]]
    ) -> None:
        combinations = range(math.prod(shape.sizes))
        missing = [at for at in combinations if at not in found and self._within(listed, shape, at)]
        if missing:
            where = self.at_words(shape, missing[0])
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            message = f"the owner's `{decl.name.text}` has no row for {where}{more}"
            self.ctx.tell(OWNER_GAP, message, decl.span, "add the rows to the file")
