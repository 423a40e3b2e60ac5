"""The rule set's own examples hold, and with a few games they exercise what it cites."""

from __future__ import annotations

import pytest

from rulekit.compiler.driver import Compiled
from tests.rule_sets import Exercised, exercised, failures

SECTIONS = tuple(str(number) for number in range(1, 19)) + ("chart",)


@pytest.fixture(scope="module")
def exercise(vitp: Compiled) -> Exercised:
    """The results of all examples, and what they and a few games have reached."""
    return exercised(vitp)


def test_all_examples_hold(exercise: Exercised) -> None:
    """Every example comes out as its author says."""
    results, _ = exercise

    assert [] == failures(results)


def test_the_booklets_own_examples_are_there(vitp: Compiled) -> None:
    """Sections 2 to 18 say "Example:" in 8.41, 11.3 and 13.42, and give a sum in 2.5."""
    cited = {rule for each in vitp.program.examples for rule in vitp.program.sites[each.site].rules}

    assert {"VITP.8.41", "VITP.11.3", "VITP.13.42", "VITP.2.5"} <= cited


def test_what_is_cited_is_exercised(exercise: Exercised) -> None:
    """Of sections 1 to 18 play exercises at least 95 in 100 of the rules that more than claims cite.

    It can come to all of them, and no choice or procedure is left out.
    """
    _, coverage = exercise
    chapters = [chapter for chapter in coverage.chapters if chapter.name in SECTIONS]
    cited = sum(len(chapter.cited) - len(chapter.claimed) for chapter in chapters)
    played = sum(len(chapter.played) for chapter in chapters)

    assert len(SECTIONS) == len(chapters)
    assert played >= 0.95 * cited > 0, [chapter.missed for chapter in chapters]
    assert () == tuple(rule for chapter in chapters for rule in chapter.unreachable)
    assert () == coverage.unreached
