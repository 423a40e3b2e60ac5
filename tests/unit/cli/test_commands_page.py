"""Pages with commands, tried: every command prints what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from rulekit.cli import VERBS, main
from tests.unit.cli.running import ROOT
from tests.unit.spec import test_tutorial

PAGE = ROOT / "docs" / "commands.md"
README = ROOT / "README.md"
COMPILER = ROOT / "docs" / "compiler.md"
RECIPES = sorted(path for path in (ROOT / "docs" / "recipes").glob("*.md") if path.name != "index.md")
ODDS = ROOT / "docs" / "odds.md"
SIMULATE = ROOT / "docs" / "simulate.md"
LEFT_OUT = "...\n"
_CONSOLE = re.compile(r"^```console\n(\$ (?:.*\n)*?)```$", re.MULTILINE)
_TYPED = re.compile(r"^\$ rulekit (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_FILE = re.compile(r"^```(?:text|rules|yaml)\n# file: (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^- run: rulekit (.*)$", re.MULTILINE)
MANIFEST = 'id: crossing\ntitle: The crossing\nlanguage: "0.2"\nsides: Side\n'


@dataclass(frozen=True)
class Command:
    """A command of the page, and what it shows of the output; `...` stands for lines left out."""

    line: str
    shown: str

    def renewed(self, came: str) -> str:
        """What the page would show of an output: as many lines at the ends of what is left out."""
        parts = self.shown.split(LEFT_OUT)
        if len(parts) == 1:
            return came
        lines, head, tail = came.splitlines(keepends=True), parts[0].count("\n"), parts[-1].count("\n")
        middle = "".join(part + LEFT_OUT for part in parts[1:-1])
        return "".join(lines[:head]) + LEFT_OUT + middle + "".join(lines[len(lines) - tail :])

    def fits(self, came: str) -> bool:
        """Whether an output is what is shown."""
        pattern = ".*".join(re.escape(part) for part in self.shown.split(LEFT_OUT))
        return re.fullmatch(pattern, came, re.DOTALL) is not None


def commands(text: str) -> Iterator[Command]:
    """The commands of a page, in order."""
    for block in _CONSOLE.finditer(text):
        for found in _TYPED.finditer(block[1]):
            yield Command(found[1], found[2])


@cache
def seen(line: str, where: str = "") -> str:
    """All that a command shows, as a terminal would have it; `where` is what else it depends on."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main(shlex.split(line))
        except SystemExit:
            pass
    return out.getvalue()


@pytest.fixture(params=[PAGE, README, COMPILER, ODDS, SIMULATE, *RECIPES], ids=lambda page: page.name)
def page(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, and the reader where its own files, the tutorial's and the sets of rulekit are."""
    tutorial = test_tutorial.PAGE.read_text(encoding="utf-8")
    test_tutorial.written(test_tutorial.in_hand(tutorial, tutorial.count("\n")), tmp_path)
    for name, content in _FILE.findall(request.param.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "crossing").mkdir(exist_ok=True)
    (tmp_path / "crossing" / "ruleset.yaml").write_text(MANIFEST)
    monkeypatch.chdir(tmp_path)
    found: Path = request.param
    return found


def test_commands_show_what_the_page_shows(page: Path, request: pytest.FixtureRequest) -> None:
    """Each in order; `--update-golden` puts what comes into the page."""
    text = page.read_text(encoding="utf-8")
    wrong, made = [], text
    for command in commands(text):
        came = seen(command.line, "" if "vitp" in command.line else str(page)).replace(f"{ROOT}/", "")
        if not command.fits(came):
            wrong.append((command.line, command.shown, came))
            old = f"$ rulekit {command.line}\n{command.shown}"
            made = made.replace(old, f"$ rulekit {command.line}\n{command.renewed(came)}")
    if request.config.getoption("--update-golden"):
        page.write_text(made, encoding="utf-8")
        return

    assert [] == wrong


@pytest.mark.parametrize("page", RECIPES, ids=lambda path: path.name, indirect=True)
def test_what_else_a_recipe_shows_works(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its Python runs to the end, and its steps of CI pass, after its commands."""
    text = page.read_text(encoding="utf-8")
    for command in commands(text):
        seen(command.line, str(Path.cwd()))
    codes = {}
    for line in _STEP.findall(text):
        with pytest.raises(SystemExit) as ended:
            main(shlex.split(line))
        codes[line] = ended.value.code
    assert {} == {line: code for line, code in codes.items() if code}
    capsys.readouterr()
    for code in _PYTHON.findall(text):
        exec(compile(code, page.name, "exec"), {})
        assert capsys.readouterr().out


@pytest.mark.parametrize("page", [path for path in RECIPES if path.stem == "translate"], indirect=True)
def test_the_recipe_of_a_translation_is_printed(page: Path) -> None:
    """The words of its message file are those of the table that it makes."""
    lines = [command.line for command in commands(page.read_text(encoding="utf-8"))]
    (line,) = [line for line in lines if "raid.csv" in line]

    assert "no `ja` wording" in seen(line, str(Path.cwd()))
    table = Path("raid.csv").read_text(encoding="utf-8")
    assert "外れ" in table and "命中" in table


def test_the_readme_plays_from_python(capsys: pytest.CaptureFixture[str]) -> None:
    """Its lines of Python give the result of the game that it shows."""
    text = README.read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})

    assert f"result: {capsys.readouterr().out.strip()}\n" in text


def test_what_the_readme_names_is_there() -> None:
    """Its links lead somewhere."""
    links = re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="utf-8"))

    assert [] == [link for link in links if not (ROOT / link).exists()]


def test_every_command_has_its_section() -> None:
    """And a line in the list at the top, with the words of its help."""
    text = PAGE.read_text(encoding="utf-8")

    assert sorted(VERBS) == sorted(re.findall(r"^## ([a-z]+)$", text, re.MULTILINE))
    listed = dict(re.findall(r"^\| \[([a-z]+)\]\(#\1\) \| (.+) \|$", text, re.MULTILINE))
    assert sorted(VERBS) == sorted(listed)


def test_the_page_names_only_options_that_there_are() -> None:
    """`--words` of the page are options of some command."""
    text = PAGE.read_text(encoding="utf-8")
    helps = "".join(seen(f"{verb} --help") for verb in VERBS)

    assert set() == set(re.findall(r"--[a-z]+(?:-[a-z]+)*", text)) - set(
        re.findall(r"--[a-z]+(?:-[a-z]+)*", helps)
    )
