"""The events that a module with a log writes, by number, and the room for them."""

from __future__ import annotations

from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir.types import Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower.memory import CELL

ROOM_OF_GAMES: Final = 1 << 21
"""Words of the log of a module that plays whole games: each game begins a log."""

ROOM_OF_STEPS: Final = 1 << 17
"""The same of one that stops, which begins a log with each answer."""

NO_SITE: Final = -1

Fields = tuple[tuple[str, Type], ...]


@frozen
class LoggedEvent:
    """A kind of event of one site. After its number come the words of keys, fields and arguments.

    Attributes:
        site: Of the rules; `NO_SITE` if the site is the word after the number.
        keys: The domains of its keys; None if it is not about a state.
        arguments: Of a choice or roll, by parameter; None for other events.
        open: Whether all sides may see it.
    """

    kind: str
    subject: str
    site: int
    keys: tuple[str | tuple[int, int], ...] | None
    fields: Fields
    arguments: Fields | None = None
    open: bool = True


class EventTable:
    """The events of one module, in the order of their numbers, and where the log stands."""

    def __init__(self, room: int) -> None:
        self.room = room
        """How many words it holds, besides the one that counts them."""
        self.landing_sites: set[int] = set()
        """The sites of blocks, which follow the numbers of events."""
        self._numbers: dict[LoggedEvent, int] = {}

    @property
    def events(self) -> tuple[LoggedEvent, ...]:
        """All events, by number."""
        return tuple(self._numbers)

    @property
    def sites(self) -> set[int]:
        """The sites of all events."""
        return self.landing_sites | {event.site for event in self._numbers}

    @property
    def size(self) -> int:
        """Bytes of the log."""
        return (1 + self.room) * CELL

    def number(self, event: LoggedEvent) -> int:
        """The number of an event."""
        return self._numbers.setdefault(event, len(self._numbers))


COUNT: Final = lir.LOG
"""The address of the word that counts the words of the log; they follow it."""
