"""What is taken on trust is counted, and told in a note that fails nothing."""

from __future__ import annotations

from rulekit.diagnostics import Report, Severity
from rulekit.ruleset import Confidence, confidence_summary, on_trust, overlay
from tests.unit.ruleset.helpers import SHIPS, codes, read

P, C, R, M, U = Confidence


def test_facts_are_counted_by_column() -> None:
    """Names and keys are no facts; every other cell is one."""
    summary = confidence_summary([read(SHIPS)[0]])

    assert [
        ("population", "Ship", "nation", {C: 2, M: 1}),
        ("population", "Ship", "armor", {C: 2, M: 1}),
        ("population", "Ship", "circled", {C: 2, M: 1}),
        ("population", "Ship", "at", {C: 1, R: 1, M: 1}),
        ("table", "fire", "result", {P: 2}),
        ("values", "", "", {U: 1, P: 1}),
    ] == [(trust.what, trust.name, trust.column, trust.counts) for trust in summary]
    assert [1, 1, 1, 2, 0, 1] == [trust.on_trust for trust in summary]
    assert [3, 3, 3, 3, 2, 2] == [trust.facts for trust in summary]


def test_each_block_with_such_facts_has_a_note() -> None:
    """It says how many, of which confidence, in which columns; where all is vouched for there is none."""
    found = list(on_trust([read(SHIPS)[0]]))

    assert ["facts-on-trust"] * 2 == codes(found)
    assert {Severity.NOTE} == {each.kind.severity for each in found}
    assert (
        "5 of 12 facts in population `Ship` are unverified (1 reconstructed, 4 missing): "
        "`nation` 1, `armor` 1, `circled` 1, `at` 2"
    ) == found[0].message
    assert "1 of 2 facts in the values are unverified (1 unsaid)" == found[1].message


def test_an_owners_copy_settles_them() -> None:
    """What an owner has looked up is no longer taken on trust."""
    owner, _ = read("format: 1\nvalues: {start: 3}", "mine.yaml")

    notes = list(on_trust([overlay(read(SHIPS)[0], owner, Report())]))

    assert [("population Ship",)] == [note.key for note in notes]
