"""Picks of several members that are judged as a whole: a search for those that can still be completed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.ir import Local
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.choosing.judging import AnswerJudges, JudgedChoice, Kind
from rulekit.runtime.native.lower.choosing.rows import include, nothing, taken_from
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.optimise.bounds import MORE


class PickSearch(AnswerJudges):
    """The search of one choice of several members; the answer so far and the rest come as arguments."""

    def __init__(self, asking: JudgedChoice) -> None:
        super().__init__(asking)
        assert self.choice.chosen is not None
        self.chosen: Local = self.choice.chosen
        self.count = self.unit.shapes.words(self.chosen.type)
        self.so_far = tuple(f"chosen:{number}" for number in range(self.count))
        self.rest = tuple(f"rest:{number}" for number in range(self.count))
        self.params = (*self.so_far, *self.rest)
        self.low, self.high = self.room("low", 1), self.room("high", 1)
        self.add_judges()
        self.unit.add(self._completes())

    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """The members so far; of a partial answer those that may still come, too."""
        chosen = x.names[self.chosen.name] = b.gets(self.so_far)
        if kind == "hopeless":
            x.names[MORE + self.chosen.name] = b.each("or", chosen, b.gets(self.rest))
        return b.count(chosen)

    @contextmanager
    def each_part(self, x: RoutineLowerer, kind: Kind) -> Iterator[None]:
        """Each member so far."""
        with x.members(b.gets(self.so_far), "option") as (option, _):
            x.bind_local(self.choice.option, (option,))
            x.names[MORE + self.choice.option.name] = (option,)
            yield

    def _completes(self) -> lir.LowFunction:
        """Whether members can be added so that the answer is fine; it runs itself, and so has no buffers."""
        x = self.function("completes", *self.params)
        build, chosen, low = x.build, b.gets(self.so_far), self.low.one(x, lir.ZERO)
        so_far = build.bind(b.count(chosen))
        with build.when(b.binary("ge_s", so_far, low)):
            with build.when(b.zero(self.ask(x, "broken", *chosen, *nothing(self.count)))):
                build.emit(lir.LowReturn(lir.ONE))
        rest = build.variables(b.gets(self.rest), "rest")
        few = b.binary("lt_s", b.add(so_far, b.count(b.gets(rest))), low)
        full = b.binary("ge_s", so_far, self.high.one(x, lir.ZERO))
        with build.when(b.binary("or", full, few)):
            build.emit(lir.LowReturn(lir.ZERO))
        with build.when(self.ask(x, "hopeless", *chosen, *b.gets(rest))):
            build.emit(lir.LowReturn(lir.ZERO))
        with taken_from(x, rest) as (_, bits):
            more = b.each("or", chosen, bits)
            with build.when(lir.LowCall(self.name("completes"), (*more, *b.gets(rest)))):
                build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def start(self, low: lir.Expr, high: lir.Expr) -> None:
        """Keep what stays the same for all picks."""
        self.keep_own()
        self.low.put(self.x, lir.ZERO, (low,))
        self.high.put(self.x, lir.ZERO, (high,))

    def next_pick(
        self, legal: Words, chosen: tuple[str, ...], low: lir.Expr, high: lir.Expr
    ) -> tuple[Words, lir.Expr]:
        """The options for the next pick, and whether the picks so far may be the whole answer."""
        x, build = self.x, self.x.build
        self.begin(x)
        so_far = build.bind(b.count(b.gets(chosen)))
        picked = build.bind_all(b.pad(b.gets(chosen), self.count))
        done = build.variables((lir.ZERO,), "done")[0]
        with build.when(b.binary("ge_s", so_far, low)):
            build.set(done, b.zero(self.ask(x, "broken", *picked, *nothing(self.count))))
        rest = build.bind_all(b.without(b.pad(legal, self.count), picked))
        mask = build.variables(nothing(self.count), "mask")
        with build.when(b.binary("lt_s", so_far, high)):
            left = build.variables(rest, "left")
            with taken_from(x, left) as (_, bits):
                words = (*b.each("or", picked, bits), *b.without(rest, bits))
                with build.when(lir.LowCall(self.name("completes"), words)):
                    include(x, mask, bits)
        return b.gets(mask), lir.Get(done)
