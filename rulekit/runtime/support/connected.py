"""Links in a set by a fixed relation that holds both ways, remembered set by set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rulekit.base.bits import member_ids
from rulekit.ir.steps import flood

MOST_SETS: Final = 64
MOST_STARTS: Final = 128
"""Starts of one set whose links are kept."""
MOST_PARTS: Final = 64
"""Parts of one set that are kept."""


@lru_cache(4)
def holds_both_ways(touching: tuple[int, ...]) -> bool:
    """Whether of two members each touches the other, or none does."""
    return all(touching[to] >> at & 1 for at, mask in enumerate(touching) for to in member_ids(mask))


class ConnectedSets(dict[int, "LinksIn"]):
    """For each set that was looked up, the links in it.

    Many members ask for their network while the set stays as it is: a part that was found from one of its
    members is known for all of them.

    Args:
        touching: For each member those one step away; each of these touches it, too.
    """

    __slots__ = ("_touching",)

    def __init__(self, touching: Sequence[int]) -> None:
        super().__init__()
        self._touching = touching

    def __missing__(self, over: int) -> LinksIn:
        if len(self) >= MOST_SETS:
            self.clear()
        links = self[over] = LinksIn(self._touching, over)
        return links


class LinksIn(dict[int, int]):
    """For the masks of members that a search begins with, the members of a set that are linked to them."""

    __slots__ = ("_over", "_parts", "_touching")

    def __init__(self, touching: Sequence[int], over: int) -> None:
        super().__init__()
        self._touching, self._over = touching, over
        self._parts: list[int] = []

    def __missing__(self, start: int) -> int:
        if len(self) >= MOST_STARTS:
            self.clear()
        over, left = self._over, start & self._over
        for outside in member_ids(start & ~over):
            left |= self._touching[outside] & over
        linked = 0
        for part in self._parts:
            if part & left:
                linked |= part
                left &= ~part
        if left:
            rest = flood(self._touching, over, left)
            linked |= rest
            if not left & left - 1 and len(self._parts) < MOST_PARTS:
                self._parts.append(rest)
        self[start] = linked
        return linked
