"""Indentation and items: a text is cut where a line begins at the left edge, so that faults stay in one item.

The parsers turn the white space before a line into `_INDENT` and `_DEDENT`, but ignore line ends in brackets.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from rulekit.base.frozen import frozen

_ITEM_START = re.compile(r"^(?=[^\s#])", re.MULTILINE)


@frozen
class ItemText:
    """The text of one item, which begins `offset` lines into the file."""

    text: str
    offset: int


class UnevenIndentation(Exception):
    """A line goes back to a depth that no line before it has."""

    def __init__(self, line: int) -> None:
        super().__init__(str(line))
        self.line = line


def items_of(text: str) -> Iterator[ItemText]:
    """Yield the items of a text, in order; comments before the first one belong to none."""
    starts = [match.start() for match in _ITEM_START.finditer(text)]
    line, at = 0, 0
    for start, end in itertools.pairwise([*starts, len(text)]):
        line += text.count("\n", at, start)
        at = start
        yield ItemText(text[start:end].rstrip() + "\n", line)
