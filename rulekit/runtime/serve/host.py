"""The host of many sessions: which games may be played, and which rooms there are."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rulekit.base.spelling import suggestion
from rulekit.diagnostics import RulesError
from rulekit.runtime.play import Game, Session
from rulekit.runtime.serve.rooms import Room, Seat
from rulekit.runtime.serve.wire import INVALID_PARAMS, NOT_YOURS, RULES, RpcError

MOST_ROOMS: Final = 10_000
"""Sessions of one host at the same time."""
MOST_GAMES: Final = 50
"""Games, each with its options, that are kept ready."""

Loader = Callable[[str, Sequence[str]], Game]
"""Loads a game by its name, with options."""


class Host:
    """Games to play and the rooms in which they are played; `Connection` lets clients in.

    Args:
        games: Titles of the games that clients may start, by name.
        load: Loads one of them, with the options that a client names.
        new_token: Makes the names of rooms and the secrets of seats.
    """

    def __init__(
        self,
        games: Mapping[str, str],
        load: Loader,
        new_token: Callable[[], str] = lambda: secrets.token_urlsafe(16),
    ) -> None:
        self.titles = dict(games)
        self._load, self._new_token = load, new_token
        self._games: dict[tuple[str, tuple[str, ...]], Game] = {}
        self._seats: dict[str, Seat] = {}
        self._rooms: dict[str, Room] = {}

    def game(self, name: str, options: Sequence[str] = ()) -> Game:
        """A game with options, loaded when it is first needed.

        Raises:
            RpcError: There is no such game or option, or its rules have errors.
        """
        if name not in self.titles:
            hint = suggestion(name, sorted(self.titles))
            raise RpcError(INVALID_PARAMS, f"unknown game `{name[:40]}`; {hint}")
        key = (name, tuple(sorted(set(options))))
        if key not in self._games:
            if len(self._games) >= MOST_GAMES:
                self._games.clear()
            try:
                self._games[key] = self._load(name, key[1])
            except RulesError as error:
                findings = [{"name": one.kind.name, "message": one.message} for one in error.diagnostics]
                raise RpcError(RULES, f"`{name}` cannot be loaded", {"findings": findings}) from error
        return self._games[key]

    def add_room(self, session: Session) -> Room:
        """Return a new room for a session.

        Raises:
            RpcError: There are too many already.
        """
        if len(self._rooms) >= MOST_ROOMS:
            raise RpcError(INVALID_PARAMS, f"a host has at most {MOST_ROOMS:,} sessions: close some")
        room = Room(self._new_token(), session, self._new_token)
        self._rooms[room.name] = room
        self._seats |= {seat.token: seat for seat in room.seats}
        return room

    def close(self, room: Room) -> None:
        """End a room; its tokens are worth nothing from now on."""
        self._rooms.pop(room.name, None)
        for seat in room.seats:
            self._seats.pop(seat.token, None)

    def seat(self, token: str) -> Seat:
        """The seat of a token.

        Raises:
            RpcError: There is none.
        """
        if token not in self._seats:
            raise RpcError(NOT_YOURS, "unknown token")
        return self._seats[token]

    def leave(self, who: object) -> None:
        """Tell a connection nothing more."""
        for seat in self._seats.values():
            seat.leave(who)

    def listing(self) -> list[dict[str, Any]]:
        """The games, each with its title."""
        return [{"game": name, "title": title} for name, title in self.titles.items()]
