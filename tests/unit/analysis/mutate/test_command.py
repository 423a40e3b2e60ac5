"""`rulekit test SET --mutate` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.unit.analysis.mutate.helpers import written
from tests.unit.cli.running import DUEL, ROOT, rulekit


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered is of this test alone."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))


def test_survivors_are_told_with_what_does_not_notice() -> None:
    """The line, what is changed underlined, what stands there instead, and the examples."""
    ran = rulekit("test", DUEL, "--mutate", "--jobs", "1", "--only", "strike_at", "--select", "numbers")

    assert (
        f"{DUEL / 'duel.rules'}\n"
        "   23│ when outcome(die, parried) is hit and hits(target) < 3: add 1 to hits(target)\n"
        "     │                                                      ─ 4\n"
        "     │   missed by: a parry turns a six; a five hits without a parry\n"
        "\n"
        "examples caught 3 of 4 changes (75.0%)\n"
    ) == ran.out
    assert (0, "") == (ran.code, ran.err)


def test_a_score_may_be_asked_for() -> None:
    """Under it the exit code is that of findings."""
    asked = ("test", DUEL, "--mutate", "--jobs", "1", "--only", "strike_at", "--select", "numbers")

    assert 0 == rulekit(*asked, "--fail-under", "75").code
    assert 1 == rulekit(*asked, "--fail-under", "76").code


def test_json_is_as_its_schema_says() -> None:
    """Every mutant is in it, whatever became of it."""
    schema = json.loads((ROOT / "schemas" / "mutants.schema.json").read_text())
    ran = rulekit("test", DUEL, "--mutate", "--jobs", "1", "--sample", "12", "--output-format", "json")

    made = json.loads(ran.out)

    jsonschema.validate(made, schema)
    assert "duel" == made["set"]
    assert (
        12
        == len(made["mutants"])
        == sum(made["score"][fate] for fate in ("noticed", "survived", "same", "refused", "untried"))
    )


def test_examples_that_fail_are_mended_first(tmp_path: Path) -> None:
    """Nothing can be held against them."""
    rules = tmp_path / "rules"
    rules.mkdir()
    written('state turn: 0..9 = 1\ndefine next -> 0..10: turn + 1\nexample "no":\n    then turn = 2\n', rules)

    ran = rulekit("test", rules, "--mutate", "--jobs", "1")

    assert (1, "") == (ran.code, ran.out)
    assert "1 example fails without any change" in ran.err


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("", 1, "2 examples not tried within 0 minutes of processor time; use `--minutes` to allow more"),
        ("--vacuous", 0, "2 examples not tried within 0 minutes of processor time"),
        ("--mutate", 2, "the examples alone take 0 minutes"),
    ],
)
def test_time_is_bounded(how: str, code: int, said: str) -> None:
    """What was not tried in time is counted, and examples that did not run have not passed."""
    ran = rulekit("test", DUEL, *how.split(), "--minutes", "0")

    assert code == ran.code
    assert said in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sample", "3"), "--sample needs --mutate"),
        (("--fail-under", "80"), "--fail-under needs --mutate"),
        (("--mutate", "--seed", "3"), "--seed needs --sample"),
        (("--mutate", "--select", "sings"), "unknown kind of change `sings`; did you mean `signs`?"),
        (("--mutate", "--only", "nothing of the kind"), "no selected rule can be changed"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: tuple[str, ...], said: str) -> None:
    """With a word about why."""
    ran = rulekit("test", DUEL, *words)

    assert 2 == ran.code
    assert said in ran.err
