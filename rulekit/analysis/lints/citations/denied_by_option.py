"""Claims of the base that do not hold with options which change what they read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.verdicts import Refuted
from rulekit.compiler.model import ClaimModel
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.diagnostics.conflict import Conflict, citation, outcome

if TYPE_CHECKING:  # the interpreter is loaded only where there are claims
    from rulekit.analysis.claims import Contradiction
    from rulekit.analysis.options.base_claims import Retrial

WHEN = Occasion(offered=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield a note for each claim that is tried again and does not hold, at the first change of an option."""
    for judged in rules.retried_claims:
        if isinstance(judged.verdict, Refuted) and rules.retrial is not None:
            yield _finding(judged.obligation.item, judged.verdict.evidence, rules, rules.retrial)


def _finding(
    claim: ClaimModel, contradiction: Contradiction, rules: Inspection, retrial: Retrial
) -> Diagnostic:
    from rulekit.analysis.claims.booklet import Booklet

    names = [f"`{name}`" for name in retrial.options]
    rules_cited = claim.decl.cite.ids if claim.decl.cite is not None else ()
    printed = Booklet(rules.compiled).statements(rules_cited)
    cited, together = f" {citation(printed)}" if printed else "", " together" if len(names) > 1 else ""
    instead = outcome(contradiction.instead, contradiction.situation)
    message = f"with {' and '.join(names)}{together} the claim `{claim.name}`{cited} does not hold: {instead}"
    first, *rest = retrial.claims[claim.name]
    labels = (
        *(Label(span, "and this changes what it reads") for span in rest),
        Label(claim.decl.name.span, "what is claimed"),
    )
    hint = "change the option; or cite the rule in it, if the option is meant to contradict it"
    return Diagnostic(
        kinds.DENIED_BY_OPTION,
        message,
        first,
        labels,
        hint,
        "this changes what it reads",
        key=(f"claim {claim.name}", *retrial.options),
        conflict=Conflict(
            printed, (), contradiction.instead, contradiction.situation, rule=first, played=None
        ),
    )
