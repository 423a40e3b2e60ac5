"""A second printed statement, or a reading said to be played, that the rules and data contradict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.base.solver import advice
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import Case, ClaimModel, Fact, Law, Precedence, Reference, RulingModel, Title
from rulekit.diagnostics import Diagnostic, Kind, Label, kinds
from rulekit.syntax.tree import items as i

Examples = tuple[tuple[str, ...], ...]
_OR = "or say in `errata` what is played"


def lint(compiled: Compiled, *, as_printed: bool = False) -> Iterator[Diagnostic]:
    """Claims that do not hold; as printed, those too that errata settle."""
    if not compiled.model.claims:
        return
    denied: list[tuple[Diagnostic, Examples]] = []
    for found, examples in _told(compiled, as_printed=as_printed):
        if any(examples):
            denied.append((found, tuple(filter(None, examples))))
        else:
            yield found
    if not denied:
        return
    from rulekit.analysis.example_witness import verify_examples  # which compiles the set again

    wanted = [(found.key[0], lines) for found, examples in denied for lines in examples]
    shown = iter(verify_examples(compiled.rule_set, wanted))
    for found, examples in denied:
        texts = [next(shown) for _ in examples]
        yield replace(found, example=next(filter(None, texts), ""))


def _told(compiled: Compiled, *, as_printed: bool) -> Iterator[tuple[Diagnostic, Examples]]:
    """What is to be told, with the lines of examples of which one may show it."""
    from rulekit.analysis.claims import judge_claims  # the interpreter is loaded only where there are claims
    from rulekit.analysis.claims.places import Places

    places = Places(compiled)
    verdicts = judge_claims(compiled, tell=lambda claim: as_printed or not claim.settled)
    for verdict in verdicts:
        claim = verdict.claim
        if verdict.answer == "holds" or claim.settled and not as_printed:
            continue
        if verdict.answer == "undecided":
            message = f"nothing decides whether the claim `{claim.name}` holds: {verdict.told}"
            hint = advice("claim less: bounds of parameters, a `when`, an example")
            span = claim.decl.name.span
            yield (
                Diagnostic(kinds.UNDECIDED_CLAIM, message, span, hint=hint, key=(f"claim {claim.name}",)),
                (),
            )
            continue
        if claim.played:
            message = f"`{claim.name}` says it is played, and the rules say otherwise"
            hint = "mend the rules, or say which reading is played"
            span = places.of(claim)
            yield (
                Diagnostic(kinds.READING_NOT_PLAYED, message, span, hint=hint, key=(f"errata {claim.name}",)),
                (),
            )
            continue
        own, other = places.cited(claim), places.against(claim)
        labels = [Label(verdict.place, "as the rules have it")] if verdict.place else []
        if not labels and (there := places.citing(other)) is not None:
            labels = [Label(there, "the other place")]
        span, under, hint = places.of(claim), "", _hint(claim)
        if verdict.blame is not None:
            labels = [Label(span, "what is claimed"), *verdict.blame.others]
            span, under = verdict.blame.at, verdict.blame.word
            hint = hint if claim.settled else f"mend the data, {_OR}"
        found = Diagnostic(
            kind_of(claim),
            f"{_sides(own, other)}{_what(claim)} does not hold{_how(claim, verdict.told)}",
            span,
            tuple(labels),
            hint,
            under,
            key=(f"{'errata' if claim.played is False else 'claim'} {claim.name}",),
            replay=verdict.replay,
        )
        yield found, verdict.examples
    stale = _stale(compiled, {v.claim.name: v.answer for v in verdicts if v.claim.played is None}, [
        v.claim.name for v in verdicts if v.claim.played is False and v.answer != "holds"
    ])  # fmt: skip
    yield from ((found, ()) for found in stale)


def kind_of(claim: ClaimModel) -> Kind:
    """The kind of finding that tells that a claim does not hold."""
    match claim.content:
        case Case():
            return kinds.BROKEN_EXAMPLE
        case Reference() | Title():
            return kinds.WRONG_REFERENCE
        case Fact() | Law() | RulingModel() | Precedence():
            return kinds.BROKEN_CLAIM


def _sides(own: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Where both are printed."""
    if not own:
        return ""
    return f"[{', '.join(own)}] against [{', '.join(other)}]: " if other else f"[{', '.join(own)}]: "


def _what(claim: ClaimModel) -> str:
    return f"the reading of `{claim.name}`" if claim.played is False else f"the claim `{claim.name}`"


def _how(claim: ClaimModel, told: str) -> str:
    if not told:
        return ""
    return f" {told}" if told.startswith(("when ", "as ")) else f": {told}"


def _hint(claim: ClaimModel) -> str:
    if claim.settled:
        return f"the errata entry `{claim.settled}` says what is played"
    return f"mend what is wrong, {_OR}"


def _stale(compiled: Compiled, answers: dict[str, str], denied: list[str]) -> Iterator[Diagnostic]:
    """Errata that settle claims which all hold, or whose printed readings all do.

    Of two statements that deny each other, one holds: both may be settled.
    """
    for errata in compiled.names.errata.values():
        holding = [name for name in errata.settles if answers.get(name.text) == "holds"]
        if holding and len(holding) == len(errata.settles) and errata.name.text not in denied:
            names = ", ".join(f"`{name.text}`" for name in holding)
            message = f"`{errata.name.text}` settles {names}, and nothing that it settles is denied"
            hint = "take it out; the booklet does not contradict itself there"
            key = (f"errata {errata.name.text}", *(name.text for name in holding))
            yield Diagnostic(kinds.STALE_ERRATA, message, holding[0].span, hint=hint, key=key)
        if _conditions_only(errata) and not errata.settles and errata.name.text not in denied:
            message = f"all that is printed in `{errata.name.text}` holds"
            hint = "take the entry out, or say what contradicts what"
            entry = (f"errata {errata.name.text}",)
            yield Diagnostic(kinds.STALE_ERRATA, message, errata.name.span, hint=hint, key=entry)


def _conditions_only(errata: i.Errata) -> bool:
    return bool(errata.printed) and not any(isinstance(said, str) for said, _ in errata.printed)
