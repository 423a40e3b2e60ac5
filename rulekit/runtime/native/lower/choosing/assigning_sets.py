"""Several options for each item, judged as a whole: a search for those that may be added."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.completing import CompletionSearch
from rulekit.runtime.native.lower.choosing.judging import JudgedChoice, Kind
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, nothing, taken_from
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise.bounds import MORE


class SetSearch(CompletionSearch):
    """The search of one choice of a set of options for each item.

    Judges find the sets of all items in `placed` if finished; of partial answers the least that they are in
    `least`, and the most in `greatest`.
    """

    def __init__(self, asking: JudgedChoice, lows: Rows, highs: Rows) -> None:
        super().__init__(asking, self.words_of(asking))
        self.lows, self.highs = lows, highs
        self.least, self.greatest = (self.room(name, self.most, self.count) for name in ("least", "greatest"))
        self.chosen = tuple(f"chosen:{number}" for number in range(self.count))
        self.rest = tuple(f"rest:{number}" for number in range(self.count))
        self.mask = self.room("mask", 1, self.count)
        if not self.norms.searched:
            return
        self.add_judges()
        search = (self.nearest(), self.fine(), self._rule_out(), self._complete(), self._end())
        functions = (*search, self._exists(), self._find())
        for function in functions:
            self.unit.add(function)

    @staticmethod
    def words_of(asking: JudgedChoice) -> int:
        """The words of the set of an item."""
        assert asking.choice.candidates is not None
        return asking.x.unit.shapes.words(asking.choice.candidates.type)

    # ------------------------------------------------------------ judges

    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """The sets of all items as a map, and the options in them; of a partial answer least and most."""
        rows = self.placed if kind == "broken" else self.least
        parts = self._take_sets(x, rows, "", read)
        if kind == "hopeless":
            self._take_sets(x, self.greatest, MORE, read)
        return parts

    def _take_sets(self, x: RoutineLowerer, rows: Rows, prefix: str, read: frozenset[str]) -> lir.Expr:
        """Bind the map and its union, and return how many options there are in all."""
        choice, build = self.choice, x.build
        union = build.variables(nothing(self.count), "union")
        parts = build.variables((lir.ZERO,), "parts")[0]
        assigned = self.new_map(x, f"{prefix}assigned", read)
        with count_up(x, lir.ZERO, self.number("many")) as place:
            own = build.bind_all(rows.get(x, place))
            build.set(parts, b.add(lir.Get(parts), b.count(own)))
            include(x, union, own)
            if assigned is not None:
                self.put(x, assigned, place, own)
        if choice.assigned is not None and assigned is not None:
            x.names[prefix + choice.assigned.name] = (b.address(assigned),)
        if choice.chosen is not None:
            x.names[prefix + choice.chosen.name] = b.gets(union)
        return lir.Get(parts)

    @contextmanager
    def each_part(self, x: RoutineLowerer, kind: Kind) -> Iterator[None]:
        """Each item with each of its options."""
        rows = self.placed if kind == "broken" else self.least
        with count_up(x, lir.ZERO, self.number("many")) as place:
            x.bind_local(self.item, (self.items.one(x, place),))
            left = x.build.variables(rows.get(x, place), "left")
            with taken_from(x, left) as (option, _):
                x.bind_local(self.choice.option, (option,))
                yield

    @contextmanager
    def each_placed(self, x: RoutineLowerer) -> Iterator[lir.Expr]:
        with count_up(x, lir.ZERO, self.number("many")) as place:
            left = x.build.variables(self.placed.get(x, place), "left")
            with taken_from(x, left) as (option, _):
                yield option

    # ------------------------------------------------------------ search

    def may_end(self, x: RoutineLowerer, place: lir.Expr, chosen: Words) -> lir.Expr:
        """Whether the item at a place may have just this."""
        many = x.build.bind(b.count(chosen))
        enough = b.binary("ge_s", many, self.lows.one(x, place))
        bounded = b.both(enough, b.binary("le_s", many, self.highs.one(x, place)))
        return x.build.bind(b.pick(b.zero(many), self.frees.one(x, place), bounded))

    def _no_room(self, x: RoutineLowerer, option: lir.Expr) -> lir.Expr:
        """Whether no more items may get an option."""
        limit = self.number("limit")
        full = b.binary("ge_s", self.used.one(x, option), limit)
        return b.both(b.binary("ge_s", limit, lir.ZERO), full)

    def _rule_out(self) -> lir.LowFunction:
        """Whether nothing can complete the sets before one, and this, of which the rest is open."""
        x = self.function("doomed", "at", *self.chosen, *self.rest)
        build, at, many = x.build, lir.Get("at"), self.number("many")
        if not self.judged:
            self.spend(x)
            build.emit(lir.LowReturn(lir.ZERO))
            return x.finish()
        with count_up(x, lir.ZERO, at) as done:
            place = build.bind(self.order.one(x, done))
            own = build.bind_all(self.answers.get(x, done))
            self.least.put(x, place, own)
            self.greatest.put(x, place, own)
        place = build.bind(self.order.one(x, at))
        self.least.put(x, place, b.gets(self.chosen))
        self.greatest.put(x, place, b.each("or", b.gets(self.chosen), b.gets(self.rest)))
        with count_up(x, b.plus(at, 1), many) as later:
            place = build.bind(self.order.one(x, later))
            self.least.put(x, place, nothing(self.count))
            self.greatest.put(x, place, self.lists.get(x, place))
        build.emit(lir.LowReturn(self.ask(x, "hopeless")))
        return x.finish()

    def _complete(self) -> lir.LowFunction:
        """Whether sets can be completed; `first` says whether to end each as soon, or as late, as it may."""
        x = self.function("complete", "at", *self.chosen, *self.rest, "first")
        build, at, first, chosen = x.build, lir.Get("at"), lir.Get("first"), b.gets(self.chosen)
        end = lir.LowCall(self.name("end"), (at, *chosen, first))
        with build.when(first):
            ended = build.bind(end)
            with build.when(ended):
                build.emit(lir.LowReturn(ended))
        place = build.bind(self.order.one(x, at))
        rest = build.variables(b.gets(self.rest), "left")
        with build.when(b.binary("lt_s", b.count(chosen), self.highs.one(x, place))):
            with taken_from(x, rest) as (option, bits):
                with build.when(b.zero(self._no_room(x, option))):
                    self.spend_ahead(x, first)
                    more = build.bind_all(b.each("or", chosen, bits))
                    self.used.add(x, option, 1)
                    completed = build.variables((lir.ZERO,), "completed")[0]
                    doomed = lir.LowCall(self.name("doomed"), (at, *more, *b.gets(rest)))
                    with build.when(b.zero(doomed)):
                        arguments = (at, *more, *b.gets(rest), first)
                        build.set(completed, lir.LowCall(self.name("complete"), arguments))
                    self.used.add(x, option, -1)
                    with build.when(lir.Get(completed)):
                        build.emit(lir.LowReturn(lir.Get(completed)))
        with build.when(first):
            build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(end))
        return x.finish()

    def _end(self) -> lir.LowFunction:
        """Whether an answer can be completed in which the item at hand has just this."""
        x = self.function("end", "at", *self.chosen, "first")
        build, at, first = x.build, lir.Get("at"), lir.Get("first")
        with build.when(b.zero(self.may_end(x, build.bind(self.order.one(x, at)), b.gets(self.chosen)))):
            build.emit(lir.LowReturn(lir.ZERO))
        self.answers.put(x, at, b.gets(self.chosen))
        after = build.bind(b.plus(at, 1))
        with build.when(b.binary("eq", after, self.number("many"))):
            self.finish_answer(x)
        following = build.bind_all(self.lists.get(x, build.bind(self.order.one(x, after))))
        words = (after, *nothing(self.count), *following)
        with build.when(lir.LowCall(self.name("doomed"), words)):
            build.emit(lir.LowReturn(lir.ZERO))
        build.emit(lir.LowReturn(lir.LowCall(self.name("complete"), (*words, first))))
        return x.finish()

    def _exists(self) -> lir.LowFunction:
        """Whether some finished answer gives the item at a place these options, and perhaps of the rest."""
        x = self.function("exists", "place", *self.chosen, *self.rest)
        build, place, chosen = x.build, lir.Get("place"), b.gets(self.chosen)
        words = (place, *chosen, *b.gets(self.rest))
        with build.when(lir.LowCall(self.name("doomed"), words)):
            build.emit(lir.LowReturn(lir.ZERO))
        with build.when(self.may_end(x, place, chosen)):
            self.answers.put(x, place, chosen)
            self.try_tails(x, place)
        build.emit(lir.LowReturn(self.search_both_ways(x, *words)))
        return x.finish()

    def _find(self) -> lir.LowFunction:
        """The options that may be added to an item into `mask`; whether it may stay as it is."""
        x = self.function("find", "place", *self.chosen)
        build, place, chosen = x.build, lir.Get("place"), b.gets(self.chosen)
        self.begin_question(x, place, nothing(self.count))
        self.used.clear(x, lir.Num(64 * self.count))
        self.answers.put(x, place, chosen)
        with count_up(x, lir.ZERO, b.plus(place, 1)) as at:
            given = build.variables(self.answers.get(x, at), "given")
            with taken_from(x, given) as (option, _):
                self.used.add(x, option, 1)
        rest = build.bind_all(b.without(self.lists.get(x, place), chosen))
        mask = build.variables(nothing(self.count), "mask")
        with build.when(b.binary("lt_s", b.count(chosen), self.highs.one(x, place))):
            left = build.variables(rest, "left")
            with taken_from(x, left) as (option, bits):
                with build.when(b.zero(self._no_room(x, option))):
                    self.used.add(x, option, 1)
                    words = (place, *b.each("or", chosen, bits), *b.without(rest, bits))
                    with build.when(lir.LowCall(self.name("exists"), words)):
                        include(x, mask, bits)
                    self.used.add(x, option, -1)
        self.mask.put(x, lir.ZERO, b.gets(mask))
        with build.when(self.may_end(x, place, chosen)):
            words = (place, *chosen, *nothing(self.count))
            build.emit(lir.LowReturn(lir.LowCall(self.name("exists"), words)))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    # ------------------------------------------------------------ in the choice

    def options(self, place: lir.Expr, chosen: Words) -> tuple[Words, lir.Expr]:
        """The options that may be added to the item at a place, and whether it may stay as it is."""
        done = self.x.build.bind(lir.LowCall(self.name("find"), (place, *chosen)))
        return self.x.build.bind_all(self.mask.get(self.x, lir.ZERO)), done
