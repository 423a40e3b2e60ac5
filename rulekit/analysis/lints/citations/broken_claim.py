"""A second printed statement, or a reading said to be played, that the rules and data contradict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import NotChecked, Obligation, Proved, Refuted, Undecided
from rulekit.base.solver import advice
from rulekit.compiler.model import ClaimModel
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i

if TYPE_CHECKING:  # the interpreter is loaded only where there are claims
    from rulekit.analysis.claims import Contradiction
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
    from rulekit.analysis.claims.references import Places

    places = Places(rules.compiled)
    for judged in rules.claims:
        claim = judged.obligation.item
        if claim.settled and not rules.as_printed:
            continue
        match judged.verdict:
            case Proved() | NotChecked():
                pass
            case Undecided() as verdict:
                yield _undecided_claim(claim, verdict), ()
            case Refuted() if claim.played:
                yield _not_played(claim, places), ()
            case Refuted(evidence=contradiction):
                yield _broken_claim(judged.obligation, contradiction, places), contradiction.examples
    yield from ((finding, ()) for finding in _stale(rules))


def _undecided_claim(claim: ClaimModel, verdict: Undecided) -> Diagnostic:
    message = f"could not decide the claim `{claim.name}`: {verdict.words}"
    hint = advice("narrow it: limit its parameters, add a `when`, or use an example")
    key = (f"claim {claim.name}",)
    return Diagnostic(kinds.UNDECIDED_CLAIM, message, claim.decl.name.span, hint=hint, key=key)


def _not_played(claim: ClaimModel, places: Places) -> Diagnostic:
    message = f"`{claim.name}` is declared as played, but the rules differ"
    hint = "correct the rules, or change the `play` line"
    key = (f"errata {claim.name}",)
    return Diagnostic(kinds.READING_NOT_PLAYED, message, places.of(claim), hint=hint, key=key)


def _broken_claim(obligation: Obligation[ClaimModel], found: Contradiction, places: Places) -> Diagnostic:
    claim = obligation.item
    own, other = places.citations_of(claim), places.against(claim)
    labels = [Label(found.place, "as the rules have it")] if found.place else []
    if not labels and (there := places.citing(other)) is not None:
        labels = [Label(there, "the other place")]
    span, under, hint = places.of(claim), "", _hint(claim)
    if found.blame is not None:
        labels = [Label(span, "what is claimed"), *found.blame.others]
        span, under = found.blame.at, found.blame.word
        hint = hint if claim.settled else f"correct the data, {_OR}"
    message = f"{_sides(own, other)}{_what(claim)} does not hold{_how(claim, found.words)}"
    key = (f"{'errata' if claim.played is False else 'claim'} {claim.name}",)
    return Diagnostic(
        obligation.kind, message, span, tuple(labels), hint, under, key=key, replay=found.replay
    )


def _sides(own: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Where both are printed."""
    if not own:
        return ""
    return f"[{', '.join(own)}] conflicts with [{', '.join(other)}]: " if other else f"[{', '.join(own)}]: "


def _what(claim: ClaimModel) -> str:
    return f"the reading of `{claim.name}`" if claim.played is False else f"the claim `{claim.name}`"


def _how(claim: ClaimModel, told: str) -> str:
    if not told:
        return ""
    return f" {told}" if told.startswith(("when ", "at ")) else f": {told}"


def _hint(claim: ClaimModel) -> str:
    if claim.settled:
        return f"the errata entry `{claim.settled}` says what is played"
    return f"correct the rules, {_OR}"


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
