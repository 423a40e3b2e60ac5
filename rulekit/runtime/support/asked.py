"""The questions at which a game stops: a part of a choice or, in some builds, what chance gives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any, Final

from rulekit.base.bits import mask_of
from rulekit.ir import Point

Question = tuple[int, int, Any, tuple[int, ...]]
"""Of a part of a choice: the choice's number, who decides, the item or None, and the options.

Of a point of chance: `~point` (below 0), the kind, how many dice or things, and the things in id order (for
`ORDER` as they lie now).  It always has several outcomes; chance with a single outcome is not asked.
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
    if kind == ROLL:
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
        return int(count * (point.sides - 1) + 1)
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
