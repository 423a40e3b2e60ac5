"""A list that only grows at its end or is cut back, and that copies share as far as they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_Chain = tuple[Any, tuple[Any, ...]]


class Tape:
    """Events, or a journal.  Copying takes time for what was added since the last copy only.

    `append` must be fetched anew after `copy` or `cut`.
    """

    __slots__ = ("_base", "_frozen", "_live")

    def __init__(self) -> None:
        self._frozen: _Chain | None = None
        self._base = 0
        self._live: list[Any] = []

    def __len__(self) -> int:
        return self._base + len(self._live)

    @property
    def append(self) -> Callable[[Any], None]:
        """Adds one entry."""
        return self._live.append

    def copy(self) -> Tape:
        """Another tape with the same entries."""
        if self._live:
            self._frozen = (self._frozen, tuple(self._live))
            self._base += len(self._live)
            self._live = []
        other = Tape()
        other._frozen, other._base = self._frozen, self._base
        return other

    def cut(self, length: int) -> None:
        """Drop all entries from `length` on."""
        while length < self._base:
            assert self._frozen is not None
            self._frozen, entries = self._frozen
            self._base -= len(entries)
            self._live = list(entries)
        del self._live[length - self._base :]

    def since(self, start: int) -> list[Any]:
        """The entries from `start` on."""
        parts: list[tuple[Any, ...] | list[Any]] = [self._live]
        base, chain = self._base, self._frozen
        while start < base:
            assert chain is not None
            chain, entries = chain
            base -= len(entries)
            parts.append(entries)
        found = [entry for part in reversed(parts) for entry in part]
        return found[start - base :]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.since(0))
