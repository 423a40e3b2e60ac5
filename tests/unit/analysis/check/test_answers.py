"""Answers kept from one check serve the next, and never another question than their own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks.faults import Set, cases
from rulekit.analysis import check as checking
from rulekit.analysis.check import check
from rulekit.analysis.prove import Prover
from rulekit.analysis.prove.answer_cache import AnswerCache, QuestionKeys, answer_table
from rulekit.analysis.verdicts import Proved, Refuted, Undecided
from rulekit.base import cache
from rulekit.diagnostics import Diagnostic
from rulekit.testing import compile_text
from tests.unit.cli.running import ROOT

HARBOUR = ROOT / "tests" / "sets" / "harbour"
RULES = """\
enum Side: Red, Blue
piece Ship:
    members S1, S2, S3
    gun: 0..9 = 2
    hits: 0..3 = 0
state night: flag
state turn: 1..9 = 1
define worth(s: Ship) -> 0..9:
    when s.hits < 2: s.gun
    otherwise: 0
define fit(s: Ship) -> flag: worth(s) > 1
"""


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))


def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every question that is worked out."""
    asked: list[int] = []
    work = Prover._find

    def counted(self: Prover, *arguments: object, **more: object) -> object:
        asked.append(1)
        return work(self, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Prover, "_find", counted)
    return asked


def found(each: Set, folder: Path, *, remember: bool) -> tuple[Diagnostic, ...]:
    """What a check tells of a set in this folder, whatever stood there before."""
    shutil.rmtree(folder, ignore_errors=True)
    each.write(folder)
    return check(folder, options=each.options, as_printed=each.as_printed, remember=remember).diagnostics


@pytest.mark.parametrize("part", range(6))
def test_no_answer_serves_another_question(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of sets with the same names, their answers in one place: each is told what it is alone."""
    monkeypatch.setattr(checking, "_here", lambda folder: "one for all")
    for case in cases()[part::6]:
        for each in (case.faulty, case.twin):
            alone = found(each, tmp_path / "set", remember=False)
            assert alone == found(each, tmp_path / "set", remember=True), case.name


def test_an_edit_costs_what_it_touches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a comment nothing is worked out, after another change little; what is told is the same."""
    folder = tmp_path / "harbour"
    shutil.copytree(HARBOUR, folder)
    asked = searched(monkeypatch)

    def edited(text: str, old: str = "", new: str = "") -> int:
        path = folder / text
        path.write_text(path.read_text().replace(old, new) if old else path.read_text() + "\n# Edited.\n")
        expected = check(folder, remember=False).diagnostics
        asked.clear()
        assert expected == check(folder).diagnostics
        return len(asked)

    check(folder)
    whole = len(asked)
    (name,) = (path.name for path in folder.glob("*.rules"))
    assert 0 < whole
    assert 0 == edited(name)
    assert 0 == edited(f"options/{min(path.name for path in (folder / 'options').glob('*.rules'))}")
    assert 0 == edited(name, "add 1 to score(side)", "add 2 to score(side)")
    assert 0 < edited(name, "score(side) > 9", "score(side) > 8") < whole


def test_a_damaged_entry_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands there: the findings are the same."""
    folder = tmp_path / "harbour"
    shutil.copytree(HARBOUR, folder)
    expected = check(folder).diagnostics
    key = checking._here(folder)
    known = json.loads(cache.get("answers", key) or b"")
    for stored in (b"[]", b"nonsense", json.dumps(dict.fromkeys(known, "x")).encode(), b'{"a": [1]}'):
        cache.put("answers", key, stored)
        with (folder / "ruleset.yaml").open("a") as file:
            file.write("\n")
        assert expected == check(folder).diagnostics


def test_what_is_kept_comes_back() -> None:
    """All three answers; a situation only to those who do not want to be told."""
    table = answer_table("some set")
    answers = AnswerCache(table)
    kept = {"a": Refuted({("x", ()): 1}), "b": Proved(7), "c": Undecided("budget", 9)}
    for question, answer in kept.items():
        answers.put(question, answer)
    table.save()

    again = AnswerCache(answer_table("some set"))

    assert [Refuted({}), Proved(7), Undecided("budget", 9)] == [again.get(each, shown=False) for each in kept]
    assert [None, Proved(7), Undecided("budget", 9)] == [again.get(each, shown=True) for each in kept]
    assert again.get("d", shown=False) is None
    assert AnswerCache(answer_table("another")).get("b", shown=False) is None


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("turn: 1..9 = 1", "turn: 1..9 = 2", True),
        ("state night: flag", "state day: flag", True),
        ("enum Side: Red, Blue", "# a comment\nenum Side: Red, Blue", True),
        ("define fit", "define more(n: 0..9) -> 0..9: n\ndefine fit", True),
        ("s.hits < 2", "s.hits < 3", False),
        ("gun: 0..9 = 2", "gun: 0..9 = 3", False),
        ("hits: 0..3 = 0", "hits: 0..4 = 0", False),
        ("hits: 0..3 = 0", "hits: 0..3 = 1", False),
        ("S1, S2, S3", "S1, S2", False),
        ("enum Side: Red, Blue", "enum Side: Red, Blue, Green", True),
    ],
)
def test_a_question_is_what_it_reaches(old: str, new: str, same: bool) -> None:
    """What stands elsewhere does not change it; what it calls, reads and ranges over does."""

    def name(text: str) -> str:
        made = compile_text(text)
        assert made.program is not None, made.findings
        (fit,) = [each for each in made.program.functions if each.name == "fit"]
        return QuestionKeys(made.program).of(fit.params, (fit.body,), 100)

    assert (name(RULES) == name(RULES.replace(old, new))) is same


def test_a_question_of_steps_is_the_relation() -> None:
    """Where the relation is the same, so is the question; a new border makes it another one."""
    text = """\
space Sea:
    members North, South, West
    borders: set of Sea = ({South} when it is North otherwise {})
state spot: Sea = North
define far(x: Sea) -> flag: (steps(spot, x, borders) otherwise 9) > 1
"""

    def name(text: str) -> str:
        made = compile_text(text)
        assert made.program is not None, made.findings
        (far,) = [each for each in made.program.functions if each.name == "far"]
        return QuestionKeys(made.program).of(far.params, (far.body,), 100)

    assert name(text) == name(text)
    assert name(text) != name(text.replace("({South}", "({West}"))


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("state turn: 1..9 = 1\n", "state turn: 1..9 = 1\nstate moon: flag\n", True),
        ("define fit", "define more(n: 0..9) -> 0..9: n\ndefine fit", True),
        ("S1, S2, S3", "S1, S2, S9", False),
        ("state night: flag\nstate turn: 1..9 = 1\n", "state turn: 1..9 = 1\nstate night: flag\n", False),
    ],
)
def test_words_are_of_names_and_of_the_order_of_states(old: str, new: str, same: bool) -> None:
    """The names of members and the order of what is read; no other declaration."""

    def name(text: str) -> str:
        made = compile_text(text + "define lit(s: Ship) -> flag: night and turn > 1 and fit(s)\n")
        assert made.program is not None, made.findings
        (lit,) = [each for each in made.program.functions if each.name == "lit"]
        return QuestionKeys(made.program).of(lit.params, (lit.body,), 100, in_words=True)

    assert (name(RULES) == name(RULES.replace(old, new))) is same


TOLD = """\
enum Side: Red, Blue
space Sea:
    members North, South
piece Raider:
    members Ann, Bob
    place: Sea or none, known to Blue
state turn: 1..9 = 1
state searched: set of Sea
choice hunt by Red:
    pick one area from Sea, or none
    forbid empty: no r in Raider has r.place is area
choice raid by Blue:
    pick one area from Sea
    forbid late: turn > 3
sequence play:
    choose hunt as area
    choose raid as other
    when area is not none: add area to searched
    add other to searched
    add 1 to turn
"""


def test_situations_in_words_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a comment no situation is looked for again; after a new name the words have it."""
    folder = tmp_path / "told"
    folder.mkdir()
    head = 'id: told\ntitle: Told\nlanguage: "0.2"\nsequence: play\nsides: Side\n'
    (folder / "ruleset.yaml").write_text(head)
    asked = searched(monkeypatch)

    def messages(text: str) -> list[str]:
        (folder / "told.rules").write_text(text)
        return [each.message for each in check(folder).diagnostics]

    first = messages(TOLD)
    assert any("Ann" in message for message in first) and any("turn" in message for message in first), first
    assert asked
    asked.clear()
    assert first == messages(TOLD + "\n# A comment.\n")
    assert [] == asked
    renamed = messages(TOLD.replace("Ann", "Cas"))
    assert [message.replace("Ann", "Cas") for message in first] == renamed


def test_folders_without_files_are_told_apart(tmp_path: Path) -> None:
    """What was found of one that is empty, or not there, is not shown of another."""
    (tmp_path / "empty").mkdir()
    for name in ("empty", "missing", "other"):
        told = [check(tmp_path / name).diagnostics for _ in range(2)]
        assert told[0] == told[1] == check(tmp_path / name, remember=False).diagnostics
