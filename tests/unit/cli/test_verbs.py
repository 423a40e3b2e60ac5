"""What `run`, `explain`, `compile`, `coverage`, `test` and `check` print."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulekit.base.resources import schema
from tests.unit.cli.running import DUEL, FERRY, rulekit

OWN = """\
format: 1
about: My own copy.
source:
  MINE: my copy
populations:
  Boat:
    columns: [name, load]
    confidence: {default: printed}
    rows:
      - [Heron, 2]
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A data file of an owner."""
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    return path


# ---------------------------------------------------------------- run


def test_run_lists_what_can_be_run() -> None:
    """Procedures, definitions and tables, with their parameters and results."""
    ran = rulekit("run", DUEL)

    assert [
        "outcome(roll: 0..6, parried: flag) -> Outcome",
        "play",
        "strike_at(target: Side, parried: flag)",
    ] == ran.out.splitlines()


def test_run_a_procedure() -> None:
    """What happened is told; the same seed gives the same dice."""
    words = ("run", DUEL, "strike_at", "--set", "target=Blue", "--set", "parried=no", "--seed")
    rolls = {rulekit(*words, str(seed)).out for seed in range(12)}

    assert 0 == rulekit(*words, "1").code
    assert rulekit(*words, "1") == rulekit(*words, "1")
    assert 2 < len(rolls) <= 6
    assert {True} == {told.startswith("     1:2  strike for Red: ") for told in rolls}
    assert any("Blue hits 0 → 1" in told for told in rolls)


@pytest.mark.parametrize(
    "given, told",
    [
        ("hits(Blue)=2", "Blue hits 2 → 3\n"),
        ("hits(Red)=2", "Blue hits 0 → 1\n"),
        ("hits(blue) = 1", "Blue hits 1 → 2\n"),
    ],
)
def test_run_with_a_state_that_is_given(given: str, told: str) -> None:
    """As in an example's `given`."""
    words = ("run", DUEL, "strike_at", "--set", "target=Blue", "--set", "parried=false", "--given", given)
    tries = (rulekit(*words, "--seed", str(seed)).out for seed in range(12))

    assert any(told in each for each in tries)


def test_run_a_field_that_is_given() -> None:
    """By the piece that has it: where it is, what it has."""
    words = ("run", FERRY, "sail", "--set", "b=swift")
    south, north = (rulekit(*words, "--given", f"swift.place={place}").out for place in ("South", "North"))

    assert "Red, landing (Swift): North" in south and "Red, landing (Swift): South" in north


@pytest.mark.parametrize(
    "words, result",
    [
        (("outcome", "--set", "roll=5", "--set", "parried=false"), "hit"),
        (("outcome", "--set", "roll=5", "--set", "parried=yes"), "no effect"),
    ],
)
def test_run_a_table(words: tuple[str, ...], result: str) -> None:
    """A look-up."""
    assert f"result: {result}\n" == rulekit("run", DUEL, *words).out


def test_run_a_definition_in_json() -> None:
    """For programs."""
    ran = rulekit("run", FERRY, "fleet", "--set", "side=Red", "--output-format", "json")

    assert {"format": 1, "result": ["Swift", "Heron"], "events": [], "unused": {}} == json.loads(ran.out)


def test_run_with_dice_that_are_given() -> None:
    """The first ones; what is left over is named."""
    words = ("run", DUEL, "strike_at", "--set", "target=Blue", "--set", "parried=no", "--dice")
    ran = rulekit(*words, "strike=5,6", "--seed", "3")

    assert "strike for Red: 5" in ran.out and "Blue hits 0 → 1" in ran.out
    assert "`strike` did not use 1 of the given values\n" == ran.err


def test_run_with_answers_that_are_given() -> None:
    """By name or title, for each time that the choice is asked."""
    words = ("run", FERRY, "sail", "--set", "b=Swift", "--scenario", "morning", "--answers")

    assert "Red, landing (Swift): South" in rulekit(*words, "landing=south").out
    assert "Red, landing (Swift): none" in rulekit(*words, "landing=none").out


@pytest.mark.parametrize(
    "words, error",
    [
        (("--dice", "strikes=5"), "unknown roll `strikes`; did you mean `strike`?"),
        (("--dice", "strike=five"), "`--dice strike`: expected a number, found `five`"),
        (("--dice", "strike=7"), "`strike` has no 7 on its 6 sides"),
        (("--dice", "strike"), "`--dice strike`: expected ROLL=NUMBER,NUMBER"),
        (("--draws", "bag=Ada"), "unknown draw or shuffle `bag`; the rules have none"),
        (("--answers", "acts=Parry"), "unknown choice `acts`; did you mean `act`?"),
    ],
)
def test_run_with_chance_that_the_rules_do_not_have(words: tuple[str, ...], error: str) -> None:
    """Refused with the nearest name."""
    ran = rulekit("run", DUEL, "strike_at", "--set", "target=Blue", "--set", "parried=no", *words)

    assert (2, f"rulekit: {error}\n") == (ran.code, ran.err)


def test_run_on_a_scenario() -> None:
    """Set up first."""
    bare = rulekit("run", FERRY, "sail", "--set", "b=Otter", "--output-format", "json")
    set_up = rulekit(
        "run", FERRY, "sail", "--set", "b=Otter", "--scenario", "morning", "--output-format", "json"
    )

    assert "North" == _landing(bare.out)
    assert "South" == _landing(set_up.out)


def _landing(text: str) -> str:
    """What the choice was answered with."""
    return next(each["value"] for each in json.loads(text)["events"] if each["kind"] in ("answer", "forced"))


def test_a_fault_names_its_place(tmp_path: Path) -> None:
    """Where in the rules, under which number, and what is wrong."""
    folder = tmp_path / "ferry"
    shutil.copytree(FERRY, folder)
    text = (folder / "ferry.rules").read_text()
    (folder / "ferry.rules").write_text(text + "procedure deep: [4]\n    set tolls(Red) to 7 + tolls(Blue)\n")
    line = text.count("\n") + 2

    ran = rulekit("run", folder, "deep", "--given", "tolls(Blue)=9")

    assert (2, "") == (ran.code, ran.out)
    assert "would be 16, outside 0..9 (RK701 out-of-range)" in ran.err
    assert f"  at {folder / 'ferry.rules'}:{line}, deep [4]" in ran.err.splitlines()


# ---------------------------------------------------------------- explain


def test_explain_a_code() -> None:
    """The page, by code or name, in any case."""
    page = rulekit("explain", "RK402").out

    assert page.startswith("# RK402 table-overlap\n")
    assert page == rulekit("explain", "table-overlap").out == rulekit("explain", "rk402").out


def test_explain_a_printed_rule() -> None:
    """What is printed, what encodes it, which examples show it."""
    ran = rulekit("explain", "2:2", FERRY)

    assert [
        "FERRY.2:2  rule",
        "  A boat with a load of three does not go to the Fen",
    ] == ran.out.splitlines()[:2]
    assert "forbid shallow: goal is 'The Fen' when b.load = 3" in ran.out
    assert "the Heron is too deep for the Fen" in ran.out.partition("tested by")[2]
    assert ran == rulekit("explain", "FERRY.2:2", FERRY)


def test_explain_an_excused_rule() -> None:
    """With the reason why nothing encodes it."""
    assert "not encoded: a wish, not a rule" in rulekit("explain", "3", DUEL).out


def test_explain_a_rule_of_an_option() -> None:
    """Cited only with the option."""
    assert "not cited" in rulekit("explain", "4", DUEL).out
    assert "modifier wounded" in rulekit("explain", "4", DUEL, "--with", "wounds").out


def test_explain_a_name() -> None:
    """A declaration with its lines and the rules it cites; a piece with its facts and their confidence."""
    crew, heron = rulekit("explain", "crew", FERRY).out, rulekit("explain", "heron", FERRY).out

    assert crew.startswith("choice crew, ") and "unless Swift is chosen" in crew
    assert "[3] The ferryman picks a crew among the boats of a side" in crew
    assert "load: 3  (reconstructed)" in heron and "side: Red  (printed)" in heron


def test_explain_with_an_overlay(own: Path) -> None:
    """The owner's number, and how far it is to be trusted."""
    assert "load: 2  (printed)" in rulekit("explain", "Heron", FERRY, "--data", own).out


# ---------------------------------------------------------------- compile


@pytest.mark.parametrize(
    "words", [(DUEL,), (DUEL, "--with", "wounds"), (FERRY,)], ids=["duel", "wounds", "ferry"]
)
def test_compile_writes_what_the_schema_describes(words: tuple[str | Path, ...], tmp_path: Path) -> None:
    """To a file, or to standard output: the same."""
    target = tmp_path / "made.json"

    ran = rulekit("compile", *words, "-o", target)

    assert (0, "", "") == (ran.code, ran.out, ran.err)
    assert target.read_text() == rulekit("compile", *words).out
    Draft202012Validator(schema("ir")).validate(json.loads(target.read_text()))


def test_options_change_the_program(own: Path) -> None:
    """And so do the owner's numbers."""
    assert rulekit("compile", DUEL).out != rulekit("compile", DUEL, "--with", "wounds").out
    assert rulekit("compile", FERRY).out != rulekit("compile", FERRY, "--data", own).out


# ---------------------------------------------------------------- test, check


def test_examples_by_name(tmp_path: Path) -> None:
    """`-v` names those that hold; `--only` chooses by title or rule."""
    ran = rulekit("test", FERRY, "--only", "SIX", "-v")

    assert [True, False] == [line.startswith("passed  ") for line in ran.out.splitlines()]
    assert "1 of 1 examples passed" == ran.out.splitlines()[-1]


def test_examples_in_json() -> None:
    """Each with its place, its rules, and how it went."""
    shown = json.loads(rulekit("test", FERRY, "--output-format", "json").out)

    assert ["a six tires", "a calm pays", "the Heron is too deep for the Fen"] == [
        e["name"] for e in shown["examples"]
    ]
    assert {True} == {each["holds"] for each in shown["examples"]}
    assert {"file": "ferry.rules", "rules": ["FERRY.4"]}.items() <= shown["examples"][0].items()


def test_check_in_json(own: Path) -> None:
    """Findings as the schema describes them; several sets in one list."""
    shown = json.loads(rulekit("check", FERRY, DUEL, "--output-format", "json").out)

    Draft202012Validator(schema("diagnostics")).validate(shown)
    assert ["RK644", "RK435"] == [each["code"] for each in shown["findings"]]


def test_notes_can_be_left_out(own: Path) -> None:
    """And an owner's numbers are facts that need no trust."""
    assert "note[RK644" in rulekit("check", FERRY).out
    assert ("", "no findings\n") == (
        rulekit("check", FERRY, "--no-notes").out,
        rulekit("check", FERRY, "--no-notes").err,
    )
    assert "2 of 6 facts" in rulekit("check", FERRY, "--data", own).out


def test_a_set_by_its_name_and_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder here goes before a set that comes with rulekit only if it is a rule set."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vitp").mkdir()

    by_id = rulekit("test", "vitp", "--only", "7.55")
    shutil.copytree(DUEL, tmp_path / "vitp", dirs_exist_ok=True)
    by_folder = rulekit("test", "vitp")

    assert by_id.code == by_folder.code == 0
    assert "2 of 2 examples passed\n" == by_folder.out != by_id.out
