"""What a command ends with, and where it says why: results to standard output, talk to standard error."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.unit.cli.running import DUEL, FERRY, rulekit

DONE, FOUND, FAILED = 0, 1, 2

GOOD = [
    ("check", DUEL),
    ("check", FERRY),
    ("check", DUEL, FERRY),
    ("check", DUEL, "--with", "wounds"),
    ("check", DUEL / "ruleset.yaml"),
    ("test", DUEL),
    ("test", DUEL, "--with", "wounds"),
    ("test", FERRY, "--only", "2:2"),
    ("coverage", DUEL, "--games", "1"),
    ("compile", DUEL),
    ("explain", "RK402"),
    ("explain", "table-overlap"),
    ("explain", "1:2", DUEL),
    ("explain", "Heron", FERRY),
    ("run", FERRY),
    ("run", FERRY, "fleet", "--set", "side=Red"),
    ("play", DUEL, "--agents", "random", "--seed", "1"),
    ("play", FERRY, "--agents", "first-legal", "--quiet"),
]
"""Commands that do what they are asked."""


@pytest.mark.parametrize("arguments", GOOD, ids=lambda words: " ".join(map(str, words[:2])))
def test_done(arguments: tuple[str | Path, ...]) -> None:
    """Exit code 0, a result, and nothing but a count on standard error."""
    ran = rulekit(*arguments)

    assert (DONE, "") == (ran.code, "" if arguments[0] == "check" else ran.err)
    assert "" != ran.out + ran.err


BAD = [
    (("chek", DUEL), "did you mean `check`?"),
    (("check",), "missing rule set; name a folder"),
    (("check", "nowhere"), "unknown rule set `nowhere`"),
    (("check", "--output-format", "xml", DUEL), "'xml' is not one of"),
    (("check", "--wiht", "x", DUEL), "--wiht"),
    (("check", DUEL, "--data", "nowhere.yaml"), "nowhere.yaml"),
    (("check", DUEL / "duel.rules"), "name the folder"),
    (("test",), "missing argument"),
    (("test", DUEL, "--only", "zebra"), "matches `zebra`"),
    (("coverage", DUEL, "--games", "-1"), "--games"),
    (("coverage", DUEL, "--chapter", "77"), "unknown chapter `77`"),
    (("compile", DUEL, "-o", "nowhere/x.json"), "cannot write"),
    (("explain", "RK999"), "unknown code `RK999`"),
    (("explain", "table-overlp"), "did you mean `table-overlap`?"),
    (("explain", "7.7", DUEL), "neither a rule number nor a name"),
    (("explain", "strik", DUEL), "similar: strike"),
    (("run", DUEL, "strikeat"), "did you mean `strike_at`?"),
    (("run", DUEL, "outcome", "--set", "roll"), "expected NAME=VALUE"),
    (("run", DUEL, "outcome", "--set", "rol=1"), "parameters: `roll`, `parried`"),
    (("run", DUEL, "outcome", "--set", "roll=9", "--set", "parried=no"), "9"),
    (("run", DUEL, "outcome", "--set", "roll=5"), "parried"),
    (("run", DUEL, "strike_at", "--given", "hitz(Red)=1"), "did you mean `hits`?"),
    (("run", DUEL, "strike_at", "--given", "hits(Red)"), "expected STATE=VALUE"),
    (("run", DUEL, "strike_at", "--scenario", "x"), "unknown scenario `x`"),
    (("play", DUEL, "--agents", "nobody"), "unknown agent or file `nobody`"),
    (("play", DUEL, "--agent", "Green=random"), "one of Red, Blue"),
    (("play", DUEL, "--agent", "Red"), "expected SIDE=WHO"),
    (("play", FERRY, "--scenario", "evening"), "choose from morning"),
    (("play", DUEL, "--scenario", "evening"), "the rule set has none"),
    (("play", DUEL, "--resume", "nowhere.json"), "nowhere.json"),
    (("play", DUEL, "--resume", DUEL / "ruleset.yaml"), "not a saved game"),
    (("play", DUEL, "--resume", DUEL / "ruleset.yaml", "--seed", "1"), "has its own seed"),
    (("play", DUEL, "--agents", DUEL / "ruleset.yaml"), "not a line of JSON"),
    (("play", DUEL, "--save", DUEL / "ruleset.yaml", "--agents", "random"), "not a saved game; not replaced"),
    (("play", DUEL, "--save", "nowhere/x.json", "--agents", "random"), "cannot write"),
    (("play", DUEL, "--log", "nowhere/x.jsonl", "--agents", "random"), "cannot write"),
]
"""Commands that cannot be done, with a part of what is said."""


@pytest.mark.parametrize("arguments, said", BAD, ids=lambda it: it if isinstance(it, str) else None)
def test_not_done(
    arguments: tuple[str | Path, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2, the reason on standard error, nothing on standard output, no file."""
    monkeypatch.chdir(tmp_path)

    ran = rulekit(*arguments)

    assert (FAILED, "") == (ran.code, ran.out)
    assert said in ran.err and "Traceback" not in ran.err
    assert [] == list(tmp_path.iterdir())


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A rule set with several findings."""
    folder = tmp_path / "broken"
    shutil.copytree(DUEL, folder)
    text = (folder / "duel.rules").read_text()
    text = text.replace("strike(other(target))", "strike(other(targt))").replace(
        "do strike_at", "do strik_at"
    )
    (folder / "duel.rules").write_text(text)
    return folder


@pytest.mark.parametrize("verb", ["check", "test", "coverage", "compile", "run", "play"])
def test_found(broken: Path, verb: str) -> None:
    """Exit code 1 from every verb that needs the rules; each tells the findings and counts them."""
    ran = rulekit(verb, broken)

    told = ran.out if verb == "check" else ran.err
    assert FOUND == ran.code
    assert "error[RK" in told and "duel.rules" in told and "hint" in told
    assert re.search(r"^[2-9] errors$", ran.err, re.MULTILINE)
    assert "" == ran.out or verb == "check"


def test_findings_stop_explain_too(broken: Path) -> None:
    """What the rules say of a name cannot be said while they have errors."""
    ran = rulekit("explain", "strike", broken)

    assert (FOUND, "") == (ran.code, ran.out)
    assert "error[RK" in ran.err


def test_a_failing_example_is_found(tmp_path: Path) -> None:
    """`test` names the example, its place, and what came instead."""
    folder = tmp_path / "failing"
    shutil.copytree(DUEL, folder)
    text = (folder / "duel.rules").read_text()
    (folder / "duel.rules").write_text(text.replace("then hits(Blue) = 1", "then hits(Blue) = 2"))

    ran = rulekit("test", folder)

    line = text[: text.index('example "a five')].count("\n") + 1
    expected = f"""\
failed  {folder / "duel.rules"}:{line}  a five hits without a parry
        condition 1 of `then` does not hold (line {line + 3})
          {line + 3}│ then hits(Blue) = 2
        `hits(Blue)` is 1
        what happened:
             1:2  strike for Red: 5
             1:2  Blue hits 0 → 1
1 of 2 examples passed
"""
    assert (FOUND, expected) == (ran.code, ran.out)


def test_an_absent_rule_is_found(tmp_path: Path) -> None:
    """`coverage` ends with 1 when a printed rule is neither cited nor excused."""
    folder = tmp_path / "absent"
    shutil.copytree(DUEL, folder)
    with (folder / "sources" / "duel.tsv").open("a") as listed:
        listed.write("DUEL.5\trule\tThe loser pays\n")

    ran = rulekit("coverage", folder, "--games", "1", "--verbose")

    assert FOUND == ran.code
    assert "missing: DUEL.5" in ran.out


def test_a_set_that_cannot_be_played(tmp_path: Path) -> None:
    """Without a sequence there is nothing to play; the rest works."""
    folder = tmp_path / "dull"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text('id: dull\ntitle: Dull\nlanguage: "0.2"\n')
    (folder / "dull.rules").write_text("define twice(n: 0..9) -> 0..18: n + n\n")

    played = rulekit("play", folder)
    worked_out = rulekit("run", folder, "twice", "--set", "n=4")

    assert (FAILED, "") == (played.code, played.out)
    assert "add a `sequence`" in played.err
    assert (DONE, "result: 8\n") == (worked_out.code, worked_out.out)
