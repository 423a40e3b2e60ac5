"""How often each outcome occurred: sums of whole numbers, so that any order of adding gives the same."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rulekit.base.frozen import frozen


@frozen
class Failed:
    """A game that ended in a fault: its code and name, and the printed rules at its place."""

    code: str
    name: str
    rules: tuple[str, ...]


Key = tuple[Any, ...] | Failed | None
"""The end of one game: the values of its measures; its fault; or None if `where` does not count it."""

Keys = tuple[Key, ...]
"""The ends of one game by each of the rules."""


@frozen
class TallyEntry:
    """How often something occurred, the least number of such a game, and the message of its fault, if any."""

    count: int
    first: int
    message: str


class Tally:
    """The ends of games by how often they occurred.

    Attributes:
        entries: An entry for each combination of ends.
    """

    def __init__(self) -> None:
        self.entries: dict[Keys, TallyEntry] = {}

    def add(self, keys: Keys, entry: TallyEntry) -> None:
        """Add some games with the same end."""
        known = self.entries.get(keys)
        if known is not None:
            first = entry if entry.first < known.first else known
            entry = TallyEntry(known.count + entry.count, first.first, first.message)
        self.entries[keys] = entry

    def update(self, other: Tally) -> None:
        """Add all games of another tally."""
        for keys, entry in other.entries.items():
            self.add(keys, entry)

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(entry.count for entry in self.entries.values())

    def sorted_entries(self) -> list[tuple[Keys, TallyEntry]]:
        """All entries, those first whose first game has the least number."""
        return sorted(self.entries.items(), key=lambda item: item[1].first)

    def ends(self, place: int) -> Iterator[tuple[Key, TallyEntry]]:
        """Each end by the rules at a place, in the order of the first games."""
        return ((keys[place], entry) for keys, entry in self.sorted_entries())

    def json(self) -> list[Any]:
        """The tally as plain JSON; see `tally_of`."""
        return [
            [[_plain_key(key) for key in keys], entry.count, entry.first, entry.message]
            for keys, entry in self.entries.items()
        ]


def tally_of(plain: Any) -> Tally:
    """The tally that was made plain.

    Raises:
        ValueError, TypeError, KeyError: It is not one.
    """
    tally = Tally()
    for keys, count, first, message in plain:
        if type(count) is not int or type(first) is not int or count < 1 or first < 0:
            raise ValueError(plain)
        tally.add(tuple(map(_key_of, keys)), TallyEntry(count, first, str(message)))
    return tally


def _plain_key(key: Key) -> Any:
    if key is None:
        return None
    if isinstance(key, Failed):
        return {"code": key.code, "fault": key.name, "rules": list(key.rules)}
    return [_plain(value) for value in key]


def _key_of(plain: Any) -> Key:
    if plain is None:
        return None
    if isinstance(plain, dict):
        return Failed(plain["code"], plain["fault"], tuple(plain["rules"]))
    return tuple(map(_value_of, plain))


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"ratio": str(value)}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _value_of(plain: Any) -> Any:
    if isinstance(plain, dict):
        return Fraction(plain["ratio"])
    return tuple(map(_value_of, plain)) if isinstance(plain, list) else plain
