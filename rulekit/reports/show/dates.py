"""Dated lines of a rule set, and whether they apply on a date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span
from rulekit.compiler.names import SPACES, Names
from rulekit.reports.show.rows import RuleLine, Texts
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import nodes

PLAYED = tuple(
    space for space in dict.fromkeys(SPACES.values()) if space not in ("examples", "claims", "errata")
)


@frozen
class Dated:
    """A line with dates: the first line of its item, and whether it applies on the date."""

    head: RuleLine
    row: RuleLine
    holds: bool


def on_date(names: Names, sources: Iterable[Source], month: int) -> Iterator[Dated]:
    """Every line of a rule set that has dates, in the order of files and lines.

    Args:
        names: With amendments worked in or not; a line is listed once.
        month: `12 * year + month - 1`.
    """
    texts = Texts(sources, names)
    lines: dict[tuple[str, int], Dated] = {}
    for space in PLAYED:
        for item in getattr(names, space).values():
            head = texts.row(item.span.file, item.span.line)
            for span, first, last in _stretches(item):
                holds = (first is None or first <= month) and (last is None or month <= last)
                row = texts.row(span.file, span.line)
                place = (span.file, span.line)
                if place not in lines or lines[place].head.line < head.line:
                    lines[place] = Dated(head, row, holds)
    yield from (lines[place] for place in sorted(lines))


def _stretches(item: i.Item) -> Iterator[tuple[Span, int | None, int | None]]:
    """The stretches of time inside an item; the calendar itself is none."""
    for node in () if isinstance(item, i.Calendar) else nodes(item):
        if isinstance(node, i.DateSpan | x.During):
            yield node.span, node.first, node.last
        elif isinstance(node, i.Cell) and node.kind in ("date", "dates"):
            yield node.span, node.low, node.low if node.kind == "date" else node.high
