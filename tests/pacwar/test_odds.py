"""Exact odds of actions: damage that is put off is in the masks of who is sunk."""

from __future__ import annotations

import pytest

from benchmarks.odds import chancy
from rulekit.base.resources import rules_folder
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.runtime.odds.graph import Budget
from rulekit.runtime.odds.policies import first_legal
from rulekit.runtime.odds.running import OddsRunner


@pytest.mark.parametrize("title", ["an action of three rounds at most", "it ends when one side is gone"])
def test_actions_are_followed(title: str) -> None:
    """Each begins, with damage put off, and something of its weight comes to an end."""
    program = compile_rule_set(rules_folder() / "pacwar", Report()).program
    example, asked = next(pair for pair in chancy(program) if pair[0].name == title)
    followed = OddsRunner(asked).follow(example, first_legal, Budget(situations=300))

    assert 0 < followed.total - followed.left
    assert followed.total == followed.left + sum(followed.weights.values())
