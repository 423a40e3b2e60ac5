"""Whole games from the command line: told, logged, played again, saved and gone on with."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from rulekit.cli.table import seats
from tests.unit.cli.running import DUEL, FERRY, alone, rulekit

RANDOM = ("--agents", "random")


def lines_of(log: Path) -> list[dict[str, Any]]:
    """A log as data."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_a_told_game() -> None:
    """Head, headings of the outline, lines with their rule in the margin, and the result."""
    ran = rulekit("play", FERRY, *RANDOM, "--seed", "4")

    lines = ran.out.splitlines()
    assert (0, "") == (ran.code, ran.err)
    assert "Ferry · first · In the morning · seed 4" == lines[0]
    assert "       1  Swift, Heron, Otter to North" == lines[1]
    assert any(line.startswith("== 1 A day") and line.endswith("day 1") for line in lines)
    assert "- 2 Landings" in lines
    assert "       2  Red, landing (Swift): South" in lines
    assert "result: Red" == lines[-1]


def test_the_head_counts_many_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names a few; of more, the preset that turns them on, and how many there are."""
    game = ("play", DUEL.parent / "harbour", *RANDOM, "--seed", "4", "--with", "dark")
    few = rulekit(*game).out.splitlines()[0]
    monkeypatch.setattr(seats, "MOST_NAMED", 1)
    many = rulekit(*game).out.splitlines()[0]

    assert "Harbour · first · fog · night-raids · seed 4" == few
    assert "Harbour · first · dark · 2 options · seed 4" == many


@pytest.mark.parametrize("folder", [DUEL, FERRY], ids=["duel", "ferry"])
def test_the_same_seed_is_the_same_game_everywhere(folder: Path, tmp_path: Path) -> None:
    """In other processes, from other folders, with other hash seeds: the same text, the same log."""
    told, logs = set(), set()
    for number, hash_seed in enumerate(("0", "1", "4242")):
        log = tmp_path / f"{number}.jsonl"
        where = tmp_path / hash_seed
        where.mkdir()
        ran = alone(
            "play", folder, *RANDOM, "--seed", "9", "--log", log, env={"PYTHONHASHSEED": hash_seed}, cwd=where
        )
        assert (0, "") == (ran.code, ran.err)
        told.add(ran.out)
        logs.add(log.read_bytes())

    here = rulekit("play", folder, *RANDOM, "--seed", "9", "--log", tmp_path / "here.jsonl")

    assert {here.out} == told
    assert {(tmp_path / "here.jsonl").read_bytes()} == logs


def test_another_seed_is_another_game() -> None:
    """A word will do as a seed; and numbers that look different are different."""
    games = {rulekit("play", DUEL, *RANDOM, "--seed", seed).out for seed in ("1", "2", "red", "-1", "1.0")}

    assert 5 == len(games)


def test_without_a_seed_the_head_tells_the_one_that_was_drawn() -> None:
    """So that the game can be had again."""
    first = rulekit("play", DUEL, *RANDOM)
    seed = first.out.splitlines()[0].rpartition("seed ")[2]

    assert first.out == rulekit("play", DUEL, *RANDOM, "--seed", seed).out


# ---------------------------------------------------------------- faults


@pytest.fixture
def poor(tmp_path: Path) -> Path:
    """A ferry whose purses hold one toll."""
    folder = tmp_path / "poor"
    shutil.copytree(FERRY, folder)
    text = (folder / "ferry.rules").read_text()
    (folder / "ferry.rules").write_text(text.replace("tolls(side): 0..9", "tolls(side): 0..1"))
    return folder


def test_rules_that_cannot_go_on(poor: Path, tmp_path: Path) -> None:
    """Code 2; what is wrong, where in the rules and in play; the game is saved, and its log is whole."""
    log, place = tmp_path / "log", tmp_path / "save.json"

    ran = rulekit("play", poor, *RANDOM, "--seed", "4", "--log", log, "--save", place)

    said = ran.err.splitlines()
    text = (poor / "ferry.rules").read_text()
    line = text[: text.index("add 1 to tolls")].count("\n") + 1
    assert 2 == ran.code
    assert any("would be 2, outside 0..1 (RK701 out-of-range)" in line for line in said)
    assert f"  at {poor / 'ferry.rules'}:{line}, blow [4]" in said
    assert "  in A day > Crews" in said
    assert "start" == lines_of(log)[0]["kind"] and place.exists()


def test_a_game_without_end(tmp_path: Path) -> None:
    """Agents stop after so many answers: where no person plays, nobody else would."""
    rules = (
        "enum Side: Red, Blue\nstate n: 0..9\nchoice bid by Red:\n    number from 0 to 9\n"
        "sequence play:\n    repeat while n < 10:\n        choose bid as a\n        set n to smaller(a, 9)\n"
    )
    manifest = 'id: endless\ntitle: Endless\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
    (tmp_path / "a.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(manifest, encoding="utf-8")

    saved = tmp_path / "saved.json"
    few = ("--most-answers", "20", "--save", str(saved))
    ran = rulekit("play", tmp_path, *RANDOM, *few)
    resumed = rulekit("play", tmp_path, "--agents", "random", "--resume", saved, *few)

    assert 2 == ran.code == resumed.code
    assert "the game has not ended after 20 answers; --most-answers" in ran.err
    assert ran.err.count("--most-answers 20") == resumed.err.count("--most-answers 20") == 1


def test_a_person_may_answer_something_else(poor: Path, tmp_path: Path) -> None:
    """Where an answer leads nowhere the question stands again."""
    typed = "south\nnone\nswift, heron\n"
    words = ("play", poor, "--agent", "Blue=random", "--save", tmp_path / "save.json", "--seed")
    seeds = (rulekit(*words, str(seed), typed=typed).err for seed in range(9))
    said = next(err for err in seeds if "RK701" in err)

    assert "that answer leads to a fault: " in said
    assert "? Red: crew" in said.partition("choose another answer")[2]


def test_a_person_reads_no_hidden_value_in_the_fault_of_another(poor: Path, tmp_path: Path) -> None:
    """Where tolls are hidden from the person who plays, the fault of the other side names none."""
    rules = poor / "ferry.rules"
    rules.write_text(rules.read_text().replace("tolls(side): 0..1", "tolls(side): 0..1, known to side"))
    typed = "none\nnone\ndone\n" * 4
    words = ("play", poor, "--agent", "Blue=random", "--save", tmp_path / "save.json", "--seed")
    errors = [ran.err for seed in range(4) if "RK701" in (ran := rulekit(*words, str(seed), typed=typed)).err]

    assert any("play stopped" in error for error in errors)
    assert not any("would be 2" in error for error in errors)


# ---------------------------------------------------------------- the log


def test_a_log_tells_what_is_played_and_everything_that_happened(tmp_path: Path) -> None:
    """A first line, then an event a line: its kind, what it is of, its rules."""
    log = tmp_path / "game.jsonl"

    rulekit("play", FERRY, *RANDOM, "--seed", "4", "--log", log)

    start, *events = lines_of(log)
    assert {
        "kind": "start",
        "format": 1,
        "set": "ferry",
        "scenario": "morning",
        "seed": "4",
    }.items() <= start.items()
    assert {"title", "edition", "options", "source", "answers"} <= set(start)
    assert all({"kind", "subject", "rules"} <= set(event) for event in events)
    answer = next(event for event in events if event["kind"] == "answer")
    assert {
        "choice": "landing",
        "side": "Red",
        "value": "South",
        "rules": ["FERRY.2"],
    }.items() <= answer.items()
    assert ("finish", "Red") == (events[-1]["kind"], events[-1]["result"])


def test_a_log_is_put_in_its_place_when_it_is_whole(tmp_path: Path) -> None:
    """It replaces what was there; nothing is left beside it; a link stays a link; the mode is kept."""
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)

    rulekit("play", DUEL, *RANDOM, "--seed", "1", "--log", link)

    assert {"real.jsonl", "link.jsonl"} == {path.name for path in tmp_path.iterdir()}
    assert link.is_symlink() and "start" == lines_of(real)[0]["kind"]
    assert 0o600 == stat.S_IMODE(os.stat(real).st_mode)


def test_a_log_on_standard_output_stands_alone(tmp_path: Path) -> None:
    """`--log -` is for a pipe: the told game gives way, the result goes to standard error."""
    log = tmp_path / "game.jsonl"
    rulekit("play", DUEL, *RANDOM, "--seed", "1", "--log", log)

    ran = rulekit("play", DUEL, *RANDOM, "--seed", "1", "--log", "-")

    assert log.read_text() == ran.out
    assert ran.err.strip().startswith("result: ")


def test_quiet_tells_only_the_end() -> None:
    """For whoever plays many."""
    ran = rulekit("play", DUEL, *RANDOM, "--seed", "1", "--quiet")

    assert [f"result: {ran.out.split()[-1]}"] == ran.out.splitlines()


# ---------------------------------------------------------------- files of answers


@pytest.mark.parametrize("folder", [DUEL, FERRY], ids=["duel", "ferry"])
def test_a_log_plays_its_game_again(folder: Path, tmp_path: Path) -> None:
    """With its seed and its scenario, to the last byte."""
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    told = rulekit("play", folder, *RANDOM, "--seed", "11", "--log", first)

    ran = rulekit("play", folder, "--agents", first, "--log", again)

    assert told == ran
    assert first.read_bytes() == again.read_bytes()


def test_a_log_can_stand_in_for_one_side(tmp_path: Path) -> None:
    """The answers of the others are passed over."""
    log = tmp_path / "game.jsonl"
    told = rulekit("play", DUEL, *RANDOM, "--seed", "5", "--log", log)

    ran = rulekit("play", DUEL, "--agents", "random", "--agent", f"blue={log}", "--seed", "5")

    assert told == ran


def test_a_function_plays(tmp_path: Path) -> None:
    """One that answers like an agent known by name plays the same game."""
    agents = tmp_path / "agents.py"
    agents.write_text(
        "def first(session, decision):\n    return decision.legal_answers[0]\n"
        "def none(session, decision):\n    return None\n"
        "def fails(session, decision):\n    return decision.name_of_nothing\n"
    )
    known = rulekit("play", FERRY, "--agents", "first-legal", "--seed", "5")

    assert known == rulekit("play", FERRY, "--agents", f"{agents}:first", "--seed", "5")
    save = ("--save", tmp_path / "save.json")
    for who, words in (
        ("none", "`landing` is asked, and the agent of Red has no answer"),
        ("fails", "`agents.py:fails` fails at `landing`: AttributeError"),
        ("furst", "no function `furst`; did you mean `first`?"),
    ):
        ran = rulekit("play", FERRY, "--agents", f"{agents}:{who}", "--seed", "5", *save)
        assert 2 == ran.code
        assert words in ran.err


def script(folder: Path, *lines: object) -> Path:
    """A file of answers."""
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_script_needs_only_choice_and_value(tmp_path: Path) -> None:
    """It may be shorter than the game: then the command says what is asked, and saves."""
    answers = script(
        tmp_path,
        {"choice": "landing", "value": "South"},
        {"choice": "landing", "value": None},
        {"choice": "crew", "value": "Swift"},
        {"choice": "crew", "value": "done"},
    )
    place = tmp_path / "save.json"

    ran = rulekit("play", FERRY, "--agents", answers, "--seed", "1", "--save", place)

    assert 2 == ran.code
    assert "       2  Red, landing (Heron): none" in ran.out.splitlines()
    assert "has no more answers" in ran.err and "`landing` is asked of Blue" in ran.err
    assert f"--resume {place}" in ran.err and place.exists()


@pytest.mark.parametrize(
    "line, said",
    [
        ({"choice": "landing", "value": "North"}, '1: "North" is not a legal answer to `landing`'),
        ({"choice": "landing", "value": "Nowhere"}, '1: "Nowhere" is not a legal answer to `landing`'),
        ({"choice": "crew", "value": "Swift"}, "1 answers `crew`, and `landing` is asked of Red"),
        ({"choice": "landing"}, "1 is an answer without `choice` and `value`"),
        (["landing", "South"], "1 is not a JSON object"),
        ({"kind": "start", "options": "fog"}, "1 has `options` that are not a list of names"),
        ({"kind": "start", "options": [1]}, "1 has `options` that are not a list of names"),
        ({"kind": "start", "answers": "two"}, "1 has `answers` that are not a number"),
    ],
)
def test_a_script_that_does_not_fit(line: object, said: str, tmp_path: Path) -> None:
    """Its line is named, with what was asked."""
    answers = script(tmp_path, line)

    ran = rulekit("play", FERRY, "--agents", answers, "--seed", "1", "--save", tmp_path / "save.json")

    assert 2 == ran.code
    assert f"{answers}:{said}" in ran.err


# ---------------------------------------------------------------- going on


def test_a_game_that_was_stopped_ends_as_the_unbroken_one(tmp_path: Path) -> None:
    """Its log, gone on with, is the log of the whole; its random players answer as they would have."""
    whole, parts, place = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl", tmp_path / "save.json"
    told = rulekit("play", FERRY, *RANDOM, "--seed", "21", "--log", whole)
    answers = [line for line in lines_of(whole) if line["kind"] == "answer"]
    beginning = script(tmp_path, *answers[:7])
    rulekit("play", FERRY, "--agents", beginning, "--seed", "21", "--save", place, "--log", parts)

    ran = rulekit("play", FERRY, *RANDOM, "--resume", place, "--log", parts)

    assert 0 == ran.code
    assert whole.read_bytes() == parts.read_bytes()
    assert told.out.splitlines()[-10:] == ran.out.splitlines()[-10:]


def test_a_log_of_another_game_is_not_gone_on_with(tmp_path: Path) -> None:
    """What it has would be lost."""
    log, place = tmp_path / "game.jsonl", tmp_path / "save.json"
    rulekit(
        "play", FERRY, "--agents", script(tmp_path, {"choice": "landing", "value": "South"}), "--save", place
    )
    rulekit("play", FERRY, *RANDOM, "--seed", "other", "--log", log)
    before = log.read_bytes()

    ran = rulekit("play", FERRY, *RANDOM, "--resume", place, "--log", log)

    assert (2, before) == (ran.code, log.read_bytes())
    assert "is not the log of this game" in ran.err


@pytest.mark.parametrize("spoiled", ["{", "[]", "{}", '{"format": 99}', "\x00", "[" * 100_000])
def test_a_damaged_save_is_refused(spoiled: str, tmp_path: Path) -> None:
    """In a line, with the file's name."""
    place = tmp_path / "save.json"
    place.write_text(spoiled)

    ran = rulekit("play", FERRY, *RANDOM, "--resume", place)

    assert (2, "", 1) == (ran.code, ran.out, len(ran.err.splitlines()))
    assert str(place) in ran.err


def test_a_save_of_another_game_is_refused(tmp_path: Path) -> None:
    """A duel is no ferry."""
    place = tmp_path / "save.json"
    rulekit(
        "play", FERRY, "--agents", script(tmp_path, {"choice": "landing", "value": "South"}), "--save", place
    )

    ran = rulekit("play", DUEL, *RANDOM, "--resume", place)

    assert (2, "") == (ran.code, ran.out)
    assert "cannot resume" in ran.err
