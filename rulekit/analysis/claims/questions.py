"""Conditions asked of a program: whether one holds as the game begins, or in any situation at all.

A situation that was found is played on the interpreter before it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from rulekit import ir
from rulekit.analysis.claims.comparison import words_of_value
from rulekit.analysis.prove.answer_cache import AnswerCache
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.situation import RUNS, Situation, find_situation
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Flag, Type
from rulekit.runtime.codegen.assemble import GeneratedModule, optimised_program
from rulekit.runtime.support.build import Build
from rulekit.runtime.support.layout import FUEL

_FLAG = Flag()
BUDGET: Final = 200_000
"""Readings for one claim."""


@frozen
class ClaimSituation:
    """A situation in which a condition holds, in words; `begins` if it is how the game begins.

    `situation` is all of it, if it is asked for and is not the beginning of a question without parameters.
    """

    words: str
    begins: bool
    situation: Situation | None = None


class Questions:
    """Asks conditions of one program; all are known before the first is asked."""

    def __init__(
        self, program: ir.Program, asked: Iterable[ir.Function], answers: AnswerCache | None
    ) -> None:
        self._functions = {item.name: item for item in asked}
        bare = replace(
            program,
            functions=(*program.functions, *self._functions.values()),
            procedures=(),
            choices=(),
            invariants=(),
            examples=(),
            scenarios=(),
        )
        self._prover = Prover(program, solver=True, answers=answers)
        self._module = GeneratedModule(bare, Build(), optimised_program(bare, plain=True))

    def begins_so(self, name: str) -> bool:
        """Whether a condition holds of the states as they begin; one that faults does not."""
        return _safe(self._module.function(name), self._begin())

    def begins_as(self, name: str, kind: Type) -> str | None:
        """What an expression comes to as the game begins, in words; None where it faults."""
        try:
            value = self._module.function(name)(self._begin())
        except (Fault, IndexError, KeyError, ZeroDivisionError):
            return None
        return words_of_value(Naming(self._module.program).shown(kind, value))

    def prove_never(self, name: str, *, told: bool) -> Proved | Refuted[ClaimSituation] | Undecided:
        """Prove that a condition never holds.

        Situations that break an invariant do not count.

        Args:
            told: Whether the situation is to be shown.
        """
        item = self._functions[name]
        if not item.params and self.begins_so(name):
            return Refuted(ClaimSituation("", True))
        if told:
            answer = find_situation(self._prover, item.params, item.body, BUDGET)
            if not isinstance(answer, Refuted):
                return answer
            found = answer.evidence
            return Refuted(ClaimSituation(found.words, not found.departures, found))
        promises = self._prover.promises(item.body)
        quick = self._prover.prove_never(item.params, item.body, BUDGET, promises, told=False)
        return Refuted(ClaimSituation("", False)) if isinstance(quick, Refuted) else quick

    def _begin(self) -> list[Any]:
        state = self._module.layout.initial()
        state[FUEL] = RUNS
        return state


def _safe(test: Callable[..., Any], state: list[Any], *arguments: Any) -> bool:
    """Whether a condition holds; one that faults does not."""
    try:
        return bool(test(state, *arguments))
    except (Fault, IndexError, KeyError, ZeroDivisionError):
        return False
