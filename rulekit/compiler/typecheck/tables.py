"""Tables as functions: dense look-ups, with cells that hold expressions or have notes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, MutableMapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from rulekit import ir
from rulekit.compiler.model import TableModel
from rulekit.compiler.typecheck.boxes import Cover
from rulekit.compiler.typecheck.context import Context, Signature
from rulekit.compiler.typecheck.covering import Line, Shape
from rulekit.compiler.typecheck.joins import none_of
from rulekit.compiler.typecheck.scope import Scope
from rulekit.compiler.typecheck.shapes import Shapes
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.syntax.tree import items as i

FLAG = t.Flag()


class Tables(Shapes):
    """Makes a table's statics and its function `table:NAME`."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.statics: MutableMapping[str, ir.StaticTable] = ctx.units.output("statics")
        self.covered: MutableMapping[str, tuple[Shape, tuple[Line, ...]]] = ctx.units.output("covered")

    def table_signature(self, name: str) -> Signature | None:
        decl = self.ctx.names.tables.get(name)
        if decl is None:
            return self.extern_signature(name)
        with self.ctx.entering(f"table {name}", decl.span):
            params = self.ctx.params(decl.params)
            columns = tuple(self.ctx.reader.read(column.type) for column in decl.columns)
            result = columns[0] if len(columns) == 1 and not decl.columns[0].name else t.Row(name)
            self.ctx.signatures[name] = Signature(params, result)
            with self.ctx.mending():
                self._make(decl, params, columns, result)
                self._alternatives(decl, params, result)
            return self.ctx.signatures[name]

    def _alternatives(self, decl: i.Table, params: tuple[ir.Param, ...], result: t.Type) -> None:
        """Where amended tables stand in for this one at times, its function asks which holds now."""
        name = decl.name.text
        others = self.ctx.names.alternatives.get(name, ())
        if not others:
            return
        function = f"table:{name}"
        base = self.ctx.functions[function]
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        self.keep(f"{function}'base", params, base.body, base.site, result)
        made: ir.Expr = ir.Apply(f"{function}'base", arguments, result)
        for clause, other in reversed(others):
            condition = self.applies((clause,), self.opening(function, params, None))
            assert condition is not None
            self.signature(other)
            self.ctx.ask(f"table:{other}", arguments)
            found: ir.Expr = ir.Apply(f"table:{other}", arguments, result)
            if isinstance(result, t.Row):
                first = self._rows_beside(decl, other)
                found = ir.Op("add", (found, ir.Const(first, t.Int(first, first))), result)
            made = ir.If(condition, found, made, result)
        self.keep(function, params, made, base.site, result)

    def _rows_beside(self, decl: i.Table, other: str) -> int:
        """Put the rows of a table that stands in behind this one's own; the number of the first of them.

        Columns are read by the number of a row alone, whichever table it was found in.
        """
        first = 0
        for column in decl.columns:
            own = self.statics[f"table:{decl.name.text}.{column.name}"]
            more = self.statics[f"table:{other}.{column.name}"]
            first = len(own.values)
            values = own.values + more.values
            self.statics[own.name] = replace(own, keys=((0, len(values) - 1),), values=values)
        return first

    def table_models(self, used: Collection[str]) -> dict[str, TableModel]:
        """What each table covers, and what it is asked for; `used`: functions that not only examples ask."""
        found = {}
        for name, (shape, lines) in self.covered.items():
            cover = self.ctx.units.run(("cover", name), partial(self._covered, name))
            rows = tuple((line.row.span, box) for line, box in zip(lines, cover.rows, strict=True))
            function = f"table:{name}"
            asked = tuple(self.ctx.asked[function]) if function in used else ()
            decl = self.ctx.names.tables[name]
            found[name] = TableModel(shape.params, shape.keys, cover.ordered, cover.wanted, rows, asked, decl)
        return found

    def _covered(self, name: str) -> Cover:
        return self.cover(*self.covered[name])

    @abstractmethod
    def extern_signature(self, name: str) -> Signature | None:
        """Of an extern table; see `externs`."""

    def _make(
        self, decl: i.Table, params: tuple[ir.Param, ...], columns: tuple[t.Type, ...], result: t.Type
    ) -> None:
        name = decl.name.text
        shape, lines = self._lines(decl, params, len(columns))
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        for line in lines:
            if line.row.cite is not None:
                self.ctx.site(name, self.ctx.rules(line.row.cite), line.row.span)
        dense = self._dense(decl, shape, lines)
        self.covered[name] = (shape, lines)
        scope = self.opening(f"table:{name}", params, decl.cite)
        if isinstance(result, t.Row):
            self._several(decl, shape, lines, dense, columns, scope, site)
        else:
            self._single(decl, shape, lines, dense, result, scope, site)

    # -- functions

    def index(self, shape: Shape, scope: Scope) -> tuple[ir.Expr, ...]:
        """The look-up's keys as expressions; odds are rounded to a printed column."""
        made: list[ir.Expr] = []
        for key in shape.keys:
            param = shape.params[key]
            value: ir.Expr = ir.Local(param.name, param.type)
            if key in shape.ratios:
                columns = ir.Const(shape.ratios[key], t.ListOf(t.Ratio(), len(shape.ratios[key])))  # type: ignore[arg-type]
                value = ir.Op("ratio_column", (value, columns), t.Int(0, len(shape.ratios[key]) - 1), "down")
            made.append(value)
        return tuple(made)

    def static_keys(self, shape: Shape) -> tuple[str | tuple[int, int], ...]:
        """How the keys stand in a static table."""
        made: list[str | tuple[int, int]] = []
        for key in shape.keys:
            type_ = shape.params[key].type
            if key in shape.ratios:
                made.append((0, len(shape.ratios[key]) - 1))
            elif isinstance(type_, t.Int | t.Month):
                made.append((type_.low, type_.high))
            elif isinstance(type_, t.Flag):
                made.append((0, 1))
            else:
                assert isinstance(type_, t.Member)
                made.append(type_.domain)
        return tuple(made)

    def _single(
        self,
        decl: i.Table,
        shape: Shape,
        lines: tuple[Line, ...],
        dense: list[int],
        result: t.Type,
        scope: Scope,
        site: int,
    ) -> None:
        """A table with one result: its values at once, but for cells with notes and expressions."""
        name = decl.name.text
        values: list[Value] = []
        special: dict[int, ir.Expr] = {}
        for number, line in enumerate(lines):
            value = self._cell(line.cells[0], result, scope, decl)
            noted = self._noted(decl, line.cells[0], value, result, scope)
            values.append(value.value if isinstance(value, ir.Const) else t.GAP)
            if noted is not None:
                special[number] = noted
        keys, index = self.static_keys(shape), self.index(shape, scope)
        fallible = -1 in dense
        table = f"table:{name}"
        self.statics[table] = ir.StaticTable(
            table, keys, result, tuple(values[n] if n >= 0 else t.GAP for n in dense)
        )
        body: ir.Expr = ir.Static(table, index, result, fallible)
        if special:
            rows = t.Int(-1, len(lines))
            self.statics[f"{table}.row"] = ir.StaticTable(f"{table}.row", keys, rows, tuple(dense))
            row = ir.Static(f"{table}.row", index, rows)
            for number, made in special.items():
                here = ir.Op("eq", (row, ir.Const(number, t.Int(number, number))), FLAG)
                body = ir.If(here, made, body, result)
        self.keep(table, shape.params, body, site, result)
        self.ctx.signatures[name] = Signature(shape.params, result)

    def _several(
        self,
        decl: i.Table,
        shape: Shape,
        lines: tuple[Line, ...],
        dense: list[int],
        columns: tuple[t.Type, ...],
        scope: Scope,
        site: int,
    ) -> None:
        """A table with several results: a look-up gives the row, and each column its value of a row.

        A row with notes is there once for each way its notes can turn out.
        """
        name, result = decl.name.text, t.Row(decl.name.text)
        values: list[list[Value]] = [
            [
                self._constant(cell, type_, scope, decl)
                for cell, type_ in zip(line.cells, columns, strict=True)
            ]
            for line in lines
        ]
        picks: dict[int, ir.Expr] = {}
        for number, line in enumerate(lines):
            pick = self._variants(decl, line, number, values, columns, scope)
            if pick is not None:
                picks[number] = pick
        table, keys = f"table:{name}", self.static_keys(shape)
        stored = tuple(n if n >= 0 else t.GAP for n in dense)
        self.statics[table] = ir.StaticTable(table, keys, result, stored)
        found: ir.Expr = ir.Static(table, self.index(shape, scope), result, -1 in dense)
        body = found
        for number, pick in picks.items():
            here = ir.Op("eq", (found, ir.Const(number, result)), FLAG)
            body = ir.If(here, pick, body, result)
        for place, (column, type_) in enumerate(zip(decl.columns, columns, strict=True)):
            text = f"{table}.{column.name}"
            self.statics[text] = ir.StaticTable(
                text, ((0, len(values) - 1),), type_, tuple(row[place] for row in values)
            )
        self.keep(table, shape.params, body, site, result)

    def _constant(self, cell: i.Cell, type_: t.Type, scope: Scope, decl: i.Table) -> Value:
        made = self._cell(cell, type_, scope, decl)
        if isinstance(made, ir.Const):
            return made.value
        hint = "make it a table with one result, or a note"
        self.ctx.tell(kinds.TABLE_SHAPE, "an expression among several results", cell.span, hint)
        return t.GAP

    def _variants(
        self,
        decl: i.Table,
        line: Line,
        number: int,
        values: list[list[Value]],
        columns: tuple[t.Type, ...],
        scope: Scope,
    ) -> ir.Expr | None:
        """The row to take instead of `number`, depending on the notes at its cells."""
        noted = [
            (place, note)
            for place, cell in enumerate(line.cells)
            for note in decl.notes
            if cell.mark and note.mark == cell.mark
        ]
        if not noted:
            return None
        result = t.Row(decl.name.text)

        def pick(rest: list[tuple[int, i.Note]], row: int) -> ir.Expr:
            if not rest:
                return ir.Const(row, result)
            (place, note), *others = rest
            value = self.check(note.value, scope, columns[place])
            if not isinstance(value, ir.Const):
                self.ctx.fail(
                    kinds.NOT_CONSTANT, "a note among several results needs a constant", note.value.span
                )
            changed = list(values[row])
            changed[place] = value.value
            values.append(changed)
            then = pick(others, len(values) - 1)
            if note.condition is None:
                return then
            return ir.If(self._note_holds(note, decl, scope), then, pick(others, row), result)

        return pick(noted, number)

    def _noted(
        self, decl: i.Table, cell: i.Cell, value: ir.Expr, type_: t.Type, scope: Scope
    ) -> ir.Expr | None:
        """A cell's value under its notes; None where it is a plain constant."""
        made = value
        for note in reversed([note for note in decl.notes if cell.mark and note.mark == cell.mark]):
            instead = self.check(note.value, scope, type_)
            if note.condition is None:
                made = instead
            else:
                made = ir.If(self._note_holds(note, decl, scope), instead, made, type_)
        if cell.mark and not any(note.mark == cell.mark for note in decl.notes):
            hint = f"add `note {cell.mark}: VALUE when CONDITION` under the rows"
            self.ctx.tell(kinds.TABLE_SHAPE, f"no note explains `{cell.mark}`", cell.span, hint)
        return None if isinstance(made, ir.Const) and made is value else made

    def _note_holds(self, note: i.Note, decl: i.Table, scope: Scope) -> ir.Expr:
        assert note.condition is not None
        test = self.flag(note.condition, scope)
        self.ctx.condition("note", decl.name.text, test, note.condition.span)
        return test

    def _cell(self, cell: i.Cell, type_: t.Type, scope: Scope, decl: i.Table) -> ir.Expr:
        """A result cell as a value of its column's type."""
        want = none_of(type_)
        if cell.kind == "expr" and cell.expr is not None:
            return self.check(cell.expr, scope, type_)
        if cell.kind == "nothing":
            return self._said_nothing(cell, type_)
        if cell.kind in ("int", "signed") and isinstance(want, t.Int) and cell.low is not None:
            if not want.low <= cell.low <= want.high:
                self.ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, f"{cell.low} is not in {want}", cell.span)
            return ir.Const(cell.low, type_)
        if cell.kind == "date" and isinstance(want, t.Month) and cell.low is not None:
            return ir.Const(cell.low, type_)
        if cell.kind == "ratio" and isinstance(want, t.Ratio):
            return ir.Const(Fraction(cell.low or 0, cell.high or 1), type_)
        if cell.kind == "flag" and isinstance(want, t.Flag):
            return ir.Const(cell.low == 1, type_)
        if cell.kind == "names" and isinstance(want, t.Member | t.SetOf):
            of = want if isinstance(want, t.Member) else want.of
            if isinstance(of, t.Member):
                return self._named_cell(cell, of, type_, isinstance(want, t.SetOf))
        if cell.kind == "empty":
            hint = "write `-` for no effect; an empty cell says nothing"
            self.ctx.fail(kinds.TABLE_SHAPE, "this row has an empty cell", cell.span, hint)
        self.ctx.fail(kinds.TABLE_SHAPE, f"this is no `{type_}`", cell.span)

    def _said_nothing(self, cell: i.Cell, type_: t.Type) -> ir.Expr:
        """`-`: no effect, said: the member `no_effect`, 0, none, or the empty set."""
        match type_:
            case t.Optional():
                return ir.Const(t.NONE, type_)
            case t.Flag():
                return ir.Const(False, type_)
            case t.Int() if type_.low <= 0 <= type_.high:
                return ir.Const(0, type_)
            case t.SetOf():
                return ir.Const(0, type_)
            case t.Member():
                found = self._members("no_effect", type_)
                if found:
                    return ir.Const(found[0], type_)
                hint = f"give `{type_}` a member `no_effect`, or write the result"
                self.ctx.fail(kinds.TABLE_SHAPE, f"`-` stands for nothing in `{type_}`", cell.span, hint)
            case _:
                self.ctx.fail(kinds.TABLE_SHAPE, f"`-` stands for nothing in `{type_}`", cell.span)

    def _named_cell(self, cell: i.Cell, of: t.Member, type_: t.Type, many: bool) -> ir.Expr:
        numbers: list[int] = []
        for name in cell.names:
            found = self._members(name.text, of)
            if not found or (len(found) > 1 and not many):
                known = self.ctx.world.domains[of.domain].members
                self.ctx.fail(
                    kinds.UNKNOWN_NAME,
                    f"no `{of}` is called `{name.text}`",
                    name.span,
                    self.ctx.near(name.text, known),
                )
            numbers += found
        if many:
            return ir.Const(sum({1 << n for n in numbers}), type_)
        if len(numbers) > 1:
            self.ctx.fail(kinds.TABLE_SHAPE, "one result is wanted", cell.span)
        return ir.Const(numbers[0], type_)
