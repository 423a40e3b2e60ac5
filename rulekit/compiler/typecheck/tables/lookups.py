"""Tables as functions: dense lookups, with cells that hold expressions or have notes."""

from __future__ import annotations

from collections.abc import Collection, MutableMapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.model import TableModel
from rulekit.compiler.typecheck.context import CheckContext, Params, Signature
from rulekit.compiler.typecheck.conversions import FLAG, without_none
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.modifiers import ModifierChecker
from rulekit.compiler.typecheck.scope import Scope, opening_scope
from rulekit.compiler.typecheck.tables.boxes import TableCover
from rulekit.compiler.typecheck.tables.rows import (
    cell_members,
    dense_rows,
    members_named,
    read_rows,
    report_cover,
    result_parts,
)
from rulekit.compiler.typecheck.tables.shape import TableLine, TableShape
from rulekit.compiler.typecheck.tables.shifts import Shift, shift_of
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

Columns = tuple[t.Type, ...]


def table_result(decl: i.Table | i.ExternTable, columns: Columns) -> t.Type:
    """The type of a lookup: that of a single column without a name, else a row."""
    return columns[0] if len(columns) == 1 and not decl.columns[0].name else t.Row(decl.name.text)


@frozen
class _Table:
    """A table in the making; `dense` is the number of the line for every combination of keys."""

    decl: i.Table
    shape: TableShape
    lines: tuple[TableLine, ...]
    dense: list[int]
    columns: Columns
    result: t.Type
    scope: Scope
    site: int
    shift: Shift | None

    @property
    def index(self) -> tuple[ir.Expr, ...]:
        """The keys of a lookup."""
        return self.shape.index() if self.shift is None else self.shift.keys

    @property
    def name(self) -> str:
        return f"table:{self.decl.name.text}"

    def notes(self, cell: i.Cell) -> list[i.Note]:
        """The notes of a cell."""
        return [note for note in self.decl.notes if cell.mark and note.mark == cell.mark]


class TableChecker:
    """Makes a table's statics and its function `table:NAME`."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker, modifiers: ModifierChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._modifiers = modifiers
        self._covered: MutableMapping[str, tuple[TableShape, tuple[TableLine, ...]]] = ctx.units.output(
            "covered"
        )

    def table(self, name: str) -> Signature:
        """Make a table."""
        decl = self.ctx.names.tables[name]
        with self.ctx.entering(f"table {name}", decl.span):
            params = self.ctx.params(decl.params)
            columns = tuple(self.ctx.reader.read(column.type) for column in decl.columns)
            result = table_result(decl, columns)
            self.ctx.results.signatures[name] = Signature(params, result)
            with self.ctx.recovering():
                self._make(decl, params, columns, result)
                self._add_alternatives(decl, params, result)
            return self.ctx.results.signatures[name]

    def models(self, called: Collection[str]) -> dict[str, TableModel]:
        """The coverage and the calls of each table; `called`: functions called by more than examples."""
        models = {}
        for name, (shape, lines) in self._covered.items():
            cover = self.ctx.units.run(("cover", name), partial(self._cover, name))
            rows = tuple((line.row.span, box) for line, box in zip(lines, cover.rows, strict=True))
            function = f"table:{name}"
            is_shifted = ("table", name.partition("'")[0]) in self.ctx.modifiers_on
            calls = tuple(self.ctx.calls[function]) if function in called and not is_shifted else ()
            decl = self.ctx.names.tables[name]
            models[name] = TableModel(
                shape.params, shape.keys, cover.ordered, cover.wanted, rows, calls, decl
            )
        return models

    def _cover(self, name: str) -> TableCover:
        shape, lines = self._covered[name]
        return shape.cover(lines)

    # -- amended tables

    def _add_alternatives(self, decl: i.Table, params: Params, result: t.Type) -> None:
        """Make the function of a table that amended ones replace at times: it asks which applies now."""
        name = decl.name.text
        others = self.ctx.names.alternatives.get(name, ())
        if not others:
            return
        function = f"table:{name}"
        base = self.ctx.results.functions[function]
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        self.ctx.add_function(f"{function}'base", params, base.body, base.site, result)
        body: ir.Expr = ir.Apply(f"{function}'base", arguments, result)
        for clause, other in reversed(others):
            condition = self._modifiers.condition((clause,), opening_scope(self.ctx, function, params, None))
            assert condition is not None
            self.ctx.signature(other)
            self.ctx.note("call", f"table:{other}", arguments)
            amended: ir.Expr = ir.Apply(f"table:{other}", arguments, result)
            if isinstance(result, t.Row):
                first = self._append_rows(decl, other)
                amended = ir.Op("add", (amended, ir.Const(first, t.Int(first, first))), result)
            body = ir.If(condition, amended, body, result)
        self.ctx.add_function(function, params, body, base.site, result)

    def _append_rows(self, decl: i.Table, other: str) -> int:
        """Put the rows of an amended table after this one's own; return the number of the first of them.

        Columns are read by the number of a row alone, whichever table it comes from.  An amended table with
        errors of its own has none.
        """
        first = 0
        for column in decl.columns:
            own = self.ctx.results.statics[f"table:{decl.name.text}.{column.name}"]
            more = self.ctx.results.statics.get(f"table:{other}.{column.name}")
            if more is None:
                return 0
            first = len(own.values)
            values = own.values + more.values
            self.ctx.results.statics[own.name] = replace(own, keys=((0, len(values) - 1),), values=values)
        return first

    # -- functions

    def _make(self, decl: i.Table, params: Params, columns: Columns, result: t.Type) -> None:
        name = decl.name.text
        shape, lines, whole = read_rows(self.ctx, decl, params, columns)
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        for line in lines:
            if line.row.cite is not None:
                self.ctx.site(name, self.ctx.rules(line.row.cite), line.row.span)
        report_cover(self.ctx, decl, shape, lines, whole=whole)
        dense = dense_rows(shape, lines)
        self._covered[name] = (shape, lines)
        scope = opening_scope(self.ctx, f"table:{name}", params, decl.cite)
        shift = shift_of(self.ctx, decl, shape, lines, site)
        table = _Table(decl, shape, lines, dense, columns, result, scope, site, shift)
        if isinstance(result, t.Row):
            self._make_rows(table, result)
        else:
            self._make_values(table)

    def _add_static(self, name: str, table: _Table, type_: t.Type, values: tuple[Value, ...]) -> None:
        self.ctx.results.statics[name] = ir.StaticTable(name, table.shape.static_keys(), type_, values)

    def _make_values(self, table: _Table) -> None:
        """Make a table with one result: its values, except for cells with notes and expressions."""
        values: list[Value] = []
        special: dict[int, ir.Expr] = {}
        for number, line in enumerate(table.lines):
            value = self._cell(line.cells[0], table.result, table)
            noted = self._under_notes(line.cells[0], value, table)
            values.append(value.value if isinstance(value, ir.Const) else t.GAP)
            if noted is not None:
                special[number] = noted
        dense = tuple(values[n] if n >= 0 else t.GAP for n in table.dense)
        self._add_static(table.name, table, table.result, dense)
        index = table.index
        body: ir.Expr = ir.Static(table.name, index, table.result, -1 in table.dense)
        if special:
            rows = t.Int(-1, len(table.lines))
            self._add_static(f"{table.name}.row", table, rows, tuple(table.dense))
            body = _with_special_rows(ir.Static(f"{table.name}.row", index, rows), special, body)
        ends = {side: self._cell(cell, table.result, table) for side, cell in self._ends(table.decl).items()}
        if table.shift is not None:
            body = table.shift.within(body, ends)
        self.ctx.add_function(table.name, table.shape.params, body, table.site, table.result)
        self.ctx.results.signatures[table.decl.name.text] = Signature(table.shape.params, table.result)

    def _make_rows(self, table: _Table, result: t.Row) -> None:
        """Make a table with several results: a lookup gives the row, and each column its value of a row.

        A row with notes is stored once for each combination of them.
        """
        values: list[list[Value]] = [
            [
                self._constant(cell, type_, table)
                for cell, type_ in zip(line.cells, table.columns, strict=True)
            ]
            for line in table.lines
        ]
        variants: dict[int, ir.Expr] = {}
        for number, line in enumerate(table.lines):
            variant = self._variant(table, line, number, values)
            if variant is not None:
                variants[number] = variant
        ends: dict[str, ir.Expr] = {}
        for side, end in self._ends(table.decl).items():
            ends[side] = ir.Const(len(values), result)
            cells = result_parts(self.ctx, end, table.columns)
            values.append(
                [self._constant(cell, type_, table) for cell, type_ in zip(cells, table.columns, strict=True)]
            )
        self._add_static(table.name, table, result, tuple(n if n >= 0 else t.GAP for n in table.dense))
        row = ir.Static(table.name, table.index, result, -1 in table.dense)
        for place, (column, type_) in enumerate(zip(table.decl.columns, table.columns, strict=True)):
            name = f"{table.name}.{column.name}"
            of_column = tuple(results[place] for results in values)
            self.ctx.results.statics[name] = ir.StaticTable(name, ((0, len(values) - 1),), type_, of_column)
        body = _with_special_rows(row, variants, row)
        if table.shift is not None:
            body = table.shift.within(body, ends)
        self.ctx.add_function(table.name, table.shape.params, body, table.site, result)

    def _ends(self, decl: i.Table) -> dict[str, i.Cell]:
        """The cells of results beyond the ends of a table; a second one for an end is reported."""
        ends: dict[str, i.Cell] = {}
        for end in decl.beyond:
            if ends.setdefault(end.side, end.cell) is not end.cell:
                message = f"this table has two results beyond its {end.side} end"
                self.ctx.report(kinds.TABLE_SHAPE, message, end.span, "keep one of them")
        return ends

    def _constant(self, cell: i.Cell, type_: t.Type, table: _Table) -> Value:
        value = self._cell(cell, type_, table)
        if isinstance(value, ir.Const):
            return value.value
        message, hint = (
            "a table with several results cannot hold expressions",
            "use a table with one result, or a note",
        )
        self.ctx.report(kinds.TABLE_SHAPE, message, cell.span, hint)
        return t.GAP

    # -- notes

    def _variant(
        self, table: _Table, line: TableLine, number: int, values: list[list[Value]]
    ) -> ir.Expr | None:
        """The row to take instead of `number`, depending on the notes of its cells; None without notes."""
        for cell in line.cells:
            self._require_note(cell, table)
        noted = [(place, note) for place, cell in enumerate(line.cells) for note in table.notes(cell)]

        def variant(rest: list[tuple[int, i.Note]], row: int) -> ir.Expr:
            if not rest:
                return ir.Const(row, table.result)
            (place, note), *others = rest
            value = self._expressions.check(note.value, table.scope, table.columns[place])
            if not isinstance(value, ir.Const):
                message = "a note in a table with several results needs a constant"
                self.ctx.fail(kinds.NOT_CONSTANT, message, note.value.span)
            changed = list(values[row])
            changed[place] = value.value
            values.append(changed)
            then = variant(others, len(values) - 1)
            if note.condition is None:
                return then
            return ir.If(self._note_condition(note, table), then, variant(others, row), table.result)

        return variant(noted, number) if noted else None

    def _under_notes(self, cell: i.Cell, value: ir.Expr, table: _Table) -> ir.Expr | None:
        """A cell's value under its notes; None if it is a plain constant."""
        noted, notes = value, table.notes(cell)
        for note in reversed(notes):
            instead = self._expressions.check(note.value, table.scope, table.result)
            if note.condition is None:
                noted = instead
            else:
                noted = ir.If(self._note_condition(note, table), instead, noted, table.result)
        self._require_note(cell, table)
        return None if isinstance(noted, ir.Const) and noted is value else noted

    def _require_note(self, cell: i.Cell, table: _Table) -> None:
        """Report a mark without a note."""
        if cell.mark and not table.notes(cell):
            hint = f"add `note {cell.mark}: VALUE when CONDITION` under the rows"
            self.ctx.report(kinds.TABLE_SHAPE, f"missing note `{cell.mark}`", cell.span, hint)

    def _note_condition(self, note: i.Note, table: _Table) -> ir.Expr:
        assert note.condition is not None
        test = self._expressions.flag(note.condition, table.scope)
        self.ctx.note_condition("note", table.decl.name.text, test, note.condition.span)
        return test

    # -- cells

    def _cell(self, cell: i.Cell, type_: t.Type, table: _Table) -> ir.Expr:
        """A result cell as a value of its column's type."""
        inner = without_none(type_)
        if cell.kind == "expr" and cell.expr is not None or isinstance(cell.expr, x.TextLiteral):
            return self._expressions.check(cell.expr, table.scope, type_)
        if cell.kind == "nothing":
            return self._no_effect(cell, type_)
        if cell.kind in ("int", "signed") and isinstance(inner, t.Int) and cell.low is not None:
            if not inner.low <= cell.low <= inner.high:
                self.ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, f"{cell.low} is outside {inner}", cell.span)
            return ir.Const(cell.low, type_)
        if cell.kind == "date" and isinstance(inner, t.Month) and cell.low is not None:
            return ir.Const(cell.low, type_)
        if cell.kind == "ratio" and isinstance(inner, t.Ratio):
            return ir.Const(Fraction(cell.low or 0, cell.high or 1), type_)
        if cell.kind == "flag" and isinstance(inner, t.Flag):
            return ir.Const(cell.low == 1, type_)
        if cell.kind == "names" and isinstance(inner, t.Member | t.SetOf):
            of = inner if isinstance(inner, t.Member) else inner.of
            if isinstance(of, t.Member):
                return self._named_cell(cell, of, type_, many=isinstance(inner, t.SetOf))
        if cell.kind == "parts":
            message = f"found {len(cell.parts)} parts, but 1 result is declared"
            self.ctx.fail(kinds.TABLE_SHAPE, message, cell.span, "declare them: `-> (first: T, second: U)`")
        if cell.kind == "empty":
            self.ctx.fail(kinds.TABLE_SHAPE, "empty cell", cell.span, "write `-` for no effect")
        self.ctx.fail(kinds.TABLE_SHAPE, f"expected `{type_}`", cell.span)

    def _no_effect(self, cell: i.Cell, type_: t.Type) -> ir.Expr:
        """`-`, no effect: the member `no_effect`, 0, none, false or the empty set."""
        if isinstance(type_, t.Optional):
            return ir.Const(t.NONE, type_)
        if isinstance(type_, t.Flag):
            return ir.Const(False, type_)
        if isinstance(type_, t.Text):
            return ir.Const(t.TextValue(""), type_)
        if isinstance(type_, t.SetOf) or (isinstance(type_, t.Int) and type_.low <= 0 <= type_.high):
            return ir.Const(0, type_)
        hint: str | None = None
        if isinstance(type_, t.Member):
            members = members_named(self.ctx, "no_effect", type_)
            if members:
                return ir.Const(members[0], type_)
            hint = f"give `{type_}` a member `no_effect`, or write the result"
        self.ctx.fail(kinds.TABLE_SHAPE, f"`-` has no meaning for `{type_}`", cell.span, hint)

    def _named_cell(self, cell: i.Cell, of: t.Member, type_: t.Type, *, many: bool) -> ir.Expr:
        numbers = cell_members(self.ctx, cell, of, kinds_too=many)
        if many:
            return ir.Const(sum({1 << n for n in numbers}), type_)
        if len(numbers) > 1:
            self.ctx.fail(kinds.TABLE_SHAPE, "expected a single result", cell.span)
        return ir.Const(numbers[0], type_)


def _with_special_rows(row: ir.Static, special: dict[int, ir.Expr], body: ir.Expr) -> ir.Expr:
    """A lookup in which special rows have values of their own."""
    for number, value in special.items():
        type_ = row.type if isinstance(row.type, t.Row) else t.Int(number, number)
        here = ir.Op("eq", (row, ir.Const(number, type_)), FLAG)
        body = ir.If(here, value, body, body.type)
    return body
