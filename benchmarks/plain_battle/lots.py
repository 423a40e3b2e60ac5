"""Ten-sided dice and draws from keyed counters: the streams that the rule language specifies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeVar

from benchmarks.plain.dice import GOLDEN, RETRY, WORD, base_of, mix, stream

THREE_DICE = tuple(product(range(1, 11), repeat=3))
T = TypeVar("T")


def ten_sided(seed: int, point: str) -> Iterator[int]:
    """Ten-sided dice, six of them a word."""
    return stream(seed, point, THREE_DICE)


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
