"""One cause, one finding: a name that nothing declares is told once, with every place that has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulekit.diagnostics.finding import Diagnostic, Fix, Label

MOST_PLACES = 8
"""Places of one finding that are shown; how many more there are is told at the last."""


def gather_findings(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings, those of one cause as one at the first of its places; the order stays."""
    groups: dict[object, list[Diagnostic]] = {}
    for number, finding in enumerate(findings):
        cause = (finding.id, finding.message) if finding.kind.gathers else number
        groups.setdefault(cause, []).append(finding)
    return tuple(map(_one, groups.values()))


def _one(group: list[Diagnostic]) -> Diagnostic:
    first, *rest = group
    if not rest:
        return first
    more = len(rest) - MOST_PLACES
    labels = [Label(finding.span, "and here") for finding in rest[:MOST_PLACES]]
    if more > 0:
        labels[-1] = replace(labels[-1], text=f"and here, and at {more} more place{'s' if more > 1 else ''}")
    return replace(first, labels=(*first.labels, *labels), fix=_all([finding.fix for finding in group]))


def _all(fixes: list[Fix | None]) -> Fix | None:
    """All the edits as one fix, if every place has one."""
    sure = [fix for fix in fixes if fix is not None]
    if len(sure) < len(fixes):
        return None
    return Fix(sure[0].title, tuple(edit for fix in sure for edit in fix.edits))
