"""Choices that split a set: each member joins a part, or begins a new one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.ir.types import ListOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.choosing.judging import AnswerJudges, JudgedChoice, Kind
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, nothing
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise.bounds import MORE


class AskingForParts(Asking):
    """A choice that splits a set."""

    def answer(self) -> Words:
        """Each member in id order joins a part, or begins a new one."""
        choice, x, build = self.choice, self.x, self.x.build
        whole, kind = choice.candidates or choice.items, choice.answer
        assert whole is not None and isinstance(kind, ListOf)
        things = build.bind_all(self.words(whole), "things")
        many = build.bind(b.count(things))
        self.pay(many)
        low = lir.ONE if choice.low is None else self.once(choice.low)
        high = many if choice.high is None else self.once(choice.high)
        parts = PartialSplit(Rows(x.unit.result(x.build.name, kind)), x.unit.shapes.words(kind.of))
        parts.length.put(x, lir.ZERO, (lir.ZERO,))
        search = None
        if self.norms.judged:
            search = SplitSearch(self, parts, 64 * len(things))
            search.start(things, low, high)
        numbers = Rows(x.unit.buffer(build.name, "numbers", 2 + 64 * len(things)))
        left = build.variables((many,), "left")[0]
        with x.members(things, "thing") as (thing, _):
            build.set(left, b.plus(lir.Get(left), -1))
            self.item = thing
            if search is None:
                self._list(numbers, parts.count(x), low, high, lir.Get(left))
            else:
                search.list_options(numbers, build.bind(b.plus(b.binary("sub", many, lir.Get(left)), -1)))
            total = build.bind(numbers.one(x, lir.ZERO))
            self.stuck(b.zero(total))
            taken = self.take(total, lambda told: self._tell(numbers, told))
            number = build.bind(numbers.one(x, b.plus(taken, 1)))
            self.tell_answer(total, number)
            parts.join(x, number, thing)
        return (b.address(parts.length.address),)

    def _list(self, numbers: Rows, parts: lir.Expr, low: lir.Expr, high: lir.Expr, left: lir.Expr) -> None:
        """List the numbers of the parts that may be joined, and one more for a new one, within the bounds."""
        x, build = self.x, self.x.build
        numbers.put(x, lir.ZERO, (lir.ZERO,))
        parts = build.bind(parts)
        old = b.binary("ge_s", b.add(parts, left), low)
        new = b.binary("ge_s", b.plus(b.add(parts, left), 1), low)
        with build.when(old):
            with count_up(x, lir.ONE, b.plus(parts, 1)) as number:
                append(x, numbers, number)
        with build.when(b.both(b.binary("lt_s", parts, high), new)):
            append(x, numbers, b.plus(parts, 1))

    def _tell(self, numbers: Rows, buffer: int) -> None:
        """Copy the list into a buffer."""
        room = b.plus(numbers.one(self.x, lir.ZERO), 1)
        self.x.build.emit(lir.LowRun("copy", (b.address(buffer), b.address(numbers.address), room)))


def append(x: RoutineLowerer, numbers: Rows, number: lir.Expr) -> None:
    """Put one more number into a list."""
    numbers.add(x, lir.ZERO, 1)
    numbers.put(x, x.build.bind(numbers.one(x, lir.ZERO)), (number,))


class PartialSplit:
    """The parts so far, as a list in memory."""

    def __init__(self, length: Rows, words: int) -> None:
        self.length, self.words = length, words
        self.parts = Rows(length.address + CELL, words)

    def count(self, x: RoutineLowerer) -> lir.Expr:
        """How many parts there are."""
        return self.length.one(x, lir.ZERO)

    def join(self, x: RoutineLowerer, number: lir.Expr, thing: lir.Expr) -> None:
        """Put a thing into the part with a number, from 1; one more than there are is a new part."""
        place = x.build.bind(b.plus(number, -1))
        with x.build.when(b.binary("gt_s", number, self.count(x))):
            self.length.put(x, lir.ZERO, (number,))
            self.parts.put(x, place, nothing(self.words))
        self._change(x, place, thing)

    def leave(self, x: RoutineLowerer, number: lir.Expr, thing: lir.Expr) -> None:
        """Take the thing that joined last away again."""
        place = x.build.bind(b.plus(number, -1))
        self._change(x, place, thing)
        with x.build.when(b.zero(b.any_word(self.parts.get(x, place)))):
            self.length.put(x, lir.ZERO, (place,))

    def _change(self, x: RoutineLowerer, place: lir.Expr, thing: lir.Expr) -> None:
        self.parts.put(x, place, b.each("xor", self.parts.get(x, place), x.bit_words(thing, self.words)))


class SplitSearch(AnswerJudges):
    """The search of one choice that splits; judges get the place of the thing that comes next."""

    params = ("place",)

    def __init__(self, asking: JudgedChoice, parts: PartialSplit, most: int) -> None:
        super().__init__(asking)
        self.parts = parts
        self.things, self.rests = self.room("things", most), self.room("rests", most + 1, parts.words)
        self.many, self.low, self.high = self.room("many", 1), self.room("low", 1), self.room("high", 1)
        self.add_judges()
        self.unit.add(self._complete())

    # ------------------------------------------------------------ judges

    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """The list of the parts."""
        if self.choice.chosen is not None:
            x.names[self.choice.chosen.name] = (b.address(self.parts.length.address),)
        return self.parts.count(x)

    @contextmanager
    def each_part(self, x: RoutineLowerer, kind: Kind) -> Iterator[None]:
        """Each part; of a partial answer with all that may still join it."""
        option = self.choice.option
        with count_up(x, lir.ZERO, self.parts.count(x)) as place:
            words = x.build.bind_all(self.parts.parts.get(x, place))
            x.bind_local(option, words)
            if kind == "hopeless":
                rest = self.rests.get(x, lir.Get("place"))
                x.names[MORE + option.name] = x.build.bind_all(b.each("or", words, rest))
            yield

    # ------------------------------------------------------------ search

    def start(self, things: Words, low: lir.Expr, high: lir.Expr) -> None:
        """List the things, and keep what stays the same for all of them."""
        x, build = self.x, self.x.build
        self.keep_own()
        place = build.variables((lir.ZERO,), "place")[0]
        rest = build.variables(b.pad(things, self.parts.words), "rest")
        self.rests.put(x, lir.ZERO, b.gets(rest))
        with x.members(things, "thing") as (thing, _):
            self.things.put(x, lir.Get(place), (thing,))
            build.set(place, b.plus(lir.Get(place), 1))
            for local, bit in zip(rest, x.bit_words(thing, len(rest)), strict=True):
                build.set(local, b.binary("xor", lir.Get(local), bit))
            self.rests.put(x, lir.Get(place), b.gets(rest))
        for row, value in ((self.many, lir.Get(place)), (self.low, low), (self.high, high)):
            row.put(x, lir.ZERO, (value,))

    @contextmanager
    def _numbers(self, x: RoutineLowerer) -> Iterator[lir.Expr]:
        """Write the body of a loop over the numbers of the parts that the next thing may join."""
        parts = x.build.bind(b.plus(self.parts.count(x), 1))
        high = x.build.bind(self.high.one(x, lir.ZERO))
        end = x.build.bind(b.plus(b.pick(b.binary("lt_s", parts, high), parts, high), 1))
        with count_up(x, lir.ONE, end) as number:
            yield number

    def _try_part(self, x: RoutineLowerer, place: lir.Expr, number: lir.Expr) -> lir.Expr:
        """Whether an answer can be completed in which the thing at a place joins a part."""
        thing = x.build.bind(self.things.one(x, place))
        self.parts.join(x, number, thing)
        completed = x.build.bind(lir.LowCall(self.name("complete"), (b.plus(place, 1),)))
        self.parts.leave(x, number, thing)
        return completed

    def _complete(self) -> lir.LowFunction:
        """Whether the things from a place on can join parts so that the answer is fine."""
        x = self.function("complete", "place")
        build, place, many = x.build, lir.Get("place"), self.many.one(x, lir.ZERO)
        low, count = self.low.one(x, lir.ZERO), self.parts.count(x)
        with build.when(b.binary("eq", place, many)):
            with build.when(b.binary("lt_s", count, low)):
                build.emit(lir.LowReturn(lir.ZERO))
            build.emit(lir.LowReturn(b.zero(self.ask(x, "broken", place))))
        with build.when(b.binary("lt_s", b.binary("sub", b.add(count, many), place), low)):
            build.emit(lir.LowReturn(lir.ZERO))
        with build.when(self.ask(x, "hopeless", place)):
            build.emit(lir.LowReturn(lir.ZERO))
        with self._numbers(x) as number:
            with build.when(self._try_part(x, place, number)):
                build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def list_options(self, numbers: Rows, place: lir.Expr) -> None:
        """List the numbers of the parts that the thing at a place may join."""
        x = self.x
        self.begin(x)
        numbers.put(x, lir.ZERO, (lir.ZERO,))
        with self._numbers(x) as number:
            with x.build.when(self._try_part(x, place, number)):
                append(x, numbers, number)
