"""A second printed statement, or a reading said to be played, that the rules and data contradict."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic, Severity, declare
from rulekit.driver import Compiled
from rulekit.source import Span

KIND = declare(
    "RK411", "broken-claim", "a claim that the rules and data contradict", Severity.WARNING, since="0.1.0"
)
NOT_PLAYED = declare(
    "RK412",
    "reading-not-played",
    "a reading said to be played that does not hold",
    Severity.WARNING,
    since="0.1.0",
)


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """Claims are tried on the state as declared, before any scenario."""
    claims = [claim for claim in compiled.model.claims if claim.played is not False]
    if not claims:
        return
    from rulekit.play.evaluate import holds  # the interpreter is loaded only when there is something to try

    for claim, held in zip(claims, holds(compiled.program, [c.condition for c in claims]), strict=True):
        if held:
            continue
        site = compiled.model.sites[claim.site]
        span = Span(site.file, site.line, site.column, site.line, site.column + 1)
        if claim.played:
            message = f"`{claim.name}` says it is played, and the rules say otherwise"
            yield Diagnostic(NOT_PLAYED, message, span, hint="mend the rules, or say which reading is played")
        else:
            hint = "mend what is wrong, or note both readings in `errata`"
            yield Diagnostic(KIND, f"the claim `{claim.name}` does not hold", span, hint=hint)
