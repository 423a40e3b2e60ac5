"""The events as one side may see them, without a word, number or field about hidden things (spec 13.5)."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Final

from rulekit.runtime.play.events import ANSWERS, Event
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.seen.seer import ReadTo
from rulekit.runtime.support.trace import Entry

BEFORE: Final = -1
"""The number of events that were read before."""


class _Reader:
    """Reads events one after the other for one side.

    The parts of an answer that is hidden are one event together, so that nobody can count them.
    """

    def __init__(self, moment: Moment, side: int, read: ReadTo) -> None:
        self._seer, self._teller = moment.game.seer(side), moment.game.teller
        self._sight = moment.sight(side)
        self._depth, self._last = read.depth, read.last
        self._held = [(BEFORE, read.held)] if read.depth else []
        self._veiled = read.veiled

    def take(self, number: int, event: Event, entry: Entry) -> tuple[Event, ...]:
        """Return what the side sees of an event when it happens."""
        seer = self._seer
        if seer.leaves_out(event):
            return ()
        if event.kind in ANSWERS and event.fields["side"] != seer.name:
            if self._depth or seer.is_secret(event):
                return self._hide(number, event)
            self._last = None
            return seer.answers(event)
        self._last = None
        self._depth += event.kind == "secret_begin"
        noted = entry[-1] if self._teller.kind(entry).notes_known else None
        return (seer.event(event, noted, self._sight),)

    def _hide(self, number: int, event: Event) -> tuple[Event, ...]:
        again, self._last = self._last == (event.subject, event.site), (event.subject, event.site)
        if self._depth:
            self._held.append((number, self._seer.answers(event)))
            self._veiled += not again
        return () if again else (replace(event, kind="answer", fields={}),)

    def release(self, event: Event) -> list[tuple[int, tuple[Event, ...]]]:
        """Return the earlier events that the side sees only now, each with its number."""
        if event.kind != "secret_end" or not self._depth:
            return []
        self._depth -= 1
        if self._depth:
            return []
        released, self._held, self._veiled = self._held, [], 0
        return released

    def read_to(self, position: int, number: int) -> ReadTo:
        """How far it has read."""
        held = tuple(event for _, events in self._held for event in events)
        return ReadTo(position, number, self._depth, held, self._veiled, self._last)


def read_on(
    moment: Moment, side: int, read: ReadTo, end: int | None = None
) -> tuple[ReadTo, list[Event], list[Event]]:
    """Return what a side sees of the events from a place on, and the earlier ones that it sees only now.

    The latter stand for the answers without fields that it has seen since the `choose .. for each` began.
    `end` is where to stop.
    """
    reader, position = _Reader(moment, side, read), read.position
    rows: list[tuple[Event, ...]] = []
    shown: list[Event] = []
    total = read.number
    for number, entry in enumerate(moment.trace_from(position, end)):
        position += len(entry)
        event = moment.game.teller.event(entry)
        rows.append(reader.take(number, event, entry))
        for place, events in reader.release(event):
            if place == BEFORE:
                shown += events
                total += len(events) - read.veiled
            else:
                rows[place] = events
    seen = [one for row in rows for one in row]
    return reader.read_to(position, total + len(seen)), seen, shown


class EventReader:
    """Reads the events of a session as a side sees them, each event once."""

    def __init__(self, moment: Moment, side: int) -> None:
        self._moment = moment
        self._reader = _Reader(moment, side, ReadTo(depth=moment.secret_depth))
        self._number = self._position = 0

    def read(self, most: int) -> list[tuple[Event, ...]]:
        """Return for each of the next events what the side sees of it by now: often itself, perhaps nothing.

        Args:
            most: How many events to read, if there are as many.
        """
        first, rows = self._number, list[tuple[Event, ...]]()
        coming = zip(self._moment.events_from(first), self._moment.trace_from(self._position), strict=True)
        for event, entry in islice(coming, most):
            rows.append(self._reader.take(self._number, event, entry))
            self._number += 1
            self._position += len(entry)
            for place, events in self._reader.release(event):
                if place >= first:
                    rows[place - first] = events
        return rows
