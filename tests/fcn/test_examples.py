"""The rule set's own examples hold, and with a few campaigns they exercise what it cites."""

from __future__ import annotations

import pytest

from rulekit.compiler.driver import Compiled
from tests.rule_sets import Exercised, exercised, failures


@pytest.fixture(scope="module")
def exercise(fcn: Compiled) -> Exercised:
    """The results of all examples, and what they and a few campaigns have reached."""
    return exercised(fcn)


def test_all_examples_hold(exercise: Exercised) -> None:
    """Every example comes out as its author says."""
    results, _ = exercise

    assert [] == failures(results)


def test_what_is_cited_is_exercised(exercise: Exercised) -> None:
    """Play exercises at least 95 in 100 of the rules that more than claims cite.

    It can come to all of them, and no choice or procedure is left out.
    """
    _, coverage = exercise
    cited = sum(len(chapter.cited) - len(chapter.claimed) for chapter in coverage.chapters)
    played = sum(len(chapter.played) for chapter in coverage.chapters)

    assert played >= 0.95 * cited > 0, [chapter.missed for chapter in coverage.chapters]
    assert () == tuple(rule for chapter in coverage.chapters for rule in chapter.unreachable)
    assert () == coverage.unreached
