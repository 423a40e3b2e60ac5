"""Extern tables: their shape is declared here, their numbers come from the owner's file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from rulekit import ir
from rulekit.compiler.typecheck.context import Context, Signature
from rulekit.compiler.typecheck.covering import Shape
from rulekit.compiler.typecheck.extern_rows import OwnedRows
from rulekit.compiler.typecheck.shapes import MAX_CELLS
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.ruleset import DataFile
from rulekit.syntax.tree import items as i


class Externs(OwnedRows):
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
        rows = self.owner_rows(decl, shape, columns, file) if file is not None else None
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
        wanted = tuple(self.owner_columns(decl, shape, "result")) if missing else ()
        listed = self.listed_words(decl, shape) if missing else ()
        self.statics[table] = ir.StaticTable(table, keys, result, tuple(dense), missing, wanted, listed)
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
