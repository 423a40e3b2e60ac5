"""A verdict for each claim, by the method that fits what it says."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit import ir
from rulekit.claims.cases import Cases
from rulekit.claims.outline import Outline
from rulekit.claims.questions import Never, Questions, Seen
from rulekit.claims.references import titled, under
from rulekit.claims.rulings import breach
from rulekit.claims.verdict import Verdict
from rulekit.driver import Compiled
from rulekit.model import (
    Case,
    ClaimModel,
    Fact,
    Law,
    Precedence,
    Reference,
    RulingModel,
    Title,
)
from rulekit.source import Span
from rulekit.types import Flag

_FLAG = Flag()


def judged(compiled: Compiled) -> tuple[Verdict, ...]:
    """A verdict for each claim and each reading of errata, in their order."""
    claims = compiled.model.claims
    if not claims:
        return ()
    asked = {number: made for number, claim in enumerate(claims) for made in _asked(compiled, claim, number)}
    questions = Questions(compiled.program, asked.values()) if asked else None
    cases = Cases(compiled)
    outline = Outline(compiled)
    return tuple(
        _verdict(compiled, claim, questions, asked.get(number), cases, outline)
        for number, claim in enumerate(claims)
    )


def _asked(compiled: Compiled, claim: ClaimModel, number: int) -> Iterator[ir.Function]:
    """The question that decides a claim, if it is a condition."""
    name = f"claim:{number}"
    match claim.content:
        case Fact(condition):
            yield ir.Function(name, (), _FLAG, condition, claim.site)
        case Law(params, condition):
            yield ir.Function(name, params, _FLAG, condition, claim.site)
        case RulingModel(norm=ir.Norm()) as ruling:
            params, condition = breach(compiled.model.choices[ruling.choice], ruling)
            yield ir.Function(name, params, _FLAG, condition, claim.site)
        case _:
            return


def _verdict(
    compiled: Compiled,
    claim: ClaimModel,
    questions: Questions | None,
    asked: ir.Function | None,
    cases: Cases,
    outline: Outline,
) -> Verdict:
    match claim.content:
        case Fact() if questions and asked:
            held = questions.begins_so(asked.name)
            return Verdict(claim, "holds" if held else "broken", "" if held else "as the game begins")
        case Law() | RulingModel(norm=ir.Norm()) if questions and asked:
            return _tried(claim, questions, asked)
        case RulingModel() as ruling:
            return _declining(compiled, claim, ruling)
        case Case():
            return cases.verdict(claim)
        case Reference() as reference:
            return under(compiled, claim, reference)
        case Title() as title:
            return titled(compiled, claim, title)
        case Precedence() as precedence:
            return outline.verdict(claim, precedence)
        case _:
            raise AssertionError(claim)


def _tried(claim: ClaimModel, questions: Questions, asked: ir.Function) -> Verdict:
    answer = questions.ever_so(asked.name)
    if isinstance(answer, Never):
        return Verdict(claim, "holds")
    if not isinstance(answer, Seen):
        return Verdict(claim, "undecided", answer.reason)
    if isinstance(claim.content, Law) and claim.content.always and not answer.begins:
        return Verdict(claim, "undecided", f"no game is known to come to this: {answer.told}")
    return Verdict(claim, "broken", f"when {answer.told}" if answer.told else "as the game begins")


def _declining(compiled: Compiled, claim: ClaimModel, ruling: RulingModel) -> Verdict:
    """Whether a choice may be declined; norms may forbid that at times, which is neither."""
    choice = compiled.model.choices[ruling.choice]
    decl = compiled.names.choices[ruling.choice]
    limited = any(norm.declining for norm in choice.norms)
    permitted = choice.able == "none"
    where: Span = decl.verb.span
    if choice.able == "if_able":
        told = f"`{choice.name}` is declined where nothing else is legal, and only there"
        return Verdict(claim, "broken", told, where)
    if ruling.word == "permit":
        told = f"`{choice.name}` must be answered"
        return Verdict(claim, "holds") if permitted else Verdict(claim, "broken", told, where)
    if permitted and limited:
        return Verdict(claim, "undecided", "norms forbid it at times")
    told = f"`{choice.name}` may be declined"
    return Verdict(claim, "broken", told, where) if permitted else Verdict(claim, "holds")
