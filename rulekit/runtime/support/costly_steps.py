"""Members that are reached at a cost by steps that never change, remembered.

Many units ask for their reach from one place while nothing else moves, and floods from one place begin alike
whatever is closed to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulekit.ir.steps import reached_at_cost, touched_together

MOST_REACHES: Final = 1 << 13
MOST_FRONTS: Final = 1 << 14


class ReachAtCost(dict[tuple[int, int, int], int]):
    """The members reached, by those that may be entered, the start, and the most that it may cost.

    Args:
        rows: For each member, what it touches at a cost of 0, of 1, and so on.
    """

    __slots__ = ("_fronts",)

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self._fronts = _Fronts(rows)

    def __missing__(self, asked: tuple[int, int, int]) -> int:
        if len(self) >= MOST_REACHES:
            self.clear()
        reached = self[asked] = reached_at_cost(*asked, self._fronts.__getitem__)
        return reached


class _Fronts(dict[int, list[int]]):
    """For masks of members, what these touch together, by the cost."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self._rows = rows

    def __missing__(self, front: int) -> list[int]:
        if len(self) >= MOST_FRONTS:
            self.clear()
        touched = self[front] = touched_together(front, self._rows.__getitem__)
        return touched
