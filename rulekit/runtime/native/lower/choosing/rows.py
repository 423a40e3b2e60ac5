"""Rows of words in memory, a row for each place, and the loops of searches over places and options."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.base.frozen import frozen
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import operations
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import Lowerer, Place
from rulekit.runtime.native.lower.memory import CELL


@frozen
class Rows:
    """Where the rows stand, and the words of each."""

    address: int
    words: int = 1

    def at(self, x: Lowerer, place: lir.Expr) -> Place:
        """The address of a row."""
        size = self.words * CELL
        if isinstance(place, lir.Num):
            return self.address + place.value * size, None
        return self.address, x.build.bind(b.times(place, size))

    def get(self, x: Lowerer, place: lir.Expr) -> Words:
        """The words of a row, as loads."""
        offset, index = self.at(x, place)
        return tuple(lir.Load(offset + CELL * number, index) for number in range(self.words))

    def one(self, x: Lowerer, place: lir.Expr) -> lir.Expr:
        """The only word of a row, as a load."""
        (word,) = self.get(x, place)
        return word

    def put(self, x: Lowerer, place: lir.Expr, words: Words) -> None:
        """Fill a row; a smaller set goes on with 0."""
        x.store(self.at(x, place), b.pad(words, self.words))

    def add(self, x: Lowerer, place: lir.Expr, number: int) -> None:
        """Add to the only word of a row."""
        offset, index = self.at(x, place)
        x.store((offset, index), (b.plus(lir.Load(offset, index), number),))

    def clear(self, x: Lowerer, places: lir.Expr) -> None:
        """Fill so many rows with 0."""
        x.build.emit(lir.LowRun("clear", (b.address(self.address), b.times(places, self.words))))

    def copy(self, x: Lowerer, source: Rows, first: lir.Expr, end: lir.Expr) -> None:
        """Copy rows of the same places."""
        begin = x.build.bind(b.times(first, self.words * CELL))
        count = b.times(b.binary("sub", end, first), self.words)
        places = (b.add(begin, b.address(rows.address)) for rows in (self, source))
        x.build.emit(lir.LowRun("copy", (*places, count)))


@contextmanager
def count_up(x: Lowerer, first: lir.Expr, end: lir.Expr) -> Iterator[lir.Expr]:
    """Write the body of a loop over numbers, the end not among them."""
    build = x.build
    number = build.variables((b.plus(first, -1),), "number")[0]
    with build.loop("count") as label:
        build.set(number, b.plus(lir.Get(number), 1))
        with build.when(b.binary("ge_s", lir.Get(number), end)):
            build.emit(lir.LowBreak(label))
        yield lir.Get(number)


@contextmanager
def taken_from(x: Lowerer, left: tuple[str, ...]) -> Iterator[tuple[lir.Expr, Words]]:
    """Write the body of a loop that takes the lowest member out of a set, given as number and as set."""
    build = x.build
    with build.loop("each") as label:
        with build.when(b.zero(b.any_word(b.gets(left)))):
            build.emit(lir.LowBreak(label))
        member = build.bind(operations.lowest(b.gets(left)))
        bits = build.bind_all(x.bit_words(member, len(left)))
        for local, bit in zip(left, bits, strict=True):
            build.set(local, b.binary("xor", lir.Get(local), bit))
        yield member, bits


def include(x: Lowerer, mask: tuple[str, ...], words: Words) -> None:
    """Put members into a set that is being made."""
    for local, word in zip(mask, words, strict=True):
        x.build.set(local, b.binary("or", lir.Get(local), word))


def nothing(count: int) -> Words:
    """The empty set in so many words."""
    return tuple(lir.ZERO for _ in range(count))


def put_members(x: Lowerer, members: Words, rows: Rows, many: Rows) -> None:
    """List the members of a set, and how many they are."""
    place = x.build.variables((lir.ZERO,), "place")[0]
    with x.members(members, "item") as (member, _):
        rows.put(x, lir.Get(place), (member,))
        x.build.set(place, b.plus(lir.Get(place), 1))
    many.put(x, lir.ZERO, (lir.Get(place),))
