"""Ten-sided dice and draws from keyed counters: the streams that the rule language specifies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product
from typing import TypeVar

from benchmarks.plain.dice import GOLDEN, RETRY, WORD, hashed, mix

DICE_A_WORD = 6
VALUES = 10**DICE_A_WORD
UNFAIR = 2**64 % VALUES
THREE_DICE = tuple(product(range(1, 11), repeat=3))
T = TypeVar("T")


def base_of(seed: int, point: str) -> int:
    """What addresses the stream of a point."""
    return mix(mix(seed + GOLDEN & WORD) ^ hashed(point))


def ten_sided(seed: int, point: str) -> Iterator[int]:
    """The dice of one named point, without end; six share a word, the first one most significant."""
    base = base_of(seed, point)
    for position in count(1):
        at = base + position * GOLDEN
        scaled = mix(at & WORD) * VALUES
        while scaled & WORD < UNFAIR:
            at += RETRY
            scaled = mix(at & WORD) * VALUES
        first, second = divmod(scaled >> 64, len(THREE_DICE))
        yield from THREE_DICE[first]
        yield from THREE_DICE[second]


class Lots:
    """Draws of one at a time at one named point."""

    def __init__(self, seed: int, point: str) -> None:
        self.base = base_of(seed, point)
        self.used = 0

    def draw(self, things: Sequence[T]) -> T:
        """One of the things, each as likely as the others; the only one needs no chance."""
        number = len(things)
        if number == 1:
            return things[0]
        self.used += 1
        at = self.base + self.used * GOLDEN
        scaled = mix(at & WORD) * number
        while scaled & WORD < 2**64 % number:
            at += RETRY
            scaled = mix(at & WORD) * number
        return things[scaled >> 64]
