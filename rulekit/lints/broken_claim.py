"""A second printed statement, or a reading said to be played, that the rules and data contradict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit import ir
from rulekit.diagnostics import Diagnostic, Severity, declare
from rulekit.driver import Compiled
from rulekit.model import ClaimModel
from rulekit.source import Span
from rulekit.types import Flag

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
    for claim, held in zip(claims, _hold(compiled.program, claims), strict=True):
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


def _hold(program: ir.Program, claims: list[ClaimModel]) -> list[bool]:
    """Whether each claim holds of the state as declared; one that faults does not."""
    from rulekit.interpret.assemble import compiled  # the interpreter is loaded only where there are claims
    from rulekit.interpret.build import SIMULATION
    from rulekit.interpret.faults import Fault

    tried = tuple(
        ir.Function(f"claim:{number}", (), Flag(), claim.condition, claim.site)
        for number, claim in enumerate(claims)
    )
    bare = replace(
        program,
        functions=(*program.functions, *tried),
        procedures=(),
        choices=(),
        invariants=(),
        examples=(),
        scenarios=(),
    )
    made = compiled(bare, SIMULATION)
    cells = made.plan.layout.initial()
    found = []
    for function in tried:
        try:
            found.append(bool(made.function(function.name)(cells)))
        except Fault:
            found.append(False)
    return found
