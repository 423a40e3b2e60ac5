"""How many findings of one kind are shown: a mistake that is everywhere must not hide the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulekit.base.source import Span
from rulekit.diagnostics import kinds
from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.kinds import Kind

MOST_SHOWN = 100
"""Findings of one kind that are shown."""


def cap_findings(findings: Iterable[Diagnostic], most: int = MOST_SHOWN) -> tuple[Diagnostic, ...]:
    """Return the first findings of each kind, then for each kind a finding that counts those left out."""
    shown: list[Diagnostic] = []
    numbers: Counter[str] = Counter()
    first_left: dict[str, Diagnostic] = {}
    for finding in findings:
        code = finding.kind.code
        numbers[code] += 1
        if numbers[code] <= most:
            shown.append(finding)
        else:
            first_left.setdefault(code, finding)
    rest = (_rest(left.kind, numbers[code] - most, left.span) for code, left in sorted(first_left.items()))
    return (*shown, *rest)


def _rest(kind: Kind, number: int, span: Span) -> Diagnostic:
    findings = "1 more finding is" if number == 1 else f"{number:,} more findings are"
    message = f"{findings} not shown: {kind.code} {kind.name}"
    hint = "fix those above first, or use `rulekit check --all-findings`"
    return Diagnostic(
        kinds.MANY_FINDINGS, message, span, hint=hint, under="here is the next", key=(kind.code,)
    )
