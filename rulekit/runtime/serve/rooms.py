"""A room is one session with its seats; a seat is the host, or a side, who sees what its side may see."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from rulekit.runtime.narrate import Narrator
from rulekit.runtime.play import Session, SessionChange, View
from rulekit.runtime.serve import shapes

MOST_KEPT: Final = 200
"""Changes that a seat gets once more after its connection was lost."""

Send = Callable[[str, Mapping[str, Any]], None]
"""Sends a notification: its method and its parameters."""


class Listener:
    """One connection at one seat, in one language."""

    def __init__(self, seat: Seat, send: Send, language: str) -> None:
        self._seat, self._send = seat, send
        self.language = language
        self.narrator = Narrator.of(seat.room.game, language)
        self.narrator.look(seat.sees)

    def tell(self, change: SessionChange, shown: Mapping[str, Any]) -> None:
        """Send a change, with its lines and the decision in this language."""
        lines = [] if change.undone else list(self.narrator.tell(change.events))
        if change.undone:
            self.narrator.look(self._seat.sees)
        if self._seat.is_told_all:
            lines += self.narrator.finish()
        more = {"lines": shapes.lines(lines), "decision": self.decision()}
        self._send("session/changed", {**shown, **more})

    def decision(self) -> dict[str, Any] | None:
        """The decision that this seat has to answer, with titles."""
        asked = self._seat.sees.decision
        return None if asked is None else self.narrator.decision(asked)


class Seat:
    """One place at the table: the host's, a side's, or that of a watcher, who sees what is public.

    Its revision counts the events that it has seen, and those that were taken back: it must not show how many
    parts a secret answer had, or whether it was forced.  So the messages between two decisions of a side come
    to the same, however many they are; when they come is not hidden.

    Attributes:
        side: The side's name; empty for a watcher; None is the host, who sees all and may answer for all.
        sees: The session, or the view of the side.
        told: The last changes, each with the revision before, for those who were away.
        revision: Grows with what the seat sees; of the host, the session's revision.
    """

    def __init__(self, room: Room, token: str, side: str | None) -> None:
        self.room, self.token, self.side = room, token, side
        self.sees: Session | View = room.session if side is None else room.session.view(side or None)
        self.told: deque[tuple[int, Mapping[str, Any]]] = deque(maxlen=MOST_KEPT)
        self.listeners: dict[object, Listener] = {}
        self.revision = room.session.revision if side is None else 0
        self.sees.subscribe(self._tell)

    @property
    def is_host(self) -> bool:
        """True if the seat is the host's."""
        return self.side is None

    @property
    def standing(self) -> dict[str, Any]:
        """Where the session stands for the seat, as every message about it says."""
        session = self.room.session
        return {
            "session": self.room.name,
            "seat": self.side,
            "revision": self.revision,
            "over": session.over,
            "result": session.result,
        }

    @property
    def is_told_all(self) -> bool:
        """True if its last line is whole, or if nothing hidden decides when it comes."""
        if self.room.session.over:
            return True
        asked = self.sees.decision
        if asked is not None:
            return not asked.so_far
        return isinstance(self.sees, View) and not self.sees.hides_anything

    def listen(self, who: object, send: Send, language: str) -> Listener:
        """Tell a connection of every change from now on."""
        listener = self.listeners[who] = Listener(self, send, language)
        return listener

    def leave(self, who: object) -> None:
        """Tell a connection no more."""
        self.listeners.pop(who, None)

    def changes_since(self, since: int) -> list[Mapping[str, Any]] | None:
        """Return the changes after a revision; None if they are no longer known."""
        if since == self.revision:
            return []
        kept = [number for number, (before, _) in enumerate(self.told) if before == since]
        return [shown for _, shown in list(self.told)[kept[-1] :]] if kept else None

    def _tell(self, change: SessionChange) -> None:
        before, session = self.revision, self.room.session
        if self.is_host:
            self.revision = session.revision
        else:
            self.revision += len(change.events) + len(change.shown) + change.undone
        if not (change or session.over or self.sees.decision is not None):
            return
        shown = {**self.standing, **shapes.change(change)}
        self.told.append((before, shown))
        for listener in tuple(self.listeners.values()):
            listener.tell(change, shown)


class Room:
    """A session and its seats.

    Attributes:
        name: Its name among the rooms of a host.
        answerers: The side that gave each answer, for those who take one back.
    """

    def __init__(self, name: str, session: Session, new_token: Callable[[], str]) -> None:
        self.name, self.session, self.game = name, session, session.game
        program = self.game.program
        domain = program.by_name.domains.get(program.sides)
        self.host = Seat(self, new_token(), None)
        self.sides = {side: Seat(self, new_token(), side) for side in (domain.members if domain else ())}
        self.watcher = Seat(self, new_token(), "")
        self.answerers: list[str | None] = []

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, the host's first."""
        return (self.host, *self.sides.values(), self.watcher)
