"""Plain English: the worst habits are at zero where users read, and under a falling ceiling elsewhere.

A habit is an expression that this project used to overuse: a passive without an agent ("is told"), a negated
noun ("is no month"), a clause for a subject ("What was found is ..."), a figure of speech for a term.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulekit.cli import VERBS
from tests.unit.cli.running import rulekit

ROOT = Path(__file__).parents[3]
CEILINGS = Path(__file__).with_name("english-ceilings.txt")

HABITS = (
    r"\b(?:is|are|was|were|be) told\b",
    r"\b(?:is|are) wanted\b",
    r"(?<!there )\b(?:is|are) no (?!longer\b|more\b|need\b|way\b)",
    r"\b(?:is|are) not there\b",
    r"\bmend(?:s|ed|ing)?\b",
    r"\bmostly\b",
    r"\bnothing (?:does|uses|declares|names|reads|reaches|changes|says|decides|is called)\b",
    r"(?:^|[.:;] )(?:What|Whoever|Who) [a-z][^?\n]{3,90}[.,;:]",
    r"\b(?:somebody|whoever|everybody|anybody)\b",
    r"\b(?:stand|stands|stood) (?:there|here|at|in|on|under|behind|beside|above|below|alone)\b",
    r"\bbehind (?:the|it|its|a|as|each|by|share|assign)\b",
    r"\bnought\b|\bblanks\b|\b(?:below|above|less than|more than) nothing\b",
    r"\bin no situation\b|\bnever speaks?\b|\bin vain\b|\ball the same\b|\bof the (?:hand|pen)\b|\bbut for\b",
    r"\bcomes? (?:about|to (?:it|this|the|a))\b|\bcame to\b",
    r"\bdrop (?:it|the|this|one|what)\b|\btake (?:it|one|this|the|an?) [^.;`\n]{0,20}\bout\b",
)

CORRECT = {
    "the situation behind a finding": "its cause: an idiom, not a position in the text",
    "the printed rules behind each": "their source: an idiom, not a position in the text",
    "the printed rules behind it": "their source: an idiom, not a position in the text",
    "the printed rule behind it": "its source: an idiom, not a position in the text",
}
"""Hits that are right, with the reason; each occurs somewhere."""

READ_FIRST = (
    "README.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/README.md",
    "docs/cheat-sheet.md",
    "docs/commands.md",
    "docs/compiler.md",
    "docs/faults.md",
    "docs/glossary.md",
    "docs/growth.md",
    "docs/index.md",
    "docs/mutation.md",
    "docs/python.md",
    "docs/sheets.md",
    "docs/tutorial.md",
    "rules/atp/README.md",
    "rules/fcn/README.md",
    "rules/pacwar/README.md",
    "rules/vitp/README.md",
    "rules/vitp/options/README.md",
)
"""Pages without any hit, and that is how they stay."""

_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"`[^`]*`")


def hits(text: str) -> list[str]:
    """The habits in a text, in the order of `HABITS`; code in backticks and correct phrases do not count."""
    plain = _CODE.sub("`x`", _COMMENT.sub("", _FENCE.sub("", text)))
    for phrase in CORRECT:
        plain = re.sub(re.escape(phrase).replace(r"\ ", r"\s+"), "", plain)
    return [found[0] for habit in HABITS for found in re.finditer(habit, plain, re.IGNORECASE | re.MULTILINE)]


def pages() -> Iterator[str]:
    """Every page of Markdown that people read, by its path."""
    for path in sorted(ROOT.rglob("*.md")):
        name = path.relative_to(ROOT).as_posix()
        if re.match(r"(?:docs|rules|benchmarks)/|[A-Z]+\.md$", name) and "/_" not in name:
            yield name


@cache
def sentences(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of a module that its users read, and its docstrings and notes under constants."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    shown, docs = [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
            shown.append("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            (docs if id(node) in notes else shown).append(node.value)
    return tuple(shown), tuple(docs)


@cache
def counted() -> dict[str, int]:
    """Hits by page, and of docstrings and of texts by package; what has none is left out."""
    counts = {name: len(hits((ROOT / name).read_text(encoding="utf-8"))) for name in pages()}
    for path in sorted((ROOT / "rulekit").rglob("*.py")):
        package = "/".join(path.relative_to(ROOT).with_suffix("").parts[:2])
        for kind, texts in zip(("texts", "docstrings"), sentences(path), strict=True):
            name = f"{package} {kind}"
            counts[name] = counts.get(name, 0) + sum(len(hits(text)) for text in texts)
    return {name: number for name, number in counts.items() if number}


def ceilings() -> dict[str, int]:
    """The numbers that may not be passed."""
    lines = (line.rpartition(" ") for line in CEILINGS.read_text(encoding="utf-8").splitlines())
    return {name: int(number) for name, _, number in lines}


@pytest.mark.parametrize("name", READ_FIRST)
def test_what_users_read_first_has_no_habits(name: str) -> None:
    """Not one."""
    assert [] == hits((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("verb", ["", *sorted(VERBS)])
def test_help_has_no_habits(verb: str) -> None:
    """Neither that of the program nor that of a command."""
    assert [] == hits(rulekit(*verb.split(), "--help").out)


def test_no_file_passes_its_ceiling() -> None:
    """Write the sentence with its subject, in the active voice, with the term of the trade."""
    most = ceilings()

    assert {} == {name: number for name, number in counted().items() if number > most.get(name, 0)}


def test_ceilings_fall(request: pytest.FixtureRequest) -> None:
    """A ceiling falls with its file: `--update-golden` lowers ceilings, and never lifts one."""
    now, most = counted(), ceilings()
    lowered = {name: min(number, now[name]) for name, number in most.items() if name in now}
    if request.config.getoption("--update-golden"):
        lines = (f"{name} {number}\n" for name, number in sorted(lowered.items()))
        CEILINGS.write_text("".join(lines), encoding="utf-8")
        most = lowered

    assert lowered == most, "lower the ceilings: run this test with --update-golden"


def test_correct_phrases_occur() -> None:
    """A phrase that is gone leaves the list."""
    files = [ROOT / name for name in pages()] + list((ROOT / "rulekit").rglob("*.py"))
    text = " ".join(" ".join(path.read_text(encoding="utf-8").split()) for path in files)

    assert [] == [phrase for phrase in CORRECT if phrase not in text]


@pytest.mark.parametrize(
    "text",
    [
        "the case is told as well",
        "this is no month",
        "What was found is remembered.",
        "put it behind the line",
        "a number below nothing",
        "drop it",
    ],
)
def test_habits_are_found(text: str) -> None:
    """Each of these has one; in code it does not count."""
    assert 1 == len(hits(text))
    assert [] == hits(f"`{text}`")
