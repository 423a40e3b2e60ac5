"""Answers and saved games from standard input, so that a pipeline may feed them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit.base import files
from tests.unit.cli.running import FERRY, alone

PLAY = ("play", FERRY, "--agents", "random", "--seed", "3")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a whole game."""
    return alone(*PLAY, "--log", "-", cwd=tmp_path_factory.mktemp("log")).out


def test_answers_from_standard_input(log: str, tmp_path: Path) -> None:
    """They give the same game."""
    ran = alone("play", FERRY, "--agents", "-", "--log", "-", typed=log, cwd=tmp_path)

    assert (0, log) == (ran.code, ran.out)


def test_a_saved_game_from_standard_input(tmp_path: Path) -> None:
    """It is resumed, and saved again under a name of its own."""
    saved = alone("play", FERRY, "--seed", "3", "--save", "save.json", typed="quit\n", cwd=tmp_path)
    assert 0 == saved.code, saved.err
    text = (tmp_path / "save.json").read_text()
    ran = alone("play", FERRY, "--resume", "-", "--agents", "random", typed=text, cwd=tmp_path)
    stopped = alone("play", FERRY, "--resume", "-", typed=text, cwd=tmp_path)  # a person has no more input

    assert 0 == ran.code
    assert ran.out.splitlines()[-1].startswith("result: ")
    assert "--resume ferry.rulekit-save.json" in stopped.err
    assert json.loads(text).keys() == json.loads((tmp_path / "ferry.rulekit-save.json").read_text()).keys()


@pytest.mark.parametrize(
    ("argument", "typed"), [("--agents", ""), ("--resume", ""), ("--resume", "[[["), ("--agents", "[")]
)
def test_standard_input_without_them(argument: str, typed: str, tmp_path: Path) -> None:
    """A sentence says what is missing."""
    ran = alone("play", FERRY, argument, "-", typed=typed, cwd=tmp_path)

    assert (2, True) == (
        ran.code,
        any(words in ran.err for words in ("`-` is not JSON", "-:1 ", "- has no more")),
    )


def test_standard_input_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file is."""
    with open("/dev/zero") as endless:
        monkeypatch.setattr("sys.stdin", endless)
        with pytest.raises(files.UnreadableFile, match="has more than 100 bytes"):
            files.read_named("-", 100)


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then there is no such file."""
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(files.UnreadableFile, match="not found"):
        files.read_named("-")
