"""Real files, spoiled at random: whatever becomes of them, a check ends, and every finding has its place."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.analysis.check import relocate
from rulekit.analysis.compile import compile_without_clashes
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import run_lints
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Report, RulesError, Severity
from tests.unit.cli.running import DUEL, FERRY, ROOT, rulekit

ODD = [
    *("\t", "\0", "\r", "\n", " ", "\u2028", "\ufeff", "é", "“", "😀", "\ud7ff"),
    *("[", "]", "(", "{", "'", '"', ":", "|", "-", "#", "..", "?"),
    *("&a", "*a", "!!", "<<: ", "0x", "9" * 30, "none", "of", "where", "    "),
]
"""What is put in: layout and characters of all planes; brackets; the odder parts of YAML, words, numbers."""

VITP = ROOT / "rules" / "vitp"


@cache
def files(folder: Path) -> list[str]:
    """The files of a rule set that a check reads."""
    kinds = (".rules", ".yaml", ".tsv")
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in kinds)


def spoiled(text: str, draw: st.DrawFn) -> str:
    """A text after one to three mishaps."""
    for _ in range(draw(st.integers(1, 3))):
        low = draw(st.integers(0, len(text)))
        high = min(len(text), low + draw(st.sampled_from([1, 2, 5, 20, 200])))
        part = text[low:high]
        match draw(st.sampled_from(["cut", "double", "swap", "put in", "end", "indent", "case"])):
            case "cut":
                text = text[:low] + text[high:]
            case "double":
                text = text[:high] + part + text[high:]
            case "swap":
                to = draw(st.integers(0, len(text)))
                rest = text[:low] + text[high:]
                text = rest[:to] + part + rest[to:]
            case "put in":
                text = text[:low] + draw(st.sampled_from(ODD)) + text[low:]
            case "end":
                text = text[:low]
            case "indent":
                start = text.rfind("\n", 0, low) + 1
                text = text[:start] + " " * draw(st.integers(1, 9)) + text[start:]
            case "case":
                text = text[:low] + part.swapcase() + text[high:]
    return text


@st.composite
def mishaps(draw: st.DrawFn, folder: Path) -> tuple[str, bytes]:
    """A file of a rule set, and what became of it."""
    name = draw(st.sampled_from(files(folder)))
    text = spoiled((folder / name).read_text(encoding="utf-8"), draw)
    raw = text.encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(raw)))
        raw = raw[:at] + bytes([draw(st.integers(0, 255))]) + raw[at:]
    return name, raw


def findings(folder: Path) -> tuple[Diagnostic, ...]:
    """Everything a check finds, without its cache."""
    report = Report()
    try:
        compiled = compile_without_clashes(folder, report)
    except RulesError:
        return tuple(report)
    return (*report, *run_lints(Inspection(compiled)))


def misplaced(found: tuple[Diagnostic, ...], folder: Path) -> Iterator[Span]:
    """Places that are not there."""
    for each in relocate(found, folder):
        for span in (each.span, *(label.span for label in each.labels)):
            path = Path(span.file)
            if not path.is_file():
                if (span.line, span.column) != (1, 1):
                    yield span
                continue
            text = path.read_bytes().decode("utf-8-sig", "replace")
            lines = re.split(r"\r\n|\r|\n", text)
            last = lines[span.end_line - 1] if 1 <= span.line <= span.end_line <= len(lines) else None
            begins = 1 <= span.column <= len(lines[span.line - 1]) + 2 if last is not None else False
            # An end stands behind the last character, or at the beginning of the line that follows.
            if not begins or last is None or not 1 <= span.end_column <= len(last) + 2:
                if (span.end_line, span.end_column) != (len(lines) + 1, 1):
                    yield span


def survives(folder: Path, mishap: tuple[str, bytes]) -> None:
    """A set with one file spoiled is checked: any exception but `RulesError` is a fault of rulekit."""
    name, raw = mishap
    with tempfile.TemporaryDirectory() as made:
        target = Path(made) / "set"
        shutil.copytree(folder, target)
        (target / name).write_bytes(raw)

        found = findings(target)

        assert [] == list(misplaced(found, target))
        assert all(each.message and "\n" not in each.message for each in found)


@pytest.mark.parametrize("folder", [DUEL, FERRY], ids=["duel", "ferry"])
@given(st.data())
@settings(max_examples=150)
def test_small_sets_survive(folder: Path, data: st.DataObject) -> None:
    """A duel and a ferry."""
    survives(folder, data.draw(mishaps(folder)))


@given(st.data())
@settings(max_examples=15)
def test_a_big_set_survives(data: st.DataObject) -> None:
    """A whole game."""
    survives(VITP, data.draw(mishaps(VITP)))


@given(st.data())
@settings(max_examples=40)
def test_the_command_survives(data: st.DataObject) -> None:
    """Through the command line: exit code 0 or 1, never a half-written answer."""
    name, raw = data.draw(mishaps(FERRY))
    with tempfile.TemporaryDirectory() as made:
        target = Path(made) / "set"
        shutil.copytree(FERRY, target)
        (target / name).write_bytes(raw)

        ran = rulekit("check", target)

        severe = [each for each in findings(target) if each.kind.severity is not Severity.NOTE]
        assert (1 if severe else 0) == ran.code
        assert ran.err.endswith("\n") and (ran.out == "" or ran.out.endswith("\n"))


@pytest.mark.slow
@pytest.mark.parametrize("folder", [DUEL, FERRY], ids=["duel", "ferry"])
@given(st.data())
@settings(max_examples=800)
def test_many_mishaps(folder: Path, data: st.DataObject) -> None:
    """As above, often."""
    survives(folder, data.draw(mishaps(folder)))


@pytest.mark.slow
@given(st.data())
@settings(max_examples=28)
def test_a_big_set_survives_often(data: st.DataObject) -> None:
    """A whole game, of which each check takes a second or more where nothing stops it."""
    survives(VITP, data.draw(mishaps(VITP)))
