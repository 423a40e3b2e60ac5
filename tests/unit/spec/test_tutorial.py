"""The tutorial, done step by step: what it lets the reader type is typed, and what it shows is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.cli import group
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.testing import compile_text
from tests.unit.spec.pages import DOCS, Example, examples

PAGE = DOCS / "tutorial.md"
SET = "duel"
_CONSOLE = re.compile(r"^```console\n\$ rulekit (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
_FILE = re.compile(r"^```\w+\n# file: (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command of the page, what is shown of its output, and the rule set as far as it is written then."""

    arguments: str
    shown: str
    rules: Example


def commands() -> Iterator[Command]:
    """The commands of the page, in order."""
    text = PAGE.read_text(encoding="utf-8")
    for found in _CONSOLE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Command(found[1], found[2], in_hand(text, line))


def in_hand(text: str, line: int) -> Example:
    """The rule set that a reader has at a line of the page."""
    last = [step for step in examples(PAGE) if step.line < line][-1]
    files = _FILE.findall("\n".join(text.split("\n")[: line - 1]))
    return replace(last, files=dict(files))


def written(step: Example, folder: Path) -> None:
    """The rule set's folder as a reader has it."""
    for path, content in {"duel.rules": step.text, **step.files}.items():
        target = folder / SET / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")


def test_commands_show_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Each command is run where it stands; `--update-golden` puts what it prints into the page."""
    monkeypatch.chdir(tmp_path)
    seen = []
    for command in commands():
        written(command.rules, tmp_path)
        seen.append(CliRunner().invoke(group, command.arguments.split()).output)
    if request.config.getoption("--update-golden"):
        rest = iter(seen)
        text = PAGE.read_text(encoding="utf-8")
        renewed = _CONSOLE.sub(lambda at: f"```console\n$ rulekit {at[1]}\n{next(rest)}```", text)
        PAGE.write_text(renewed, encoding="utf-8")

    assert [command.shown for command in commands()] == seen


@pytest.mark.parametrize("options", [(), ("long",)])
def test_the_finished_game_plays(options: tuple[str, ...]) -> None:
    """A hundred games end, won or drawn, in no more than ten rounds."""
    text = PAGE.read_text(encoding="utf-8")
    last = in_hand(text, len(text))
    made = compile_text(last.text, last.files, options=options)
    assert made.program is not None, made.findings

    results = {
        run_direct(made.program, None, RandomPolicy(made.program, seed), seed).result for seed in range(100)
    }

    assert {None, 0, 1} == results
