"""The games of `examples/boards`: nothing to find, their examples hold, and random games end."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from tests.rule_sets import exercised, failures

BOARDS = Path(__file__).parents[2] / "examples" / "boards"
GAMES = sorted(path.parent for path in BOARDS.glob("*/ruleset.yaml"))


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_game_of_a_board_is_sound(folder: Path) -> None:
    """The check finds nothing, the examples hold, and thirty random games end."""
    results, _ = exercised(compile_rule_set(folder, Report()))

    assert [] == failures(results)
    assert () == check(folder).diagnostics
