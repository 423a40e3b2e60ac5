"""Judges: functions that say whether a finished answer is broken, or a partial one hopeless.

`rulekit.runtime.support.search` defines which answers are judged, in which order, and how many. The judges
pay for each look as the Python back end's do. A judge finds the answer in memory or in its arguments: each
verb has its own way to hand it over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from rulekit.ir import Choice, Expr, Op, Param, walk
from rulekit.ir.conditions import FLAG
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.types import Type
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.choosing.rows import Rows
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.messages import Why
from rulekit.runtime.optimise.bounds import MORE, partial_answer
from rulekit.runtime.optimise.norms import Sorted, breach
from rulekit.runtime.support.build import SEARCH_NODES

Kind = Literal["broken", "hopeless"]


class JudgedChoice(Protocol):
    """The choice that is judged."""

    x: RoutineLowerer
    choice: Choice
    norms: Sorted


class AnswerJudges(ABC):
    """The judges of one choice.

    Attributes:
        judged: Whether there are norms to judge: without, every finished answer is fine, and none hopeless.
    """

    params: tuple[str, ...] = ()
    """The arguments that a judge gets."""

    def __init__(self, asking: JudgedChoice) -> None:
        self.x, self.choice, self.norms = asking.x, asking.choice, asking.norms
        self.unit: ModuleUnit = asking.x.unit
        self.judged = bool(self.norms.judged)
        lets = (Param(local.name, local.type) for local, _ in self.choice.lets)
        self.own = (*self.choice.params, *lets)
        words = sum(map(self._words_of, self.own))
        self._own_at = self.room("own", max(words, 1)).address
        self.left = self.room("left", 1).address
        """Where the partial answers are counted that may still be looked at."""

    def room(self, name: str, places: int, words: int = 1) -> Rows:
        """Rows of memory for the search of this choice."""
        return Rows(self.unit.buffer(f"choice {self.choice.name}", f"search {name}", places * words), words)

    def name(self, kind: str) -> str:
        """The name of a function of the search."""
        return f"{kind} {self.choice.name}"

    def function(self, kind: str, *params: str, result: Type | None = FLAG) -> RoutineLowerer:
        """A function of the search, of arguments of one word each."""
        x = RoutineLowerer(self.unit, self.name(kind), (), result, self.choice.site)
        x.build.params = params
        return x

    # ------------------------------------------------------------ what norms read

    def _words_of(self, param: Param) -> int:
        return self.unit.shapes.words(param.type)

    def keep_own(self) -> None:
        """Keep the choice's parameters and lets where the judges find them."""
        at = self._own_at
        for param in self.own:
            words = b.pad(self.x.names[param.name], self._words_of(param))
            self.x.store((at, None), words)
            at += CELL * len(words)

    def take_own(self, x: RoutineLowerer, expressions: list[Expr]) -> None:
        """Bind what expressions read of the choice's own values."""
        read = frozenset[str]().union(*map(walk.free, expressions))
        at = self._own_at
        for param in self.own:
            count = self._words_of(param)
            if param.name in read:
                x.names[param.name] = x.build.bind_all(tuple(lir.Load(at + CELL * n) for n in range(count)))
            at += CELL * count

    # ------------------------------------------------------------ judges

    @abstractmethod
    def hand_over(self, x: RoutineLowerer, kind: Kind, read: frozenset[str]) -> lir.Expr:
        """Bind the locals of the answer that are read, and return how many parts it has."""

    @abstractmethod
    def each_part(self, x: RoutineLowerer, kind: Kind) -> AbstractContextManager[None]:
        """Write the body of a loop over the parts, with their locals bound."""

    def add_judges(self, *, partial: bool = True) -> None:
        """Put the judges into the module: both, or that of finished answers alone."""
        if not self.judged:
            return
        breaches = self._breaches()
        self.unit.add(self._judge("broken", breaches))
        if partial:
            known = partial_answer(self.choice, self.unit.facts.functions, self.unit.optimised.context.fresh)
            self.unit.add(self._judge("hopeless", [known.flag(e)[0] for e in breaches]))

    def _breaches(self) -> list[Expr]:
        """For each judged norm that it is broken; for all permissions that none permits."""
        judged = self.norms.judged
        forbidding = [breach(self.choice, norm) for norm in judged if norm.word != "permit"]
        permitted = tuple(breach(self.choice, norm) for norm in judged if norm.word == "permit")
        if permitted:
            forbidding.append(Op("not", (Op("or", permitted, FLAG),), FLAG))
        return forbidding

    def _judge(self, kind: Kind, breaches: list[Expr]) -> lir.LowFunction:
        x = self.function(kind, *self.params)
        simple = [self.unit.optimised.simple(e) for e in breaches]
        self.take_own(x, simple)
        parts = self.hand_over(x, kind, frozenset[str]().union(*map(walk.free, simple)))
        once, part = self.unit.optimised.prices.of_norms(self.choice.name)
        x.pay(b.plus(b.times(parts, part), once), 1)
        own = self.choice.part_locals | {MORE + self.choice.option.name}
        by_part = [e for e in simple if walk.free(e) & own]
        for e in simple:
            if e not in by_part:
                _return_if(x, e)
        if by_part:
            with self.each_part(x, kind):
                for e in by_part:
                    _return_if(x, e)
        x.build.emit(lir.LowReturn(lir.ZERO))
        return x.finish()

    # ------------------------------------------------------------ asking them

    def begin(self, x: RoutineLowerer) -> None:
        """Allow as many looks as a search may take."""
        x.store((self.left, None), (lir.Num(SEARCH_NODES),))

    def spend(self, x: RoutineLowerer) -> None:
        """Count one partial answer; a fault if there have been too many."""
        x.store((self.left, None), (b.plus(lir.Load(self.left), -1),))
        why = Why(texts.search_limit(SEARCH_NODES))
        x.fail_if(b.binary("lt_s", lir.Load(self.left), lir.ZERO), "undecided-choice", None, why)

    def ask(self, x: RoutineLowerer, kind: Kind, *words: lir.Expr) -> lir.Expr:
        """Count a look, and take it: whether the answer at hand is broken, or hopeless."""
        self.spend(x)
        return x.build.bind(lir.LowCall(self.name(kind), words)) if self.judged else lir.ZERO


def _return_if(x: RoutineLowerer, e: Expr) -> None:
    holds = x.one(e)
    with x.build.when(holds):
        x.build.emit(lir.LowReturn(lir.ONE))
