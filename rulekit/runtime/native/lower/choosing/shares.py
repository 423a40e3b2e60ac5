"""Choices that share a number out among items."""

from __future__ import annotations

from rulekit.ir.conditions import TRUE
from rulekit.ir.types import DONE, Int
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.refusals import CannotLower

MOST_SHARED = 62
"""The most that can be shared out: sums are bits of a word."""


class AskingForShares(Asking):
    """A choice that shares a number out."""

    def answer(self) -> Words:
        """A number for each item, so that all of the total is shared out, or all that there is room for."""
        choice, x, build = self.choice, self.x, self.x.build
        assert choice.items is not None and choice.item is not None and choice.total is not None
        of = choice.total.type
        if not isinstance(of, Int) or of.high > MOST_SHARED:
            raise CannotLower(f"the choice `{choice.name}`, of more than {MOST_SHARED},", choice.site)
        items = build.bind_all(self.words(choice.items), "items")
        many = build.bind(b.count(items))
        self.pay(many)
        total = self.once(choice.total)
        most = 64 * len(items)
        allowed = x.unit.buffer(x.build.name, "allowed", most + 1)
        sums = x.unit.buffer(x.build.name, "sums", most + 1)
        place = build.variables((lir.ZERO,), "place")[0]
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            x.store((allowed, lir.Get(place)), (self._shares(total),))
            build.set(place, b.plus(lir.Get(place), CELL))
        self._sums(allowed, sums, many, total)
        total = self._room(sums)
        answer = self.empty_map()
        at, left = build.variables((lir.ZERO, total), "left")
        with x.members(items, "item") as (member, _):
            x.bind_local(choice.item, (member,))
            item = self.item = x.names[choice.item.name][0]
            able = build.variables((lir.ZERO,), "able")[0]
            after = build.bind(lir.Load(sums + CELL, lir.Get(at)))
            with x.members((lir.Load(allowed, lir.Get(at)),), "number") as (number, label):
                rest = build.bind(b.binary("sub", lir.Get(left), number))
                with build.when(b.binary("lt_s", rest, lir.ZERO)):
                    build.emit(lir.LowBreak(label))
                fits = b.binary("and", lir.LowBinary("shr_u", after, rest), lir.ONE)
                with build.when(fits):
                    build.set(able, b.binary("or", lir.Get(able), b.binary("shl", lir.ONE, number)))
            self.stuck(b.zero(lir.Get(able)))
            picked = build.bind(self.part((lir.Get(able),), lir.ZERO, DONE))
            self.put(answer, item, (picked,), lir.ONE)
            build.set(left, b.binary("sub", lir.Get(left), picked))
            build.set(at, b.plus(lir.Get(at), CELL))
        return (lir.Num(answer),)

    def _shares(self, total: lir.Expr) -> lir.Expr:
        """The numbers that an item may get, as a set."""
        x, build, choice = self.x, self.x.build, self.choice
        low = lir.ZERO if choice.low is None else x.once(choice.low)
        low = build.bind(b.pick(b.binary("lt_s", low, lir.ZERO), lir.ZERO, low))
        high = total
        if choice.high is not None:
            bound = x.once(choice.high)
            high = build.bind(b.pick(b.binary("lt_s", bound, total), bound, total))
        numbers = build.variables((lir.ZERO,), "numbers")[0]
        number = build.variables((b.plus(low, -1),), "number")[0]
        with build.loop() as label:
            build.set(number, b.plus(lir.Get(number), 1))
            with build.when(b.binary("gt_s", lir.Get(number), high)):
                build.emit(lir.LowBreak(label))
            test: lir.Expr = lir.ONE
            if self.norms.option != TRUE:
                x.bind_local(choice.option, (lir.Get(number),))
                test = x.one(self.norms.option)
            with build.when(test):
                mask = b.binary("shl", lir.ONE, lir.Get(number))
                build.set(numbers, b.binary("or", lir.Get(numbers), mask))
        return lir.Get(numbers)

    def _sums(self, allowed: int, sums: int, many: lir.Expr, total: lir.Expr) -> None:
        """For each place, the sums that it and all after it can make, as a set of sums."""
        x, build = self.x, self.x.build
        at = build.variables((b.times(many, CELL),), "at")[0]
        x.store((sums, lir.Get(at)), (lir.ONE,))
        limit = b.pick(b.binary("lt_s", total, lir.ZERO), lir.ZERO, total)
        within = build.bind(b.plus(b.binary("shl", lir.Num(2), limit), -1))
        with build.loop("sums") as label:
            with build.when(b.binary("le_s", lir.Get(at), lir.ZERO)):
                build.emit(lir.LowBreak(label))
            able = build.variables((lir.ZERO,), "able")[0]
            after = build.bind(lir.Load(sums, lir.Get(at)))
            build.set(at, b.plus(lir.Get(at), -CELL))
            with x.members((lir.Load(allowed, lir.Get(at)),), "number") as (number, _):
                build.set(able, b.binary("or", lir.Get(able), b.binary("shl", after, number)))
            x.store((sums, lir.Get(at)), (b.binary("and", lir.Get(able), within),))

    def _room(self, sums: int) -> lir.Expr:
        """The most that can be shared; a fault if some item can get nothing, not even 0."""
        build = self.x.build
        able = build.bind(lir.Load(sums))
        self.stuck(b.zero(able))
        return build.bind(b.binary("sub", lir.Num(63), lir.LowUnary("clz", able)))
