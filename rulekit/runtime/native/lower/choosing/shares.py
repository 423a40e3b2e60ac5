"""Choices that share a number out among items."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.ir.conditions import TRUE
from rulekit.ir.types import DONE, Int, MapOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import maps
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.choosing.judging import AnswerJudges, JudgedChoice, Kind
from rulekit.runtime.native.lower.choosing.rows import Rows, count_up, include, put_members, taken_from
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
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
        search = ShareSearch(self, Rows(allowed), Rows(sums), most) if self.norms.judged else None
        if search is not None:
            search.start(items)
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
            options: lir.Expr = lir.Get(able)
            if search is not None:
                options = search.options(options, lir.Get(at), lir.Get(left))
            self.stuck(b.zero(options))
            picked = build.bind(self.part((options,), lir.ZERO, DONE))
            if search is not None:
                search.note_pick(lir.Get(at), picked)
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


class ShareSearch(AnswerJudges):
    """The search of one choice that shares a number out.

    `picks` has the share of each item. The functions take the place of an item, and the rest of the total.
    """

    def __init__(self, asking: JudgedChoice, allowed: Rows, sums: Rows, most: int) -> None:
        super().__init__(asking)
        self.allowed, self.sums = allowed, sums
        self.items, self.picks, self.many = (
            self.room("items", most),
            self.room("picks", most),
            self.room("many", 1),
        )
        self.add_judges(partial=False)
        self.unit.add(self._complete())

    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """The shares of all items, as a map."""
        many = self.many.one(x, lir.ZERO)
        local = self.choice.chosen
        if local is not None and local.name in read:
            of = local.type
            assert isinstance(of, MapOf)
            whole = self.unit.buffer(x.build.name, "shares", self.unit.shapes.room(of))
            maps.empty(x, of, whole)
            with count_up(x, lir.ZERO, many) as place:
                item = x.build.bind(self.items.one(x, place))
                maps.put(x, of, b.address(whole), item, (self.picks.one(x, place),))
            x.names[local.name] = (b.address(whole),)
        return many

    @contextmanager
    def each_part(self, x: RoutineLowerer, kind: Kind) -> Iterator[None]:
        """Each item with its share."""
        assert self.choice.item is not None
        with count_up(x, lir.ZERO, self.many.one(x, lir.ZERO)) as place:
            x.bind_local(self.choice.item, (self.items.one(x, place),))
            x.bind_local(self.choice.option, (self.picks.one(x, place),))
            yield

    def start(self, items: Words) -> None:
        """List the items."""
        self.keep_own()
        put_members(self.x, items, self.items, self.many)

    def _complete(self) -> lir.LowFunction:
        """Whether so much can be shared out among the items from a place on, so that the answer is fine."""
        x = self.function("complete", "place", "left")
        build, place, left = x.build, lir.Get("place"), lir.Get("left")
        with build.when(b.binary("eq", place, self.many.one(x, lir.ZERO))):
            build.emit(lir.LowReturn(b.zero(self.ask(x, "broken"))))
        self.spend(x)
        after = build.bind(self.sums.one(x, b.plus(place, 1)))
        numbers = build.variables((self.allowed.one(x, place),), "numbers")
        with taken_from(x, numbers) as (number, _):
            rest = build.bind(b.binary("sub", left, number))
            fits = b.binary("and", lir.LowBinary("shr_u", after, rest), lir.ONE)
            with build.when(b.both(b.binary("ge_s", rest, lir.ZERO), fits)):
                self.picks.put(x, place, (number,))
                with build.when(lir.LowCall(self.name("complete"), (b.plus(place, 1), rest))):
                    build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def options(self, able: lir.Expr, at: lir.Expr, left: lir.Expr) -> lir.Expr:
        """The numbers, of those that leave enough, that the item at an address may get, as a set."""
        x, build = self.x, self.x.build
        self.begin(x)
        place = build.bind(b.binary("shr_u", at, lir.Num(3)))
        mask = build.variables((lir.ZERO,), "mask")
        numbers = build.variables((able,), "numbers")
        with taken_from(x, numbers) as (number, bits):
            self.picks.put(x, place, (number,))
            rest = build.bind(b.binary("sub", left, number))
            with build.when(lir.LowCall(self.name("complete"), (b.plus(place, 1), rest))):
                include(x, mask, bits)
        return lir.Get(mask[0])

    def note_pick(self, at: lir.Expr, number: lir.Expr) -> None:
        """Note the share of the item at an address."""
        self.picks.put(self.x, self.x.build.bind(b.binary("shr_u", at, lir.Num(3))), (number,))
