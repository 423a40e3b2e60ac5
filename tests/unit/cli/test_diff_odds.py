"""`rulekit diff --odds`: by how much options shift the answers to questions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.unit.cli.commands import QUESTIONS, working_folder
from tests.unit.cli.running import Ran, rulekit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set whose option `calm` takes one off each throw, and a file of questions."""
    return working_folder(tmp_path)


def compare(folder: Path, questions: str, *more: str) -> Ran:
    """Compare the answers with and without the option."""
    (folder / "given/questions.rules").write_text(questions, encoding="utf-8")
    words = ("--with", "calm", "--odds", str(folder / "given/questions.rules"), *more)
    return rulekit("diff", str(folder / "set"), *words)


def test_shifts_are_those_of_the_rules(folder: Path) -> None:
    """A six tires, all else pays: with one off, nothing tires."""
    ran = compare(
        folder, QUESTIONS + 'example "a throw":\n    when roll wind(Swift) as throw\n    chance throw\n'
    )

    assert (0, "") == (ran.code, ran.err)
    assert [
        "                         before    now         shift",
        "tired",
        "  chance Swift is tired  16.7 %  0.0 %  -16.7 points",
        "  mean tolls(Red)         0.833      1        +0.167",
        "a throw",
        "  mean throw                3.5    2.5            -1",
    ] == ran.out.splitlines()


def test_json_has_both_distributions(folder: Path) -> None:
    """As fractions."""
    data = json.loads(compare(folder, QUESTIONS, "--output-format", "json").out)
    before, now = (
        {row["value"]: Fraction(row["fraction"]) for row in data[0][side]["outcomes"]}
        for side in ("before", "now")
    )

    assert ({False: Fraction(5, 6), True: Fraction(1, 6)}, {False: Fraction(1)}) == (before, now)
    assert {"no": pytest.approx(1 / 6), "yes": pytest.approx(-1 / 6)} == {
        row["value"]: row["shift"] for row in data[0]["shifts"]
    }


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ("", "asks for no chances"),
        (
            QUESTIONS.replace("tired\n", "tirred\n", 1).replace("Swift is tired", "Swift is tirred"),
            ":3: unknown",
        ),
        ("claim a:\n    when do sale(Swift)\n    chance day = 1\n", ":2: unknown"),
        ("claim a:\n", ":1"),
    ],
)
def test_mistakes_are_told_at_their_line(folder: Path, questions: str, message: str) -> None:
    """Of the file, with exit code 2."""
    ran = compare(folder, questions)

    assert 2 == ran.code
    assert message in ran.err and "questions.rules" in ran.err
    assert "Traceback" not in ran.err


def test_a_file_that_is_not_there(folder: Path) -> None:
    """Is told."""
    ran = rulekit("diff", str(folder / "set"), "--with", "calm", "--odds", "nowhere.rules")

    assert 2 == ran.code
    assert "nowhere.rules" in ran.err
