"""Traces: entries in a row, each beginning with the number of its kind of event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir.types import Type

Entry = tuple[Any, ...]
"""The number of a kind of event, and its operands."""


@frozen
class EventKind:
    """The kind that a number in a trace means.

    `subject` is the state, point, choice, group or step; `fields` name and type the operands that follow
    the number.
    """

    kind: str
    site: int
    subject: str
    fields: tuple[tuple[str, Type], ...]


class EventKinds(list[EventKind]):
    """The kinds of events of one build, by number."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[EventKind, int] = {}

    def number(self, kind: EventKind) -> int:
        """The number of a kind, which is added at its first use."""
        number = self._numbers.get(kind)
        if number is None:
            number = self._numbers[kind] = len(self)
            self.append(kind)
        return number


def entries(kinds: Sequence[EventKind], tape: Sequence[Any]) -> Iterator[Entry]:
    """Split a tape into its entries."""
    start = 0
    while start < len(tape):
        end = start + 1 + len(kinds[tape[start]].fields)
        yield tuple(tape[start:end])
        start = end
