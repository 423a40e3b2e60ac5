"""An owner's numbers over ours: replaced by name, vouched for, never added."""

from __future__ import annotations

import pytest

from rulekit.diagnostics import Diagnostic, Report
from rulekit.ruleset import Confidence, DataFile, overlay, overlay_all
from tests.unit.ruleset.helpers import SHIPS, codes, read, underlined

P, C, R, M, U = Confidence


def lay(owner: str, base: str = SHIPS) -> tuple[DataFile, list[Diagnostic]]:
    """The base with the owner's text laid over it, and what was told."""
    report = Report()
    laid = overlay(read(base)[0], read(owner, "mine.yaml")[0], report)
    return laid, list(report)


def test_rows_are_replaced_by_name() -> None:
    """Only the columns the owner gives change; they count as printed, and their place is the owner's file."""
    laid, found = lay(
        "format: 1\npopulations:\n  Ship:\n    columns: [name, at, armor]\n    rows: [[Beta, Bay, 5]]\n"
    )
    rows = laid.populations["Ship"].rows

    assert [] == found
    assert ["Alpha", "Beta", "Gamma"] == [row.cells[0].plain for row in rows]
    assert ["Beta", "Red", 5, (), "Bay"] == [cell.plain for cell in rows[1].cells]
    assert (P, C, P, C, P) == rows[1].confidence
    assert ["data/ships.yaml", "mine.yaml"] == [rows[1].cells[at].span.file for at in (1, 2)]
    assert read(SHIPS)[0].populations["Ship"].rows[0] == rows[0]
    assert ("seen once", "BOOK PAGE") == (rows[1].note, rows[1].source)


def test_an_owner_may_say_otherwise() -> None:
    """An owner's own doubt is kept."""
    laid, _ = lay(
        "format: 1\npopulations: {Ship: {columns: [name, armor], confidence: {armor: corroborated},"
        " rows: [{row: [Beta, 5], note: looked}]}}"
    )
    row = laid.populations["Ship"].rows[1]

    assert (P, C, C, C, R) == row.confidence
    assert "looked" == row.note


def test_tables_are_replaced_by_their_keys() -> None:
    """A row is found by all its key columns."""
    laid, found = lay('format: 1\ntables: {fire: {columns: [odds, roll, result], rows: [["3:1", 2, sunk]]}}')

    assert [] == found
    assert ["hit", "sunk"] == [row.cells[2].plain for row in laid.tables["fire"].rows]


def test_values_are_replaced_by_name() -> None:
    """The others stay."""
    laid, found = lay("format: 1\nvalues: {start: 9}")

    assert [] == found
    assert (9, P) == (laid.values["start"].cell.plain, laid.values["start"].confidence)
    assert (1, 2) == laid.values["limit"].cell.plain


def test_an_empty_table_takes_the_owners_rows() -> None:
    """A table that may not be published has its shape here and its numbers at the owner's."""
    base = "format: 1\ntables: {crt: {columns: [odds, roll, result], rows: []}}"
    laid, found = lay(
        'format: 1\ntables: {crt: {columns: [odds, roll, result], rows: [["1:1", 1, x]]}}', base
    )

    assert [] == found
    assert [(P, P, P)] == [row.confidence for row in laid.tables["crt"].rows]


@pytest.mark.parametrize(
    ("owner", "name", "under", "hint"),
    [
        ("populations: {Shpi: {columns: [name], rows: []}}", "overlay-unknown-name", "Shpi", "`Ship`"),
        ("tables: {frie: {columns: [a, b], rows: []}}", "overlay-unknown-name", "frie", "`fire`"),
        ("values: {strat: 1}", "overlay-unknown-name", "strat", "`start`"),
        (
            "populations: {Ship: {columns: [name, armor], rows: [[Bta, 1]]}}",
            "overlay-unknown-name",
            "Bta",
            "`Beta`",
        ),
        ("populations: {Ship: {columns: [name, armour], rows: []}}", "unknown-key", "armour", "`armor`"),
        ("populations: {Ship: {columns: [armor], rows: [[1]]}}", "missing-column", "Ship", "`name`"),
        ("populations: {Ship: {columns: [armor, name], rows: []}}", "missing-column", "Ship", "`name`"),
        ("tables: {fire: {columns: [roll, result], rows: []}}", "missing-column", "fire", "`odds`"),
        (
            'tables: {fire: {columns: [odds, roll, result], rows: [["9:1", 1, x]]}}',
            "overlay-unknown-name",
            '"9:1"',
            "",
        ),
    ],
)
def test_an_overlay_of_nothing_is_told(owner: str, name: str, under: str, hint: str) -> None:
    """A misspelt name never leaves the old fact in force without a word."""
    text = f"format: 1\n{owner}"
    laid, found = lay(text)

    assert name in codes(found)
    assert under == underlined(text, found[0])
    assert hint in (found[0].hint or "")
    assert read(SHIPS)[0] == laid


def test_one_overlay_serves_several_files() -> None:
    """Each name goes to the file that has it, and only a name that none has is told."""
    report = Report()
    bases = (read(SHIPS)[0], read("format: 1\nvalues: {other: 1}", "data/other.yaml")[0])
    owner, _ = read("format: 1\nvalues: {start: 7, other: 8, none: 9}", "mine.yaml")

    ships, other = overlay_all(bases, owner, report)

    assert (7, 8) == (ships.values["start"].cell.plain, other.values["other"].cell.plain)
    assert ["overlay-unknown-name"] == codes(list(report))
