"""Numbers, months and dice: one more and one less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.tree import Visit
from rulekit.ir.types import month_text
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree.components import DateSpan
from rulekit.syntax.tree.items import Roll


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The number with one added, and one taken away."""
    if visit.path[-1:] == ("limit",):
        return  # of a loop: it only stops one that would not end
    match visit.node:
        case x.Integer() as node:
            yield Mutation(node.span, str(node.value + 1), replace(node, value=node.value + 1))
            less: Any = replace(node, value=node.value - 1)
            if node.value == 0:
                less = x.Negative(node.span, x.Integer(node.span, 1))
            yield Mutation(node.span, str(node.value - 1), less)
        case x.Date() as node:
            for value in (node.value + 1, node.value - 1):
                yield Mutation(node.span, month_text(value), replace(node, value=value))
        case x.RatioLiteral() as node:
            more = node.numerator + 1
            yield Mutation(node.span, f"{more}:{node.denominator}", replace(node, numerator=more))
        case DateSpan() as node:
            yield from _stretch(node)
        case Roll() as node:
            yield from _dice(node)
        case _:
            pass


def _stretch(node: DateSpan) -> Iterator[Mutation]:
    """The ends of a stretch of time, a month sooner and a month later."""
    for end in ("first", "last"):
        value = getattr(node, end)
        if value is None:
            continue
        for month in (value + 1, value - 1):
            ends: dict[str, Any] = {end: month}
            made = replace(node, **ends)
            if made.first is None or made.last is None or made.first <= made.last:
                yield Mutation(
                    node.span, f"{'from' if end == 'first' else 'until'} {month_text(month)}", made
                )


def _dice(node: Roll) -> Iterator[Mutation]:
    """A die more, a die fewer, a side fewer; a side more is a number that no example could throw."""
    for dice, sides in (
        (node.dice + 1, node.sides),
        (node.dice - 1, node.sides),
        (node.dice, node.sides - 1),
    ):
        if dice > 0 and sides > 1:
            count = "" if dice == 1 else str(dice)
            yield Mutation(
                node.name.span, f"{node.name.text}: {count}d{sides}", replace(node, dice=dice, sides=sides)
            )
