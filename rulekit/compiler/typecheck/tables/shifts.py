"""Lookups whose column modifiers shift: from the column of a value to that of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.typecheck.context import SHIFT, CheckContext
from rulekit.compiler.typecheck.conversions import FLAG
from rulekit.compiler.typecheck.expressions.numbers import extreme
from rulekit.compiler.typecheck.tables.shape import TableLine, TableShape
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.syntax.tree import items as i

ZERO = ir.Const(0, t.Int(0, 0))


@frozen
class Shift:
    """The column that a lookup reaches, counted from 0 at the left, and the keys of the lookup there.

    Beyond the ends the column is negative, or greater than `last`; the keys are those of the last column.
    """

    column: ir.Expr
    last: int
    keys: tuple[ir.Expr, ...]

    def within(self, body: ir.Expr, beyond: Mapping[str, ir.Expr]) -> ir.Expr:
        """A lookup with the results beyond its left and right end, where these have results of their own."""
        last = ir.Const(self.last, t.Int(self.last, self.last))
        tests = {
            "left": ir.Op("lt", (self.column, ZERO), FLAG),
            "right": ir.Op("gt", (self.column, last), FLAG),
        }
        for side, value in beyond.items():
            body = ir.If(tests[side], value, body, body.type)
        return body


def shift_of(
    ctx: CheckContext, decl: i.Table, shape: TableShape, lines: Sequence[TableLine], site: int
) -> Shift | None:
    """The shift of a table's lookups; None if no modifier is on the table, or it has no sound row.

    Raises:
        Wrong: No key runs across.
    """
    name, own = decl.name.text, decl.name.text.partition("'")[0]
    if ("table", own) not in ctx.modifiers_on:
        return None
    signature = ctx.signature(f"{SHIFT}{own}")
    place = _place_across(decl, shape)
    if place is None or signature is None:
        modifier = ctx.modifiers_on["table", own][0]
        ctx.fail(kinds.TABLE_SHAPE, f"no input of `{own}` runs across, so no column shifts", modifier.span)
    if not lines:
        return None
    columns = [line.keys[place] for line in lines if line.row is lines[0].row]
    last = len(columns) - 1
    number = {at: column for column, covered in reversed(list(enumerate(columns))) for at in covered}
    dense: tuple[Value, ...] = tuple(number.get(at, 0) for at in range(shape.sizes[place]))
    key = shape.static_keys()[place]
    ctx.results.statics[f"table:{name}.column"] = ir.StaticTable(
        f"table:{name}.column", (key,), t.Int(0, last), dense
    )
    keys = shape.index()
    before = ir.Static(f"table:{name}.column", (keys[place],), t.Int(0, last))
    arguments = tuple(ir.Local(param.name, param.type) for param in shape.params)
    amount = ir.Apply(f"{SHIFT}{own}", (ZERO, *arguments), signature.result)
    if not isinstance(amount.type, t.Int):
        ctx.fail(kinds.WRONG_TYPE, f"cannot shift by `{amount.type}`", decl.span)
    range_ = t.Int(amount.type.low, amount.type.high + last)
    column = f"column:{name}"
    ctx.add_function(column, shape.params, ir.Op("add", (before, amount), range_), site)
    reached = ir.Apply(column, arguments, range_)
    held = extreme("smaller", extreme("larger", reached, ZERO), ir.Const(last, t.Int(last, last)))
    shifted = _key_of_column(ctx, f"table:{name}.shifted", columns, keys[place].type, held)
    return Shift(reached, last, (*keys[:place], shifted, *keys[place + 1 :]))


def _key_of_column(
    ctx: CheckContext, name: str, columns: Sequence[tuple[int, ...]], type_: t.Type, column: ir.Expr
) -> ir.Expr:
    """A value of the key that runs across which each column covers."""
    low = type_.low if isinstance(type_, t.Int | t.Month) else 0
    values: tuple[Value, ...] = tuple(covered[0] + low if covered else low for covered in columns)
    if isinstance(type_, t.Flag):
        values = tuple(map(bool, values))
    ctx.results.statics[name] = ir.StaticTable(name, ((0, len(columns) - 1),), type_, values)
    return ir.Static(name, (column,), type_)


def _place_across(decl: i.Table, shape: TableShape) -> int | None:
    """The place of the key that heads no column."""
    heads = {cell.column_name for cell in decl.rows[0].cells}
    return next((n for n, key in enumerate(shape.keys) if shape.params[key].name not in heads), None)
