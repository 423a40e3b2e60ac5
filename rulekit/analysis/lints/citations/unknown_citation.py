"""A construct cites a printed rule that the list of printed rules does not have."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.base.source import Span
from rulekit.base.spelling import nearest
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, kinds


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """One finding for each unknown number, where it is first cited; none where the set has no list."""
    known = {rule.id for rules in compiled.printed for rule in rules.rules}
    if not known:
        return
    told: set[str] = set()
    for site in compiled.model.sites:
        for rule in site.rules:
            if rule in known or rule in told:
                continue
            told.add(rule)
            near = nearest(rule, known, cutoff=0.8)
            hint = (
                f"did you mean `{near[0].split('.', 1)[-1]}`?"
                if near
                else "add it to `sources/`, if it is printed"
            )
            span = Span.at(site.file, site.line, site.column)
            yield Diagnostic(
                kinds.UNKNOWN_CITATION,
                f"no printed rule has the number `{rule}`",
                span,
                hint=hint,
                key=(rule,),
            )
