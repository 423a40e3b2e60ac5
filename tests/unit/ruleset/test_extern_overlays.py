"""An owner's file, given by the caller, reaches extern tables: over a file that is there, or in its stead."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import missing_tables

RULES = """\
state found: 0..9
extern table here(roll: 1..2) -> 0..9:
    file "data/here.yaml"
extern table gone(roll: 1..2) -> 0..9:
    file "owner/gone.yaml"
extern table lost(roll: 1..3) -> 0..9:
    file "owner/gone.yaml"
extern table elsewhere(roll: 1..2) -> 0..9:
    file "owner/elsewhere.yaml"
sequence play:
    set found to here(1) + gone(2)
"""
HERE = "format: 1\ntables:\n  here:\n    columns: [roll, hits]\n    rows: [[1, 1], [2, 2]]\n"
OWN = "format: 1\ntables:\n  {table}:\n    columns: [roll, hits]\n    rows: {rows}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rule set with the file of one extern table and without that of two."""
    made = tmp_path / "set"
    (made / "data").mkdir(parents=True)
    (made / "data" / "here.yaml").write_text(HERE)
    (made / "play.rules").write_text(RULES)
    (made / "ruleset.yaml").write_text('id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n')
    return made


def own(tmp_path: Path, table: str, rows: str) -> Path:
    """An owner's file with one table."""
    path = tmp_path / f"{table}.yaml"
    path.write_text(OWN.format(table=table, rows=rows))
    return path


def test_both_are_read(folder: Path, tmp_path: Path) -> None:
    """The owner's numbers count, in a table that has others and in one whose file is not there."""
    files = [own(tmp_path, "here", "[[1, 3]]"), own(tmp_path, "gone", "[[1, 0], [2, 5]]")]

    assert rulekit.load(folder, data=files).start(seed=1).state("found") == 8


def test_what_does_not_fit_is_told_in_the_owners_file(folder: Path, tmp_path: Path) -> None:
    """A row that lacks, a row too much, a table that nothing declares."""
    with pytest.raises(rulekit.RulesError, match="has no row for roll 1"):
        rulekit.load(folder, data=[own(tmp_path, "gone", "[[2, 5]]")])
    with pytest.raises(rulekit.RulesError, match="`5..7` is outside 1..2"):
        rulekit.load(folder, data=[own(tmp_path, "gone", "[[1, 0], [2, 5], ['5..7', 1]]")])
    with pytest.raises(rulekit.RulesError, match="unknown table `gonne`"):
        rulekit.load(folder, data=[own(tmp_path, "gonne", "[[1, 0], [2, 5]]")])


def test_without_it_the_fault_tells_all_that_the_file_holds(folder: Path) -> None:
    """The table that was asked for, and the other of the same file; not that of another."""
    with pytest.raises(rulekit.Fault) as raised:
        rulekit.load(folder).start(seed=1)

    assert "`gone` needs owner data: the file `owner/gone.yaml` is missing" in raised.value.message
    assert "owner/gone.yaml" == raised.value.file
    assert (
        "`owner/gone.yaml` is to hold 2 tables: 5 rows with 5 numbers\n\n"
        "format: 1\n"
        "tables:\n"
        "  gone:\n"
        "    columns: [roll, result]\n"
        "    rows:  # 2, one for each `roll`\n"
        "      # roll: 1, 2\n"
        "  lost:\n"
        "    columns: [roll, result]\n"
        "    rows:  # 3, one for each `roll`\n"
        "      # roll: 1..3"
    ) == raised.value.more


def test_a_file_to_fill_in_has_every_row(folder: Path, tmp_path: Path) -> None:
    """What is wanted, as a data file; filled in it is all that was wanted."""
    program = rulekit.load(folder).program
    text = missing_tables.template(missing_tables.without_numbers(program.statics, "owner/gone.yaml"))
    assert "    rows:\n      - [1, ~]\n      - [2, ~]\n  lost:" in text

    file = tmp_path / "gone.yaml"
    file.write_text(text.replace("~", "5"))
    filled = rulekit.load(folder, data=[file])
    assert ["elsewhere"] == [
        missing_tables.name_of(each) for each in missing_tables.without_numbers(filled.program.statics)
    ]
    assert filled.start(seed=1).state("found") == 6


def test_what_a_game_wants_has_every_row(tmp_path: Path) -> None:
    """Names, odds and numbers are written as data files are read: nothing but the numbers is wanting."""
    folder = Path(__file__).parents[3] / "rules" / "fcn"
    lacking = missing_tables.made_up_or_missing(compile_rule_set(folder, Report()).program.statics)
    file = tmp_path / "owner.yaml"
    file.write_text(missing_tables.template(lacking), encoding="utf-8")

    with pytest.raises(rulekit.RulesError) as raised:
        compile_rule_set(folder, Report(), overlays=[file])
    assert ["RK606"] * len(lacking) == [found.kind.code for found in raised.value.diagnostics]
    assert all(" empty" in found.message for found in raised.value.diagnostics)


def test_a_half_filled_file_is_told_in_one_finding_a_table(folder: Path, tmp_path: Path) -> None:
    """The first empty cell, how many there are, and which."""
    file = tmp_path / "gone.yaml"
    tables = OWN.format(table="gone", rows="[[1, ~], [2, ~]]") + "  lost:\n    columns: [roll, hits]\n"
    file.write_text(tables + "    rows:\n      - [1, 1]\n      - ['2..3', ~]\n")
    with pytest.raises(rulekit.RulesError) as raised:
        rulekit.load(folder, data=[file])

    told = [(each.kind.code, each.span.line, each.message, each.hint) for each in raised.value.diagnostics]
    assert [
        ("RK606", 5, "2 cells of the owner data for `gone` are empty", "fill in `hits` of every row"),
        ("RK606", 10, "a cell of the owner data for `lost` is empty", "fill in `hits` of 2"),
    ] == told
