"""Samplers of extern tables: made-up numbers until the owner brings others; forms, games, sheets, proofs."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.unit.cli import running

RULES = """\
state found: 0..99
extern table crt(roll: 1..4) -> 0..9:
    file "owner/tables.yaml" otherwise "data/sampler.yaml"
extern table flak(roll: 1..2) -> 0..9:
    file "owner/tables.yaml" otherwise "data/sampler.yaml"
sequence play:
    set found to 10 * crt(4) + flak(2)
example "numbers of the sampler":
    given sampler
    then crt(4) = 1
example "any numbers":
    then crt(4) in 0..9
"""
SAMPLER = """\
format: 1
tables:
  crt:
    columns: [roll, n]
    rows: [[1..4, 1]]
  flak:
    columns: [roll, n]
    rows: [[1..2, 2]]
"""
OWN = "format: 1\ntables:\n  crt:\n    columns: [roll, n]\n    rows: {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rule set with two tables of a sampler."""
    made = tmp_path / "set"
    (made / "data").mkdir(parents=True)
    (made / "data" / "sampler.yaml").write_text(SAMPLER)
    (made / "play.rules").write_text(RULES)
    (made / "ruleset.yaml").write_text('id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\n')
    return made


def own(tmp_path: Path, rows: str) -> Path:
    """An owner's file with one of the tables."""
    path = tmp_path / "own.yaml"
    path.write_text(OWN.format(rows))
    return path


def run(*arguments: object) -> str:
    """The output of a command."""
    result = running.rulekit(*map(str, arguments))
    return result.out + result.err


def test_a_named_file_replaces_one_table_whole(folder: Path, tmp_path: Path) -> None:
    """Its rows count alone, so that gaps are findings; the other table stays made up."""
    game = rulekit.load(folder, data=[own(tmp_path, "[[1..3, 5], [4, 7]]")])
    assert 72 == game.start(seed=1).state("found")
    assert ["table:flak"] == [table.name for table in game.program.made_up_tables]
    assert 12 == rulekit.load(folder).start(seed=1).state("found")

    with pytest.raises(rulekit.RulesError, match="the owner data for `crt` has no row for roll 4"):
        rulekit.load(folder, data=[own(tmp_path, "[[1..3, 5]]")])


def test_a_file_in_the_folder_must_have_all_tables(folder: Path) -> None:
    """Made-up numbers never mix with an owner's in silence; a named file still overrides cells of his."""
    (folder / "owner").mkdir()
    file = folder / "owner" / "tables.yaml"
    file.write_text(OWN.format("[[1..4, 5]]"))
    with pytest.raises(rulekit.RulesError, match="`owner/tables.yaml` has no table `flak`"):
        rulekit.load(folder)

    file.write_text(SAMPLER.replace("[1..4, 1]", "[1..3, 5], [4, 6]"))
    assert 62 == rulekit.load(folder).start(seed=1).state("found")
    assert 82 == rulekit.load(folder, data=[own(folder.parent, "[[4, 8]]")]).start(seed=1).state("found")


def test_a_form_filled_in_is_all_that_is_missing(folder: Path, tmp_path: Path) -> None:
    """`show owner` prints both tables until their numbers are there."""
    form = run("show", "owner", folder)
    assert form.startswith(
        "format: 1\ntables:\n  crt:\n    columns: [roll, result]\n    rows:\n      - [1, ~]"
    )
    assert "  flak:" not in run("show", "owner", folder, "crt")
    assert form == run("show", "owner", folder, "owner/tables.yaml")

    path = tmp_path / "filled.yaml"
    path.write_text(form.replace("~", "3"))
    assert "no owner data is missing\n" == run("show", "owner", folder, "--data", path)


def test_games_sheets_and_proofs_say_that_numbers_are_made_up(folder: Path, tmp_path: Path) -> None:
    """The heading of a game and of a sheet, the table on the sheet, the proof of each table."""
    assert run("play", folder, "--agents", "random", "--seed", "1").startswith("Text · made up: 2 tables · ")
    data = own(tmp_path, "[[1..4, 5]]")
    assert "made up: flak · " in run("play", folder, "--agents", "random", "--data", data)

    (folder / "sheet.yaml").write_text(
        "format: 1\nparts:\n  - title: Combat\n    blocks: [{table: crt}, {table: flak}]\n"
    )
    sheet = folder.parent / "sheet.md"
    run("sheet", folder, "--output", sheet)
    text = sheet.read_text()
    assert 2 == text.count("made up, until your own copy is laid over")
    assert "made up: 2 tables" in text

    proofs = run("check", folder, "--proofs", "--data", data, "--output-format", "json")
    assert '"made-up flak"' in proofs
    assert "with the owner's numbers" in proofs and "with the sampler's numbers" in proofs


def test_examples_of_the_sampler_are_counted_where_they_do_not_run(folder: Path, tmp_path: Path) -> None:
    """With any table of the owner's, a worked example of the sampler has no meaning."""
    assert "2 of 2 examples passed\n" == run("test", folder)
    told = run("test", folder, "--data", own(tmp_path, "[[1..4, 5]]"))
    assert "1 of 1 examples passed; 1 not run: they are for the sampler\n" == told


def test_a_check_notices_a_file_that_comes_and_goes(folder: Path) -> None:
    """Results of checks are kept; the owner's file counts as one of their inputs before it exists."""
    note = "2 tables have made-up numbers: the owner's file `owner/tables.yaml` is missing"
    assert note in run("check", folder)

    (folder / "owner").mkdir()
    path = folder / "owner" / "tables.yaml"
    path.write_text(SAMPLER)
    assert note not in run("check", folder)

    path.unlink()
    assert note in run("check", folder)


def test_an_erratum_may_settle_a_claim_about_the_sampler(folder: Path, tmp_path: Path) -> None:
    """With the owner's numbers the claim is gone, and the erratum still says what is played."""
    claim = "claim one: \n    given sampler\n    then crt(4) = 2\n"
    erratum = """\
errata two "one or two":
    printed "one"
    printed "two"
    settles one
    play "one"
    by encoders
    reason "It is printed first."
"""
    (folder / "errata.rules").write_text(claim + erratum)
    both = tmp_path / "both.yaml"
    both.write_text(OWN.format("[[1..4, 7]]") + "  flak:\n    columns: [roll, n]\n    rows: [[1..2, 3]]\n")

    assert 73 == rulekit.load(folder, data=[both]).start(seed=1).state("found")
