"""The tape of a module that stops: dice and things that its host gives in place of those of the seed.

It begins with a word that is 1 if nothing may come from the seed. Then it has two words for each point of
chance: where its values begin in the room that follows, in words, and how many they are.
"""

from __future__ import annotations

from typing import Final

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.memory import CELL

ROOM: Final = 4096
"""Values that a tape holds."""

STRICT: Final = lir.Load(lir.TAPE)


class ModuleTape:
    """The tape of a module with so many points of chance."""

    def __init__(self, points: int) -> None:
        self.room = ROOM
        self.head = (1 + 2 * points) * CELL
        self.size = self.head + self.room * CELL

    def count(self, point: int) -> lir.Expr:
        """How many values a point has."""
        return lir.Load(lir.TAPE + (2 + 2 * point) * CELL)

    def has(self, point: int, position: lir.Expr) -> lir.Expr:
        """Whether the value in the place of a word, counted from 0, is given."""
        return b.binary("lt_s", position, self.count(point))

    def value(self, point: int, position: lir.Expr) -> lir.Expr:
        """This value."""
        first = lir.Load(lir.TAPE + (1 + 2 * point) * CELL)
        return lir.Load(lir.TAPE + self.head, b.times(b.add(first, position), CELL))
