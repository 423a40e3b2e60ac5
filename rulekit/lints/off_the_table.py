"""Modified rolls that leave the range of what they are given to: a row that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic, Label, Severity, declare
from rulekit.driver import Compiled
from rulekit.source import Span

KIND = declare(
    "RK520", "off-the-table", "a modified roll that leaves the range of its table", Severity.WARNING,
    since="0.1.0",
)  # fmt: skip


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """One finding for each use and end of the range; the most telling of what modifies the roll is shown."""
    from rulekit.prove import Prover
    from rulekit.prove.totals import beyond

    prover = Prover(compiled.program)
    sites = compiled.program.sites
    for procedure in compiled.program.procedures:
        if procedure.name.startswith("example:"):
            continue
        for found in beyond(prover, procedure):
            point = found.roll.point
            so = f"; so when {found.situation.words}" if found.situation.words else ""
            side = "more" if found.above else "less"
            message = f"the roll `{point}` comes to {side} than {found.end} for {found.use or 'its use'}{so}"
            hint = "give the table an open end, or limit the roll: `at most N`, `at least N`"
            site = sites[found.site]
            labels = tuple(
                Label(_span(sites[each.site].file, sites[each.site].line, sites[each.site].column), each.name)
                for each in compiled.program.modifiers
                if each.point == point and each.effect in ("add", "subtract", "times", "set")
            )[:3]
            key = (f"roll {point}", found.use.strip("`"), side)
            span = _span(site.file, site.line, site.column)
            yield Diagnostic(KIND, message, span, labels, hint, key=key)


def _span(file: str, line: int, column: int) -> Span:
    return Span(file, line, column, line, column + 1)
