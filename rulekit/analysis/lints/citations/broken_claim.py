"""A second printed statement, or a reading said to be played, that the rules and data contradict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import NotChecked, Obligation, Proved, Refuted, Undecided
from rulekit.base.solver import advice
from rulekit.compiler.model import CaseModel, ClaimModel
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.diagnostics.conflict import Conflict, citation, outcome
from rulekit.syntax.tree import items as i

if TYPE_CHECKING:  # the interpreter is loaded only where there are claims
    from rulekit.analysis.claims import Contradiction
    from rulekit.analysis.claims.booklet import Booklet
    from rulekit.analysis.claims.references import Places

Examples = tuple[tuple[str, ...], ...]
_OR = "or record an `errata` entry"


WHEN = Occasion(claims=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Claims that do not hold; as printed, also those that errata settle."""
    denied: list[tuple[Diagnostic, Examples]] = []
    for finding, examples in _findings(rules):
        if any(examples):
            denied.append((finding, tuple(filter(None, examples))))
        else:
            yield finding
    if not denied:
        return
    from rulekit.analysis.example_witness import verify_examples  # which compiles the set again

    wanted = [(finding.key[0], lines) for finding, examples in denied for lines in examples]
    shown = iter(verify_examples(rules.compiled.rule_set, wanted))
    for finding, examples in denied:
        texts = [next(shown) for _ in examples]
        yield replace(finding, example=next(filter(None, texts), ""))


def _findings(rules: Inspection) -> Iterator[tuple[Diagnostic, Examples]]:
    """The findings, with the lines of examples of which one may show each."""
    if not rules.claims:
        return
    from rulekit.analysis.claims.booklet import Booklet
    from rulekit.analysis.claims.references import Places

    booklet = Booklet(rules.compiled)
    places = Places(rules.compiled, booklet)
    for judged in rules.claims:
        claim = judged.obligation.item
        if claim.settled and not rules.as_printed:
            continue
        match judged.verdict:
            case Proved() | NotChecked():
                pass
            case Undecided() as verdict:
                yield _undecided_claim(claim, verdict, places), ()
            case Refuted(evidence=contradiction) if claim.played:
                yield _not_played(claim, contradiction, places), ()
            case Refuted(evidence=contradiction):
                errata = rules.compiled.names.errata.get(claim.settled)
                conflict = _conflict(claim, contradiction, places, booklet, errata)
                yield (
                    _broken_claim(judged.obligation, contradiction, places, conflict),
                    contradiction.examples,
                )
    yield from ((finding, ()) for finding in _stale(rules))


def _undecided_claim(claim: ClaimModel, verdict: Undecided, places: Places) -> Diagnostic:
    message = f"could not decide the claim `{claim.name}`: {verdict.words}"
    hint = advice("narrow it: limit its parameters, add a `when`, or use an example")
    if isinstance(claim.content, CaseModel) and claim.content.example.measures:
        command = f"rulekit odds {places.rule_set} {claim.name} --seconds 60"
        hint = f"answer its choices with `answers`, or follow more outcomes: `{command}`"
    key = (f"claim {claim.name}",)
    return Diagnostic(kinds.UNDECIDED_CLAIM, message, claim.decl.name.span, hint=hint, key=key)


def _not_played(claim: ClaimModel, contradiction: Contradiction, places: Places) -> Diagnostic:
    message = f"the reading of `{claim.name}` is declared as played, but {contradiction.instead}"
    hint = "correct the rules, or change the `play` line"
    key = (f"errata {claim.name}",)
    return Diagnostic(kinds.READING_NOT_PLAYED, message, places.of(claim), hint=hint, key=key)


def _conflict(
    claim: ClaimModel, found: Contradiction, places: Places, booklet: Booklet, errata: i.Errata | None
) -> Conflict:
    """The printed statements that a claim is about, what the rules do, and what is played."""
    words = booklet.printed_words(errata) if errata is not None else {}
    rule = found.blame.at if found.blame is not None else places.rule(claim, found)
    return Conflict(
        booklet.statements(places.citations_of(claim), words),
        booklet.statements(places.against(claim), words),
        found.instead,
        found.situation,
        rule,
        None if errata is None else booklet.reading_of(errata),
    )


def _broken_claim(
    obligation: Obligation[ClaimModel], found: Contradiction, places: Places, conflict: Conflict
) -> Diagnostic:
    claim, blame = obligation.item, found.blame
    span, under, labels = places.of(claim), "", [Label(conflict.rule, "the rule")] if conflict.rule else []
    if blame is not None:
        labels = [Label(span, "what is claimed"), *blame.others]
        span, under = blame.at, blame.word
    hint = f"correct the {'rules' if blame is None else 'data'}, {_OR}"
    if claim.settled:
        hint = f"`rulekit show errata {places.rule_set} {claim.settled}` shows what is played and why"
    message = f"{_sides(claim, conflict)}: {outcome(conflict.instead, conflict.situation)}"
    key = (f"{'errata' if claim.played is False else 'claim'} {claim.name}",)
    return Diagnostic(
        obligation.kind, message, span, tuple(labels), hint, under, key=key, replay=found.replay,
        conflict=conflict,
    )  # fmt: skip


def _sides(claim: ClaimModel, conflict: Conflict) -> str:
    """Where both statements are printed; the name of the claim if only one is known."""
    own, other = citation(conflict.printed), citation(conflict.against)
    if own and other:
        sections = {statement.section for statement in conflict.printed}
        return f"{own} conflict{'s' * (len(sections) < 2)} with {other}"
    what = f"the {'reading of' if claim.played is False else 'claim'} `{claim.name}`"
    return f"{what} of {own} does not hold" if own else f"{what} does not hold"


def _stale(rules: Inspection) -> Iterator[Diagnostic]:
    """Errata that settle claims which all hold, or whose printed readings all do.

    Of two statements that deny each other, one holds: both may be settled.
    """
    holds = {
        judged.obligation.item.name: isinstance(judged.verdict, Proved)
        for judged in rules.claims
        if judged.obligation.item.played is None
    }
    denied = {
        judged.obligation.item.name
        for judged in rules.claims
        if judged.obligation.item.played is False and not isinstance(judged.verdict, Proved)
    }
    for errata in rules.compiled.names.errata.values():
        holding = [name for name in errata.settles if holds.get(name.text)]
        if holding and len(holding) == len(errata.settles) and errata.name.text not in denied:
            names = ", ".join(f"`{name.text}`" for name in holding)
            message = f"`{errata.name.text}` settles {names}, but the rules do not contradict it"
            hint = "remove the entry"
            key = (f"errata {errata.name.text}", *(name.text for name in holding))
            yield Diagnostic(kinds.STALE_ERRATA, message, holding[0].span, hint=hint, key=key)
        if _conditions_only(errata) and not errata.settles and errata.name.text not in denied:
            message = f"all that is printed in `{errata.name.text}` holds"
            hint = "remove the entry, or add the reading that contradicts it"
            entry = (f"errata {errata.name.text}",)
            yield Diagnostic(kinds.STALE_ERRATA, message, errata.name.span, hint=hint, key=entry)


def _conditions_only(errata: i.Errata) -> bool:
    return bool(errata.printed) and not any(isinstance(reading, str) for reading, _ in errata.printed)
