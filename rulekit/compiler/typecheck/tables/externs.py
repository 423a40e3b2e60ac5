"""Extern tables: the rules declare their shape, the owner's file holds their numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from rulekit import ir
from rulekit.compiler.typecheck.context import CheckContext, Signature
from rulekit.compiler.typecheck.tables.owner_rows import OwnerTable
from rulekit.compiler.typecheck.tables.shape import TableShape, require_size, value_count
from rulekit.compiler.typecheck.tables.tables import Columns, table_result
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ruleset import DataFile
from rulekit.syntax.tree import items as i


class ExternChecker:
    """Makes extern tables: dense where the owner's numbers are present, else a fault when they are needed."""

    def __init__(self, ctx: CheckContext, owner: Mapping[str, DataFile]) -> None:
        self.ctx = ctx
        self._owner = owner

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

    def _make(
        self, decl: i.ExternTable, params: tuple[ir.Param, ...], columns: Columns, result: t.Type
    ) -> None:
        name = decl.name.text
        shape = self._shape(decl, params)
        require_size(self.ctx, math.prod(shape.sizes), decl.span)
        file = self._owner.get(name)
        owned = OwnerTable(self.ctx, decl, shape)
        rows = owned.rows(columns, file) if file is not None else None
        site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
        dense = self._dense(decl, shape, columns, result, rows or {})
        table = f"table:{name}"
        missing = decl.file if rows is None else ""
        self.ctx.results.statics[table] = ir.StaticTable(
            table,
            shape.static_keys(),
            result,
            dense,
            missing,
            tuple(owned.columns("result")) if missing else (),
            owned.listed_words() if missing else (),
        )
        body = ir.Static(table, shape.index(decl.rounding), result, t.GAP in dense)
        self.ctx.add_function(table, params, body, site, result)

    def _dense(
        self,
        decl: i.ExternTable,
        shape: TableShape,
        columns: Columns,
        result: t.Type,
        rows: Mapping[int, tuple[Value, ...]],
    ) -> tuple[Value, ...]:
        """A value for every combination of keys: the result, or the number of its row in static columns."""
        total = math.prod(shape.sizes)
        if not isinstance(result, t.Row):
            return tuple(rows[at][0] if at in rows else t.GAP for at in range(total))
        for place, (column, type_) in enumerate(zip(decl.columns, columns, strict=True)):
            name = f"table:{decl.name.text}.{column.name}"
            cells = tuple(row[place] for row in rows.values()) or (t.GAP,)
            self.ctx.results.statics[name] = ir.StaticTable(name, ((0, max(0, len(rows) - 1)),), type_, cells)
        numbers = {at: number for number, at in enumerate(rows)}
        return tuple(numbers.get(at, t.GAP) for at in range(total))

    def _shape(self, decl: i.ExternTable, params: tuple[ir.Param, ...]) -> TableShape:
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
        return TableShape(self.ctx.world, params, tuple(range(len(params))), sizes, ratios)

    def _odds(
        self, decl: i.ExternTable, param: ir.Param, cells: tuple[i.Cell, ...] | None
    ) -> tuple[Fraction, ...]:
        if not cells or any(cell.kind != "ratio" or not cell.high for cell in cells):
            hint = f"add `keys {param.name}: 1:2, 1:1, 2:1`"
            message = f"the odds of `{param.name}` are not listed"
            self.ctx.fail(kinds.TABLE_SHAPE, message, decl.span, hint)
        return tuple(sorted(Fraction(cell.low or 0, cell.high or 1) for cell in cells))
