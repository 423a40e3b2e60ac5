"""Answers for all items that are judged as a whole: which parts can still be completed.

`rulekit.runtime.support.search` and `search_sets` define the search. Rows hold the answers, in the
order of the search: the items before the one that is asked for, that one, and then the others, nearest first.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractContextManager

from rulekit.ir import Local
from rulekit.ir.types import MapOf, SetOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import maps
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.judging import AnswerJudges, JudgedChoice
from rulekit.runtime.native.lower.choosing.rows import count_up, include, put_members
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise.bounds import MORE
from rulekit.runtime.support.build import SEARCH_NODES

TOO_LONG = lir.Num(2)
"""The result of a search of which one way has had its share; else 1 or 0."""


class CompletionSearch(AnswerJudges):
    """The search of one choice that has an answer for each item.

    `answers` is what is answered in the order of the search, and `placed` the same in the order of items.
    `order` has the place of each item of the search among the items.
    """

    def __init__(self, asking: JudgedChoice, words: int) -> None:
        super().__init__(asking)
        choice, shapes = self.choice, self.unit.shapes
        assert choice.items is not None and choice.candidates is not None and choice.item is not None
        assert isinstance(choice.candidates.type, SetOf)
        self.item: Local = choice.item
        self.count = shapes.words(choice.candidates.type)
        self.most = most = 64 * shapes.words(choice.items.type)
        self.items, self.order = self.room("items", most), self.room("order", most)
        self.lists, self.frees = self.room("lists", most, self.count), self.room("frees", most)
        self.answers, self.placed = self.room("answers", most, words), self.room("placed", most, words)
        self.tail, self.last_tail = self.room("tail", most, words), self.room("last tail", most, words)
        self.tails, self.ahead = self.room("tails", 1), self.room("ahead", 1)
        self.taken = self.room("taken", most)
        self.used, self.given = self.room("used", 64 * self.count), self.room("given", 64 * self.count)
        self.many, self.limit = self.room("many", 1), self.room("limit", 1)

    def number(self, room: str) -> lir.Expr:
        """A number that the search keeps."""
        return getattr(self, room).one(self.x, lir.ZERO)  # type: ignore[no-any-return]

    # ------------------------------------------------------------ once

    def start(self, items: Words, limit: lir.Expr) -> None:
        """List the items, and keep what stays the same for all of them.

        Args:
            limit: How many items may get the same option; below 0 for any number.
        """
        x = self.x
        self.keep_own()
        put_members(x, items, self.items, self.many)
        self.limit.put(x, lir.ZERO, (limit,))

    # ------------------------------------------------------------ for each question

    def nearest(self) -> lir.LowFunction:
        """Order the items after a place: near are those with an option in common, as in `nearest_first`."""
        x = self.function("nearest", "place", result=None)
        build, place, many = x.build, lir.Get("place"), self.number("many")
        after = build.bind(b.plus(place, 1))
        with count_up(x, lir.ZERO, after) as one:
            self.order.put(x, one, (one,))
        with count_up(x, after, many) as one:
            self.taken.put(x, one, (lir.ZERO,))
        end = build.variables((after,), "end")[0]

        def append(one: lir.Expr) -> None:
            self.order.put(x, lir.Get(end), (one,))
            self.taken.put(x, one, (lir.ONE,))
            build.set(end, b.plus(lir.Get(end), 1))

        start = build.variables((after,), "start")[0]
        with build.loop("starts") as label:
            build.set(start, b.plus(lir.Get(start), -1))
            with build.when(b.binary("lt_s", lir.Get(start), lir.ZERO)):
                build.emit(lir.LowBreak(label))
            reached = build.variables(self.lists.get(x, lir.Get(start)), "reached")
            with build.loop("reach") as near:
                grown = build.variables(b.gets(reached), "grown")
                before = build.variables((lir.Get(end),), "before")[0]
                with count_up(x, after, many) as one:
                    own = build.bind_all(self.lists.get(x, one))
                    common = b.any_word(b.each("and", own, b.gets(reached)))
                    touches = b.both(b.zero(self.taken.one(x, one)), b.zero(b.zero(common)))
                    with build.when(touches):
                        append(one)
                        include(x, grown, own)
                with build.when(b.binary("eq", lir.Get(end), lir.Get(before))):
                    build.emit(lir.LowBreak(near))
                for local, word in zip(reached, b.gets(grown), strict=True):
                    build.set(local, word)
        with count_up(x, after, many) as one:
            with build.when(b.zero(self.taken.one(x, one))):
                append(one)
        return x.finish()

    def begin_question(self, x: RoutineLowerer, place: lir.Expr, nothing: Words) -> None:
        """Begin the search for the item at a place.

        Args:
            nothing: The answer of an item that gets nothing.
        """
        build, many = x.build, self.number("many")
        self.begin(x)
        x.build.emit(lir.LowRun(self.name("nearest"), (place,)))
        self.ahead.put(x, lir.ZERO, (lir.Num(SEARCH_NODES // 4),))
        tails = build.variables((lir.ONE,), "tails")[0]
        with count_up(x, b.plus(place, 1), many) as at:
            self.tail.put(x, at, nothing)
            with build.when(b.zero(self.frees.one(x, at))):
                build.set(tails, lir.ZERO)
        self.tails.put(x, lir.ZERO, (lir.Get(tails),))

    # ------------------------------------------------------------ whole answers

    def too_often(self, x: RoutineLowerer) -> lir.Expr:
        """Whether the answers of all items give some option more often than it may be given."""
        build = x.build
        self.given.clear(x, lir.Num(64 * self.count))
        often = build.variables((lir.ZERO,), "often")[0]
        with self.each_placed(x) as option:
            self.given.add(x, option, 1)
            over = b.binary("gt_s", self.given.one(x, option), self.number("limit"))
            build.set(often, b.binary("or", lir.Get(often), over))
        return lir.Get(often)

    @abstractmethod
    def each_placed(self, x: RoutineLowerer) -> AbstractContextManager[lir.Expr]:
        """Write the body of a loop over the options that all items have."""

    def of_all(self) -> Words:
        """The arguments of a judge of the answers of all items."""
        return ()

    def fine(self) -> lir.LowFunction:
        """Whether the answers of all items, in the order of the search, are legal."""
        x = self.function("fine")
        build = x.build
        with count_up(x, lir.ZERO, self.number("many")) as at:
            place = build.bind(self.order.one(x, at))
            self.placed.put(x, place, self.answers.get(x, at))
        with build.when(b.binary("ge_s", self.number("limit"), lir.ZERO)):
            with build.when(self.too_often(x)):
                build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(b.zero(self.ask(x, "broken", *self.of_all()))))
        return x.finish()

    def try_tails(self, x: RoutineLowerer, place: lir.Expr) -> None:
        """Return 1 if the answers up to a place are fine with one of the rests that are known."""
        build, after, many = x.build, b.plus(place, 1), self.number("many")
        for number, tail in enumerate((self.tail, self.last_tail)):
            with build.when(b.binary("gt_s", self.number("tails"), lir.Num(number))):
                self.answers.copy(x, tail, after, many)
                with build.when(lir.LowCall(self.name("fine"))):
                    build.emit(lir.LowReturn(lir.ONE))

    def note_tail(self, x: RoutineLowerer) -> None:
        """Note the rest of an answer that was found, to be tried first; the oldest one is kept, too."""
        build, many, tails = x.build, self.number("many"), self.number("tails")
        with build.when(b.binary("eq", tails, lir.ONE)):
            self.last_tail.copy(x, self.tail, lir.ZERO, many)
        with build.when(b.binary("lt_s", tails, lir.Num(2))):
            self.tails.add(x, lir.ZERO, 1)
        self.tail.copy(x, self.answers, lir.ZERO, many)

    def finish_answer(self, x: RoutineLowerer) -> None:
        """Return whether the answers of all items are fine; if so, the rest of them is noted."""
        build = x.build
        fine = build.bind(lir.LowCall(self.name("fine")))
        with build.when(fine):
            self.note_tail(x)
        build.emit(lir.LowReturn(fine))

    def search_both_ways(self, x: RoutineLowerer, *arguments: lir.Expr) -> lir.Expr:
        """Whether an answer can be completed: with nothing first and, if that takes too long, last."""
        build = x.build
        completed = build.variables((lir.LowCall(self.name("complete"), (*arguments, lir.ONE)),), "completed")
        with build.when(b.binary("eq", b.gets(completed)[0], TOO_LONG)):
            build.set(completed[0], lir.LowCall(self.name("complete"), (*arguments, lir.ZERO)))
        return lir.Get(completed[0])

    def spend_ahead(self, x: RoutineLowerer, first: lir.Expr) -> None:
        """Count a partial answer with nothing first; return `TOO_LONG` if there have been too many."""
        with x.build.when(first):
            self.ahead.add(x, lir.ZERO, -1)
            with x.build.when(b.binary("lt_s", self.number("ahead"), lir.ZERO)):
                x.build.emit(lir.LowReturn(TOO_LONG))

    # ------------------------------------------------------------ what judges read

    def _kind_of_map(self) -> MapOf:
        assert self.choice.assigned is not None and isinstance(self.choice.assigned.type, MapOf)
        return self.choice.assigned.type

    def new_map(self, x: RoutineLowerer, name: str, read: frozenset[str]) -> int | None:
        """An empty map, as norms read it under the name `assigned`; None if none reads it."""
        local = self.choice.assigned
        if local is None or local.name not in read and MORE + local.name not in read:
            return None
        kind = self._kind_of_map()
        whole = self.unit.buffer(x.build.name, name, self.unit.shapes.room(kind))
        maps.empty(x, kind, whole)
        return whole

    def put(self, x: RoutineLowerer, whole: int, place: lir.Expr, words: Words) -> None:
        """Put the answer of the item at a place into such a map."""
        item = x.build.bind(self.items.one(x, place))
        maps.put(x, self._kind_of_map(), b.address(whole), item, words)
