"""Dice from keyed counters: the streams that the rule language specifies; six-sided ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
RETRY = 2**40 * GOLDEN
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


def base_of(seed: int, point: str) -> int:
    """What addresses the stream of a point."""
    return mix(mix(seed + GOLDEN & WORD) ^ hashed(point))


def stream(seed: int, point: str, halves: Sequence[tuple[int, ...]]) -> Iterator[int]:
    """The dice of one named point, without end; two halves share a word, the first one most significant."""
    base, half = base_of(seed, point), len(halves)
    values, unfair = half * half, 2**64 % (half * half)
    for position in count(1):
        at = base + position * GOLDEN
        scaled = mix(at & WORD) * values
        while scaled & WORD < unfair:
            at += RETRY
            scaled = mix(at & WORD) * values
        first, second = divmod(scaled >> 64, half)
        yield from halves[first]
        yield from halves[second]


def dice(seed: int, point: str) -> Iterator[int]:
    """Six-sided dice, eight of them a word."""
    return stream(seed, point, FOUR_DICE)
