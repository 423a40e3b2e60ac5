"""The questions at which a game stops: a part of a choice or, in some builds, what chance gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any, Final

from rulekit.base.bits import mask_of
from rulekit.ir import Point
from rulekit.runtime.support.layout import FUEL

Question = tuple[int, int, Any, tuple[Any, ...]]
"""Of a part of a choice: the choice's number, who decides, the item or None, and the options.

Of a point of chance: `~point` (below 0), the kind, how many dice or things, and the things in id order (for
`ORDER` as they lie now; for `ROLL` none, or groups of sums that make no difference, as `SumGroups` gives).
It always has several outcomes; chance with a single outcome is not asked.
"""

ROLL: Final = 0
"""The answer is the sum of the dice as rolled."""

ONE: Final = 1
"""The answer is one of the things."""

SET: Final = 2
"""The answer is a set of as many of the things as are drawn, as a mask."""

ORDER: Final = 3
"""The answer is all of the things in an order, as a tuple."""


def outcomes(point: Point, asked: Question) -> Iterator[tuple[Any, int]]:
    """Yield everything that chance may answer, each with its weight; `total_weight` is that of all."""
    _, kind, count, things = asked
    if kind == ROLL and things:
        yield from ((sums[0], weight) for sums, weight in things)
    elif kind == ROLL:
        yield from enumerate(sum_weights(count, point.sides), count * point.lowest)
    elif kind == ONE:
        yield from ((thing, 1) for thing in things)
    elif kind == SET:
        yield from ((mask_of(some), 1) for some in combinations(things, count))
    else:
        yield from ((order, 1) for order in permutations(things))


def outcome_count(point: Point, asked: Question) -> int:
    """How many outcomes there are."""
    _, kind, count, things = asked
    if kind == ROLL:
        return len(things) or int(count * (point.sides - 1) + 1)
    return total_weight(point, asked)


def total_weight(point: Point, asked: Question) -> int:
    """The weight of all outcomes together."""
    _, kind, count, things = asked
    if kind == ROLL:
        return int(point.sides**count)
    if kind == ONE:
        return len(things)
    return comb(len(things), count) if kind == SET else factorial(len(things))


def may_answer(point: Point, asked: Question, answer: Any) -> bool:
    """True if this is one of the outcomes."""
    _, kind, count, things = asked
    if kind == ORDER:
        return isinstance(answer, tuple) and sorted(answer) == sorted(things)
    if not isinstance(answer, int):
        return False
    if kind == ROLL:
        return bool(0 <= answer - count * point.lowest <= count * (point.sides - 1))
    if kind == ONE:
        return answer in things
    return answer >= 0 and answer.bit_count() == count and not answer & ~mask_of(things)


MOST_GROUPED: Final = 2_000
"""Sums of the dice of one roll up to which they are grouped."""


CUT: Final = 4
"""Nothing is asked: the game stops because the caller wants it to; any answer goes on."""

Sight = Callable[..., Any]
"""Gives the part of a sum of dice that rules see, from the cells, the sum, and values of locals."""


class SumGroups:
    """Groups the sums of dice by what the rules can tell apart: each group has its sums, and their weight.

    Attributes:
        remembers: Whether the groups depend on the locals alone, so that they are worked out once for each.
    """

    def __init__(self, dice: int, sides: int, lowest: int, *, remembers: bool) -> None:
        self._dice, self._sides, self._lowest, self._remembers = dice, sides, lowest, remembers
        self._known: dict[Any, tuple[Any, ...]] = {}

    def __call__(self, seen: Sight, cells: list[Any], *values: Any) -> tuple[Any, ...]:
        """The groups by what is `seen` of each sum, with these values of locals."""
        if not self._remembers:
            return self._groups(seen, cells, values)
        groups = self._known.get(values)
        if groups is None:
            groups = self._known[values] = self._groups(seen, cells, values)
        return groups

    def _groups(self, seen: Sight, cells: list[Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
        if self._dice * (self._sides - 1) >= MOST_GROUPED:
            return ()
        by_sight: dict[Any, tuple[list[int], int]] = {}
        fuel = cells[FUEL]
        for sum_, weight in enumerate(sum_weights(self._dice, self._sides), self._dice * self._lowest):
            try:
                sight = seen(cells, sum_, *values)
                hash(sight)
            except Exception:  # a fault for this sum: whatever comes of it, it is no other's
                sight = ("fault", sum_)
            sums, before = by_sight.get(sight, ([], 0))
            by_sight[sight] = ([*sums, sum_], before + weight)
        cells[FUEL] = fuel
        return tuple((tuple(sums), weight) for sums, weight in by_sight.values())


@lru_cache(maxsize=256)
def sum_weights(dice: int, sides: int) -> tuple[int, ...]:
    """In how many ways so many dice show each sum, from the lowest on."""
    weights = [1]
    for _ in range(dice):
        longer, window = [], 0
        for place in range(len(weights) + sides - 1):
            window += weights[place] if place < len(weights) else 0
            window -= weights[place - sides] if place >= sides else 0
            longer.append(window)
        weights = longer
    return tuple(weights)
