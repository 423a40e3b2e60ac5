"""An owner's file, given by the caller, reaches extern tables: over a file that is there, or in its stead."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit

RULES = """\
state found: 0..9
extern table here(roll: 1..2) -> 0..9:
    file "data/here.yaml"
extern table gone(roll: 1..2) -> 0..9:
    file "owner/gone.yaml"
extern table lost(roll: 1..2) -> 0..9:
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
    (made / "ruleset.yaml").write_text('id: text\ntitle: Text\nlanguage: "0.1"\nsequence: play\n')
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
    with pytest.raises(rulekit.RulesError, match="`5..7` is not within 1..2"):
        rulekit.load(folder, data=[own(tmp_path, "gone", "[[1, 0], [2, 5], ['5..7', 1]]")])
    with pytest.raises(rulekit.RulesError, match="there is no table `gonne` to lay this over"):
        rulekit.load(folder, data=[own(tmp_path, "gonne", "[[1, 0], [2, 5]]")])


def test_without_it_the_fault_tells_all_that_the_file_holds(folder: Path) -> None:
    """The table that was asked for, and the other of the same file; not that of another."""
    with pytest.raises(rulekit.Fault) as raised:
        rulekit.load(folder).start(seed=1)

    told = raised.value.message
    assert "`gone` are the owner's, in `owner/gone.yaml`" in told
    assert "the same file holds `lost` (`roll`, `result`)" in told
    assert "elsewhere" not in told
