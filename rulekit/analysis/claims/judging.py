"""A verdict for each claim, by the method that fits what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from rulekit import ir
from rulekit.analysis.claims.blame import BlameFinder
from rulekit.analysis.claims.cases import CaseRunner
from rulekit.analysis.claims.play_order import PlayOrder
from rulekit.analysis.claims.questions import ClaimSituation, Questions, breach
from rulekit.analysis.claims.references import References
from rulekit.analysis.claims.verdict import ClaimVerdict, Contradiction, JudgedClaim, contradiction
from rulekit.analysis.claims.words import comparison_of, example_lines, ruling_examples
from rulekit.analysis.prove.situation import Situation
from rulekit.analysis.verdicts import Judged, Obligation, Proved, Refuted, Undecided
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.lower import lower_for_claims
from rulekit.compiler.model import (
    CaseModel,
    ClaimModel,
    Fact,
    Law,
    Precedence,
    ReferenceModel,
    RulingModel,
    Title,
)  # fmt: skip
from rulekit.diagnostics import Kind, kinds
from rulekit.ir.conditions import FLAG
from rulekit.runtime.support.build import TooLarge

_Answer = Proved | Refuted[ClaimSituation] | Undecided


def judge_claims(
    compiled: Compiled,
    *,
    tell: Callable[[ClaimModel], bool],
    only: Callable[[ClaimModel], bool] = lambda _: True,
) -> Iterator[JudgedClaim]:
    """Judge each claim and each reading of errata, in their order.

    Args:
        tell: Whether to work out, where it takes long, how the rules differ from a claim.
        only: Which of them to judge.
    """
    claims = tuple(filter(only, compiled.model.claims))
    if not claims:
        return
    try:
        bench = _Bench(compiled, claims, tell)
        verdicts = [bench.verdict(claim, number) for number, claim in enumerate(claims)]
    except TooLarge as error:
        verdicts = [Undecided(str(error)) for _ in claims]
    for claim, verdict in zip(claims, verdicts, strict=True):
        obligation = Obligation("claim", claim, claim.name, claim.decl.name.span, kind_of(claim))
        yield Judged(obligation, verdict)


def kind_of(claim: ClaimModel) -> Kind:
    """The kind of finding that reports that a claim does not hold."""
    match claim.content:
        case CaseModel():
            return kinds.BROKEN_EXAMPLE
        case ReferenceModel() | Title():
            return kinds.WRONG_REFERENCE
        case Fact() | Law() | RulingModel() | Precedence():
            return kinds.BROKEN_CLAIM


class _Bench:
    """Judges the claims of one rule set."""

    def __init__(
        self, compiled: Compiled, claims: Sequence[ClaimModel], tell: Callable[[ClaimModel], bool]
    ) -> None:
        self._compiled = compiled
        numbered = enumerate(claims)
        asked = [
            question for number, claim in numbered for question in _questions_of(compiled, claim, number)
        ]
        self._program = lower_for_claims(compiled.program, compiled.model)
        self._questions = Questions(self._program, asked, compiled.workspace.answers)
        self._tell = tell
        self._cases = CaseRunner(compiled, tell)
        self._references = References(compiled)
        self._order = PlayOrder(compiled)

    def verdict(self, claim: ClaimModel, number: int) -> ClaimVerdict:
        """The verdict on a claim."""
        name = f"claim:{number}"
        match claim.content:
            case Fact() as fact:
                return self._fact(claim, fact, name)
            case Law() as law:
                return self._law(claim, law, name)
            case RulingModel() as ruling:
                return self._ruling(claim, ruling, name)
            case CaseModel():
                return self._cases.verdict(claim)
            case ReferenceModel() as reference:
                return self._references.under(reference)
            case Title() as title:
                return self._references.title_verdict(title)
            case Precedence() as precedence:
                return self._order.verdict(precedence)

    def _law(self, claim: ClaimModel, law: Law, name: str) -> ClaimVerdict:
        answer = self._questions.prove_never(name, shown=self._tell(claim) or law.always)
        verdict = _verdict(claim, answer)
        if isinstance(verdict, Undecided):
            return self._in_play(claim, law) or verdict
        return self._with_data(claim, verdict, _situation_of(answer))

    def _in_play(self, claim: ClaimModel, law: Law) -> ClaimVerdict | None:
        """The verdict of games on a law about play; None if they do not decide it."""
        if not law.always or law.params:
            return None
        # Games are played only where nothing else decides.
        from rulekit.analysis.explore.never_claims import play_for_breach

        prefix = self._compiled.rule_set.manifest.prefix
        match play_for_breach(self._program, prefix, claim.name, law.breach, claim.site):
            case Refuted(evidence=game):
                place = None if game.site is None else game.site.span
                shown = game.lines if self._tell(claim) else ()
                return Refuted(Contradiction("a game reaches it", place, game.replay, examples=(shown,)))
            case Proved() as proved:
                return proved
            case Undecided():
                return None

    def _fact(self, claim: ClaimModel, fact: Fact, name: str) -> ClaimVerdict:
        if self._questions.begins_so(name):
            return Proved()
        words = ""
        if (about := comparison_of(fact.condition)) is not None:
            first, how = about
            shown = self._questions.begins_as(f"{name}:first", first.type)
            words = "" if shown is None else how.format(shown)
        return self._with_data(claim, contradiction(words))

    def _ruling(self, claim: ClaimModel, ruling: RulingModel, name: str) -> ClaimVerdict:
        if ruling.norm is None:
            return _declining(self._compiled, ruling)
        if ruling.norm.declining:
            answer = self._questions.prove_never(name, shown=self._tell(claim))
            return self._with_answers(_free(claim, ruling, answer), ruling, answer)
        # Most norms refuse whatever is offered, which is the shorter question.
        answer = self._questions.prove_never(f"{name}:any", shown=False)
        if not isinstance(answer, Proved):
            answer = self._questions.prove_never(name, shown=self._tell(claim))
        return self._with_answers(_verdict(claim, answer), ruling, answer)

    def _with_data(
        self, claim: ClaimModel, verdict: ClaimVerdict, situation: Situation | None = None
    ) -> ClaimVerdict:
        """A refutation with its situation as an example, and the rows of data behind it."""
        if not isinstance(verdict, Refuted) or not self._tell(claim):
            return verdict
        examples = (example_lines(self._compiled, claim, situation),)
        blame = self._blame.of(claim, situation.values if situation else {})
        return Refuted(replace(verdict.evidence, examples=examples, blame=blame))

    def _with_answers(self, verdict: ClaimVerdict, ruling: RulingModel, answer: _Answer) -> ClaimVerdict:
        """A refutation with examples of answers in its situation."""
        situation = _situation_of(answer)
        if not isinstance(verdict, Refuted) or situation is None:
            return verdict
        examples = tuple(ruling_examples(self._compiled, ruling, situation))
        return Refuted(replace(verdict.evidence, examples=examples))

    @cached_property
    def _blame(self) -> BlameFinder:
        return BlameFinder(self._compiled, self._program)


def _questions_of(compiled: Compiled, claim: ClaimModel, number: int) -> Iterator[ir.Function]:
    """The questions that decide a claim, if it is a condition."""
    name = f"claim:{number}"
    match claim.content:
        case Fact(condition):
            yield ir.Function(name, (), FLAG, condition, claim.site)
            if (about := comparison_of(condition)) is not None:
                yield ir.Function(f"{name}:first", (), about[0].type, about[0], claim.site)
        case Law(params, condition):
            yield ir.Function(name, params, FLAG, condition, claim.site)
        case RulingModel(norm=ir.Norm()) as ruling:
            for end, offered in (("", True), (":any", False)):
                params, condition = breach(compiled.model.choices[ruling.choice], ruling, offered=offered)
                yield ir.Function(name + end, params, FLAG, condition, claim.site)
        case RulingModel() | CaseModel() | ReferenceModel() | Precedence() | Title():
            return


def _situation_of(answer: _Answer) -> Situation | None:
    return answer.evidence.situation if isinstance(answer, Refuted) else None


def _verdict(claim: ClaimModel, answer: _Answer) -> ClaimVerdict:
    if not isinstance(answer, Refuted):
        return answer
    words, begins = answer.evidence.words, answer.evidence.begins
    if isinstance(claim.content, Law) and claim.content.always and not begins:
        return Undecided(f"no game is known to reach this: {words}")
    return contradiction(f"when {words}" if words else "at the start of the game")


def _free(claim: ClaimModel, ruling: RulingModel, answer: _Answer) -> ClaimVerdict:
    """The verdict on declining a choice whose verb allows it: norms may forbid that."""
    verdict = _verdict(claim, answer)
    if not isinstance(verdict, Refuted):
        return verdict
    what = "must be answered" if ruling.word == "permit" else "may be declined"
    return contradiction(f"`{ruling.choice}` {what} {verdict.evidence.words}")


def _declining(compiled: Compiled, ruling: RulingModel) -> ClaimVerdict:
    """The verdict on declining a choice whose verb decides that alone."""
    choice = compiled.model.choices[ruling.choice]
    where: Span = compiled.names.choices[ruling.choice].verb.span
    if choice.able == "if_able":
        words = f"`{choice.name}` is declined where nothing else is legal, and only there"
        return contradiction(words, where)
    if ruling.word == "permit":
        return contradiction(f"`{choice.name}` must be answered", where)
    return Proved()
