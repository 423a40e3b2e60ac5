"""Whether the signs of a side give away what is hidden from it.

The prover looks, in a `Twin`, for two situations that are alike to the side up to a sign and differ there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulekit.analysis.prove.conditions import parameters
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.secrecy.knowledge import Premise, Sign, Veiled
from rulekit.analysis.prove.secrecy.signs import Signs
from rulekit.analysis.prove.secrecy.twins import Twin
from rulekit.analysis.prove.situation import MARK, Contrast, find_contrast
from rulekit.analysis.verdicts import Judged, NotChecked, Obligation, Proved, Refuted, Verdict
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultTable
from rulekit.diagnostics import kinds
from rulekit.ir.memo import Trees
from rulekit.ir.semantics.facts import Facts

BUDGET: Final = 60_000
SOLVER_AFTER: Final = 1 / 3
"""Share of the budget after which a solver is asked: of the shipped sets, it decides what the rest would."""
MOST_SIGNS: Final = 400
"""Signs of one side that the prover judges; the others are not checked."""
_BEYOND: Final = NotChecked(f"the check judges {MOST_SIGNS} things that a side sees")


@frozen
class GivenAway:
    """Two situations in which a sign differs, and nothing that its side could see before.

    `origin`: the site of the sign; of one that depends on a parameter, of the call that gives it.
    """

    side: int
    contrast: Contrast
    origin: int


JudgedSign = Judged[Sign, GivenAway]


def judge_signs(
    facts: Facts,
    *,
    solver: bool,
    answers: ResultTable[object] | None = None,
    trees: Trees | None = None,
    budget: int = BUDGET,
) -> Iterator[JudgedSign]:
    """Prove of each sign that it gives nothing away; of several sides, for the first to which it does.

    Args:
        answers: Answers of other days; gets the new ones.
        trees: Results for trees of the program.
    """
    judged: dict[tuple[int, str], JudgedSign] = {}
    program = facts.program
    sides = program.by_name.domains.get(program.sides)  # which a set without players need not declare
    for side in range(len(sides.members) if sides is not None else 0):
        twin = Twin(facts, side)
        signs = Signs(facts, twin).all() if twin.hidden.states or facts.secret_draws else ()
        if not signs:
            continue
        prover = Prover(
            twin.program(), solver=solver, solver_after=SOLVER_AFTER, answers=answers, trees=trees
        )
        judge = _Judge(prover, twin, budget)
        for number, sign in enumerate(signs):
            key = sign.site, sign.what
            before = judged.get(key)
            if before is not None and not isinstance(before.verdict, Proved | NotChecked):
                continue
            verdict = judge.verdict(sign) if number < MOST_SIGNS else _BEYOND
            if before is None or not isinstance(verdict, Proved):
                span = program.sites[sign.site].span
                obligation = Obligation("sign", sign, sign.what, span, kinds.DISCLOSURE)
                judged[key] = Judged(obligation, verdict)
    yield from judged.values()


class _Judge:
    """Judges the signs of one side."""

    def __init__(self, prover: Prover, twin: Twin, budget: int) -> None:
        self._prover, self._twin, self._budget = prover, twin, budget

    def verdict(self, sign: Sign) -> Verdict[GivenAway]:
        if not all(map(self._may_differ, sign.of)):
            return Proved(how="what it depends on is the same")
        params = parameters(sign.test)
        copies = {param.name: param.name + MARK for param in params}
        twins = {**self._twin.states, **copies}
        answer = find_contrast(self._prover, params, sign.test, self._budget, twins)
        if not isinstance(answer, Refuted):
            return answer
        return Refuted(GivenAway(sign.side, answer.evidence, self._origin(sign.of, sign.site)))

    def _origin(self, of: Iterable[Veiled], site: int) -> int:
        """The site of the first call that gives what may differ; else the site itself."""
        for local in of:
            for premise in local.because or ():
                if self._holds(premise):
                    return self._origin(premise.of, site if premise.call is None else premise.call)
        return site

    def _may_differ(self, local: Veiled) -> bool:
        """True if a local differs between some two situations, for one of the reasons why it should."""
        return local.because is None or any(map(self._holds, local.because))

    def _holds(self, premise: Premise) -> bool:
        test = premise.test
        answer = self._prover.prove_never(parameters(test), test, self._budget, shown=False)
        return isinstance(answer, Refuted) and all(map(self._may_differ, premise.of))
