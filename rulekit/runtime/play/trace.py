"""The trace of a session, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.runtime.support.event_kinds import EventKind

Entry = tuple[Any, ...]
"""The number of a kind of event, and its operands."""


def entries(kinds: Sequence[EventKind], tape: Sequence[Any]) -> Iterator[Entry]:
    """The entries that lie one behind the other on a tape."""
    start = 0
    while start < len(tape):
        end = start + 1 + len(kinds[tape[start]].fields)
        yield tuple(tape[start:end])
        start = end
