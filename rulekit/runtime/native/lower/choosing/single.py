"""Choices of one part: a member, yes or no, a number, or a combination of several names."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.ir import Expr, Filter, Local, walk
from rulekit.ir.conditions import TRUE, conjunction, conjuncts
from rulekit.ir.semantics.records import digits_of
from rulekit.ir.types import Record
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.support.build import MOST_OPTIONS

Part = Callable[[lir.Expr], lir.Expr]
"""Takes one of some options; one more follows them if the argument is 1."""


class AskingOnce(Asking):
    """A choice of one part."""

    def answer(self) -> Words:
        """One option: a member, yes or no, a number, or a record."""
        match self.choice.verb:
            case "pick_one":
                return (self._of_set(self.x.words(self.legal())),)
            case "decide":
                return (self._of_set((self._of_both(),)),)
            case _:
                return (self._of_list(self._records() if self.choice.fields else self._numbers()),)

    def _of_both(self) -> lir.Expr:
        """Yes and no, as far as norms allow them, as a set of 0 and 1."""
        if self.norms.option == TRUE:
            return lir.Num(3)
        x = self.x
        allowed = x.build.variables((lir.ZERO,), "allowed")[0]
        with x.members((lir.Num(3),)) as (value, _):
            x.bind_local(self.choice.option, (value,))
            with x.build.when(x.one(self.norms.option)):
                mask = b.binary("shl", lir.ONE, value)
                x.build.set(allowed, b.binary("or", lir.Get(allowed), mask))
        return lir.Get(allowed)

    def _of_set(self, words: Words) -> lir.Expr:
        words = self.x.build.bind_all(words)
        return self._answer(b.count(words), lambda extra: self.part(words, extra, int(NONE_WORD.value)))

    def _of_list(self, buffer: int) -> lir.Expr:
        def tell(told: int, extra: lir.Expr) -> None:
            room = b.plus(lir.Load(buffer), 1)
            self.x.build.emit(lir.LowRun("copy", (b.address(told), b.address(buffer), room)))
            self.tell_one_more(told, extra, int(NONE_WORD.value))

        def part(extra: lir.Expr) -> lir.Expr:
            many, build = lir.Load(buffer), self.x.build
            total = build.bind(b.add(many, extra))
            taken = self.take(total, lambda told: tell(told, extra))
            value = lir.Load(buffer + CELL, b.times(taken, CELL))
            if extra == lir.ZERO:
                answer = build.bind(value)
            else:
                local = build.variables((NONE_WORD,), "answer")[0]
                with build.when(b.binary("lt_s", taken, many)):
                    build.set(local, value)
                answer = lir.Get(local)
            self.tell_answer(total, answer)
            return answer

        return self._answer(lir.Load(buffer), part)

    def _answer(self, many: lir.Expr, part: Part) -> lir.Expr:
        """The answer of one part, where none is an option or the answer where nothing is legal."""
        build, able = self.x.build, self.choice.able
        many = build.bind(many)
        if able == "if_able":
            with build.when(b.zero(many)):
                may = self.may_decline()
                if may is not None:
                    self.stuck(b.zero(may))
            answer = build.variables((NONE_WORD,), "answer")[0]
            with build.when(many):
                build.set(answer, part(lir.ZERO))
            return lir.Get(answer)
        extra: lir.Expr = lir.ZERO
        if able == "none":
            may = self.may_decline()
            extra = lir.ONE if may is None else may
        if extra != lir.ONE:
            self.stuck(b.zero(b.add(many, extra)))
        return build.bind(part(extra))

    def _numbers(self) -> int:
        """The legal numbers, as a list in a buffer."""
        x, choice = self.x, self.choice
        assert choice.low is not None and choice.high is not None
        low, high = x.once(choice.low), x.once(choice.high)
        size = b.plus(b.binary("sub", high, low), 1)
        size = x.build.bind(size)
        why = messages.too_many(MOST_OPTIONS, size)
        x.fail_if(b.binary("gt_s", size, lir.Num(MOST_OPTIONS)), "too-many-options", None, why)
        buffer = x.unit.buffer(x.build.name, "options", 1 + x.unit.options_of(choice))
        length = x.build.variables((lir.ZERO,), "length")[0]
        number = x.build.variables((b.plus(low, -1),), "number")[0]
        with x.build.loop() as label:
            x.build.set(number, b.plus(lir.Get(number), 1))
            with x.build.when(b.binary("gt_s", lir.Get(number), high)):
                x.build.emit(lir.LowBreak(label))
            if self.norms.option != TRUE:
                x.bind_local(choice.option, (lir.Get(number),))
                with x.build.when(b.zero(x.one(self.norms.option))):
                    x.build.emit(lir.LowNext(label))
            x.build.set(length, b.plus(lir.Get(length), 1))
            x.store((buffer, b.times(lir.Get(length), CELL)), (lir.Get(number),))
        x.store((buffer, None), (lir.Get(length),))
        return buffer

    # ------------------------------------------------------------ records

    def _records(self) -> int:
        """The legal combinations of several names, as records in a list in a buffer."""
        x, choice = self.x, self.choice
        first = choice.fields[0][1]
        if x.unit.optimised.prices.of_part(choice.name):
            self.pay(b.count(x.words(first)))
        buffer = x.unit.buffer(x.build.name, "options", 1 + x.unit.options_of(choice))
        x.store((buffer, None), (lir.ZERO,))
        self._combine(list(self._legal_fields()), buffer)
        return buffer

    def _combine(self, sets: list[tuple[Local, Expr]], buffer: int) -> None:
        """Put all combinations of the fields that are left into a buffer."""
        x, kind = self.x, self.choice.option.type
        if not sets:
            assert isinstance(kind, Record)
            record: lir.Expr = lir.ZERO
            digits = digits_of(kind, x.unit.shapes.sizes)
            for (local, _), digit in zip(self.choice.fields, digits, strict=True):
                record = b.add(record, b.times(b.plus(x.names[local.name][0], -digit.low), digit.weight))
            length = x.build.bind(b.plus(lir.Load(buffer), 1))
            x.fail_if(b.binary("gt_s", length, lir.Num(MOST_OPTIONS)), "too-many-options")
            x.store((buffer, b.times(length, CELL)), (record,))
            x.store((buffer, None), (length,))
            return
        (local, legal), *rest = sets
        with x.members(x.words(legal), "field") as (member, _):
            x.bind_local(local, (member,))
            self._combine(rest, buffer)

    def _legal_fields(self) -> list[tuple[Local, Expr]]:
        """Each name with the members that norms leave it, as far as it and those before it can tell."""
        optimised, left = self.x.unit.optimised, conjuncts(self.norms.option)
        keep_all = optimised.facts.fallible(self.norms.option)
        later = {local.name for local, _ in self.choice.fields}
        fields: list[tuple[Local, Expr]] = []
        for local, among in self.choice.fields:
            later.discard(local.name)
            now = [test for test in left if not walk.free(test) & later] if not (keep_all and later) else []
            left = [test for test in left if test not in now]
            test = conjunction(*now)
            kept = among if test == TRUE else optimised.simple(Filter(among, local, test, among.type))
            fields.append((local, kept))
        return fields
