"""A verdict for each claim, by the method that fits what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from rulekit import ir
from rulekit.analysis.claims.blame import BlameFinder
from rulekit.analysis.claims.cases import CaseRunner
from rulekit.analysis.claims.comparison import comparison_of
from rulekit.analysis.claims.play_order import PlayOrder
from rulekit.analysis.claims.questions import Never, Questions, Seen, Unknown
from rulekit.analysis.claims.references import References
from rulekit.analysis.claims.rulings import breach
from rulekit.analysis.claims.verdict import Verdict
from rulekit.analysis.claims.witness import lines, of_ruling
from rulekit.analysis.prove.situation import Situation
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import Case, ClaimModel, Fact, Law, Precedence, Reference, RulingModel, Title
from rulekit.ir.types import Flag
from rulekit.runtime.support.build import TooLarge

_FLAG = Flag()


def judge_claims(compiled: Compiled, *, tell: Callable[[ClaimModel], bool]) -> tuple[Verdict, ...]:
    """A verdict for each claim and each reading of errata, in their order.

    Args:
        tell: Whether it matters what is so instead; else that is not found out where it costs.
    """
    if not compiled.model.claims:
        return ()
    claims = compiled.model.claims
    try:
        bench = _Bench(compiled, tell)
        return tuple(bench.verdict(claim, number) for number, claim in enumerate(claims))
    except TooLarge as error:
        return tuple(Verdict(claim, "undecided", str(error)) for claim in claims)


class _Bench:
    """What decides the claims of one rule set."""

    def __init__(self, compiled: Compiled, tell: Callable[[ClaimModel], bool]) -> None:
        self._compiled = compiled
        claims = enumerate(compiled.model.claims)
        asked = [made for number, claim in claims for made in _asked(compiled, claim, number)]
        self._questions = Questions(compiled.program, asked, compiled.answers)
        self._tell = tell
        self._cases = CaseRunner(compiled, tell)
        self._references = References(compiled)
        self._outline = PlayOrder(compiled)

    def verdict(self, claim: ClaimModel, number: int) -> Verdict:
        """Whether a claim holds."""
        name = f"claim:{number}"
        match claim.content:
            case Fact() as fact:
                return self._fact(claim, fact, name)
            case Law() as law:
                told = self._tell(claim) or law.always
                answer = self._questions.ever_so(name, told=told)
                verdict = _answered(claim, answer)
                if verdict.answer == "undecided":
                    return self._in_play(claim, law) or verdict
                seen = answer.situation if isinstance(answer, Seen) else None
                return self._blamed(self._shown(verdict, seen), seen.values if seen else {})
            case RulingModel(norm=ir.Norm(declining=True)) as ruling:
                answer = self._questions.ever_so(name, told=self._tell(claim))
                return self._ruled(_free(claim, ruling, answer), ruling, answer)
            case RulingModel(norm=ir.Norm()) as ruling:
                # Most norms refuse whatever is offered, which is the shorter question.
                answer = self._questions.ever_so(f"{name}:any", told=False)
                if not isinstance(answer, Never):
                    answer = self._questions.ever_so(name, told=self._tell(claim))
                return self._ruled(_answered(claim, answer), ruling, answer)
            case RulingModel() as ruling:
                return _declining(self._compiled, claim, ruling)
            case Case():
                return self._cases.verdict(claim)
            case Reference() as reference:
                return self._references.under(claim, reference)
            case Title() as title:
                return self._references.titled(claim, title)
            case Precedence() as precedence:
                return self._outline.verdict(claim, precedence)

    def _in_play(self, claim: ClaimModel, law: Law) -> Verdict | None:
        """What games say of a law that speaks of play."""
        if not law.always or law.params:
            return None
        # Games are played only where nothing else decides.
        from rulekit.analysis.explore.never_claims import BreachGame, play_for_breach

        program, prefix = self._compiled.program, self._compiled.rule_set.manifest.prefix
        found = play_for_breach(program, prefix, claim.name, law.breach, claim.site)
        if isinstance(found, BreachGame):
            site = found.site
            place = None if site is None else Span.at(site.file, site.line, site.column)
            shown = found.lines if self._tell(claim) else ()
            return Verdict(claim, "broken", "a game comes to it", place, found.replay, examples=(shown,))
        return Verdict(claim, "holds") if found else None

    def _fact(self, claim: ClaimModel, fact: Fact, name: str) -> Verdict:
        if self._questions.begins_so(name):
            return Verdict(claim, "holds")
        about = comparison_of(fact.condition)
        if about is None:
            return self._blamed(self._shown(Verdict(claim, "broken")), {})
        first, how = about
        shown = self._questions.begins_as(f"{name}:first", first.type)
        verdict = Verdict(claim, "broken", "" if shown is None else how.format(shown))
        return self._blamed(self._shown(verdict), {})

    def _shown(self, verdict: Verdict, seen: Situation | None = None) -> Verdict:
        """A broken one with the situation as an example, where it is told."""
        if verdict.answer != "broken" or not self._tell(verdict.claim):
            return verdict
        return replace(verdict, examples=(lines(self._compiled, verdict.claim, seen),))

    def _ruled(self, verdict: Verdict, ruling: RulingModel, answer: Seen | Never | Unknown) -> Verdict:
        """A broken one with what is answered in the situation that was found."""
        if verdict.answer != "broken" or not isinstance(answer, Seen) or answer.situation is None:
            return verdict
        return replace(verdict, examples=tuple(of_ruling(self._compiled, ruling, answer.situation)))

    def _blamed(self, verdict: Verdict, values: Mapping[str, Any]) -> Verdict:
        """A broken one with the rows of data behind it, where it is told."""
        if verdict.answer != "broken" or not self._tell(verdict.claim):
            return verdict
        return replace(verdict, blame=self._blame.of(verdict.claim, values))

    @cached_property
    def _blame(self) -> BlameFinder:
        return BlameFinder(self._compiled)


def _asked(compiled: Compiled, claim: ClaimModel, number: int) -> Iterator[ir.Function]:
    """The questions that decide a claim, if it is a condition."""
    name = f"claim:{number}"
    match claim.content:
        case Fact(condition):
            yield ir.Function(name, (), _FLAG, condition, claim.site)
            if (about := comparison_of(condition)) is not None:
                yield ir.Function(f"{name}:first", (), about[0].type, about[0], claim.site)
        case Law(params, condition):
            yield ir.Function(name, params, _FLAG, condition, claim.site)
        case RulingModel(norm=ir.Norm()) as ruling:
            for end, offered in (("", True), (":any", False)):
                params, condition = breach(compiled.model.choices[ruling.choice], ruling, offered=offered)
                yield ir.Function(name + end, params, _FLAG, condition, claim.site)
        case _:
            return


def _answered(claim: ClaimModel, answer: Seen | Never | Unknown) -> Verdict:
    if isinstance(answer, Never):
        return Verdict(claim, "holds")
    if not isinstance(answer, Seen):
        return Verdict(claim, "undecided", answer.reason)
    if isinstance(claim.content, Law) and claim.content.always and not answer.begins:
        return Verdict(claim, "undecided", f"no game is known to come to this: {answer.told}")
    return Verdict(claim, "broken", f"when {answer.told}" if answer.told else "as the game begins")


def _free(claim: ClaimModel, ruling: RulingModel, answer: Seen | Never | Unknown) -> Verdict:
    """Whether a choice may be declined where its verb allows it: norms may forbid that at times."""
    verdict = _answered(claim, answer)
    if verdict.answer != "broken":
        return verdict
    found = "must be answered" if ruling.word == "permit" else "may be declined"
    return Verdict(claim, "broken", f"`{ruling.choice}` {found} {verdict.told}")


def _declining(compiled: Compiled, claim: ClaimModel, ruling: RulingModel) -> Verdict:
    """Whether a choice may be declined whose verb does not leave that to norms."""
    choice = compiled.model.choices[ruling.choice]
    where: Span = compiled.names.choices[ruling.choice].verb.span
    if choice.able == "if_able":
        told = f"`{choice.name}` is declined where nothing else is legal, and only there"
        return Verdict(claim, "broken", told, where)
    if ruling.word == "permit":
        return Verdict(claim, "broken", f"`{choice.name}` must be answered", where)
    return Verdict(claim, "holds")
