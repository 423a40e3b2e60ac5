"""The way back: points of a game that are kept whole, between which its answers are given again.

Noting at every answer how to take it back costs more than the answer.  So a session keeps all its answers,
and everything else only now and then: to go back is to go to the last point before, and to answer from there
as before.  The same program, seed and answers give the same game.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from rulekit.runtime.codegen.routines.frames import Frame
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support.asked import Question

EVERY: Final = 128
"""Answers between two points, for a state of few cells."""

CELLS_EACH: Final = 64
"""A state of more cells has a point after one answer for so many of them."""

AGAIN: Final = 8
"""Answers between two points while going back, as one step back is often followed by another."""

MOST_POINTS: Final = 64
LEAST_POINTS: Final = 4
MOST_CELLS: Final = 4_000_000
"""Cells that all points of a session keep together, as long as there are more than the fewest of them."""


class Checkpoint(NamedTuple):
    """Everything at a decision: the answers before it, the trace's length, and what goes on from there."""

    answers: int
    trace: int
    cells: list[Any]
    stack: tuple[Frame, ...]
    late: tuple[Any, ...]
    asked: Question | None
    choosing: tuple[Any, ...]
    opened: int
    setting_up: bool
    stages: tuple[str, ...]
    streams: Streams


class Checkpoints:
    """The points of one session, in order; the older they are, the further they are from each other.

    Attributes:
        every: After how many answers the next one is due.
    """

    __slots__ = ("_most", "_points", "every")

    def __init__(self, cells: int) -> None:
        self.every = max(EVERY, cells // CELLS_EACH)
        self._most = max(LEAST_POINTS, min(MOST_POINTS, MOST_CELLS // cells))
        self._points: list[Checkpoint] = []

    def add(self, point: Checkpoint) -> None:
        """Keep one more; one with as many answers gives way to it."""
        points = self._points
        if points and points[-1].answers == point.answers:
            points.pop()
        points.append(point)
        if len(points) > self._most:
            self._thin()

    def _thin(self) -> None:
        """Drop every other one of the older half; never the first one, nor where other dice begin."""
        points, half = self._points, len(self._points) // 2
        kept = [
            point
            for number, point in enumerate(points[:half])
            if number % 2 == 0 or point.streams is not points[number - 1].streams
        ]
        points[:half] = kept

    def back_to(self, answers: int) -> Checkpoint:
        """The last point with at most so many answers; those after it are dropped."""
        points = self._points
        while points[-1].answers > answers:
            points.pop()
        return points[-1]

    def copy(self) -> Checkpoints:
        """The same points, for a session that goes its own way."""
        other = Checkpoints.__new__(Checkpoints)
        other.every, other._most, other._points = self.every, self._most, self._points[:]
        return other
