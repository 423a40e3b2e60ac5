"""Which kinds of findings are told, and what they weigh: names, beginnings, and who prevails."""

from __future__ import annotations

import pytest

from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Kind, Severity
from rulekit.diagnostics.selecting import Selection, select_findings, unknown

GAP, TRUST, BROKEN = (
    Diagnostic(Kind(code, name, "made up", severity, "0.1.0"), "", Span("a", 1, 1, 1, 1))
    for code, name, severity in (
        ("RK402", "table-overlap", Severity.WARNING),
        ("RK644", "facts-on-trust", Severity.NOTE),
        ("RK101", "syntax-error", Severity.ERROR),
    )
)
ALL = (GAP, TRUST, BROKEN)


def told(*wishes: Selection) -> list[str]:
    """The codes that are told under some wishes, with the first letter of what they weigh."""
    return [f"{each.kind.code}{str(each.kind.severity)[0]}" for each in select_findings(ALL, wishes)]


@pytest.mark.parametrize(
    "wish, expected",
    [
        (Selection(), ["RK402w", "RK644n", "RK101e"]),
        (Selection(select=("RK4",)), ["RK402w", "RK101e"]),
        (Selection(select=("facts-on-trust",)), ["RK644n", "RK101e"]),
        (Selection(ignore=("RK402",)), ["RK644n", "RK101e"]),
        (Selection(ignore=("RK",)), ["RK101e"]),
        (Selection(select=("RK402",), ignore=("RK4",)), ["RK402w", "RK101e"]),
        (Selection(select=("RK4",), ignore=("table-overlap",)), ["RK101e"]),
        (Selection(select=("RK402",), ignore=("RK402",)), ["RK101e"]),
        (Selection(level=(("RK402", Severity.ERROR),)), ["RK402e", "RK644n", "RK101e"]),
        (
            Selection(level=(("RK4", Severity.NOTE), ("RK402", Severity.ERROR))),
            ["RK402e", "RK644n", "RK101e"],
        ),
        (Selection(level=(("RK1", Severity.NOTE),), ignore=("RK101",)), ["RK402w", "RK644n", "RK101e"]),
    ],
)
def test_the_closer_name_decides(wish: Selection, expected: list[str]) -> None:
    """A code or name before a beginning, a longer one before a shorter; errors stay as they are."""
    assert expected == told(wish)


@pytest.mark.parametrize(
    "first, second, expected",
    [
        (Selection(ignore=("RK402",)), Selection(select=("RK402",)), ["RK101e"]),
        (Selection(select=("RK402",)), Selection(ignore=("RK402",)), ["RK402w", "RK101e"]),
        (Selection(ignore=("RK644",)), Selection(ignore=("RK402",)), ["RK101e"]),
        (
            Selection(level=(("RK4", Severity.NOTE),)),
            Selection(level=(("RK402", Severity.ERROR), ("RK644", Severity.WARNING))),
            ["RK402n", "RK644w", "RK101e"],
        ),
    ],
)
def test_the_first_who_says_so_prevails(first: Selection, second: Selection, expected: list[str]) -> None:
    """What the command line says of a kind holds, whatever the manifest says of it."""
    assert expected == told(first, second)


@pytest.mark.parametrize("name", ["RK402", "table-overlap", "RK4", "RK", "RK40"])
def test_names_that_mean_something(name: str) -> None:
    """Codes, names, beginnings of codes."""
    assert None is unknown(name)


@pytest.mark.parametrize(
    "name, hint",
    [
        ("RK4022", "`RK402`"),
        ("RK999", "RK"),
        ("rk402", "`RK402`"),
        ("tabel-overlap", "`table-overlap`"),
        ("", "selects"),
        ("x" * 10**6, "selects"),
        ("RK٤", "RK"),
    ],
)
def test_names_that_mean_nothing(name: str, hint: str) -> None:
    """What is near is offered."""
    assert hint in (unknown(name) or "")
