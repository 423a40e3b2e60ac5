"""Lists of printed rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.base.source import Source
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset import PrintedRules, parse_sources, read_sources
from tests.unit.ruleset.helpers import codes, underlined

LIST = (
    'id\tsection\tkind\tsummary\n4.2\tMoves\tmovement\tships "move" one area\r\n\n4.2:2\tMoves\tlimit\tonce\n'
)


def parse(text: str) -> tuple[PrintedRules | None, list[Diagnostic]]:
    """The list, if it can be read, and what was told."""
    report = Report()
    rules = parse_sources(Source("sources/x.tsv", text), report)
    return rules, list(report)


def test_a_list_is_read() -> None:
    """Extra columns are kept, quotes are text, blank lines and either line end do not matter."""
    rules, found = parse(LIST)

    assert [] == found
    assert rules is not None
    assert ("id", "section", "kind", "summary") == rules.columns
    assert [("4.2", "movement", 'ships "move" one area'), ("4.2:2", "limit", "once")] == [
        (rule.id, rule.kind, rule.summary) for rule in rules.rules
    ]
    assert {"section": "Moves"} == rules.rules[0].extra
    assert [2, 4] == [rule.span.line for rule in rules.rules]


@pytest.mark.parametrize(
    ("text", "name", "under"),
    [
        ("", "sources-header", ""),
        ("id,kind,summary", "sources-header", "id,kind,summary"),
        ("id\tsort\tsummary", "sources-header", "id\tsort\tsummary"),
        ("id\tkind\tsummary\tid", "sources-header", "id\tkind\tsummary\tid"),
        ("id\tkind\tsummary\t", "sources-header", "id\tkind\tsummary\t"),
        ("id\tkind\tsummary\n1\tx", "sources-columns", "1\tx"),
        ("id\tkind\tsummary\n1\tx\ty\tz", "sources-columns", "1\tx\ty\tz"),
        ("id\tkind\tsummary\n1\t \ty", "sources-columns", "1\t \ty"),
        ("id\tkind\tsummary\n1\tx\ty\n1\tx\tz", "duplicate-rule-id", "1\tx\tz"),
    ],
)
def test_a_mistake_is_told_where_it_is(text: str, name: str, under: str) -> None:
    """The finding underlines the line."""
    _, found = parse(text)

    assert [name] == codes(found)
    assert under == underlined(text, found[0])


def test_right_lines_are_read_beside_wrong_ones() -> None:
    """One mistake hides no other."""
    rules, found = parse("id\tkind\tsummary\n1\tx\n2\tx\ty\n2\tx\ty\n3\tx\ty")

    assert ["sources-columns", "duplicate-rule-id"] == codes(found)
    assert rules is not None
    assert ["2", "3"] == [rule.id for rule in rules.rules]


def test_a_missing_list_is_told(tmp_path: Path) -> None:
    """It is read like every file of a rule set."""
    report = Report()

    assert read_sources(tmp_path, "sources/x.tsv", report) is None
    assert ["missing-file"] == codes(list(report))
