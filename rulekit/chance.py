"""The random generator: keyed counters, specified so that any language can match it (spec 11).

Each named point of chance has a stream of its own, which depends on the seed and the name only.  A
stream is addressed by position, so that its whole state is one counter: dice can be drawn ahead, taken
back by undo and shared by clones without moving those of another point.  Read by `interpret`; every
function here is pure.
"""

from __future__ import annotations

from typing import Final

WORD: Final = 2**64 - 1
GOLDEN: Final = 0x9E3779B97F4A7C15
ATTEMPT: Final = 2**40
"""Distance, in words, between a rejected word and its next attempt: beyond any game's use."""

MOST_THINGS: Final = 2**21
"""Most things in one draw or shuffle, and most values of the dice that share one word."""

MOST_DICE: Final = 8
_AHEAD: Final = 16
_KEPT: Final = 64


def mix(z: int) -> int:
    """Spread the bits of one 64-bit word over another; a bijection with `mix(0) == 0`."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & WORD
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def name_key(text: str) -> int:
    """64-bit FNV-1a of the UTF-8 text."""
    key = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        key = (key ^ byte) * 0x100000001B3 & WORD
    return key


def seed_number(seed: int | str) -> int:
    """A seed as the number 0..2^64-1 that the streams are made from."""
    return name_key(seed) if isinstance(seed, str) else seed & WORD


def stream_base(seed: int | str, point: str) -> int:
    """Where the stream of `point` (its qualified name) begins under this seed."""
    return mix(mix(seed_number(seed) + GOLDEN & WORD) ^ name_key(point))


def word(base: int, position: int, attempt: int = 0) -> int:
    """Word number `position` (from 0) of a stream."""
    return mix(base + (position + 1 + attempt * ATTEMPT) * GOLDEN & WORD)


def bounded(base: int, position: int, count: int) -> int:
    """A number 0..count-1, exactly uniform, from word `position`; rejection moves no other word."""
    least = (WORD + 1) % count
    attempt = 0
    while True:
        product = word(base, position, attempt) * count
        if product & WORD >= least:
            return product >> 64
        attempt += 1


def dice_a_word(sides: int) -> int:
    """How many dice of so many sides share one word."""
    count = 1
    while count < MOST_DICE and sides ** (count + 1) <= MOST_THINGS:
        count += 1
    return count


class Dice(dict[int, int]):
    """The dice of one point by number, from 0: a cache that fills itself and may be shared or dropped.

    A dictionary, because `dice[number]` is what generated code does most often.  `lowest` is what the
    face of digit 0 shows.
    """

    __slots__ = ("_base", "_lowest", "_sides", "_together")

    def __init__(self, base: int, sides: int, lowest: int = 1) -> None:
        super().__init__()
        self._base = base
        self._sides = sides
        self._lowest = lowest
        self._together = dice_a_word(sides)

    def __missing__(self, number: int) -> int:
        if len(self) >= _KEPT * _AHEAD * self._together:
            self.clear()
        first = number // self._together
        for position in range(first, first + _AHEAD):
            self._fill(position)
        return self[number]

    def _fill(self, position: int) -> None:
        """Write the dice of one word, most significant first."""
        rest = bounded(self._base, position, self._sides**self._together)
        for number in range((position + 1) * self._together - 1, position * self._together - 1, -1):
            rest, face = divmod(rest, self._sides)
            self[number] = face + self._lowest


def drawn(base: int, position: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
    """`count` of the things, without return, in the order drawn; one word each, from `position` on.

    The things stand in id order.  Fewer than two things, or a draw of all of them as a set, need no
    chance: callers settle that before they come here.
    """
    left = list(things)
    return tuple(left.pop(bounded(base, position + turn, len(left))) for turn in range(count))


def shuffled(base: int, position: int, things: tuple[int, ...]) -> tuple[int, ...]:
    """The things in random order; uses `len(things) - 1` words (none for fewer than two)."""
    order = list(things)
    for turn, last in enumerate(range(len(order) - 1, 0, -1)):
        other = bounded(base, position + turn, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
