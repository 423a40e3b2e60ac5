"""The conditions of a rule set that can never hold where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.search import Answer
from rulekit.analysis.verdicts import Judged, Obligation, Proved, Refuted, Undecided
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.model import Condition, Role, owner_of
from rulekit.diagnostics import Kind, kinds
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG, conjunction
from rulekit.ir.types import SetOf

BUDGET: Final = 6_000
"""Readings for one condition: most of those that can hold are seen to within a hundred."""


_KINDS: Final[dict[Role, Kind]] = {
    "case": kinds.UNREACHABLE_CASE,
    "branch": kinds.UNREACHABLE_CASE,
    "otherwise": kinds.UNREACHABLE_CASE,
    "note": kinds.UNREACHABLE_CASE,
    "norm": kinds.IDLE_NORM,
    "unless": kinds.IDLE_EXCEPTION,
    "when": kinds.IDLE_CLAUSE,
    "dates": kinds.IDLE_CLAUSE,
}


@frozen
class NeverHolds:
    """A condition that never holds; `alone` if not even without what is given around it."""

    alone: bool


JudgedCondition = Judged[Condition, NeverHolds]


def judge_conditions(
    prover: Prover, conditions: Iterable[Condition], budget: int = BUDGET, *, among: bool = True
) -> Iterator[JudgedCondition]:
    """Prove of each condition that it holds in some situation; one verdict for each place.

    A condition that appears in several places at once (a clause of what is amended, a copied body) is dead
    only where it is so in all of them.

    Args:
        among: Whether the conditions of a norm are about the candidates of its choice alone.
    """
    judge = _Judge(prover, budget, among=among)
    for conditions_here in _by_place(conditions):
        first, last = conditions_here[0], conditions_here[-1]
        subject = f"{last.role} of {owner_of(last)}"
        yield Judged(
            Obligation("condition", first, subject, first.span, _KINDS[first.role]),
            judge.verdict(conditions_here),
        )


class _Judge:
    """Judges the conditions of one program, each question asked once."""

    def __init__(self, prover: Prover, budget: int, *, among: bool) -> None:
        self._prover, self._budget = prover, budget
        self._offered = _Offered(prover.program.choices) if among else None
        self._known: dict[tuple[ir.Expr, ...], Answer] = {}

    def verdict(self, places: Sequence[Condition]) -> Proved | Refuted[NeverHolds] | Undecided:
        first = places[0]
        answers = [self._ask((*one.given, one.test, *self._beside(one))) for one in places]
        if any(isinstance(answer, Refuted) for answer in answers):
            return Proved()
        # What is impossible by itself may be hidden by what is given, which is tried before it.
        if _all_never([self._ask((one.test,)) for one in places]):
            return Refuted(NeverHolds(alone=True))
        if not _all_never(answers):
            return next(answer for answer in answers if isinstance(answer, Undecided))
        # Where the cases before leave nothing, the finding is about them.
        before = first.given[:-1] if first.role == "otherwise" else first.given
        if before and _all_never([self._ask(before)]):
            return Proved()
        return Refuted(NeverHolds(alone=False))

    def _beside(self, condition: Condition) -> Iterable[ir.Expr]:
        return self._offered.beside(condition) if self._offered is not None else ()

    def _ask(self, tests: tuple[ir.Expr, ...]) -> Answer:
        if tests not in self._known:
            self._known[tests] = prove_never_together(self._prover, tests, self._budget)
        return self._known[tests]


def _all_never(answers: Sequence[Answer]) -> bool:
    return all(isinstance(answer, Proved) for answer in answers)


def prove_never_together(prover: Prover, tests: Sequence[ir.Expr], budget: int = BUDGET) -> Answer:
    """Prove that some tests never hold together; the locals they read may have any value of their types.

    Situations that break an invariant or an assumption about nothing else do not count.
    """
    test = conjunction(*tests)
    return prover.prove_never(parameters(test), test, budget, prover.promises(test, near=True), shown=False)


class _Offered:
    """What is known of the locals of norms: items and options are among those of their choice."""

    def __init__(self, choices: Iterable[ir.Choice]) -> None:
        self._choices = {f"{choice.name}.{norm.name}": choice for choice in choices for norm in choice.norms}

    def beside(self, condition: Condition) -> Iterator[ir.Expr]:
        """That what a condition of a norm reads of the answer is there to choose."""
        choice = self._choices.get(condition.owner) if condition.role in ("norm", "unless", "when") else None
        if choice is None:
            return
        read = walk.free(condition.test).union(*map(walk.free, condition.given))
        lets = walk.written_out(choice.lets)
        for local, among in reversed(choice.among):
            if local.name not in read or not isinstance(among.type, SetOf):
                continue
            there = walk.substitute(among, lets)
            yield ir.Op("has", (local, there), FLAG)
            read |= walk.free(there)


def _by_place(conditions: Iterable[Condition]) -> Iterator[list[Condition]]:
    places: dict[Span, list[Condition]] = {}
    for condition in conditions:
        places.setdefault(condition.span, []).append(condition)
    yield from places.values()


def parameters(test: ir.Expr) -> list[ir.Param]:
    """The locals of a test with their types: as declared, where some part reads them so."""
    wanted = walk.free(test)
    params: dict[str, ir.Param] = {}
    for node in walk.nodes(test):
        if isinstance(node, ir.Local) and node.name in wanted:
            if node.declared is None or node.name not in params:
                params[node.name] = ir.Param(node.name, node.type)
    return list(params.values())
