"""The cheapest way from some members to others, by steps that have costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulekit.ir import BestWay
from rulekit.ir.steps import MOST_COST
from rulekit.ir.types import ListOf, Member, SetOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import Lowerer
from rulekit.runtime.native.lower.memory import CELL

_BITS: Final = 13
"""Bits for the length of a way, which has at most as many members as the largest set."""
_FARTHEST: Final = 1 << 60


class WaySearch:
    """The search of a `BestWay`, as it is lowered.

    Of each member that is reached a rank is noted, what the way costs and in the lower bits its length, so
    that the better of two ways has the lower rank; besides, the member before it on the way.  The one with
    the lowest rank is left next: no better way to it will come.
    """

    def __init__(self, x: Lowerer, e: BestWay, charge: Callable[[lir.Expr], None]) -> None:
        self.x, self.build, self.e = x, x.build, e
        assert isinstance(e.type, ListOf)
        assert isinstance(e.type.of, Member)
        self.count = count = x.unit.shapes.words(SetOf(e.type.of))
        self.over, self.start, self.goal = (
            x.build.bind_all(b.pad(x.words(part), count)) for part in (e.over, e.start, e.goal)
        )
        charge(b.count(b.each("or", self.over, self.start)))
        self.most = lir.Num(MOST_COST) if e.within is None else x.once(e.within)
        self.ranks, self.before = (
            x.unit.buffer(x.build.name, x.build.fresh(name), 64 * count) for name in ("ranks", "before")
        )
        self.best = x.build.variables((lir.Num(_FARTHEST),), "best")[0]
        """The lowest rank of a goal that was reached."""
        self.waiting = x.build.variables(self.start, "waiting")
        """Members that were reached and not left."""
        self.left = x.build.variables(tuple(lir.ZERO for _ in range(count)), "left")

    def words(self) -> Words:
        """The address of the list."""
        self._begin()
        with self.build.loop("ways") as label:
            rank, at = self._next(label)
            bit = self.x.bit_words(at, self.count)
            self.build.set_all(self.waiting, b.without(b.gets(self.waiting), bit))
            self.build.unite(self.left, bit)
            self._leave(rank, at)
        return self._result()

    def _rank(self, member: lir.Expr) -> lir.Expr:
        return lir.Load(self.ranks, b.times(member, CELL))

    def _reach(self, member: lir.Expr, rank: lir.Expr, before: lir.Expr) -> None:
        """Note a way to a member."""
        place = self.build.bind(b.times(member, CELL))
        self.x.store((self.ranks, place), (rank,))
        self.x.store((self.before, place), (before,))
        bit = self.x.bit_words(member, self.count)
        self.build.unite(self.waiting, bit)
        nearer = b.binary("lt_s", rank, lir.Get(self.best))
        with self.build.when(b.any_word(b.each("and", bit, self.goal))), self.build.when(nearer):
            self.build.set(self.best, rank)

    def _begin(self) -> None:
        """Note the members of the start, which are reached without a step."""
        build = self.build
        build.emit(lir.LowRun("clear", (b.address(self.ranks), lir.Num(64 * self.count))))
        nothing = b.binary("lt_s", self.most, lir.ZERO)
        for name in self.waiting:
            build.set(name, b.pick(nothing, lir.ZERO, lir.Get(name)))
        with self.x.members(b.gets(self.waiting), "start") as (one, _):
            self._reach(one, lir.ONE, lir.Num(-1))

    def _next(self, label: str) -> tuple[lir.Expr, lir.Expr]:
        """The lowest rank of those that wait, and its member; the loop ends if a goal has no higher one."""
        build = self.build
        rank, at = build.variables((lir.Get(self.best), lir.Num(-1)), "next")
        with self.x.members(b.gets(self.waiting), "one") as (one, _):
            own = build.bind(self._rank(one))
            with build.when(b.binary("lt_s", own, lir.Get(rank))):
                build.set(rank, own)
                build.set(at, one)
        with build.when(b.binary("lt_s", lir.Get(at), lir.ZERO)):
            build.emit(lir.LowBreak(label))
        return lir.Get(rank), lir.Get(at)

    def _leave(self, rank: lir.Expr, at: lir.Expr) -> None:
        """Take every step from a member that the limit allows."""
        x, build = self.x, self.build
        outer = dict(x.names)
        x.names[self.e.var.name] = (at,)
        groups = x.once(self.e.relation)
        spent = build.bind(lir.LowBinary("shr_s", rank, lir.Num(_BITS)))
        cost = build.variables((lir.ZERO,), "cost")[0]
        closed = b.gets(self.left)
        with build.loop("steps") as label:
            over_limit = b.binary("gt_s", b.add(spent, lir.Get(cost)), self.most)
            done = b.binary("or", b.binary("ge_s", lir.Get(cost), lir.Load(0, groups)), over_limit)
            with build.when(done):
                build.emit(lir.LowBreak(label))
            there = build.bind(b.add(groups, b.times(lir.Get(cost), self.count * CELL)))
            group = tuple(lir.Load(CELL * (1 + n), there) for n in range(self.count))
            new = b.plus(rank, 1)
            new = build.bind(b.add(new, b.binary("shl", lir.Get(cost), lir.Num(_BITS))))
            with x.members(b.without(b.each("and", group, self.over), closed), "to") as (to, _):
                self._offer(to, new, at)
            build.set(cost, b.plus(lir.Get(cost), 1))
        x.names = outer

    def _offer(self, to: lir.Expr, new: lir.Expr, at: lir.Expr) -> None:
        """Note a way to a member if it is better than the one that is known."""
        build = self.build
        old = build.bind(self._rank(to))
        better = build.variables((b.binary("or", b.zero(old), b.binary("lt_s", new, old)),), "better")[0]
        with build.when(b.binary("eq", new, old)):
            build.set(better, self._is_lower(at, lir.Load(self.before, b.times(to, CELL))))
        with build.when(lir.Get(better)):
            self._reach(to, new, at)

    def _is_lower(self, one: lir.Expr, other: lir.Expr) -> lir.Expr:
        """Whether the way to one member goes to a lower one than that to another, where they first differ.

        Both are of one length, so that they begin, or part, at the same time.
        """
        build = self.build
        here, there, lower = build.variables((one, other, lir.ZERO), "apart")
        with build.loop("back") as label:
            with build.when(b.binary("eq", lir.Get(here), lir.Get(there))):
                build.emit(lir.LowBreak(label))
            build.set(lower, b.binary("lt_s", lir.Get(here), lir.Get(there)))
            for name in (here, there):
                build.set(name, lir.Load(self.before, b.times(lir.Get(name), CELL)))
        return lir.Get(lower)

    def _result(self) -> Words:
        """The way to the goal with the lowest rank; nothing if none was reached."""
        x, build = self.x, self.build
        result = x.temporary(self.e.type, "way")
        end = build.variables((lir.Num(-1),), "end")[0]
        with (
            x.members(self.goal, "goal") as (one, _),
            build.when(b.binary("eq", self._rank(one), lir.Get(self.best))),
        ):
            lower = build.variables((b.binary("lt_s", lir.Get(end), lir.ZERO),), "first")[0]
            with build.when(b.zero(lir.Get(lower))):
                build.set(lower, self._is_lower(one, lir.Get(end)))
            with build.when(lir.Get(lower)):
                build.set(end, one)
        reached = b.binary("ge_s", lir.Get(end), lir.ZERO)
        length = b.binary("and", lir.Get(self.best), lir.Num((1 << _BITS) - 1))
        place = build.variables((b.pick(reached, length, lir.ZERO),), "place")[0]
        x.store((result, None), (lir.Get(place),))
        with build.loop("members") as label:
            with build.when(b.zero(lir.Get(place))):
                build.emit(lir.LowBreak(label))
            x.store((result, b.times(lir.Get(place), CELL)), (lir.Get(end),))
            build.set(end, lir.Load(self.before, b.times(lir.Get(end), CELL)))
            build.set(place, b.plus(lir.Get(place), -1))
        return (b.address(result),)
