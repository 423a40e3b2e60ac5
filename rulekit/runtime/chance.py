"""The random generator: keyed counters, specified so that any language can match it (spec 11).

Each named point of chance has a stream of its own, which depends on the seed and the name only.  A
stream is addressed by position, so that its whole state is one counter: dice can be drawn ahead, taken
back by undo and shared by clones without moving those of another point.  Read by `interpret`; every
function here is pure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

WORD: Final = 2**64 - 1
GOLDEN: Final = 0x9E3779B97F4A7C15
ATTEMPT: Final = 2**40
"""Distance, in words, between a rejected word and its next attempt: beyond any game's use."""

MOST_THINGS: Final = 2**21
"""Most things in one draw or shuffle, and most values of the dice that share one word."""

MOST_DICE: Final = 8
_KEPT: Final = 8192


def mix(z: int) -> int:
    """Spread the bits of one 64-bit word over another; a bijection with `mix(0) == 0`."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & WORD
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


@lru_cache(maxsize=1024)
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


def uniform(base: int, position: int, count: int) -> int:
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
    face of digit 0 shows.  A word is taken when the first of its dice is asked for, and cut into digits
    with two tables.
    """

    __slots__ = ("_base", "_halves", "_least", "_range", "_split", "_together")

    def __init__(self, base: int, sides: int, lowest: int = 1) -> None:
        super().__init__()
        self._base = base
        self._together = together = dice_a_word(sides)
        self._range = sides**together
        self._least = (WORD + 1) % self._range
        low = together // 2
        self._split = sides**low
        self._halves = (faces(sides, together - low, lowest), faces(sides, low, lowest))

    def __missing__(self, number: int) -> int:
        if len(self) >= _KEPT:
            self.clear()
        position, place = divmod(number, self._together)
        # `uniform`, written out: this is where the time of most rolls goes.
        z = self._base + (position + 1) * GOLDEN & WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        drawn = (z ^ z >> 31) * self._range
        if drawn & WORD < self._least:
            drawn = uniform(self._base, position, self._range) << 64
        high, low = divmod(drawn >> 64, self._split)
        shown = self._halves[0][high] + self._halves[1][low]
        first = number - place
        self.update(zip(range(first, first + self._together), shown, strict=True))
        return shown[place]


class Faces(dict[int, tuple[int, ...]]):
    """The results of so many dice, the most significant first, by the number whose digits they are.

    The table fills itself: a few dice of few sides soon have all of theirs, and others never need them all.
    """

    __slots__ = ("_count", "_lowest", "_sides")

    def __init__(self, sides: int, count: int, lowest: int) -> None:
        super().__init__()
        self._sides, self._count, self._lowest = sides, count, lowest

    def __missing__(self, number: int) -> tuple[int, ...]:
        if len(self) >= _KEPT:
            self.clear()
        rest, results = number, []
        for _ in range(self._count):
            rest, face = divmod(rest, self._sides)
            results.append(face + self._lowest)
        self[number] = shown = tuple(reversed(results))
        return shown


faces = lru_cache(maxsize=64)(Faces)
"""The table for these sides, count and lowest face, shared by all points with such dice."""


def draw(base: int, position: int, things: tuple[int, ...], count: int) -> tuple[int, ...]:
    """`count` of the things, without return, in the order drawn; one word each, from `position` on.

    The things are in id order.  Fewer than two things, or a draw of all of them as a set, need no
    chance: callers settle that before they come here.
    """
    left = list(things)
    return tuple(left.pop(uniform(base, position + turn, len(left))) for turn in range(count))


def shuffle(base: int, position: int, things: tuple[int, ...]) -> tuple[int, ...]:
    """The things in random order; uses `len(things) - 1` words (none for fewer than two)."""
    order = list(things)
    for turn, last in enumerate(range(len(order) - 1, 0, -1)):
        other = uniform(base, position + turn, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
