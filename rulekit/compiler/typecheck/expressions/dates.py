"""Dates: whether today is in a stretch of the calendar."""

from __future__ import annotations

from rulekit import ir
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import FLAG, conjunction
from rulekit.compiler.typecheck.signatures import Signatures
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i


def during(ctx: CheckContext, signatures: Signatures, dates: x.During | i.DateSpan) -> ir.Expr:
    """Whether today is in a stretch of the calendar."""
    calendar = calendar_for(ctx, dates)
    signature = signatures.signature(calendar)
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
