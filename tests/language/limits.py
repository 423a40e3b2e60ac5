"""Cases that no chunk of text can show: made here and compiled, each with the finding it must get."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulekit.analysis.check import check
from rulekit.diagnostics import Diagnostic
from rulekit.ruleset.folder import MAX_FILES
from rulekit.testing import MANIFEST, manifest

Setup = Callable[[Path], None]


@dataclass(frozen=True)
class Case:
    """What is wrong, how its folder is made, and the finding it gets."""

    name: str
    code: str
    make: Setup
    options: tuple[str, ...] = ()

    def found(self, folder: Path) -> list[Diagnostic]:
        """Everything found in a folder made so."""
        home = folder / "set"
        self.make(home)
        return list(check(home, options=self.options).diagnostics)


def rules(content: str | bytes, said: str = manifest(())) -> Setup:
    """A folder with a manifest and one file of rules."""

    def make(home: Path) -> None:
        home.mkdir()
        (home / MANIFEST).write_text(said)
        data = content.encode() if isinstance(content, str) else content
        (home / "case.rules").write_bytes(data)

    return make


def nowhere(home: Path) -> None:
    """No folder at all."""


def empty(home: Path) -> None:
    """A manifest and no rules."""
    home.mkdir()
    (home / MANIFEST).write_text(manifest(()))


def a_pipe(home: Path) -> None:
    """Nothing that a program could read to its end, where rules should be."""
    empty(home)
    os.mkfifo(home / "case.rules")


def lacking_preset(home: Path) -> None:
    """A preset with an option that needs another."""
    (home / "options").mkdir(parents=True)
    listed = manifest(["options/fog.rules", "options/night.rules"])
    (home / MANIFEST).write_text(f"{listed}presets: {{dark: [night]}}\n")
    (home / "case.rules").write_text("enum Side: Red, Blue\n")
    (home / "options" / "fog.rules").write_text('option fog:\n    reason "weather"\n')
    (home / "options" / "night.rules").write_text("option night:\n    needs fog\n")


def unlisted(home: Path) -> None:
    """A file of an option that the manifest does not list."""
    home.mkdir()
    (home / MANIFEST).write_text(manifest(()))
    (home / "case.rules").write_text("enum Side: Red, Blue\n")
    (home / "options").mkdir()
    (home / "options" / "fog.rules").write_text('option fog:\n    reason "weather"\n')


def missing_option(home: Path) -> None:
    """An option in the manifest without its file."""
    home.mkdir()
    (home / MANIFEST).write_text(manifest(["options/fog.rules"]))
    (home / "case.rules").write_text("enum Side: Red, Blue\n")


def nested(depth: int) -> str:
    """An expression in so many brackets."""
    return f"define deep(n: 0..9): {'(' * depth}n{')' * depth}\n"


def crowd(home: Path) -> None:
    """One file of rules more than a set may have."""
    home.mkdir()
    (home / MANIFEST).write_text(manifest(()))
    for number in range(MAX_FILES + 1):
        (home / f"{number}.rules").touch()


def lines(count: int) -> str:
    """A definition of so many lines."""
    cases = "".join(f"    when n = {number}: {number}\n" for number in range(count - 1))
    return f"define many(n: 0..999):\n{cases}    otherwise: 0\n"


def branches(count: int) -> str:
    """A statement with so many branches."""
    rest = "".join(f'    otherwise when n = {number}: say "x"\n' for number in range(2, count + 1))
    return f'state n: 0..999\nprocedure many:\n    when n = 1: say "x"\n{rest}'


def blocks(depth: int) -> str:
    """Blocks inside blocks."""
    opened = "".join(f"{'    ' * level}when n > {level}:\n" for level in range(1, depth + 1))
    return f'state n: 0..999\nprocedure deep:\n{opened}{"    " * (depth + 1)}say "x"\n'


def excluding(home: Path) -> None:
    """Two sorts of seventeen options: of each sort one may be chosen."""
    names = [f"{sort}{number}" for sort in "ab" for number in range(17)]
    (home / "options").mkdir(parents=True)
    (home / MANIFEST).write_text(manifest(f"options/{name}.rules" for name in names))
    (home / "case.rules").write_text("enum Side: Red, Blue\n")
    for name in names:
        others = [other for other in names if other[0] == name[0] and other < name]
        line = f"    excludes {', '.join(others)}\n" if others else ""
        text = f'option {name}:\n{line}    reason "one of many"\n'
        (home / "options" / f"{name}.rules").write_text(text)


FOREIGN = manifest(()).replace('"0.', '"9.')
LONG_ITEM = "enum Side: " + ", ".join(f"Member_{number}" for number in range(20_000)) + "\n"

CASES = (
    Case("a folder that is not there", "RK220", nowhere),
    Case("a folder without rules", "RK221", empty),
    Case("an option without its file", "RK290", missing_option, ("fog",)),
    Case("an option nobody knows", "RK222", rules("enum Side: Red, Blue\n"), ("fog",)),
    Case("another version's language", "RK223", rules("enum Side: Red, Blue\n", FOREIGN)),
    Case("a control character", "RK103", rules("enum Side: Red, \x07Blue\n")),
    Case("a mark of direction", "RK114", rules("enum Side: Red, Blue # \u202e\n")),
    Case("a space without width", "RK216", rules("enum Side: Red, 'Bl\u200bue'\n")),
    Case("brackets too deep", "RK107", rules(nested(130))),
    Case("brackets in their thousands", "RK107", rules(nested(60_000))),
    Case("an item too long", "RK104", rules(LONG_ITEM)),
    Case("a million brackets", "RK104", rules(nested(1_000_000))),
    Case("blocks too deep", "RK107", rules(blocks(130))),
    Case("a definition of too many lines", "RK107", rules(lines(201))),
    Case("a statement of too many branches", "RK107", rules(branches(202))),
    Case("a number too long", "RK104", rules(f"define big: {'9' * 5000}\n")),
    Case("dice too many", "RK104", rules("roll fire: 99999999d99999999\n")),
    Case("members too many", "RK301", rules("piece Ship:\n    members 100000000\n")),
    Case("groups too many", "RK301", rules("group Fleet, at most 100000000:\n    size: 0..3\n")),
    Case("a field too large", "RK301", rules("piece Ship:\n    members 2\n    f(n: 0..9999999): 0..3 = 1\n")),
    Case("a state too large", "RK301", rules("state seen(n: 0..1000000000): flag\n")),
    Case("files too many", "RK225", crowd),
    Case("a preset without what it needs", "RK226", lacking_preset),
    Case("a file in `options/` of no option", "RK227", unlisted),
    Case("more groups of options than are tried", "RK241", excluding),
    Case("bytes that are no text", "RK292", rules(b"enum Side: \xff\xfe\n")),
    Case("a file too large", "RK293", rules("# " + "x" * 5_000_000 + "\n")),
    Case("a pipe where a file should be", "RK294", a_pipe),
)
