"""Simulations by a native module: every total is that of Python."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import rulekit
from tests.unit.cli.running import rulekit as command
from tests.unit.runtime.native.test_games import ROOT

VITP = ROOT / "rules" / "vitp"
MEASURES = {
    "rules/vitp": ("result", "decisions", "lost Japan", "lost Allies"),
    "tests/sets/duel": ("result", "decisions"),
    "examples/cards/two-lanterns": ("result", "decisions"),
}
BAD = """\
enum Side: Red, Blue
state sum_so_far: 0..9
roll die: d6
choice more(side) by side:
    decide
sequence play:
    repeat until sum_so_far > 6, at most 9 times:
        roll die as n
        choose more(Red) as again
        when again: add n to sum_so_far
        otherwise: add 1 to sum_so_far
    finish Red
"""


def totals(path: Path, measures: Sequence[str], *, native: bool) -> tuple[object, ...]:
    """What a simulation of some games counts."""
    found = rulekit.simulate(path, games=60, of=measures, seed=3, workers=1, native=native)
    return list(found.tally.sorted_entries()), found.faults


@pytest.mark.parametrize("name", MEASURES)
def test_totals_are_those_of_python(name: str) -> None:
    """Results, decisions, and the pieces that sides lost since the set-up."""
    measures = MEASURES[name]
    assert totals(ROOT / name, measures, native=False) == totals(ROOT / name, measures, native=True)


def test_faults_have_the_words_of_python(tmp_path: Path) -> None:
    """A number that leaves its range, in some of the games."""
    head = 'id: sums\ntitle: Sums\nlanguage: "0.2"\nedition: first\nsequence: play\nsides: Side\n'
    (tmp_path / "ruleset.yaml").write_text(head)
    (tmp_path / "sums.rules").write_text(BAD)

    tally, faults = totals(tmp_path, ("result", "sum_so_far"), native=True)

    assert faults
    assert (tally, faults) == totals(tmp_path, ("result", "sum_so_far"), native=False)


def test_the_command_counts_the_same_in_several_processes() -> None:
    """Its output is equal, byte for byte."""
    asked = ("simulate", VITP, "--games", "40", "--workers", "2", "--of", "decisions", "--where", "turn > 2")

    ran = command(*asked)
    assert (0, ran.out) == (ran.code, command(*asked, "--native").out)


def test_other_agents_are_refused() -> None:
    """The module has the random policy alone."""
    ran = command("simulate", VITP, "--native", "--games", "2", "--agent", "Japan=first-legal")

    assert (2, "") == (ran.code, ran.out)
    assert "a native module plays with random agents only" in ran.err
