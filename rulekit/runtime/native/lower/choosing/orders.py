"""Choices of an order: the next member each time, until all have their place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.ir import Expr, Filter, Local
from rulekit.ir.conditions import TRUE
from rulekit.ir.types import DONE, ListOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.choosing.judging import AnswerJudges, JudgedChoice, Kind
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, nothing, taken_from
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer


class AskingForOrder(Asking):
    """A choice of an order."""

    def answer(self) -> Words:
        """The next member each time, until all have their place."""
        choice, x, build = self.choice, self.x, self.x.build
        whole, kind = choice.candidates or choice.items, choice.answer
        assert whole is not None and isinstance(kind, ListOf)
        left = build.variables(self.words(whole), "left")
        self.pay(b.count(b.gets(left)))
        answer = x.unit.result(x.build.name, kind)
        search = None
        if self.norms.option != TRUE or self.norms.judged:
            search = OrderSearch(self, whole, answer)
            search.keep_own()
        length = build.variables((lir.ZERO,), "length")[0]
        with build.loop("arrange") as label:
            with build.when(b.zero(b.any_word(b.gets(left)))):
                build.emit(lir.LowBreak(label))
            x.store((answer, None), (lir.Get(length),))
            options = b.gets(left) if search is None else search.options(b.gets(left))
            if search is not None:
                self.stuck(b.zero(b.any_word(options)))
            picked = build.bind(self.part(options, lir.ZERO, DONE))
            build.set(length, b.plus(lir.Get(length), 1))
            x.store((answer, b.times(lir.Get(length), CELL)), (picked,))
            for local, bit in zip(left, x.bit_words(picked, len(left)), strict=True):
                build.set(local, b.binary("xor", lir.Get(local), bit))
        x.store((answer, None), (lir.Get(length),))
        return (lir.Num(answer),)


class OrderSearch(AnswerJudges):
    """The search of an order: the list of the answer holds the members that have their place.

    The functions take the members that are left, and `before`, the last one of the list.
    """

    def __init__(self, asking: JudgedChoice, whole: Expr, answer: int) -> None:
        super().__init__(asking)
        self.whole, self.count = whole, self.unit.shapes.words(whole.type)
        self.length, self.order = Rows(answer), Rows(answer + CELL)
        self.left_words = tuple(f"left:{number}" for number in range(self.count))
        self.next, self.mask = self.room("next", 1, self.count), self.room("mask", 1, self.count)
        self.add_judges(partial=False)
        functions = (self._follow(), self._reach(), self._complete(), self._find())
        for function in functions:
            self.unit.add(function)

    # ------------------------------------------------------------ judge

    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """The list of all members in their order."""
        if self.choice.chosen is not None:
            x.names[self.choice.chosen.name] = (b.address(self.length.address),)
        return self.length.one(x, lir.ZERO)

    @contextmanager
    def each_part(self, x: RoutineLowerer, kind: Kind) -> Iterator[None]:
        """Each member, with the one before it."""
        before = x.build.variables((NONE_WORD,), "before")[0]
        with count_up(x, lir.ZERO, self.length.one(x, lir.ZERO)) as place:
            option = x.build.bind(self.order.one(x, place))
            if self.choice.before is not None:
                x.bind_local(self.choice.before, (lir.Get(before),))
            x.bind_local(self.choice.option, (option,))
            x.build.set(before, option)
            yield

    # ------------------------------------------------------------ search

    def _follow(self) -> lir.LowFunction:
        """The members, of those left, that may follow one, into `next`."""
        x = self.function("follow", *self.left_words, "last", result=None)
        left, choice = Local("#left", self.whole.type), self.choice
        x.names[left.name] = b.gets(self.left_words)
        words: Words = b.gets(self.left_words)
        if self.norms.option != TRUE:
            kept = Filter(left, choice.option, self.norms.option, self.whole.type)
            e = self.unit.optimised.simple(kept)
            self.take_own(x, [e])
            if choice.before is not None:
                x.names[choice.before.name] = (lir.Get("last"),)
            words = x.words(e)
        self.next.put(x, lir.ZERO, words)
        return x.finish()

    def _following(self, x: RoutineLowerer, left: Words, last: lir.Expr) -> Words:
        x.build.emit(lir.LowRun(self.name("follow"), (*left, last)))
        return x.build.bind_all(self.next.get(x, lir.ZERO))

    def _reach(self) -> lir.LowFunction:
        """Whether each member that is left follows one that can come before it."""
        x = self.function("reach", *self.left_words, "last")
        build, left = x.build, b.gets(self.left_words)
        reached = build.variables(nothing(self.count), "reached")
        fresh = build.variables(self._following(x, left, lir.Get("last")), "fresh")
        with build.loop("reach") as label:
            with build.when(b.zero(b.any_word(b.gets(fresh)))):
                build.emit(lir.LowBreak(label))
            include(x, reached, b.gets(fresh))
            after = build.variables(nothing(self.count), "after")
            with taken_from(x, fresh) as (one, _):
                include(x, after, self._following(x, left, one))
            for local, word in zip(fresh, b.without(b.gets(after), b.gets(reached)), strict=True):
                build.set(local, word)
        build.emit(lir.LowReturn(b.zero(b.any_word(b.each("xor", b.gets(reached), left)))))
        return x.finish()

    def _place(self, x: RoutineLowerer, place: lir.Expr, member: lir.Expr) -> None:
        """Give a member its place, after so many others."""
        self.order.put(x, place, (member,))
        self.length.put(x, lir.ZERO, (b.plus(place, 1),))

    def _complete(self) -> lir.LowFunction:
        """Whether the members that are left can have their places after those that have."""
        x = self.function("complete", *self.left_words, "place", "last")
        build, left, place, last = x.build, b.gets(self.left_words), lir.Get("place"), lir.Get("last")
        with build.when(b.zero(b.any_word(left))):
            build.emit(lir.LowReturn(b.zero(self.ask(x, "broken"))))
        self.spend(x)
        if self.norms.option != TRUE:
            with build.when(b.zero(lir.LowCall(self.name("reach"), (*left, last)))):
                build.emit(lir.LowReturn(lir.ZERO))
        options = build.variables(self._following(x, left, last), "options")
        with taken_from(x, options) as (option, bits):
            self._place(x, place, option)
            rest = b.each("xor", left, bits)
            with build.when(lir.LowCall(self.name("complete"), (*rest, b.plus(place, 1), option))):
                build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _find(self) -> lir.LowFunction:
        """The members that may come next, into `mask`."""
        x = self.function("find", *self.left_words, result=None)
        build, left = x.build, b.gets(self.left_words)
        self.begin(x)
        place = build.bind(self.length.one(x, lir.ZERO))
        last = build.variables((NONE_WORD,), "last")[0]
        with build.when(place):
            build.set(last, self.order.one(x, build.bind(b.plus(place, -1))))
        mask = build.variables(nothing(self.count), "mask")
        options = build.variables(self._following(x, left, lir.Get(last)), "options")
        with taken_from(x, options) as (option, bits):
            self._place(x, place, option)
            rest = b.each("xor", left, bits)
            with build.when(lir.LowCall(self.name("complete"), (*rest, b.plus(place, 1), option))):
                include(x, mask, bits)
        self.length.put(x, lir.ZERO, (place,))
        self.mask.put(x, lir.ZERO, b.gets(mask))
        return x.finish()

    def options(self, left: Words) -> Words:
        """The members that may come next."""
        self.x.build.emit(lir.LowRun(self.name("find"), left))
        return self.x.build.bind_all(self.mask.get(self.x, lir.ZERO))
