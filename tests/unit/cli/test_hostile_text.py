"""Text of strangers neither steers the terminal nor turns the direction of lines, in any command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.commands import COMMANDS, working_folder
from tests.unit.cli.running import rulekit

STEER = "\x1b]0;owned\x07\x1b[31m"
"""What a terminal takes for a new title, a bell and red."""
TURN = "\u202egnirts\u2066"
"""Marks that turn the direction of text."""


@pytest.fixture(params=["sound", "unsound"])
def hostile(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with such characters in a rule set that plays, or wherever files can hold them."""
    folder = working_folder(tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RULEKIT_CACHE", str(folder / "cache"))
    replace(folder / "set/ruleset.yaml", "Ferry", f'"Ferry {escaped(TURN)}"')
    replace(folder / "set/data/boats.yaml", "The boats of the ferry.", f'"Boats {escaped(TURN)}"')
    replace(folder / "set/options/calm.rules", "No wind", f"No wind{TURN}")
    replace(folder / "set/options/calm.rules", "quiet", f"quiet{TURN}")
    for title in ("In the morning", "A day", "the bell", "a six tires"):
        replace(folder / "set/ferry.rules", title, f"{title} {TURN}")
    replace(folder / "set/sources/ferry.tsv", "Red goes", f"Red{TURN} goes")
    answer = f'{{"choice": "{escaped(STEER + TURN)}", "value": 1}}'
    replace(folder / "given/log.jsonl", "\n", f"\n{answer}\n")
    if request.param == "unsound":
        replace(folder / "set/sources/ferry.tsv", "summary\n", f"summary\nFERRY{STEER}\trule\t{STEER}\n")
        (folder / "set" / f"{TURN}.rules").write_text("enum Side: One\n", encoding="utf-8")
        replace(folder / "set/options/calm.rules", "\n", f"{STEER}\n")
        replace(folder / "set/ruleset.yaml", "Ferry", f"Ferry {escaped(STEER)}")
    return folder


def replace(path: Path, old: str, new: str) -> None:
    """Change the first of some text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def escaped(text: str) -> str:
    """The text in the escapes that YAML and JSON share."""
    return "".join(f"\\u{ord(character):04x}" for character in text)


@pytest.mark.parametrize("name", COMMANDS)
def test_all_that_is_printed_is_printable(name: str, hostile: Path) -> None:
    """Line ends apart; JSON, too."""
    ran = rulekit(*COMMANDS[name].split())

    assert set() == {sign for sign in ran.out + ran.err if not sign.isprintable()} - {"\n"}


@pytest.mark.parametrize("hostile", ["sound"], indirect=True)
@pytest.mark.parametrize("name", ["options", "play", "show model", "test", "coverage"])
def test_the_signs_are_open(name: str, hostile: Path) -> None:
    """The set plays, and what would turn the text is visible."""
    ran = rulekit(*COMMANDS[name].split())

    assert 0 == ran.code
    assert "u{202e}gnirts" in ran.out + ran.err or "u202egnirts" in ran.out + ran.err


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("set/ruleset.yaml", "Ferry", '"Ferry\\nFORGED"'),
        ("set/ruleset.yaml", "title: Ferry", "title: |\n  Ferry\n  FORGED"),
        ("set/ruleset.yaml", "options: [calm]", 'options: [calm]\npresets: {"a\\nFORGED": [calm]}'),
        ("set/ruleset.yaml", "authors: [rulekit]", 'authors: ["A\\nFORGED"]'),
        ("set/data/boats.yaml", "Otter", '"Otter\\nFORGED"'),
    ],
)
def test_a_name_or_title_has_one_line(
    file: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line break in it is refused, so that it cannot forge a line of the output."""
    monkeypatch.chdir(working_folder(tmp_path))
    replace(Path(file), old, new)

    ran = rulekit("check", "set")

    assert 1 == ran.code
    assert "must be on one line" in ran.out
    assert [] == [line for line in ran.out.splitlines() if line.startswith("FORGED")]


def test_an_answer_forges_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error shows the line break in it as an open sign."""
    monkeypatch.chdir(working_folder(tmp_path))
    replace(Path("given/log.jsonl"), "\n", '\n{"choice": "x\\nFORGED", "value": 1}\n')

    ran = rulekit(*COMMANDS["play answers"].split())

    assert "`x\\u{a}FORGED`" in ran.err
