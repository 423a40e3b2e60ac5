"""Several options for each item, of which only so many items may get some, or which need others: matched."""

from __future__ import annotations

from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.assigning_sets import SetSearch
from rulekit.runtime.native.lower.choosing.covers import Asked
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, nothing, taken_from
from rulekit.runtime.native.lower.choosing.seating import Seating
from rulekit.runtime.native.lower.routine import RoutineLowerer


class MatchedSets(Seating):
    """The options that may be added to an item, as `rulekit.runtime.support.completion.set_options` has them.

    The rows of `search` hold the items, their options, and the sets of those before.
    """

    def __init__(self, asking: Asked, search: SetSearch) -> None:
        self.search = search
        super().__init__(asking)

    @property
    def needs(self) -> Rows:
        """For each item how many options it must still get."""
        return self.room("needs", self.most)

    @property
    def room_left(self) -> Rows:
        """For each item how many options it may still get."""
        return self.room("room left", self.most)

    def need(self, x: RoutineLowerer, place: lir.Expr) -> lir.Expr:
        """As many as the choice says, and at least one; none, if it may have none."""
        return self.needs.one(x, place)

    def at_most(self, x: RoutineLowerer, place: lir.Expr) -> lir.Expr:
        """As many as the choice says."""
        return self.room_left.one(x, place)

    def begin(self, items: Words) -> None:
        """Work out the classes, and how many options each item needs and may have."""
        x, search = self.x, self.search
        super().begin(items)
        with count_up(x, lir.ZERO, search.number("many")) as place:
            free = search.frees.one(x, place)
            low = x.build.bind(search.lows.one(x, place))
            least = b.pick(b.binary("lt_s", low, lir.ONE), lir.ONE, low)
            self.needs.put(x, place, (b.pick(free, lir.ZERO, least),))
            self.room_left.put(x, place, (search.highs.one(x, place),))

    def options(self, place: lir.Expr, chosen: Words) -> tuple[Words, lir.Expr]:
        """The options that may be added to the item at a place, and whether it may stay as it is."""
        x, build, search = self.x, self.build, self.search
        search.answers.put(x, place, chosen)
        given, in_play, full = self._take_given(place)
        mask = build.variables(nothing(self.count), "mask")
        done = build.variables((lir.ZERO,), "done")[0]
        may_end = search.may_end(x, place, chosen)
        count, after = build.bind(b.count(chosen)), build.bind(b.plus(place, 1))
        left = build.bind(b.plus(b.binary("sub", search.highs.one(x, place), count), -1))
        here = build.bind(b.plus(b.binary("sub", search.lows.one(x, place), count), -1))
        here = build.bind(b.pick(b.binary("lt_s", here, lir.ZERO), lir.ZERO, here))
        self.needs.put(x, place, (here,))
        self.room_left.put(x, place, (left,))
        for play in range((1 << len(self.own)) - 1, -1, -1):
            outside = ((1 << len(self.own)) - 1) & ~play
            with build.when(b.zero(b.binary("and", in_play, lir.Num(outside)))):
                missing = build.bind_all(b.without(self.wanted_in(play), given))
                self._allow(full, play, place)
                with build.when(b.both(may_end, b.zero(lir.Get(done)))):
                    self.copy_trial(place, None)
                    matched, seated = self.can_serve(after, missing)
                    with build.when(matched):
                        build.set(done, seated)
                own = build.bind_all(b.without(self.allowed.get(x, place), chosen))
                with build.when(
                    b.both(b.binary("ge_s", left, lir.ZERO), b.binary("gt_s", b.count(own), here))
                ):
                    self.try_each(place, place, own, mask, missing)
        return b.gets(mask), lir.Get(done)

    def _take_given(self, place: lir.Expr) -> tuple[Words, lir.Expr, Words]:
        """The options in the sets up to a place, the classes in play, and the options that have run out."""
        x, build = self.x, self.build
        given = build.variables(nothing(self.count), "given")
        in_play = build.variables((lir.ZERO,), "play")[0]
        full = build.variables(nothing(self.count), "full")
        limited = build.bind(b.binary("ge_s", self.limit, lir.ZERO))
        with build.when(limited):
            self.begin_caps()
        with count_up(x, lir.ZERO, b.plus(place, 1)) as one:
            own = build.bind_all(self.search.answers.get(x, one))
            include(x, given, own)
            for number, rows in enumerate(self.own):
                hit = b.zero(b.zero(b.any_word(b.each("and", own, rows.get(x, one)))))
                bit = b.binary("shl", hit, lir.Num(number))
                build.set(in_play, b.binary("or", lir.Get(in_play), bit))
            with build.when(limited):
                left = build.variables(own, "left")
                with taken_from(x, left) as (option, _):
                    self.caps.add(x, option, -1)
        with build.when(limited):
            include(x, full, self.full())
        return b.gets(given), lir.Get(in_play), b.gets(full)

    def _allow(self, full: Words, play: int, place: lir.Expr) -> None:
        """List what items from a place on may get: nothing where there are not as many as it needs."""
        x, build, search = self.x, self.build, self.search
        with count_up(x, place, search.number("many")) as one:
            words = self.without_classes(b.without(search.lists.get(x, one), full), play, one)
            words, low = build.bind_all(words), build.bind(search.lows.one(x, one))
            few = b.both(b.binary("gt_s", one, place), b.binary("lt_s", b.count(words), low))
            closed = build.bind(b.binary("or", few, b.binary("gt_s", low, search.highs.one(x, one))))
            self.allowed.put(x, one, tuple(b.pick(closed, lir.ZERO, word) for word in words))
