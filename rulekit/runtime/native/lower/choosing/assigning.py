"""One option for each item, judged as a whole: a search for those that can still be completed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.completing import CompletionSearch
from rulekit.runtime.native.lower.choosing.covers import Asked
from rulekit.runtime.native.lower.choosing.judging import JudgedChoice, Kind
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, nothing, taken_from
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise.bounds import MORE, NEVER


class AssignSearch(CompletionSearch):
    """The search of one choice of an option for each item.

    Judges of partial answers get the number of items that are answered.
    """

    params = ("count",)

    def __init__(self, asking: JudgedChoice) -> None:
        super().__init__(asking, 1)
        self.rests = self.room("rests", self.most + 1, self.count)
        self.add_judges()
        for function in (
            self.nearest(),
            self.fine(),
            self._try(),
            self._complete(),
            self._exists(),
            self._find(),
        ):
            self.unit.add(function)

    # ------------------------------------------------------------ judges

    def _places(self, x: RoutineLowerer, at: lir.Expr, kind: Kind) -> tuple[lir.Expr, Rows]:
        """The place of an item, and the rows with its answer: partial ones are in the order of the search."""
        if kind == "broken":
            return at, self.placed
        return self.order.one(x, at), self.answers

    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """The options of items so far as a map, and as a set; those that may still come."""
        choice, build = self.choice, x.build
        chosen = build.variables(nothing(self.count), "chosen")
        assigned = self.new_map(x, "assigned", read)
        if choice.assigned is not None and assigned is not None:
            x.names[choice.assigned.name] = (b.address(assigned),)
        with count_up(x, lir.ZERO, lir.Get("count")) as at:
            place, rows = self._places(x, at, kind)
            option = build.bind(rows.one(x, at))
            if assigned is not None:
                self.put(x, assigned, place, (option,))
            with build.when(b.binary("ge_s", option, lir.ZERO)):
                include(x, chosen, x.bit_words(option, self.count))
        if choice.chosen is not None:
            x.names[choice.chosen.name] = b.gets(chosen)
            if kind == "hopeless":
                left = b.binary("sub", self.number("many"), lir.Get("count"))
                rest = build.bind_all(self.rests.get(x, left))
                x.names[MORE + choice.chosen.name] = b.each("or", b.gets(chosen), rest)
        return lir.Get("count")

    @contextmanager
    def each_part(self, x: RoutineLowerer, kind: Kind) -> Iterator[None]:
        """Each item that has got an option."""
        with count_up(x, lir.ZERO, lir.Get("count")) as at:
            place, rows = self._places(x, at, kind)
            option = x.build.bind(rows.one(x, at))
            with x.build.when(b.binary("ge_s", option, lir.ZERO)):
                x.bind_local(self.item, (self.items.one(x, place),))
                x.bind_local(self.choice.option, (option,))
                yield

    @contextmanager
    def each_placed(self, x: RoutineLowerer) -> Iterator[lir.Expr]:
        with count_up(x, lir.ZERO, self.number("many")) as at:
            option = x.build.bind(self.placed.one(x, at))
            with x.build.when(b.binary("ge_s", option, lir.ZERO)):
                yield option

    def of_all(self) -> Words:
        """How many items there are."""
        return (self.number("many"),)

    # ------------------------------------------------------------ search

    def _answer(self, x: RoutineLowerer, at: lir.Expr, option: lir.Expr) -> None:
        """Give the next item of the search an option, or nothing."""
        self.answers.put(x, at, (option,))
        with x.build.when(b.binary("ge_s", option, lir.ZERO)):
            self.used.add(x, option, 1)

    def _take_back(self, x: RoutineLowerer, option: lir.Expr) -> None:
        with x.build.when(b.binary("ge_s", option, lir.ZERO)):
            self.used.add(x, option, -1)

    @contextmanager
    def _options(self, x: RoutineLowerer, place: lir.Expr) -> Iterator[tuple[lir.Expr, Words]]:
        """Write the body of a loop over the options of an item, those used least so far first."""
        build, limit = x.build, self.number("limit")
        left = build.variables(self.lists.get(x, place), "left")
        times = build.variables((lir.ZERO,), "times")[0]
        with build.loop("times") as label:
            reached = b.both(b.binary("ge_s", limit, lir.ZERO), b.binary("ge_s", lir.Get(times), limit))
            with build.when(b.binary("or", b.zero(b.any_word(b.gets(left))), reached)):
                build.emit(lir.LowBreak(label))
            rest = build.variables(b.gets(left), "rest")
            with taken_from(x, rest) as (option, bits):
                with build.when(b.binary("eq", self.used.one(x, option), lir.Get(times))):
                    for local, bit in zip(left, bits, strict=True):
                        build.set(local, b.binary("xor", lir.Get(local), bit))
                    yield option, bits
            build.set(times, b.plus(lir.Get(times), 1))

    def _try(self) -> lir.LowFunction:
        """Whether the answers before one, with an option for that, can be completed."""
        x = self.function("try", "at", "option", "first")
        build, at, option, first = x.build, lir.Get("at"), lir.Get("option"), lir.Get("first")
        self.spend_ahead(x, first)
        self._answer(x, at, option)
        completed = build.variables((lir.ZERO,), "completed")[0]
        after = build.bind(b.plus(at, 1))
        with build.when(b.zero(self.ask(x, "hopeless", after))):
            build.set(completed, lir.LowCall(self.name("complete"), (after, first)))
        self._take_back(x, option)
        build.emit(lir.LowReturn(lir.Get(completed)))
        return x.finish()

    def _complete(self) -> lir.LowFunction:
        """Whether so many answers can be completed; `first` says whether nothing is tried first, or last."""
        x = self.function("complete", "at", "first")
        build, at, first = x.build, lir.Get("at"), lir.Get("first")
        with build.when(b.binary("eq", at, self.number("many"))):
            self.finish_answer(x)
        place = build.bind(self.order.one(x, at))
        free = build.bind(self.frees.one(x, place))

        def attempt(option: lir.Expr) -> None:
            completed = build.bind(lir.LowCall(self.name("try"), (at, option, first)))
            with build.when(completed):
                build.emit(lir.LowReturn(completed))

        with build.when(b.both(free, first)):
            attempt(NONE_WORD)
        with self._options(x, place) as (option, _):
            attempt(option)
        with build.when(b.both(free, b.zero(first))):
            attempt(NONE_WORD)
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _exists(self) -> lir.LowFunction:
        """Whether some finished answer gives the item that is asked for an option, or nothing."""
        x = self.function("exists", "place")
        build, place = x.build, lir.Get("place")
        after = build.bind(b.plus(place, 1))
        with build.when(self.ask(x, "hopeless", after)):
            build.emit(lir.LowReturn(lir.ZERO))
        self.try_tails(x, place)
        with build.when(b.binary("eq", after, self.number("many"))):
            build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(self.search_both_ways(x, after)))
        return x.finish()

    def _find(self) -> lir.LowFunction:
        """The options of the item at a place into `mask`; whether it may have none."""
        self.mask = self.room("mask", 1, self.count)
        x = self.function("find", "place")
        build, place, many = x.build, lir.Get("place"), self.number("many")
        self.begin_question(x, place, (NONE_WORD,))
        rest = build.variables(nothing(self.count), "rest")
        self.rests.put(x, lir.ZERO, b.gets(rest))
        at = build.variables((many,), "at")[0]
        with build.loop("rests") as label:
            build.set(at, b.plus(lir.Get(at), -1))
            with build.when(b.binary("le_s", lir.Get(at), place)):
                build.emit(lir.LowBreak(label))
            include(x, rest, self.lists.get(x, build.bind(self.order.one(x, lir.Get(at)))))
            self.rests.put(x, build.bind(b.binary("sub", many, lir.Get(at))), b.gets(rest))
        self.used.clear(x, lir.Num(64 * self.count))
        with count_up(x, lir.ZERO, place) as before:
            option = build.bind(self.answers.one(x, before))
            with build.when(b.binary("ge_s", option, lir.ZERO)):
                self.used.add(x, option, 1)

        def exists(option: lir.Expr) -> lir.Expr:
            self._answer(x, place, option)
            completed = build.bind(lir.LowCall(self.name("exists"), (place,)))
            self._take_back(x, option)
            return completed

        mask = build.variables(nothing(self.count), "mask")
        with self._options(x, place) as (option, bits):
            with build.when(exists(option)):
                include(x, mask, bits)
        self.mask.put(x, lir.ZERO, b.gets(mask))
        with build.when(self.frees.one(x, place)):
            build.emit(lir.LowReturn(exists(NONE_WORD)))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    # ------------------------------------------------------------ in the choice

    def options(self, place: lir.Expr) -> tuple[Words, lir.Expr]:
        """The options of the item at a place, and whether it may have none."""
        free = self.x.build.bind(lir.LowCall(self.name("find"), (place,)))
        return self.x.build.bind_all(self.mask.get(self.x, lir.ZERO)), free


class SearchedAssignment:
    """The options of each item in its turn, by search."""

    def __init__(self, asking: Asked) -> None:
        self.asking, self.x, self.search = asking, asking.x, AssignSearch(asking)

    def begin(self, items: Words) -> None:
        """List the options of every item, and whether it may have none."""
        search, choice = self.search, self.asking.choice
        self.asking.by_item(items, search.lists, self.asking.legal())
        declining = self.asking.norms.declining if choice.able != "must" else NEVER
        self.asking.by_item(items, search.frees, declining)
        search.start(items, lir.Num(-1) if choice.each is None else self.asking.once(choice.each))
        self.place = self.x.build.variables((lir.ZERO,), "place")[0]

    def options(self) -> tuple[Words, lir.Expr]:
        """The options of the next item, and whether it may have none."""
        return self.search.options(lir.Get(self.place))

    def note_pick(self, option: lir.Expr) -> None:
        """An item has got an option, or nothing."""
        self.search.answers.put(self.x, lir.Get(self.place), (option,))
        self.x.build.set(self.place, b.plus(lir.Get(self.place), 1))
