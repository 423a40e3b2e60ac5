"""The bounds of items that get several options, and the way to find those that may be added."""

from __future__ import annotations

from rulekit.ir import Const
from rulekit.ir.types import Int
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.assigning_sets import SetSearch
from rulekit.runtime.native.lower.choosing.covers import Asked
from rulekit.runtime.native.lower.choosing.matching_sets import MatchedSets
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up

NOTHING = Const(0, Int(0, 0))
NO_BOUND = Const(1 << 30, Int(0, 1 << 30))
"""More options than there are."""


class SetsOfItems:
    """For each item its options, how many it gets at least and at most, and whether it may have none."""

    def __init__(self, asking: Asked) -> None:
        self.asking, self.x, choice = asking, asking.x, asking.choice
        assert choice.items is not None
        unit, most = self.x.unit, 64 * self.x.unit.shapes.words(choice.items.type)

        def room(name: str) -> Rows:
            return Rows(unit.buffer(self.x.build.name, name, most))

        self.lows, self.highs = room("lows"), room("highs")
        self.search = SetSearch(asking, self.lows, self.highs)
        self.matched = None if asking.norms.searched else MatchedSets(asking, self.search)

    def begin(self, items: Words) -> None:
        """Work out everything that stays the same for all items."""
        x, choice, search = self.x, self.asking.choice, self.search
        self.asking.by_item(items, search.lists, self.asking.legal())
        self.asking.by_item(items, self.lows, choice.low or NOTHING)
        self.asking.by_item(items, self.highs, choice.high or NO_BOUND)
        if choice.able == "must":
            with count_up(x, lir.ZERO, b.count(items)) as place:
                search.frees.put(x, place, (b.zero(self.lows.one(x, place)),))
        else:
            self.asking.by_item(items, search.frees, self.asking.norms.declining)
        limit = lir.Num(-1) if choice.each is None else self.asking.once(choice.each)
        search.start(items, limit)
        if self.matched is not None:
            self.matched.limit_to(limit)
            self.matched.begin(items)

    def options(self, place: lir.Expr, chosen: Words) -> tuple[Words, lir.Expr]:
        """The options that may be added to the item at a place, and whether it may stay as it is."""
        way = self.search if self.matched is None else self.matched
        return way.options(place, chosen)

    def may_stay(self, place: lir.Expr, options: Words, chosen: Words, done: lir.Expr) -> lir.Expr:
        """Whether an item may stay as it is: with `if able`, none is an answer where nothing else is."""
        low = self.asking.choice.low
        if self.asking.choice.able != "if_able" or low is None or isinstance(low, Const) and low.value == 0:
            return done
        some = b.zero(b.zero(b.any_word(options)))
        first = b.both(some, b.zero(b.any_word(chosen)))
        needs = b.both(first, b.zero(b.zero(self.lows.one(self.x, place))))
        return b.both(done, b.zero(self.x.build.bind(needs)))
