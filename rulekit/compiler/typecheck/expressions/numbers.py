"""Arithmetic on ranged numbers, months and ratios; and whether today is in a stretch of the calendar."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import FLAG, conjunction, without_none
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir.semantics import operations
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

Extreme = Literal["larger", "smaller"]
_COMPARE: dict[str, Literal["lt", "le", "gt", "ge"]] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def negative(ctx: CheckContext, value: ir.Expr, span: Span) -> ir.Expr:
    """`-n`."""
    if not isinstance(value.type, t.Int):
        ctx.fail(kinds.WRONG_TYPE, f"cannot negate `{value.type}`", span)
    type_ = t.Int(-value.type.high, -value.type.low)
    if isinstance(value, ir.Const) and isinstance(value.value, int):
        return ir.Const(-value.value, type_)
    return ir.Op("neg", (value,), type_)


def binary(ctx: CheckContext, node: x.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`+ - * mod` of numbers; months move by numbers, and their difference is one."""
    match node.op, left.type, right.type:
        case "+", (t.Int() | t.Month()) as a, t.Int() as b:
            return ir.Op("add", (left, right), replace(a, low=a.low + b.low, high=a.high + b.high))
        case "-", (t.Int() | t.Month()) as a, t.Int() as b:
            return ir.Op("sub", (left, right), replace(a, low=a.low - b.high, high=a.high - b.low))
        case "-", t.Month() as a, t.Month() as b:
            return ir.Op("sub", (left, right), t.Int(a.low - b.high, a.high - b.low))
        case "*", t.Int(), t.Int():
            return product(left, right)
        case "mod", t.Int(), t.Int() as b:
            if b.low <= 0:
                ctx.fail(kinds.WRONG_TYPE, "`mod` needs a positive number", node.right.span)
            return ir.Op("mod", (left, right), t.Int(0, b.high - 1))
    for value, at in ((left, node.left), (right, node.right)):
        if isinstance(value.type, t.Optional):
            hint = "test it first, or write `(x otherwise 0)`"
            ctx.fail(kinds.MAYBE_NONE, "this value may be none", at.span, hint)
    message = f"cannot compute `{left.type}` {node.op} `{right.type}`"
    way = "to round, write `/ .. rounded down`" if node.op == "*" else None
    ctx.fail(kinds.WRONG_TYPE, message, node.span, way)


def product(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """One number times another."""
    a, b = left.type, right.type
    assert isinstance(a, t.Int) and isinstance(b, t.Int)
    ends = [i * j for i in (a.low, a.high) for j in (b.low, b.high)]
    return ir.Op("mul", (left, right), t.Int(min(ends), max(ends)))


def extreme(op: Extreme, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """The larger or smaller of two numbers."""
    a, b = left.type, right.type
    assert isinstance(a, t.Int) and isinstance(b, t.Int)
    pick = max if op == "larger" else min
    return ir.Op(op, (left, right), t.Int(pick(a.low, b.low), pick(a.high, b.high)))


def divide(ctx: CheckContext, node: x.Divide, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`a / b rounded down|up|nearest`; halves go up."""
    if not isinstance(left.type, t.Int) or not isinstance(right.type, t.Int):
        message = f"cannot divide `{left.type}` by `{right.type}`"
        ctx.fail(kinds.WRONG_TYPE, message, node.span, "for an exact fraction, use `ratio(a, b)`")
    if right.type.low <= 0:
        hint = "give it a range from 1, or divide by `larger(.., 1)`"
        ctx.fail(kinds.WRONG_TYPE, "the divisor may be 0 or less", node.right.span, hint)
    divisors = (right.type.low, right.type.high)
    ends = [operations.divide(n, d, node.way) for n in (left.type.low, left.type.high) for d in divisors]
    op: Literal["div_down", "div_up", "div_nearest"] = f"div_{node.way}"  # type: ignore[assignment]
    return ir.Op(op, (left, right), t.Int(min(ends), max(ends)))


def compare(ctx: CheckContext, node: x.Compare, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`< <= > >=` of numbers, months, ratios and members of an enum in its order."""
    for value, at in ((left, node.left), (right, node.right)):
        if isinstance(value.type, t.Optional):
            hint = "test it first, or write `(x otherwise y)`"
            ctx.fail(kinds.MAYBE_NONE, "cannot compare: this value may be none", at.span, hint)
    a, b = without_none(left.type), without_none(right.type)
    one = ir.Const(1, t.Int(1, 1))
    if isinstance(a, t.Ratio) and isinstance(b, t.Int):
        right = ir.Op("ratio", (right, one), t.Ratio())
    elif isinstance(a, t.Int) and isinstance(b, t.Ratio):
        left = ir.Op("ratio", (left, one), t.Ratio())
    elif type(a) is not type(b) or not isinstance(a, t.Int | t.Month | t.Ratio | t.Member):
        ctx.fail(kinds.WRONG_TYPE, f"cannot compare `{left.type}` with `{right.type}`", node.span)
    elif isinstance(a, t.Member) and (a.domain != b.domain or ctx.world.domains[a.domain].sort != "enum"):  # type: ignore[union-attr]
        ctx.fail(kinds.WRONG_TYPE, f"`{a}` and `{b}` have no order", node.span)
    return ir.Op(_COMPARE[node.op], (left, right), FLAG)


def during(ctx: CheckContext, dates: x.During | i.DateSpan) -> ir.Expr:
    """Whether today is in a stretch of the calendar."""
    calendar = calendar_for(ctx, dates)
    signature = ctx.signature(calendar)
    assert signature is not None
    _require_within_calendar(ctx, dates)
    today = ir.Apply(calendar, (), signature.result)
    tests: list[ir.Expr] = []
    if dates.first is not None:
        tests.append(ir.Op("ge", (today, ir.Const(dates.first, signature.result)), FLAG))
    if dates.last is not None:
        tests.append(ir.Op("le", (today, ir.Const(dates.last, signature.result)), FLAG))
    return conjunction(*tests)


def calendar_for(ctx: CheckContext, dates: x.During | i.DateSpan) -> str:
    """The name of the calendar that dates belong to.

    Raises:
        Wrong: The rule set has no calendar.
    """
    calendar = next(iter(ctx.names.calendars), None)
    if calendar is None:
        hint = "declare one: `calendar today from Dec 1941 to Aug 1945: EXPRESSION`"
        ctx.fail(kinds.NO_CALENDAR, "dates need a calendar", dates.span, hint)
    return calendar


def _require_within_calendar(ctx: CheckContext, dates: x.During | i.DateSpan) -> None:
    """Refuse a stretch that ends before it begins, or that has no month of the calendar."""
    low, high = ctx.world.months
    first = dates.first if dates.first is not None else min(low, dates.last or low)
    last = dates.last if dates.last is not None else max(high, first)
    if first > last:
        hint = "put the earlier month first"
        ctx.fail(kinds.IMPOSSIBLE_TYPE, "this ends before it begins", dates.span, hint)
    if last < low or first > high:
        months = " to ".join(ctx.world.text(t.Month(low, high), month) for month in (low, high))
        hint = f"the calendar runs from {months}"
        ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, "this includes no month of the calendar", dates.span, hint)
