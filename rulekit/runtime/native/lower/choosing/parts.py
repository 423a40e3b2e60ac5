"""Choices that split a set: each member joins a part, or begins a new one."""

from __future__ import annotations

from rulekit.ir import Const
from rulekit.ir.types import ListOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.refusals import CannotLower


class AskingForParts(Asking):
    """A choice that splits a set."""

    def answer(self) -> Words:
        """Each member in id order joins a part, or begins a new one."""
        choice, x, build = self.choice, self.x, self.x.build
        whole, kind = choice.candidates or choice.items, choice.answer
        assert whole is not None and isinstance(kind, ListOf)
        if not (choice.low is None or isinstance(choice.low, Const) and choice.low.value == 1):
            raise CannotLower(f"the choice `{choice.name}`, of a least number of parts,", choice.site)
        things = build.bind_all(self.words(whole), "things")
        many = build.bind(b.count(things))
        self.pay(many)
        high = many if choice.high is None else self.once(choice.high)
        stride = x.unit.shapes.words(kind.of)
        answer = x.unit.result(x.build.name, kind)
        x.store((answer, None), (lir.ZERO,))
        with x.members(things, "thing") as (thing, _):
            parts = build.bind(lir.Load(answer))
            most = b.plus(high, -1)
            total = build.bind(b.plus(b.pick(b.binary("lt_s", parts, most), parts, most), 1))
            self.stuck(b.binary("le_s", total, lir.ZERO))
            self.item = thing
            taken = build.bind(self.take(total, lambda told: self._tell_numbers(told, total)))
            place = (answer + CELL, build.bind(b.times(taken, stride * CELL)))
            with build.when(b.binary("ge_s", taken, parts)):
                x.store(place, tuple(lir.ZERO for _ in range(stride)))
                x.store((answer, None), (b.plus(parts, 1),))
            old = tuple(lir.Load(place[0] + CELL * n, place[1]) for n in range(stride))
            x.store(place, b.each("or", old, x.bit_words(thing, stride)))
        return (lir.Num(answer),)

    def _tell_numbers(self, buffer: int, total: lir.Expr) -> None:
        """Put the numbers from 1 to a number into a buffer, as a list."""
        x, build = self.x, self.x.build
        x.store((buffer, None), (lir.ZERO,))
        with build.loop("numbers") as label:
            with build.when(b.binary("ge_s", lir.Load(buffer), total)):
                build.emit(lir.LowBreak(label))
            x.store((buffer, None), (b.plus(lir.Load(buffer), 1),))
            x.store((buffer, b.times(lir.Load(buffer), CELL)), (lir.Load(buffer),))
