"""Questions about a program: does a condition hold at the beginning, or in any situation?

The interpreter replays each situation before it is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.claims.words import words_of_value
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.situation import RUNS, Situation, find_situation
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultTable
from rulekit.compiler.model import RulingModel
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, conjunction, disjunction, negation
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Type
from rulekit.runtime.codegen.assemble import GeneratedModule, optimised_program
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.layout import FUEL


def breach(choice: ir.Choice, ruling: RulingModel, *, offered: bool) -> tuple[tuple[ir.Param, ...], ir.Expr]:
    """Return parameters, and the condition that norms treat an answer otherwise than the claim says.

    A norm that the rest of the answer may satisfy refuses nothing by itself.  `offered`: candidates only.
    """
    assert ruling.norm is not None
    if ruling.norm.declining:
        return _decline_breach(choice, ruling)
    lets = walk.written_out(choice.lets)
    refused = _refusal(choice)
    denied = refused if ruling.word == "permit" else negation(refused)
    whole = conjunction(ruling.norm.test, *(_candidate(choice) if offered else ()), denied)
    drawn = [local for local, _ in choice.fields] or [choice.option]
    locals_ = [local for local in (choice.item, *drawn, choice.before) if local is not None]
    params = (*choice.params, *(ir.Param(local.name, local.type) for local in locals_))
    return params, walk.substitute(whole, lets)


def _decline_breach(choice: ir.Choice, ruling: RulingModel) -> tuple[tuple[ir.Param, ...], ir.Expr]:
    """The same for declining: it is forbidden where it is claimed to be allowed, or the reverse."""
    assert ruling.norm is not None
    bound = disjunction(*(norm.test for norm in choice.norms if norm.declining))
    whole = conjunction(ruling.norm.test, bound if ruling.word == "permit" else negation(bound))
    item = () if choice.item is None else (ir.Param(choice.item.name, choice.item.type),)
    return (*choice.params, *item), walk.substitute(whole, walk.written_out(choice.lets))


def _refusal(choice: ir.Choice) -> ir.Expr:
    """The condition that a final norm forbids an answer, or that none of its permissions holds."""
    final = [norm for norm in choice.norms if norm.cover is None and norm.whole is None]
    refused = [norm.test for norm in final if norm.word != "permit" and not norm.declining]
    permits = [norm.test for norm in choice.norms if norm.word == "permit"]
    return disjunction(*refused, *([negation(disjunction(*permits))] if permits else []))


def _candidate(choice: ir.Choice) -> Iterator[ir.Expr]:
    """The conditions for an answer to be a candidate."""
    for local, among in choice.among:
        yield ir.Op("has", (local, among), FLAG)


BUDGET: Final = 200_000
"""Readings for one claim."""


@frozen
class ClaimSituation:
    """A situation in which a condition holds, in words; `begins`: it is the beginning of the game.

    `situation`: all of it, if the caller wants it and the situation is not the beginning.
    """

    words: str
    begins: bool
    situation: Situation | None = None


class Questions:
    """Answers questions about one program, all of them given at once."""

    def __init__(
        self, program: ir.Program, asked: Iterable[ir.Function], answers: ResultTable[Any] | None
    ) -> None:
        self._functions = {item.name: item for item in asked}
        functions = (*program.functions, *self._functions.values())
        bare = replace(program, functions=functions, procedures=(), choices=(), invariants=())
        bare = replace(bare, examples=(), scenarios=())
        self._prover = Prover(program, solver=True, answers=answers)
        self._module = GeneratedModule(bare, Build(), optimised_program(bare, plain=True))

    def begins_so(self, name: str) -> bool:
        """True if a condition holds at the beginning; one that faults does not."""
        return bool(self._value_at_start(name))

    def begins_as(self, name: str, kind: Type) -> str | None:
        """The value of an expression at the beginning, in words; None if it faults."""
        value = self._value_at_start(name)
        return None if value is None else words_of_value(Naming(self._module.program).to_json(kind, value))

    def _value_at_start(self, name: str) -> Any:
        state = self._module.layout.initial()
        state[FUEL] = RUNS
        try:
            return self._module.function(name)(state)
        except (Fault, IndexError, KeyError, ZeroDivisionError):
            return None

    def prove_never(
        self, name: str, *, shown: bool, aside: ir.Expr | None = None
    ) -> Proved | Refuted[ClaimSituation] | Undecided:
        """Prove that a condition never holds; situations that break an invariant do not count.

        `shown`: whether to return the situation, with the value of `aside` in it.
        """
        item = self._functions[name]
        if not item.params and self.begins_so(name):
            return Refuted(ClaimSituation("", True))
        if shown:
            answer = find_situation(self._prover, item.params, item.body, BUDGET, aside)
            if not isinstance(answer, Refuted):
                return answer
            situation = answer.evidence
            return Refuted(ClaimSituation(situation.words, not situation.departures, situation))
        promises = self._prover.promises(item.body)
        quick = self._prover.prove_never(item.params, item.body, BUDGET, promises, shown=False)
        return Refuted(ClaimSituation("", False)) if isinstance(quick, Refuted) else quick
