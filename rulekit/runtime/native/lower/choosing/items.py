"""Choices of an option, or of several, for each item."""

from __future__ import annotations

from rulekit.ir import Const, Expr, Local, Op, walk
from rulekit.ir.conditions import TRUE
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.choosing.assigning import SearchedAssignment
from rulekit.runtime.native.lower.choosing.covers import Counting
from rulekit.runtime.native.lower.choosing.matching import Matching
from rulekit.runtime.native.lower.choosing.sets_of_items import SetsOfItems
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.optimise import sets

MOST_COUNTED = 2
"""Classes of cover norms that are counted, where all items may get the same."""


class AskingForEach(Asking):
    """A choice of an option for each item."""

    def answer(self) -> Words:
        """One option for each item, in order."""
        choice, x, build = self.choice, self.x, self.x.build
        assert choice.item is not None and choice.items is not None
        items = build.bind_all(self.words(choice.items), "items")
        self.pay(b.count(items))
        answer = self.empty_map()
        way: Counting | Matching | SearchedAssignment | None = None
        if self.norms.judged:
            way = SearchedAssignment(self)
            way.begin(items)
        elif self._matches():
            way = Matching(self)
            way.begin(items)
        elif self.norms.covers:
            way = Counting(self)
            way.begin_items(self.legal(), items)
        legal = self.legal()
        same = choice.item.name not in walk.free(legal)
        options = build.bind_all(self.words(legal), "options") if way is None and same else ()
        if way is None and not same:
            legal = self._with_common_part(legal)
        free: lir.Expr = lir.Num(int(choice.able != "must"))
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            item = self.item = x.names[choice.item.name][0]
            if way is not None:
                mask, allowed = way.options()
            else:
                mask = options if same else build.bind_all(x.words(legal), "options")
                may_vary = choice.able != "must" and self.norms.declining != TRUE
                allowed = x.once(self.norms.declining) if may_vary else free
            picked = self._pick_for_item(mask, allowed)
            keep = lir.ONE if choice.able == "must" or self.maps_none() else None
            self.put(answer, item, (picked,), keep or b.binary("ge_s", picked, lir.ZERO))
            if way is not None:
                way.note_pick(picked)
        return (lir.Num(answer),)

    def _with_common_part(self, legal: Expr) -> Expr:
        """The options of an item, with the part that all items share worked out once."""
        item = self.choice.item
        assert item is not None
        parts = sets.factors(legal)
        common: list[Expr] = [e for e in parts if item.name not in walk.free(e) and not isinstance(e, Const)]
        if not common or self.x.unit.optimised.facts.fallible(legal):
            return legal
        base = Local(f"common {self.choice.name}", legal.type)
        shared: Expr = common[0]
        for e in common[1:]:
            shared = Op("inter", (shared, e), legal.type)
        self.x.bind_local(base, self.words(shared))
        rest: Expr = base
        for e in parts:
            if e not in common:
                rest = Op("inter", (rest, e), legal.type)
        return rest

    def _matches(self) -> bool:
        """Whether items differ in what they may get, or options run out, so that they are matched."""
        choice, covers = self.choice, self.norms.covers
        if choice.each is not None or not covers:
            return choice.each is not None
        assert choice.item is not None
        tests = (self.legal(), *(cover.test for cover in covers))
        varying = any(choice.item.name in walk.free(e) for e in tests)
        return varying or len(covers) > MOST_COUNTED or self.norms.declining != TRUE

    def _pick_for_item(self, mask: Words, allowed: lir.Expr) -> lir.Expr:
        """The option of one item; `allowed` says whether it may have none."""
        build, able = self.x.build, self.choice.able
        some = build.bind(b.zero(b.zero(b.any_word(mask))))
        match able:
            case "must":
                extra: lir.Expr = lir.ZERO
            case "none":
                extra = allowed
            case "if_able":
                extra = b.both(b.zero(some), allowed)
        extra = build.bind(extra)
        if not (able != "must" and allowed == lir.ONE):
            self.stuck(b.zero(b.binary("or", some, extra)))
        return build.bind(self.part(mask, extra, int(NONE_WORD.value)))


class AskingForSets(Asking):
    """A choice of several options for each item."""

    def answer(self) -> Words:
        """For each item one option more, until it is done."""
        choice, x, build = self.choice, self.x, self.x.build
        assert choice.item is not None and choice.items is not None
        items = build.bind_all(self.words(choice.items), "items")
        self.pay(b.count(items))
        way = SetsOfItems(self)
        way.begin(items)
        answer = self.empty_map()
        place = build.variables((lir.ZERO,), "place")[0]
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            item = self.item = x.names[choice.item.name][0]
            chosen = build.variables(tuple(lir.ZERO for _ in range(way.search.count)), "chosen")
            with build.loop("options") as label:
                options, done = way.options(lir.Get(place), b.gets(chosen))
                done = build.bind(way.may_stay(lir.Get(place), options, b.gets(chosen), done))
                self.stuck(b.both(b.zero(b.any_word(options)), b.zero(done)))
                self.pick(chosen, options, done, label)
            way.search.answers.put(x, lir.Get(place), b.gets(chosen))
            self.put(answer, item, b.gets(chosen), lir.ONE)
            build.set(place, b.plus(lir.Get(place), 1))
        return (lir.Num(answer),)
