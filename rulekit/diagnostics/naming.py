"""Naming what a finding is about, where whoever found it did not: the item of the rules that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulekit.base.source import Span
from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.render_text import Lines, TextOf

_ITEM = re.compile(r"""([a-z]+)(?:[ ]+("[^"]*"|'[^']*'|[^\W\d]\w*))?""")
MOST_QUOTED = 40
"""Characters of the underlined text that stand for names, where a message has none."""
_FARTHEST = 5_000
"""Lines that are looked back for the head of an item."""


def name_findings(findings: Iterable[Diagnostic], text_of: TextOf) -> Iterator[Diagnostic]:
    """The findings, each with a key that names its item if it has none of its own.

    Where the message names nothing, what is underlined does.  Items begin at the left edge (spec 2.2), so
    this needs no syntax that is sound.  Those of a kind that gathers keep to their names: their cause is none
    of the items they are met in.
    """
    lines = Lines(text_of)
    for finding in findings:
        if finding.key or finding.kind.gathers or not finding.span.file.endswith(".rules"):
            yield finding
            continue
        item = _item(lines, finding.span)
        if item:
            names = finding.names or (lines.under(finding.span)[:MOST_QUOTED],)
            names = tuple(name for name in names if name != item.partition(" ")[2])
            finding = replace(finding, key=(item, *names))
        yield finding


def _item(lines: Lines, span: Span) -> str:
    """`choice aim` for a place in it; empty above the first item."""
    for number in range(span.line, max(span.line - _FARTHEST, 0), -1):
        if head := _ITEM.match(lines.line(span.file, number) or ""):
            return " ".join(part.strip("\"'") for part in head.groups() if part)
    return ""
