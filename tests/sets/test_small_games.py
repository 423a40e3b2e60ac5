"""The games of `examples`: nothing to find, their examples hold, and random games end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from tests.rule_sets import exercised, failures

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = sorted(path.parent for path in EXAMPLES.glob("*/*/ruleset.yaml"))
TWO_LANTERNS = EXAMPLES / "cards" / "two-lanterns"


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_small_game_is_sound(folder: Path) -> None:
    """The check finds nothing, the examples hold, and thirty random games end."""
    results, coverage = exercised(compile_rule_set(folder, Report()))

    assert [] == failures(results)
    assert () == coverage.unreached
    assert () == check(folder).diagnostics


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (
            "    choose decoy(side) as shown ",
            "    when no c in hand(side) has c.deed is Decoy: return\n    choose decoy(side) as shown ",
            "what happens here",
        ),
        ("known to side, counted", "known to side", "what happens here"),
        ("reveal hand(other(side)), known to side", "reveal hand(other(side))", None),
    ],
)
def test_a_hand_that_tells(tmp_path: Path, before: str, after: str, what: str | None) -> None:
    """Rules of Two Lanterns that show something of a hand, and one that shows all of it, as a rule may."""
    copy = tmp_path / "told"
    shutil.copytree(TWO_LANTERNS, copy)
    rules = copy / "two-lanterns.rules"
    text = rules.read_text(encoding="utf-8")
    assert before in text
    rules.write_text(text.replace(before, after, 1), encoding="utf-8")

    signs = [finding for finding in check(copy).diagnostics if finding.kind.code == "RK530"]

    assert (what is not None) == any(finding.message.startswith(what or "") for finding in signs)
