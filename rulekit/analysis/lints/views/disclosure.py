"""Rules by which a side sees what differs in something that is hidden from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import NotChecked, Refuted, Undecided
from rulekit.base.solver import advice
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, Label, kinds

if TYPE_CHECKING:
    from rulekit.analysis.prove.secrecy.disclosures import GivenAway, JudgedSign
    from rulekit.analysis.prove.secrecy.knowledge import Sign

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each named construct and what it gives away: a side sees that it differs."""
    refuted: dict[tuple[str, ...], list[_Refuted]] = {}
    undecided: dict[tuple[str, ...], tuple[JudgedSign, Undecided]] = {}
    unchecked: dict[int, list[JudgedSign]] = {}
    sites = rules.compiled.program.sites
    for judged in rules.signs:
        sign = judged.obligation.item
        if isinstance(judged.verdict, Refuted):
            given_away = judged.verdict.evidence
            refuted.setdefault(sign.secret_at(sites[given_away.origin]), []).append((sign, given_away))
        elif isinstance(judged.verdict, Undecided) and not rules.offered:
            undecided.setdefault(sign.secret_at(sites[sign.site]), (judged, judged.verdict))
        elif isinstance(judged.verdict, NotChecked) and not rules.offered:
            unchecked.setdefault(sign.side, []).append(judged)
    for key, signs in refuted.items():
        yield _finding(rules.compiled, signs, key)
    for key, (judged, verdict) in undecided.items():
        if key not in refuted:
            yield _undecided_finding(rules.compiled, judged, verdict, key)
    for side, beyond in unchecked.items():
        yield _unchecked_finding(rules.compiled, side, beyond)


_Refuted = tuple["Sign", "GivenAway"]


def _finding(compiled: Compiled, signs: Sequence[_Refuted], key: tuple[str, ...]) -> Diagnostic:
    """The finding of a sign that shows two situations, at its own place if one does; others are labels."""
    sign, given_away, contrast = min(
        ((sign, one, one.contrast) for sign, one in signs if one.contrast is not None),
        key=lambda shown: shown[0].site != shown[1].origin,
    )
    message = f"{_depends(compiled, sign)}; for example, it differs"
    message += f" between {contrast.first} and {contrast.second}"
    message += f", when {contrast.common}" if contrast.common else ""
    hint = "reveal it first, or let nothing that the side sees depend on it"
    sites = compiled.program.sites
    span = sites[given_away.origin].span
    places = {sites[place].span for place in (sign.site, *(one.origin for _, one in signs))} - {span}
    labels = tuple(Label(place, "also here") for place in sorted(places))
    return Diagnostic(kinds.DISCLOSURE, message, span, labels, hint, key=key)


def _undecided_finding(
    compiled: Compiled, judged: JudgedSign, verdict: Undecided, key: tuple[str, ...]
) -> Diagnostic:
    message = f"could not decide whether {_depends(compiled, judged.obligation.item)} ({verdict.words})"
    hint = advice("state what always holds in an `invariant` or `assume`")
    return Diagnostic(kinds.UNDECIDED_DISCLOSURE, message, judged.obligation.span, hint=hint, key=key)


def _unchecked_finding(compiled: Compiled, side: int, beyond: Sequence[JudgedSign]) -> Diagnostic:
    """One finding for everything that a side sees and the check did not judge, at the first of it."""
    name, first = _side_name(compiled, side), beyond[0]
    assert isinstance(first.verdict, NotChecked)
    more = "1 more thing" if len(beyond) == 1 else f"{len(beyond)} more things"
    message = f"undecided: {more} that `{name}` sees may depend on what is hidden from it"
    message += f" ({first.verdict.reason})"
    hint = "hide fewer states, or `reveal` them before rules depend on them; `--proofs` lists the rest"
    key = (compiled.program.name, name)
    return Diagnostic(kinds.UNDECIDED_DISCLOSURE, message, first.obligation.span, hint=hint, key=key)


def _depends(compiled: Compiled, sign: Sign) -> str:
    states = " and ".join(f"`{name}`" for name in sorted(sign.states))
    return f"{sign.what} depends on {states}, hidden from `{_side_name(compiled, sign.side)}`"


def _side_name(compiled: Compiled, side: int) -> str:
    program = compiled.program
    return program.by_name.domains[program.sides].members[side]
