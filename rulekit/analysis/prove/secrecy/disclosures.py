"""Whether the signs of a side give away what is hidden from it.

The prover looks, in a `Twin`, for two situations that are alike to the side up to a sign and differ there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.conditions import parameters
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.secrecy.knowledge import Premise, Secret, Sign, Veiled
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
    """That a sign differs between two situations, and nothing that its side could see before.

    `contrast`: the two situations; None where another sign shows them for what is given away here.
    `origin`: the site of the sign; of one that depends on a parameter, of the call that gives it.
    """

    side: int
    contrast: Contrast | None
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
    examples = _Examples(facts.program)
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
        judge = _Judge(prover, twin, budget, examples)
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


class _Examples:
    """Tells which signs show two situations: one of all that give away the same at one place."""

    def __init__(self, program: ir.Program) -> None:
        self._sites = program.sites
        self._shown: set[tuple[Secret, bool]] = set()

    def needs(self, sign: Sign, origin: int) -> bool:
        """True if no sign shows yet what this one gives away, or none at its own place does."""
        secret, away = sign.secret_at(self._sites[origin]), sign.site != origin
        return (secret, False) not in self._shown and (not away or (secret, True) not in self._shown)

    def add(self, sign: Sign, origin: int) -> None:
        """Note that two situations are shown of a sign."""
        self._shown.add((sign.secret_at(self._sites[origin]), sign.site != origin))


class _Judge:
    """Judges the signs of one side."""

    def __init__(self, prover: Prover, twin: Twin, budget: int, examples: _Examples) -> None:
        self._prover, self._twin, self._budget, self._examples = prover, twin, budget, examples
        self._held: dict[int, tuple[Premise, bool]] = {}
        """Of premises, by identity: many signs have the same."""

    def verdict(self, sign: Sign) -> Verdict[GivenAway]:
        if not all(map(self._may_differ, sign.of)):
            return Proved(how="what it depends on is the same")
        params = parameters(sign.test)
        copies = {param.name: param.name + MARK for param in params}
        twins = {**self._twin.states, **copies}
        origin = self._origin(sign.of, sign.site)
        in_words = self._examples.needs(sign, origin)
        answer = find_contrast(self._prover, params, sign.test, self._budget, twins, in_words=in_words)
        if not isinstance(answer, Refuted):
            return answer
        if in_words:
            self._examples.add(sign, origin)
        return Refuted(GivenAway(sign.side, answer.evidence, origin))

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
        if id(premise) not in self._held:
            test = premise.test
            answer = self._prover.prove_never(parameters(test), test, self._budget, shown=False)
            holds = isinstance(answer, Refuted) and all(map(self._may_differ, premise.of))
            self._held[id(premise)] = premise, holds
        return self._held[id(premise)][1]
