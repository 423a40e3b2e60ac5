"""Inputs that begin with the name of a small game, on a line of its own."""

from __future__ import annotations

import random

GAMES = ("duel", "ferry", "fair")


def some_game(chance: random.Random) -> str:
    """Return the name of a game."""
    return chance.choice(GAMES)


def with_game(name: str, rest: bytes) -> bytes:
    """Return an input of a game."""
    return name.encode() + b"\n" + rest


def game_and_rest(data: bytes) -> tuple[str, bytes]:
    """Return the name of the game and what follows it; an empty name if there is no such game."""
    first, _, rest = data.partition(b"\n")
    name = first.decode("ascii", "replace")
    return (name if name in GAMES else ""), rest
