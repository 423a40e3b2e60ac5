"""What `coverage` counts as played, exercised by examples, unreachable."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.unit.cli.running import DUEL, rulekit

HIDDEN = """
procedure bow(side):                                                            [5]
    when hits(side) > 0: do nod(side)
    do sit(side)
procedure nod(side):                                                            [5:2]
    set hits(side) to 0
procedure sit(side):                                                           [5:3]
    when hits(side) > 1: set hits(side) to 1
choice salute(side) by side:                                                    [6]
    pick one what from Act
define grace(side) -> 0..3: smaller(hits(side), 1)                            [7]
claim three_hits: hits(Red) <= 3                                                [8]

example "a bow":                                                                [5]
    given hits(Red) = 1
    when do bow(Red)
    then hits(Red) = 0
"""
PRINTED = ("5", "5:2", "5:3", "6", "7", "8", "9")


@pytest.fixture
def courtly(tmp_path: Path) -> Path:
    """The duel with rules that no play reaches, one that only a claim states, and one that is missing."""
    folder = tmp_path / "courtly"
    shutil.copytree(DUEL, folder)
    with (folder / "duel.rules").open("a") as rules:
        rules.write(HIDDEN)
    with (folder / "sources" / "duel.tsv").open("a") as printed:
        printed.writelines(f"DUEL.{rule}\trule\tA courtesy\n" for rule in PRINTED)
    return folder


def test_coverage_counts() -> None:
    """A chapter a line, and the sum."""
    ran = rulekit("coverage", DUEL, "--games", "5")

    rows = [_counts(line)[-7:] for line in ran.out.splitlines()[1:6]]
    assert [
        ["2", "2", "2", "0", "0", "0", "0"],
        ["1", "1", "1", "0", "0", "0", "0"],
        ["1", "0", "0", "0", "1", "0", "0"],
        ["1", "0", "0", "0", "0", "1", "0"],
        ["5", "3", "3", "0", "1", "1", "0"],
    ] == rows
    last = "of the cited rules 100.0% played in 5 random games, 100.0% exercised, 0.0% unreachable"
    assert last == ran.out.splitlines()[-1]


def _counts(line: str) -> list[str]:
    """The cells of a chapter's line, without the share and its bar."""
    return re.sub(r"  +\d+% ?[█▉▊▋▌▍▎▏]*$", "", line).split()


def test_a_chapter_has_its_title_and_its_share(courtly: Path) -> None:
    """The section of the booklet that all its rules have; how many cited rules something exercised."""
    printed = courtly / "sources" / "duel.tsv"
    head, *rules = printed.read_text().splitlines()
    rows = [f"{rule}\t{'Courtesies' if rule.startswith('DUEL.5') else ''}" for rule in rules]
    printed.write_text("\n".join([f"{head}\tsection", *rows]) + "\n")

    lines = rulekit("coverage", courtly, "--games", "3").out.splitlines()

    assert lines[0].endswith("  exercised")
    assert next(line for line in lines if line.startswith("2  ")).endswith("100% ████")
    assert "5  Courtesies " in next(line for line in lines if line.startswith("5"))
    assert next(line for line in lines if line.startswith("5")).endswith("    0%")


def test_a_chapter_of_several_sections_names_the_first(courtly: Path) -> None:
    """And says how many others there are."""
    printed = courtly / "sources" / "duel.tsv"
    head, *rules = printed.read_text().splitlines()
    sections = {"DUEL.5:2": "Nods", "DUEL.5:3": "Bows"}
    rows = [
        f"{rule}\t{sections.get(rule.split()[0], '')}" for rule in rules if not rule.startswith("DUEL.5\t")
    ]
    printed.write_text("\n".join([f"{head}\tsection", *rows]) + "\n")

    lines = rulekit("coverage", courtly, "--games", "0").out.splitlines()

    assert next(line for line in lines if line.startswith("5")).startswith("5  Nods and 1 more ")


def test_examples_are_not_play() -> None:
    """Without games nothing is played; what examples exercise is counted apart, each rule by name."""
    ran = rulekit("coverage", DUEL, "--games", "0", "--chapter", "1-2", "--output-format", "json")

    shown = json.loads(ran.out)
    assert ["1", "2"] == [chapter["name"] for chapter in shown["chapters"]]
    assert [] == shown["chapters"][0]["played"]
    assert "DUEL.1:2" in shown["chapters"][0]["examples"]
    assert "choice act" in shown["unreached"]
    assert 0 == shown["percent"]["played"]


def test_coverage_with_an_option() -> None:
    """Then its rule is cited, and played."""
    ran = rulekit("coverage", DUEL, "--games", "5", "--with", "wounds")

    assert "optional" not in ran.out
    assert ["5", "4", "4", "0", "1", "0"] == _counts(ran.out.splitlines()[-2])[-6:]


def test_what_no_play_reaches(courtly: Path) -> None:
    """It is not exercised, whatever an example does, and `-v` says what is missing."""
    ran = rulekit("coverage", courtly, "--games", "2", "-v")

    assert ["12", "9", "3", "0", "1", "5", "1", "1", "1"] == _sums(ran.out)
    assert "unreachable: DUEL.5, DUEL.5:2, DUEL.5:3: procedure `bow` is never run" in ran.out
    assert "unreachable: DUEL.6: choice `salute` is never asked" in ran.out
    assert "unreachable: DUEL.7: definition `grace` is never read" in ran.out
    assert "by claims alone: DUEL.8: claim `three_hits`" in ran.out
    assert "missing: DUEL.9" in ran.out


def test_a_reason_is_the_first_cause(courtly: Path) -> None:
    """Not the item nearest to the rule, which is itself used by what nothing runs."""
    ran = rulekit("coverage", courtly, "--games", "0", "--output-format", "json")

    assert ["procedure `bow` is never run"] == json.loads(ran.out)["reasons"]["DUEL.5:3"]


LINES = """enum Side: Red, Blue
enum Hue: Pale, Dark
state score: 0..99
extern table worth(hue) -> 0..3:
    file "owner/worth.yaml"
roll toss(bold: flag): d6
modifier brave on roll toss: +1                                                  [1]
    when bold
modifier calm on roll toss: +1                                                   [2]
    unless bold
define half(n: 0..9) -> 0..9:
    when n > 7: 3                                                               [3]
    let rest = larger(n, 1) - 1
    when rest > 2: 2                                                            [4]
    otherwise: 1                                                                [5]
table fee(n: 0..9, hue) -> 0..9:
    | n    | Pale | Dark |
    | ..3  | 1    | 2    |                                                      [6]
    | 4..8 | 1    | 3    |                                                      [7]
    | 9    | 1    | 1    |                                                      [6]
procedure tally(n: 0..9):                                                       [8]
    set score to half(n) + fee(n, Pale)
sequence play:
    roll toss(false) as die
    do tally(4)
    add worth(Dark) to score                                                    [9]
    finish
example "a small fee":
    when do tally(2)
    then score = 2
"""


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A set whose rules are cited by rows, cases and modifiers, and where data of the owner are missing."""
    (tmp_path / "sources").mkdir()
    printed = [f"TEXT.{number}\trule\tA line\n" for number in range(1, 10)]
    (tmp_path / "sources" / "text.tsv").write_text("".join(["id\tkind\tsummary\n", *printed]))
    manifest = 'id: text\ntitle: Text\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "text.rules").write_text(LINES)
    return tmp_path


@pytest.mark.parametrize(
    ("part", "rules"), [("played", "24789"), ("examples", "56"), ("idle", "13"), ("claimed", "")]
)
def test_rows_and_cases_run_alone(lines: Path, part: str, rules: str) -> None:
    """Each counts only where it gave the value; a modifier where it acts, not wherever its die is rolled."""
    ran = rulekit("coverage", lines, "--games", "1", "--output-format", "json")

    chapters = json.loads(ran.out)["chapters"]
    assert [f"TEXT.{rule}" for rule in rules] == [rule for chapter in chapters for rule in chapter[part]]


def test_games_make_up_what_the_owner_lacks(lines: Path) -> None:
    """They go on with made-up numbers, and the report says so."""
    ran = rulekit("coverage", lines, "--games", "1")

    message = "the games use made-up numbers, because owner data is missing: `owner/worth.yaml`\n"
    assert message == ran.err


def _sums(out: str) -> list[str]:
    return next(_counts(line)[1:] for line in out.splitlines() if line.startswith("all"))


@pytest.mark.parametrize(
    ("floor", "code"),
    [
        ("played=100", 0),
        ("100", 0),
        ("exercised=100", 0),
        ("reachable=100", 0),
        ("cited=100", 0),
    ],
)
def test_floors_that_hold(floor: str, code: int) -> None:
    """A floor may be reached exactly; without a name it is one of what is exercised."""
    ran = rulekit("coverage", DUEL, "--games", "5", "--fail-under", floor)

    assert (code, "") == (ran.code, ran.err)


@pytest.mark.parametrize(
    ("floor", "message"),
    [
        ("played=0.1", "0.0% played is under 0.1%"),
        ("reachable=99", "44.4% reachable is under 99%"),
        ("50", "33.3% exercised is under 50%"),
        ("cited=95", "90.0% cited is under 95%"),
    ],
)
def test_floors_that_do_not_hold(courtly: Path, floor: str, message: str) -> None:
    """Each says its figure, and the exit code is 1."""
    ran = rulekit("coverage", courtly, "--games", "0", "--fail-under", floor)

    assert 1 == ran.code
    assert message in ran.err


@pytest.mark.parametrize("floor", ["good=3", "played=x", "101", "exercised=-1", "played="])
def test_floors_that_are_none(floor: str) -> None:
    """The command does not run."""
    ran = rulekit("coverage", DUEL, "--fail-under", floor)

    assert 2 == ran.code
    assert "--fail-under" in ran.err


def test_a_second_run_is_the_same(courtly: Path) -> None:
    """What the first one kept is taken over only while the rules and the number of games are the same."""
    first = rulekit("coverage", courtly, "--games", "3")
    again = rulekit("coverage", courtly, "--games", "3")
    none = rulekit("coverage", courtly, "--games", "0")
    with (courtly / "duel.rules").open("a") as rules:
        rules.write("define courtesy(side) -> 0..3: grace(side)                    [9]\n")
    after = rulekit("coverage", courtly, "--games", "3")

    assert first == again
    assert "0" == _sums(none.out)[2]
    assert "0" == _sums(after.out)[-1]
