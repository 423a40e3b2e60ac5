"""Traces: entries in a row, each beginning with the number of its kind of event; the tape holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir.types import Type

Entry = tuple[Any, ...]
"""The number of a kind of event, and its operands."""


KNOWN: Final = "known"
"""The last operand of some kinds: the sides that know of the event; of flags, those for each member."""


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

    @property
    def notes_known(self) -> bool:
        """True if the last operand says who knows of the event."""
        return bool(self.fields) and self.fields[-1][0] == KNOWN


class EventKinds(list[EventKind]):
    """The kinds of events of one build, by number."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[EventKind, int] = {}
        self._lock = Lock()

    def number(self, kind: EventKind) -> int:
        """The number of a kind, which is added at its first use."""
        number = self._numbers.get(kind)
        return self._add(kind) if number is None else number

    def _add(self, kind: EventKind) -> int:
        with self._lock:  # `together` blocks add kinds in play, and sessions of several threads share them
            number = self._numbers.get(kind)
            if number is None:
                number = len(self)
                self.append(kind)
                self._numbers[kind] = number
        return number


def entries(kinds: Sequence[EventKind], tape: Sequence[Any]) -> Iterator[Entry]:
    """Split a tape into its entries."""
    start = 0
    while start < len(tape):
        end = start + 1 + len(kinds[tape[start]].fields)
        yield tuple(tape[start:end])
        start = end


_Chain = tuple[Any, tuple[Any, ...]]


class Tape:
    """Events, or answers, one operand after the other, which takes little memory.

    Copying takes time for what was added since the last copy only.  A list that grows long is moved again and
    again, and leaves what is near; so that who adds much should `freeze` now and then.

    Attributes:
        live: The newest entries, to which others are appended; another list after `freeze`, `copy` or `cut`.
        base: How many entries come before those.
    """

    __slots__ = ("_frozen", "base", "live")

    def __init__(self) -> None:
        self._frozen: _Chain | None = None
        self.base = 0
        self.live: list[Any] = []

    def __len__(self) -> int:
        return self.base + len(self.live)

    def freeze(self) -> int:
        """Begin a new list for what comes next; how many entries the last one had."""
        added = len(self.live)
        if added:
            self._frozen = (self._frozen, tuple(self.live))
            self.base += added
            self.live = []
        return added

    def copy(self) -> Tape:
        """Another tape with the same entries."""
        self.freeze()
        other = Tape()
        other._frozen, other.base = self._frozen, self.base
        return other

    def cut(self, length: int) -> None:
        """Drop all entries from `length` on."""
        while length < self.base:
            assert self._frozen is not None
            self._frozen, entries = self._frozen
            self.base -= len(entries)
            self.live = list(entries)
        del self.live[length - self.base :]

    def since(self, start: int) -> list[Any]:
        """The entries from `start` on."""
        if start >= self.base:
            return self.live[start - self.base :]
        parts: list[tuple[Any, ...] | list[Any]] = [self.live]
        base, chain = self.base, self._frozen
        while start < base:
            assert chain is not None
            chain, entries = chain
            base -= len(entries)
            parts.append(entries)
        kept = [entry for part in reversed(parts) for entry in part]
        return kept[start - base :]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.since(0))
