"""Bad input of every kind through `check`: findings with place and hint, the right code, nothing else."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.cli.running import FERRY, alone, rulekit

PLACE = re.compile(r"^(.+?):(\d+):(\d+): (RK\d{3}) ")
Spoil = Callable[[Path], None]


def replaced(file: str, old: str, new: str) -> Spoil:
    """Spoils one file by putting something in place of a part of its text."""

    def spoil(folder: Path) -> None:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


def written(file: str, content: str | bytes) -> Spoil:
    """Spoils a file as a whole."""
    raw = content.encode() if isinstance(content, str) else content
    return lambda folder: None if (folder / file).write_bytes(raw) else None


RULES, BOATS, LIST = "ferry.rules", "data/boats.yaml", "sources/ferry.tsv"
TABLE = """
enum Result: miss, hit
table effect(n: 1..6) -> Result:
    | n    | effect |
    | ..2  | miss   |
    | 5..  | hit    |
"""

SPOILED: list[tuple[str, Spoil, str, str]] = [
    ("no manifest", lambda folder: (folder / "ruleset.yaml").unlink(), "ruleset.yaml", "RK2"),
    ("an empty manifest", written("ruleset.yaml", ""), "ruleset.yaml", "RK63"),
    ("an empty file of rules", written(RULES, ""), "ruleset.yaml", "RK22"),
    ("an empty data file", written(BOATS, ""), BOATS, "RK6"),
    ("tabs", replaced(RULES, "        step landings", "\t\tstep landings"), RULES, "RK102"),
    ("tabs behind spaces", replaced(RULES, "    add 1 to day", "    \tadd 1 to day"), RULES, "RK102"),
    ("binary rules", written(RULES, bytes(range(256)) * 40), RULES, "RK292"),
    ("zeros", written(RULES, bytes(1000)), RULES, "RK292"),
    ("binary data", written(BOATS, bytes(range(256)) * 40), BOATS, "RK292"),
    ("another encoding", written(RULES, "define f: 0  # Flußfähre\n".encode("latin-1")), RULES, "RK292"),
    ("an unknown name", replaced(RULES, "add 1 to day", "add 1 to dya"), RULES, "RK210"),
    ("an unknown type", replaced(RULES, "tired: flag", "tired: flagg"), RULES, "RK203"),
    ("a wrong type", replaced(RULES, "when force = 6", "when force = Red"), RULES, "RK310"),
    ("no condition", replaced(RULES, "when force = 6", "when force"), RULES, "RK310"),
    ("a table with a gap", lambda folder: _append(folder / RULES, TABLE), RULES, "RK401"),
    ("a misspelt word", replaced(RULES, "otherwise:", "otherwize:"), RULES, "RK1"),
    ("a colon left out", replaced(RULES, "repeat 4 times:", "repeat 4 times"), RULES, "RK108"),
    ("a duplicate key", replaced(BOATS, "about: The", "format: 1\nabout: The"), BOATS, "RK632"),
    ("a missing column", replaced(BOATS, "[name, side, load]", "[name, side]"), BOATS, "RK6"),
    (
        "a field without a column",
        replaced(RULES, "load: 0..3", "load: 0..3\n    depth: 0..3"),
        BOATS,
        "RK602",
    ),
    ("a dangling name", replaced(BOATS, "[Heron, Red, 3]", "[Heron, Green, 3]"), BOATS, "RK604"),
    ("a number out of range", replaced(BOATS, "[Heron, Red, 3]", "[Heron, Red, 13]"), BOATS, "RK603"),
    ("a row too short", replaced(BOATS, "[Heron, Red, 3]", "[Heron, Red]"), BOATS, "RK636"),
    ("bad YAML", replaced(BOATS, "populations:", "populations: ]"), BOATS, "RK631"),
    ("a tag in YAML", replaced(BOATS, "about: The", "about: !!python/name:os.system The"), BOATS, "RK638"),
    ("no list of rules", written(LIST, "what is this\n"), LIST, "RK64"),
    ("a rule nobody printed", replaced(RULES, "[2:1]", "[2:9]"), RULES, "RK410"),
    ("a file that is not there", replaced(RULES, "data/boats", "data/ships"), RULES, "RK290"),
    ("a file elsewhere", replaced(RULES, "data/boats.yaml", "../../../etc/passwd"), RULES, "RK291"),
    ("no language", replaced("ruleset.yaml", 'language: "0.2"\n', ""), "ruleset.yaml", "RK634"),
    ("another language", replaced("ruleset.yaml", '"0.2"', '"9.7"'), "ruleset.yaml", "RK223"),
    (
        "an unknown sequence",
        replaced("ruleset.yaml", "sequence: play", "sequence: plya"),
        "ruleset.yaml",
        "RK224",
    ),
]
"""What is done to a rule set, the file where it is found, and the beginning of the finding's code."""


SPEAKS_FOR_ITSELF = {"RK310", "RK603"}
"""Kinds whose message says what is wanted in place of what is there."""


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as opened:
        opened.write(text)


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """A rule set to spoil."""
    folder = tmp_path / "ferry"
    shutil.copytree(FERRY, folder)
    return folder


@pytest.mark.parametrize(
    "spoil, file, code", [each[1:] for each in SPOILED], ids=[each[0] for each in SPOILED]
)
def test_bad_input_is_found(ferry: Path, spoil: Spoil, file: str, code: str) -> None:
    """A finding of that kind in that file, at a place that is there."""
    spoil(ferry)
    before = _tree(ferry)

    ran = rulekit("check", ferry, "--no-notes", "--output-format", "concise")

    places = [found for line in ran.out.splitlines() if (found := PLACE.match(line))]
    told = [(Path(found[1]).name, found[4]) for found in places]
    assert any(name == Path(file).name and each.startswith(code) for name, each in told), ran.out
    assert (2 if file == "ruleset.yaml" and not (ferry / file).exists() else 1) == ran.code
    assert all(_is_there(Path(found[1]), int(found[2]), int(found[3])) for found in places)
    assert before == _tree(ferry)


@pytest.mark.parametrize(
    "spoil, file, code", [each[1:] for each in SPOILED], ids=[each[0] for each in SPOILED]
)
def test_a_person_is_shown_the_place(ferry: Path, spoil: Spoil, file: str, code: str) -> None:
    """In full, every finding has its place; and there is a hint for the first mistake."""
    spoil(ferry)

    ran = rulekit("check", ferry, "--no-notes")

    assert re.search(r"^(error|warning)\[RK\d{3} [a-z-]+\]: .+\n +┌─ \S+:\d+:\d+$", ran.out, re.M)
    assert "= hint" in ran.out or code in SPEAKS_FOR_ITSELF
    assert re.search(r"^\d+ (error|warning)s?\b", ran.err, re.M)


def _is_there(path: Path, line: int, column: int) -> bool:
    """Whether a file has a character, or the end of a line, at a place."""
    if not path.is_file():
        return (line, column) == (1, 1)
    lines = path.read_bytes().decode("utf-8-sig", errors="replace").split("\n")
    return 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_several_mistakes_are_told_in_one_run(ferry: Path) -> None:
    """In two procedures and a choice: all are there, in the order of their places."""
    replaced(RULES, "goal = b.place", "gaol = b.place")(ferry)
    replaced(RULES, "move b to goal", "move bb to goal")(ferry)
    replaced(RULES, "mark b as tired", "mark b as weary")(ferry)

    assert ["gaol", "bb", "weary"] == _named(ferry)


def test_several_mistakes_in_data_are_told_in_one_run(ferry: Path) -> None:
    """Cells are read on after one that cannot be."""
    replaced(BOATS, "[Swift, Red, 1]", "[Swift, Rad, 1]")(ferry)
    replaced(BOATS, "[Heron, Red, 3]", "[Heron, Green, 3]")(ferry)

    assert ["Rad", "Green"] == _named(ferry)


def _named(folder: Path) -> list[str]:
    """What the findings are about: the last thing that each message quotes."""
    ran = rulekit("check", folder, "--no-notes", "--output-format", "json")
    return [re.findall(r"`([^`]+)`", each["message"])[-1] for each in json.loads(ran.out)["findings"]]


HUGE = {
    "a file of 50 MB": b"# all work and no play makes a dull game\n" * 1_250_000,
    "one line of 50 MB": b"x" * 50_000_000,
    "a million brackets": b"define f -> 0..9: " + b"(" * 1_000_000 + b"1" + b")" * 1_000_000 + b"\n",
    "a million open brackets": b"define f -> 0..9: " + b"(" * 1_000_000,
    "a million levels": b"".join(b" " * (n % 4000) + b"when x:\n" for n in range(20_000)),
    "a million minus signs": b"define f -> 0..9: " + b"-" * 1_000_000 + b"1\n",
    "a million nots": b"define f -> flag: " + b"not " * 250_000 + b"true\n",
}


@pytest.mark.parametrize("content", HUGE.values(), ids=HUGE.keys())
def test_huge_rules_are_refused_soon(ferry: Path, content: bytes) -> None:
    """A size or a depth that no author has written is a finding, not a wait and not a crash."""
    (ferry / RULES).write_bytes(content)
    began = time.process_time()

    ran = rulekit("check", ferry, "--no-notes", "--output-format", "concise")

    assert 1 == ran.code
    assert re.search(r"ferry\.rules:1:\d+: RK|ferry\.rules:\d+:\d+: RK", ran.out)
    assert all(len(line) < 2000 for line in ran.out.splitlines())
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "content",
    [
        b"x: " + b"[" * 1_000_000,
        b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (n, n) for n in range(40)),
        b"- " * 1_000_000,
        b"x: " + b"9" * 1_000_000,
        b"x" * 50_000_000,
    ],
    ids=["brackets", "aliases", "dashes", "digits", "50 MB"],
)
def test_huge_data_are_refused_soon(ferry: Path, content: bytes) -> None:
    """The same of data."""
    (ferry / BOATS).write_bytes(content)

    ran = rulekit("check", ferry, "--no-notes", "--output-format", "concise")

    assert 1 == ran.code
    assert re.search(r"boats\.yaml:\d+:\d+: RK6|ferry\.rules:\d+:\d+: RK293", ran.out), ran.out


def test_a_missing_folder_is_a_line(tmp_path: Path) -> None:
    """No rule set, no finding: one line, and the code for what cannot be done."""
    ran = rulekit("check", tmp_path / "nowhere")

    assert (2, "", 1) == (ran.code, ran.out, len(ran.err.splitlines()))


def test_an_empty_folder_is_no_rule_set(tmp_path: Path) -> None:
    """A folder that is there can be looked into, and nothing is found in it."""
    ran = rulekit("check", tmp_path)

    assert 2 == ran.code
    assert f"{tmp_path / 'ruleset.yaml'}:1:1" in ran.out and "= hint" in ran.out


def test_a_folder_without_rules(tmp_path: Path) -> None:
    """A manifest alone makes no game."""
    (tmp_path / "ruleset.yaml").write_text('id: bare\ntitle: Bare\nlanguage: "0.2"\n')

    ran = rulekit("check", tmp_path)

    assert 1 == ran.code
    assert "RK221" in ran.out


def test_a_file_that_may_not_be_read(ferry: Path) -> None:
    """A folder in a file's place cannot be read; that is a finding at its name."""
    (ferry / RULES).unlink()
    (ferry / RULES).mkdir()

    ran = rulekit("check", ferry, "--output-format", "concise")

    assert 1 == ran.code
    assert "RK" in ran.out


@pytest.mark.parametrize("verb", ["test", "play", "run", "compile", "coverage"])
def test_other_verbs_stop_at_findings(ferry: Path, verb: str) -> None:
    """Every verb reads a rule set in the same way."""
    written(RULES, bytes(range(256)) * 40)(ferry)

    ran = alone(verb, ferry)

    assert (1, "") == (ran.code, ran.out)
    assert "RK292" in ran.err and "Traceback" not in ran.err


def test_compile_writes_nothing_half(ferry: Path, tmp_path: Path) -> None:
    """What was there before stays, and nothing is left beside it."""
    target = tmp_path / "out" / "ferry.json"
    target.parent.mkdir()
    target.write_text("as it was")
    replaced(RULES, "add 1 to day", "add 1 to dya")(ferry)

    ran = rulekit("compile", ferry, "-o", target)

    assert 1 == ran.code
    assert ["as it was"] == [path.read_text() for path in target.parent.iterdir()]


def test_the_owners_own_file_is_named_by_its_own_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file laid over a set's data lies somewhere else than the set, also where their names are alike."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    own = tmp_path / "mine" / "ferry.rules"
    own.write_text("format: 1\npopulations: {Boat: {columns: [name, hull], rows: 3}}\n")

    ran = rulekit("check", FERRY, "--data", own, "--output-format", "concise")

    assert 1 == ran.code
    assert all(line.startswith("mine/ferry.rules:2:") for line in ran.out.splitlines())
