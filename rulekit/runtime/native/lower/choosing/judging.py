"""Picks that are judged on the finished answer: a search for those that can still be completed.

`rulekit.runtime.support.search` defines which partial answers are tried, in which order, and how many; the
judges pay for each look as the Python back end's do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rulekit.ir import Choice, Expr, Op, Param, walk
from rulekit.ir.conditions import FLAG
from rulekit.ir.types import Int
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import operations
from rulekit.runtime.native.lower.builder import LowBuilder, Words
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.optimise.bounds import MORE, partial_answer
from rulekit.runtime.optimise.norms import Sorted, breach
from rulekit.runtime.support.build import SEARCH_NODES

REST = "#rest"
"""The parameter with all members that may still come into the answer."""


class JudgedChoice(Protocol):
    """The choice that is judged."""

    x: RoutineLowerer
    choice: Choice
    norms: Sorted


class PickSearch:
    """The search of one choice of several members."""

    def __init__(self, asking: JudgedChoice) -> None:
        self.unit: ModuleUnit = asking.x.unit
        self.choice, self.norms, self.x = asking.choice, asking.norms, asking.x
        chosen = self.choice.chosen
        assert chosen is not None
        self.chosen = chosen
        self.own = (*self.choice.params, *(Param(local.name, local.type) for local, _ in self.choice.lets))
        self.left = self.unit.memory.reserve(1)
        self.count = self.unit.shapes.words(chosen.type)
        self.unit.add(self._judge("broken", self._breaches()))
        partial = partial_answer(self.choice, self.unit.facts.functions, self.unit.optimised.context.fresh)
        self.unit.add(self._judge("hopeless", [partial.flag(e)[0] for e in self._breaches()]))
        self.unit.add(self._completes())

    def name(self, kind: str) -> str:
        """The name of a function of the search."""
        return f"{kind} {self.choice.name}"

    # ------------------------------------------------------------ judges

    def _breaches(self) -> list[Expr]:
        """For each judged norm that it is broken; for all permissions that none permits."""
        judged = self.norms.judged
        forbidding = [breach(self.choice, norm) for norm in judged if norm.word != "permit"]
        permitted = tuple(breach(self.choice, norm) for norm in judged if norm.word == "permit")
        if permitted:
            forbidding.append(Op("not", (Op("or", permitted, FLAG),), FLAG))
        return forbidding

    def _judge(self, kind: str, breaches: list[Expr]) -> lir.LowFunction:
        """Whether a finished answer is broken, or a partial one hopeless."""
        rest = (Param(REST, self.chosen.type),) if kind == "hopeless" else ()
        params = (*self.own, Param(self.chosen.name, self.chosen.type), *rest)
        x = RoutineLowerer(self.unit, self.name(kind), params, FLAG, self.choice.site)
        chosen = x.names[self.chosen.name]
        if rest:
            x.names[MORE + self.chosen.name] = b.each("or", chosen, x.names[REST])
        simple = [self.unit.optimised.simple(e) for e in breaches]
        once, part = self.unit.optimised.prices.of_norms(self.choice.name)
        x.pay(b.plus(b.times(b.count(chosen), part), once), 1)
        own = self.choice.part_locals | {MORE + self.choice.option.name}
        by_part = [e for e in simple if walk.free(e) & own]
        for e in simple:
            if e not in by_part:
                self._return_if(x, e)
        if by_part:
            with x.members(chosen, "option") as (option, _):
                x.bind_local(self.choice.option, (option,))
                x.names[MORE + self.choice.option.name] = (option,)
                for e in by_part:
                    self._return_if(x, e)
        x.build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    def _return_if(self, x: RoutineLowerer, e: Expr) -> None:
        holds = x.one(e)
        with x.build.when(holds):
            x.build.emit(lir.LowReturn(lir.ONE))

    # ------------------------------------------------------------ search

    def _spend(self, build: LowBuilder) -> None:
        """Count one partial answer; a fault if there have been too many."""
        build.emit(lir.Store(self.left, None, b.plus(lir.Load(self.left), -1)))
        with build.when(b.binary("lt_s", lir.Load(self.left), lir.ZERO)):
            build.emit(lir.LowFail(self.unit.fault("undecided-choice"), self.choice.site))

    def _ask_judge(self, build: LowBuilder, kind: str, words: Words) -> lir.Expr:
        self._spend(build)
        own = tuple(word for param in self.own for word in self._own_words[param.name])
        return build.bind(lir.LowCall(self.name(kind), (*own, *words)))

    def _completes(self) -> lir.LowFunction:
        """Whether members can be added so that the answer is fine; it runs itself, and so has no buffers."""
        sizes = (Param("#low", Int(0, 0)), Param("#high", Int(0, 0)))
        params = (*self.own, *sizes, Param(self.chosen.name, self.chosen.type), Param(REST, self.chosen.type))
        x = RoutineLowerer(self.unit, self.name("completes"), params, FLAG, self.choice.site)
        build, self._own_words = x.build, x.names
        chosen, low, high = x.names[self.chosen.name], x.names["#low"][0], x.names["#high"][0]
        so_far = build.bind(b.count(chosen))
        with build.when(b.binary("ge_s", so_far, low)):
            broken = self._ask_judge(build, "broken", chosen)
            with build.when(b.zero(broken)):
                build.emit(lir.LowReturn(lir.ONE))
        rest = build.variables(x.names[REST], "rest")
        few = b.binary("lt_s", b.add(so_far, b.count(b.gets(rest))), low)
        with build.when(b.binary("or", b.binary("ge_s", so_far, high), few)):
            build.emit(lir.LowReturn(lir.ZERO))
        with build.when(self._ask_judge(build, "hopeless", (*chosen, *b.gets(rest)))):
            build.emit(lir.LowReturn(lir.ZERO))
        own = tuple(word for param in (*self.own, *sizes) for word in x.names[param.name])
        with self._each_of(x, rest) as bits:
            for local, bit in zip(rest, bits, strict=True):
                build.set(local, b.binary("xor", lir.Get(local), bit))
            more = b.each("or", chosen, bits)
            with build.when(lir.LowCall(self.name("completes"), (*own, *more, *b.gets(rest)))):
                build.emit(lir.LowReturn(lir.ONE))
        build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    @contextmanager
    def _each_of(self, x: RoutineLowerer, left: tuple[str, ...]) -> Iterator[Words]:
        """Write the body of a loop over the lowest member of a set that shrinks, as a set."""
        with x.build.loop("each") as label:
            with x.build.when(b.zero(b.any_word(b.gets(left)))):
                x.build.emit(lir.LowBreak(label))
            member = x.build.bind(operations.lowest(b.gets(left)))
            yield x.build.bind_all(x.bit_words(member, len(left)))

    def next_pick(
        self, legal: Words, chosen: tuple[str, ...], low: lir.Expr, high: lir.Expr
    ) -> tuple[Words, lir.Expr]:
        """The options for the next pick, and whether the picks so far may be the whole answer."""
        x, build = self.x, self.x.build
        self._own_words = x.names
        build.emit(lir.Store(self.left, None, lir.Num(SEARCH_NODES)))
        so_far = build.bind(b.count(b.gets(chosen)))
        picked = build.bind_all(b.gets(chosen))
        done = build.variables((lir.ZERO,), "done")[0]
        with build.when(b.binary("ge_s", so_far, low)):
            build.set(done, b.zero(self._ask_judge(build, "broken", picked)))
        rest = build.bind_all(b.without(legal, picked))
        mask = build.variables(tuple(lir.ZERO for _ in rest), "mask")
        own = tuple(word for param in self.own for word in x.names[param.name])
        with build.when(b.binary("lt_s", so_far, high)):
            left = build.variables(rest, "left")
            with self._each_of(x, left) as bits:
                for local, bit in zip(left, bits, strict=True):
                    build.set(local, b.binary("xor", lir.Get(local), bit))
                words = (*b.each("or", picked, bits), *b.without(rest, bits))
                with build.when(lir.LowCall(self.name("completes"), (*own, low, high, *words))):
                    for local, bit in zip(mask, bits, strict=True):
                        build.set(local, b.binary("or", lir.Get(local), bit))
        return b.gets(mask), lir.Get(done)
