"""So many findings of a kind are shown, and the rest is counted."""

from __future__ import annotations

from dataclasses import replace

from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Severity, kinds
from rulekit.diagnostics.capping import MOST_SHOWN, cap_findings


def findings(kind: kinds.Kind, number: int) -> list[Diagnostic]:
    """So many of a kind, one on each line."""
    return [
        Diagnostic(kind, f"`n{line}`", Span("a.rules", line, 1, line, 2)) for line in range(1, number + 1)
    ]


def test_few_findings_remain_as_they_are() -> None:
    """Up to the bound."""
    few = findings(kinds.UNKNOWN_NAME, MOST_SHOWN)

    assert tuple(few) == cap_findings(few)


def test_the_rest_is_counted_for_each_kind_at_its_first_place() -> None:
    """In the order of the codes; a kind with another severity is the same kind."""
    unused = findings(replace(kinds.UNUSED, severity=Severity.NOTE), 2) + findings(kinds.UNUSED, 2)
    shown = cap_findings([*unused, *findings(kinds.UNKNOWN_NAME, 2003)], most=3)

    assert 3 + 3 == len(shown[:-2])
    assert [
        ("RK650:RK210", "2,000 more findings are not shown: RK210 unknown-name", 4),
        ("RK650:RK430", "1 more finding is not shown: RK430 unused", 2),
    ] == [(rest.id, rest.message, rest.span.line) for rest in shown[-2:]]
