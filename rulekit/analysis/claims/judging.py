"""A verdict for each claim, by the method that fits what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from rulekit import ir
from rulekit.analysis.claims.blame import BlameFinder
from rulekit.analysis.claims.booklet import Booklet
from rulekit.analysis.claims.cases import CaseRunner
from rulekit.analysis.claims.play_order import PlayOrder
from rulekit.analysis.claims.questions import ClaimSituation, Questions, breach
from rulekit.analysis.claims.references import References
from rulekit.analysis.claims.verdict import ClaimVerdict, Contradiction, JudgedClaim, contradiction
from rulekit.analysis.claims.words import (
    comparison_of,
    denial,
    example_lines,
    ruling_examples,
    source_text,
    words_of_value,
)
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
from rulekit.syntax.tree import items as i

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
        case CaseModel(example=example):
            return kinds.BROKEN_CLAIM if example.measures else kinds.BROKEN_EXAMPLE
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
        booklet = Booklet(compiled)
        self._cases = CaseRunner(compiled, booklet, tell)
        self._references = References(compiled, booklet)
        self._order = PlayOrder(compiled, booklet)

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
        stated = _statement_of(claim)
        aside = None if stated.word == "never" else comparison_of(law.claimed)
        shown = self._tell(claim) or law.always
        answer = self._questions.prove_never(name, shown=shown, aside=aside)
        situation = _situation_of(answer)
        value = words_of_value(situation.aside[0]) if situation and situation.aside else None
        verdict = _verdict(claim, answer, self._denial(stated, value))
        if isinstance(verdict, Undecided):
            return self._in_play(claim, law) or verdict
        return self._with_data(claim, verdict, situation)

    def _denial(self, stated: i.Stated, value: str | None = None) -> str:
        """Return the fact that contradicts a statement, in words."""
        if stated.word == "never":
            return f"`{source_text(self._compiled, stated.condition.span)}` is true"
        return denial(self._compiled, stated.condition, value)

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
                instead = f"in a game {self._denial(_statement_of(claim))}"
                return Refuted(Contradiction(instead, "", place, replay=game.replay, examples=(shown,)))
            case Proved() as proved:
                return proved
            case Undecided():
                return None

    def _fact(self, claim: ClaimModel, fact: Fact, name: str) -> ClaimVerdict:
        if self._questions.begins_so(name):
            return Proved()
        first = comparison_of(fact.condition)
        value = None if first is None else self._questions.begins_as(f"{name}:first", first.type)
        return self._with_data(claim, contradiction(denial(self._compiled, fact.written, value)))

    def _ruling(self, claim: ClaimModel, ruling: RulingModel, name: str) -> ClaimVerdict:
        if ruling.norm is None:
            return _declining(self._compiled, ruling)
        if ruling.norm.declining:
            answer = self._questions.prove_never(name, shown=self._tell(claim))
            what = "must be answered" if ruling.word == "permit" else "may be declined"
            verdict = _verdict(claim, answer, f"`{ruling.choice}` {what}")
            return self._with_answers(verdict, ruling, answer)
        # Most norms refuse whatever is offered, which is the shorter question.
        answer = self._questions.prove_never(f"{name}:any", shown=False)
        if not isinstance(answer, Proved):
            answer = self._questions.prove_never(name, shown=self._tell(claim))
        verb, printed = ("refuse", "legal") if ruling.word == "permit" else ("accept", "illegal")
        instead = f"the rules {verb} an answer to `{ruling.choice}` that is printed as {printed}"
        return self._with_answers(_verdict(claim, answer, instead), ruling, answer)

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
        case Fact(condition=condition):
            yield ir.Function(name, (), FLAG, condition, claim.site)
            if (first := comparison_of(condition)) is not None:
                yield ir.Function(f"{name}:first", (), first.type, first, claim.site)
        case Law(params=params, breach=condition):
            yield ir.Function(name, params, FLAG, condition, claim.site)
        case RulingModel(norm=ir.Norm()) as ruling:
            for end, offered in (("", True), (":any", False)):
                params, condition = breach(compiled.model.choices[ruling.choice], ruling, offered=offered)
                yield ir.Function(name + end, params, FLAG, condition, claim.site)
        case RulingModel() | CaseModel() | ReferenceModel() | Precedence() | Title():
            return


def _situation_of(answer: _Answer) -> Situation | None:
    return answer.evidence.situation if isinstance(answer, Refuted) else None


def _verdict(claim: ClaimModel, answer: _Answer, instead: str) -> ClaimVerdict:
    if not isinstance(answer, Refuted):
        return answer
    words, begins = answer.evidence.words, answer.evidence.begins
    if isinstance(claim.content, Law) and claim.content.always and not begins:
        return Undecided(f"no game is known to reach this: {words}")
    return Refuted(Contradiction(instead, f"when {words}" if words else "at the start of the game"))


def _statement_of(claim: ClaimModel) -> i.Stated:
    """The condition of a claim that is a law."""
    assert isinstance(claim.decl, i.Claim) and isinstance(claim.decl.content, i.Stated)
    return claim.decl.content


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
