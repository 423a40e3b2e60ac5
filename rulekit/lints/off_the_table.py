"""Modified rolls that leave the range of what they are given to: a row that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulekit import ir
from rulekit.diagnostics import Diagnostic, Label, Severity, declare
from rulekit.driver import Compiled
from rulekit.source import Span

if TYPE_CHECKING:
    from rulekit.prove.totals import Beyond

KIND = declare(
    "RK520", "off-the-table", "a modified roll that leaves the range of its table", Severity.WARNING,
    since="0.1.0",
)  # fmt: skip


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """One finding for each use and end of the range, at the modifier that leads there."""
    from rulekit.prove import Prover
    from rulekit.prove.rolled import Rolled
    from rulekit.prove.totals import beyond

    prover = Prover(compiled.program, solver=True, answers=compiled.answers)
    rolled = Rolled(compiled.program)
    for procedure in compiled.program.procedures:
        if procedure.name.startswith("example:"):
            continue
        for found in beyond(prover, rolled, procedure):
            yield _told(compiled, found)


def _told(compiled: Compiled, found: Beyond) -> Diagnostic:
    sites, point = compiled.program.sites, found.roll.point
    so = f"; so when {found.situation.words}" if found.situation.words else ""
    side = "more" if found.above else "less"
    message = f"the roll `{point}` comes to {side} than {found.end} for {found.use or 'its use'}{so}"
    hint = "give the table an open end, or limit the roll: `at most N`, `at least N`"
    use = sites[found.site]
    first, *more = [sites[each.site] for each in found.because] or [use]
    given = [] if first is use else [Label(_span(use), "given on here")]
    labels = (*given, *(Label(_span(site), "") for site in more))
    key = (f"roll {point}", found.use.strip("`"), side)
    return Diagnostic(KIND, message, _span(first), labels, hint, key=key)


def _span(site: ir.Site) -> Span:
    return Span.at(site.file, site.line, site.column)
