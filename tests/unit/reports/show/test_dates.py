"""What is in force on a date: modifiers, norms, variants, cases and rows that have dates."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir.types import month_number
from rulekit.reports.show.dates import on_date
from tests.unit.cli.running import rulekit

RULES = """\
enum Side: Red, Blue
state turn: 1..24 = 1
calendar today from Jan 1942 to Dec 1943: Jan 1942 + (turn - 1)
roll flak: d6
modifier radar on roll flak: +1 from Aug 1942
modifier old_guns on roll flak: -1 until Dec 1942
value range_of -> 0..9:
    until May 1942: 2
    otherwise: 3
table shift(date: month) -> 0..3:
    | date                 | result |
    | until Jul 1942       | 0      |
    | Aug 1942 to Oct 1942 | 3      |
    | from Nov 1942        | 1      |
choice port(side) by side:
    decide
    forbid answer during Mar 1943
exception winter:
    in force during Nov 1942 to Feb 1943
    redefine value range_of: 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rule set with a calendar."""
    (tmp_path / "ruleset.yaml").write_text('id: text\ntitle: Text\nlanguage: "0.2"\n')
    (tmp_path / "text.rules").write_text(RULES)
    return tmp_path


@pytest.mark.parametrize(
    ("date", "lines"),
    [
        ("Jan 1942", [6, 8, 12]),
        ("Jul 1942", [6, 12]),
        ("Aug 1942", [5, 6, 13]),
        ("Dec 1942", [5, 6, 14, 19]),
        ("Mar 1943", [5, 14, 17]),
    ],
)
def test_what_holds(folder: Path, date: str, lines: list[int]) -> None:
    """Both ends of a stretch belong to it; an open end has none."""
    made = compile_rule_set(folder, Report())
    found = list(on_date(made.declared, made.rule_set.sources, month_number(date)))

    assert [5, 6, 8, 12, 13, 14, 17, 19] == [each.row.line for each in found]
    assert lines == [each.row.line for each in found if each.holds]


def test_told_with_what_it_belongs_to(folder: Path) -> None:
    """The head of each item once, then its lines."""
    ran = rulekit("explain", folder, "--date", "Mar 1943")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]

    assert 0 == ran.code
    assert "text.rules:5 + modifier radar on roll flak: +1 from Aug 1942" == lines[0]
    assert "text.rules:7 value range_of -> 0..9:" == lines[2]
    assert "text.rules:8 - until May 1942: 2" == lines[3]
    assert "Mar 1943: 3 of 8 dated lines apply" == lines[-1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--date", "Mar 1950"), "outside the calendar"),
        (("--date", "March"), "invalid month"),
        (("5.1", "--date", "Mar 1943"), "name only a SET"),
    ],
)
def test_what_cannot_be_done(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    """A clear word, and nothing printed."""
    ran = rulekit("explain", folder, *arguments)

    assert (2, "") == (ran.code, ran.out)
    assert said in ran.err


def test_a_set_without_dates(tmp_path: Path) -> None:
    """It has no calendar."""
    (tmp_path / "ruleset.yaml").write_text('id: text\ntitle: Text\nlanguage: "0.2"\n')
    (tmp_path / "text.rules").write_text("state n: 0..9\n")

    ran = rulekit("explain", tmp_path, "--date", "Mar 1943")

    assert 2 == ran.code
    assert "has no calendar" in ran.err
