"""Six-sided dice from keyed counters: the streams that the rule language specifies, for d6 only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
RETRY = 2**40 * GOLDEN
DICE_A_WORD = 8
VALUES = 6**DICE_A_WORD
UNFAIR = 2**64 % VALUES
FOUR_DICE = tuple(product(range(1, 7), repeat=4))


def mix(z: int) -> int:
    """One step of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def hashed(text: str) -> int:
    """64-bit FNV-1a."""
    key = 0xCBF29CE484222325
    for byte in text.encode():
        key = (key ^ byte) * 0x100000001B3 & WORD
    return key


def dice(seed: int, point: str) -> Iterator[int]:
    """The dice of one named point, without end; eight share a word, the first one most significant."""
    base = mix(mix(seed + GOLDEN & WORD) ^ hashed(point))
    for position in count(1):
        at = base + position * GOLDEN
        scaled = mix(at & WORD) * VALUES
        while scaled & WORD < UNFAIR:
            at += RETRY
            scaled = mix(at & WORD) * VALUES
        first, second = divmod(scaled >> 64, len(FOUR_DICE))
        yield from FOUR_DICE[first]
        yield from FOUR_DICE[second]
