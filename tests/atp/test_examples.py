"""All examples hold, and a few of them notice that a rule has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import Compiled
from rulekit.reports.show.ir.program import entries
from rulekit.runtime.play.examples import Examples
from tests.atp.conftest import FOLDER
from tests.rule_sets import caught, failures


def test_examples_hold(atp: Compiled) -> None:
    """Every worked case of the booklet that is encoded, and ours."""
    runner = Examples(atp.program)
    results = [runner.run(example) for example in atp.program.examples]

    assert [] == failures(results)
    assert len(results) >= 100


def test_their_answers_are_shown_by_name(atp: Compiled) -> None:
    """Items take values in order, one or several each: what is shown is the value, of its own kind."""
    shown = {row.text.strip() for item in entries(atp.program, "ATP") for row in item.rows}

    assert "answers submarine_bases by Allies: Brisbane" in shown


CHANGES = [
    (
        "stacking.rules",
        "| corps                        | 6      |",
        "| corps                        | 5      |",
    ),
    ("zones.rules", "by_land(h) - h.mountains", "by_land(h)"),
    ("umbrella.rules", "b in {L, S}) [9.1", "b in {L, S, D}) [9.1"),
    ("ground-movement.rules", "set left to 0 [10.12", "set left to 1 [10.12"),
    ("land/ground-combat.rules", "units with highest its factor", "units with lowest its factor"),
    ("land/landings.rules", "and not navy_at(h, other(u.side))", ""),
    ("land/fronts.rules", "turn > burma_recaptured", "turn >= burma_recaptured"),
]
FILES = [
    "stacking.rules",
    "stacking.rules",
    "umbrella.rules",
    "ground-movement.rules",
    "../land/examples/ground-combat.rules",
    "../land/examples/landings.rules",
    "../land/examples/fronts.rules",
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_examples_notice_a_change(tmp_path: Path, number: int) -> None:
    """A changed rule breaks an example of its file."""
    file, before, after = CHANGES[number]
    text = (FOLDER / file).read_text(encoding="utf-8")
    assert before in text, before
    assert caught(FOLDER, tmp_path / "atp", FILES[number], (file, before, after))
