"""Real dice at the table: results are typed, refused, taken back, logged, played again and saved."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.unit.cli.running import FERRY, Ran, rulekit

BAG = """\
enum Side: Red, Blue
enum Chit: ape, bear, cat, dog
cup bag of Chit{known}
stack pile of Chit
state hand(side): set of Chit{held}
state score: 0..99
roll luck: 2d6
procedure deal:
    roll luck as found                      [1]
    add found to score
    draw 2 from bag as pair{drawn}          [2]
    set hand(Red) to pair
    shuffle pile                            [3]
    draw 1 from pile as top
    set score to (0 when top is cat otherwise 1)
scenario all_in "All in":
    add {{ape, bear, cat, dog}} to bag
    put {{ape, bear, cat}} under pile
sequence play:
    do deal
    finish Red
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves go to the working directory."""
    monkeypatch.chdir(tmp_path)


def a_set(folder: Path, *, secret: bool) -> Path:
    folder.mkdir()
    known, drawn, held = (", known to {}", ", known to Red", ", known to side") if secret else ("", "", "")
    (folder / "bag.rules").write_text(BAG.format(known=known, drawn=drawn, held=held))
    (folder / "ruleset.yaml").write_text(
        'id: bag\ntitle: Bag\nlanguage: "0.2"\nsides: Side\nsequence: play\n'
    )
    return folder


def played(folder: Path, *lines: str, more: tuple[str, ...] = ()) -> Ran:
    typed = "".join(f"{line}\n" for line in lines)
    return rulekit("play", folder, "--agents", "random", "--seed", "4", "--real-dice", *more, typed=typed)


def test_results_are_typed(tmp_path: Path) -> None:
    """Dice one by one or as a sum, names by their beginning, an order; and they are what comes."""
    open_set = a_set(tmp_path / "open", secret=False)
    ran = played(open_set, "3 4", "ca, b", "bear, cat, ape", more=("--log", "one.jsonl"))
    log = [json.loads(line) for line in Path("one.jsonl").read_text().splitlines()]

    assert (0, "result: Red") == (ran.code, ran.out.splitlines()[-1])
    assert "real dice" in ran.out.splitlines()[0]
    assert [7, ["bear", "cat"], ["bear", "cat", "ape"]] == [
        line["value"] for line in log if line["kind"] == "chance"
    ]
    assert "? roll: luck [1]" in ran.err and "2 dice, or their sum from 2 to 12" in ran.err
    assert "? draw: bag [2]" in ran.err and "2 of 4: ape, bear, cat, dog" in ran.err
    assert "? order: pile [3]" in ran.err and "all 3: ape, bear, cat" in ran.err


def test_what_may_be_secret_is_not_named(tmp_path: Path) -> None:
    """Neither when it is asked nor when a result is refused."""
    ran = played(a_set(tmp_path / "secret", secret=True), "7", "ape, dodo", "ape, ape", "ape, dog")

    assert "2 of 4\n" in ran.err and "bear" not in ran.err.partition("? order")[0]


def test_impossible_results_are_refused() -> None:
    """With what is possible; and the question stands."""
    ran = played(FERRY, "9", "north", "?", "5", "quit")

    assert 2 == ran.err.count("expected a result from 1 to 6")
    assert "let rulekit roll or draw this one" in ran.err
    assert "wind for Otter: 5" in ran.out


def test_a_log_plays_the_game_again() -> None:
    """With its results, without a person; a script that has none left says so."""
    results = ["4", "5", "undo", "2", *["roll"] * 20]
    first = played(FERRY, *results, more=("--log", "one.jsonl"))
    again = rulekit("play", FERRY, "--agents", "one.jsonl", "--log", "two.jsonl")

    assert (0, 0) == (first.code, again.code)
    assert Path("one.jsonl").read_text() == Path("two.jsonl").read_text()
    lines = Path("one.jsonl").read_text().splitlines()
    assert [4, 2] == [json.loads(line)["value"] for line in lines if '"chance", ' in line][:2]
    last = max(number for number, line in enumerate(lines) if '"kind": "chance"' in line)
    Path("short.jsonl").write_text("".join(f"{line}\n" for line in lines[:last]))
    short = rulekit("play", FERRY, "--agents", "short.jsonl")
    assert 2 == short.code and "has no more answers" in short.err


def test_a_saved_game_goes_on_with_real_dice() -> None:
    """It asks for the result that it waited for; its log goes on, too."""
    stopped = played(FERRY, "4", "quit", more=("--log", "one.jsonl"))
    saved = re.search(r"--resume (\S+)", stopped.err)
    assert saved is not None
    more = ("--agents", "random", "--log", "one.jsonl")
    ended = rulekit("play", FERRY, "--resume", saved[1], *more, typed="roll\n" * 20)
    again = rulekit("play", FERRY, "--agents", "one.jsonl", "--quiet")

    assert (0, 0, 0) == (stopped.code, ended.code, again.code)
    assert ended.out.splitlines()[-1] == again.out.splitlines()[-1]
    assert 2 == rulekit("play", FERRY, "--resume", saved[1], "--real-dice").code
