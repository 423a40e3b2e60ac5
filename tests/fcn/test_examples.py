"""The rule set's own examples hold, and with a few campaigns they exercise what it cites."""

from __future__ import annotations

import pytest

from rulekit.coverage import Coverage, Exercise
from rulekit.driver import Compiled
from rulekit.play.examples import ExampleResult


@pytest.fixture(scope="module")
def exercise(fcn_owned: Compiled) -> tuple[list[ExampleResult], Coverage]:
    """The results of all examples, and what they and a few campaigns have reached."""
    made = Exercise(fcn_owned)
    runner = made.examples()
    results = [runner.run(example) for example in fcn_owned.program.examples]
    for result in results:
        made.note(result.sites)
    for seed in range(30):
        made.game(seed)
    return results, made.coverage()


def test_all_examples_hold(exercise: tuple[list[ExampleResult], Coverage]) -> None:
    """Every example comes out as its author says."""
    results, _ = exercise

    assert [] == [f"{result.name}: {result.reason}" for result in results if not result.passed]


def test_what_is_cited_is_exercised(exercise: tuple[list[ExampleResult], Coverage]) -> None:
    """At least 95 in 100 of the cited rules ran; no choice or procedure is left out."""
    _, coverage = exercise
    cited = sum(len(chapter.cited) for chapter in coverage.chapters)
    exercised = sum(len(chapter.exercised) for chapter in coverage.chapters)

    assert exercised >= 0.95 * cited > 0, [chapter.missed for chapter in coverage.chapters]
    assert () == coverage.unreached
