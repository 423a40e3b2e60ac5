"""Extern populations: made-up members until an owner's file brings others: forms, saves, sheets."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from tests.unit.cli import running

RULES = """\
enum Side: Red, Blue
enum Terrain: Sea, Port
extern space Hex from "owner/map.yaml" otherwise "data/sampler.yaml":
    needs Truk, 'Pearl Harbor'
    terrain: Terrain
    neighbours: set of Hex
extern piece Unit from "owner/units.yaml" otherwise "data/sampler.yaml":
    side: Side
    place: Hex or none
choice goal(u: Unit) by u.side:
    pick one hex from Hex
claim bases: Truk.terrain is Port
sequence play:
    for each u in Unit:
        choose goal(u) as there
        move u to there
    finish
"""
SAMPLER = """\
format: 1
populations:
  Hex:
    columns: [name, terrain, neighbours]
    rows:
      - [Truk, Port, [Alpha]]
      - [Pearl Harbor, Port, []]
      - [Alpha, Sea, [Truk]]
  Unit:
    columns: [name, side, place]
    rows:
      - [First, Red, Truk]
      - [Second, Blue, ~]
"""
MAP = """\
format: 1
populations:
  Hex:
    columns: [name, terrain, neighbours]
    rows:
      - [Pearl Harbor, Port, [Midway]]
      - [Midway, Sea, [Pearl Harbor]]
      - [Truk, Port, []]
      - [Rabaul, Port, []]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rule set with a sampler of three spaces and two pieces."""
    folder = tmp_path / "set"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "sampler.yaml").write_text(SAMPLER)
    (folder / "play.rules").write_text(RULES)
    (folder / "ruleset.yaml").write_text(
        'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
    )
    return folder


def owner_file(tmp_path: Path, text: str, name: str = "map.yaml") -> Path:
    """A file of the owner's outside the set."""
    path = tmp_path / name
    path.write_text(text)
    return path


def run(*arguments: object) -> str:
    """The output of a command."""
    result = running.rulekit(*map(str, arguments))
    return result.out + result.err


def test_a_named_file_replaces_the_sampler_whole(folder: Path, tmp_path: Path) -> None:
    """Members of the sampler are gone, those of the owner are there; the other population stays made up."""
    program = rulekit.load(folder, data=[owner_file(tmp_path, MAP)]).program

    assert ("Pearl_Harbor", "Midway", "Truk", "Rabaul") == program.by_name.domains["space"].members
    assert {"Hex": "map.yaml", "Unit": "data/sampler.yaml"} == program.data
    assert ("Unit",) == program.made_up


def test_a_file_in_the_folder_counts_as_the_owners(folder: Path) -> None:
    """The same file under the name that the rules give it; a named file then overrides its cells."""
    (folder / "owner").mkdir()
    (folder / "owner" / "map.yaml").write_text(MAP)
    change = "format: 1\npopulations:\n  Hex:\n    columns: [name, terrain]\n    rows: [[Rabaul, Sea]]\n"
    compiled = compile_rule_set(folder, Report(), overlays=[owner_file(folder.parent, change, "change.yaml")])

    assert {"Hex": "owner/map.yaml", "Unit": "data/sampler.yaml"} == compiled.program.data
    assert (1, 0, 1, 0) == compiled.program.by_name.statics["Hex.terrain"].values[:4]


def test_a_form_filled_in_is_all_that_is_missing(folder: Path, tmp_path: Path) -> None:
    """`show owner` prints columns, allowed values and landmarks; each empty cell of it is a finding."""
    form = run("show", "owner", folder)
    expected = """\
format: 1
populations:
  Hex:
    # name: as printed, different in every row
    # terrain: one of `Sea`, `Port`
    # neighbours: a list `[...]`, each the name of a `Hex`
    columns: [name, terrain, neighbours]
    # The rules name these members. Add a row for every other one.
    rows:
      - [Truk, ~, ~]
      - [Pearl Harbor, ~, ~]
  Unit:
    # name: as printed, different in every row
    # side: one of `Red`, `Blue`
    # place: the space where it begins: the name of a `Hex`, or `~` for none
    columns: [name, side, place]
    rows: []
"""
    assert expected == form
    with pytest.raises(rulekit.RulesError) as raised:
        rulekit.load(folder, data=[owner_file(tmp_path, form)])
    empty = [(10, 16), (10, 19), (11, 24), (11, 27)]
    assert [*empty, (12, 3)] == [(f.span.line, f.span.column) for f in raised.value.diagnostics]

    whole = form.replace("~, ~]", "Port, []]").replace("rows: []", "rows: [[One, Red, Truk]]")
    path = owner_file(tmp_path, whole)
    assert () == rulekit.load(folder, data=[path]).program.made_up
    assert "no owner data is missing\n" == run("show", "owner", folder, "--data", path)
    assert "Hex Alpha, " in run("explain", "Alpha", folder)
    assert "sampler.yaml:8, made up" in run("explain", "Alpha", folder)
    assert "  Hex:" not in run("show", "owner", folder, "Unit")


def test_a_form_given_back_unfilled_lacks_nothing_but_values(folder: Path, tmp_path: Path) -> None:
    """Names of digits are in quotes; a piece that is always somewhere has an empty place."""
    rules = folder / "play.rules"
    text = rules.read_text().replace("needs Truk, 'Pearl Harbor'", "needs Truk, '0121'")
    text = text.replace("    side: Side\n    place", "    needs First\n    side: Side\n    place")
    text = text.replace("place: Hex or none", "place: Hex")
    rules.write_text(text)
    sampler = folder / "data" / "sampler.yaml"
    sampler.write_text(sampler.read_text().replace("Pearl Harbor", "'0121'").replace("Blue, ~", "Blue, Truk"))
    form = run("show", "owner", folder)

    assert "      - ['0121', ~, ~]\n" in form
    with pytest.raises(rulekit.RulesError) as raised:
        rulekit.load(folder, data=[owner_file(tmp_path, form)])
    gaps = [f.message for f in raised.value.diagnostics if f.kind.code == "RK606"]
    assert len(gaps) == len(raised.value.diagnostics)
    assert "`place` of `First` is empty" in gaps


def test_proofs_are_given_the_made_up_members(folder: Path, tmp_path: Path) -> None:
    """A proof with the sampler says so; with the owner's map it says what is left."""
    assert "bases (given made-up Unit, made-up Hex)" in run("check", folder, "--proofs")
    proofs = run("check", folder, "--proofs", "--data", owner_file(tmp_path, MAP))
    assert "bases (given made-up Unit)" in proofs


def test_play_and_sheets_name_made_up_members(folder: Path) -> None:
    """The heading of a game, the first line of its log, the foot of a sheet, and its blocks."""
    assert run("play", folder, "--agents", "random", "--seed", "1").startswith("Text · made up: Unit, Hex · ")
    log = run("play", folder, "--agents", "random", "--seed", "1", "--log", "-")
    assert '"data": {"Unit": "data/sampler.yaml", "Hex": "data/sampler.yaml"}' in log.split("\n")[0]

    sheet = folder.parent / "sheet.md"
    run("sheet", folder, "--output", sheet)
    text = sheet.read_text()
    assert "made up: unit, hex" in text.lower()
    assert 2 == text.lower().count("made up, until your own copy")


def test_a_save_names_the_files_of_its_members(folder: Path, tmp_path: Path) -> None:
    """Restored without the owner's file, it says which file it needs; one that still fits is a note."""
    path = owner_file(tmp_path, MAP)
    own = rulekit.load(folder, data=[path])
    session = own.start(seed=1)
    assert "Unit" in own.program.made_up
    session.choose("Midway")
    save = session.save()
    assert {"Hex": "map.yaml", "Unit": "data/sampler.yaml"} == save["data"]
    assert () == own.restore(save).notes

    with pytest.raises(rulekit.SaveError, match="saved with `map.yaml`"):
        rulekit.load(folder).restore(save)
    start = rulekit.load(folder).start(seed=1).save(log=False)
    notes = own.restore(start).notes
    assert ("saved with `data/sampler.yaml`; these data agree on everything in the save",) == notes


def test_a_sampler_beside_an_owners_map_asks_for_the_other_file(folder: Path, tmp_path: Path) -> None:
    """The owner cannot change the sampler, but can bring the other file as well."""
    sampler = folder / "data" / "sampler.yaml"
    sampler.write_text(sampler.read_text().replace("Blue, ~", "Blue, Alpha"))
    with pytest.raises(rulekit.RulesError) as raised:
        rulekit.load(folder, data=[owner_file(tmp_path, MAP)])

    (finding,) = raised.value.diagnostics
    assert "`Hex` has no member `Alpha`" == finding.message
    assert "the owner's data for `Hex` need the owner's `Unit` too" == finding.hint


def test_a_column_missing_in_the_head_is_one_mistake(folder: Path, tmp_path: Path) -> None:
    """Nobody knows the members of that file then: no landmark is missed, no name elsewhere is wrong."""
    units = "format: 1\npopulations:\n  Unit:\n    columns: [name, side, place]\n    rows:\n"
    files = (
        owner_file(tmp_path, MAP.replace("name, terrain, ", "name, ")),
        owner_file(tmp_path, units + "      - [Third, Red, Rabaul]\n", "units.yaml"),
    )

    told = run("check", folder, *(f"--data={file}" for file in files), "--output-format=concise")

    assert "RK636 `columns` has 2 names, but each of the 4 rows has 3 cells" in told
    assert told.rstrip().endswith("1 error")


def test_a_check_notices_a_file_that_comes_and_goes(folder: Path) -> None:
    """Results of checks are kept; the owner's file counts as one of their inputs before it exists."""
    note = "`Hex` has 3 made-up members: the owner's file `owner/map.yaml` is missing"
    assert note in run("check", folder)

    (folder / "owner").mkdir()
    path = owner_file(folder / "owner", MAP)
    assert note not in run("check", folder)

    path.unlink()
    assert note in run("check", folder)


def test_a_form_has_names_as_data_write_them(folder: Path) -> None:
    """A member may have a title for people, but data know its name; `~` is none where a field can be none."""
    rules = folder / "play.rules"
    text = rules.read_text().replace("enum Terrain: Sea, Port", 'enum Terrain:\n    Sea "open sea"\n    Port')
    rules.write_text(
        text.replace("    neighbours: set of Hex", "    neighbours: set of Hex\n    gate: Hex or none = none")
    )
    sampler = folder / "data" / "sampler.yaml"
    sampler.write_text(
        sampler.read_text()
        .replace("terrain, neighbours]", "terrain, neighbours, gate]")
        .replace("[Alpha]]", "[Alpha], ~]")
        .replace("Port, []]", "Port, [], ~]")
        .replace("[Truk]]", "[Truk], Truk]")
    )
    form = run("show", "owner", folder)

    assert "    # terrain: one of `Sea`, `Port`\n" in form
    assert "    # gate: the name of a `Hex`, or `~` for none\n" in form
