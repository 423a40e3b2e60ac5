"""Every seeded fault is found, by its kind alone, or is known to be missed; nothing is told of its twin."""

from __future__ import annotations

import re

import pytest

from benchmarks.faults import OTHER, Case, cases, known, outcome
from tests.unit.diagnostics.test_pages import KINDS

CASES = cases()
FEWEST = 200
SHAPE = re.compile(r"[^A-Z].*[^.]|[^A-Z]")
"""A message: it does not begin with a capital, and has no full stop."""
MOST_MISSED = 2


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}/{case.name}")
def test_fault(case: Case) -> None:
    """The check finds it and nothing else, in messages of one shape; the twin is clean.

    A missed case is marked, until the check finds it.
    """
    made = outcome(case)

    assert made.found is not bool(case.missed), case.wrong
    assert () == made.alarms
    if made.found:
        assert () == made.beside
    assert [] == [each.message for each in made.findings if not SHAPE.fullmatch(each.message)]


def test_there_are_enough() -> None:
    """Cases are of kinds that there are, none was lost, and no more are missed than were."""
    assert FEWEST <= len(CASES)
    assert KINDS and {case.kind for case in CASES} <= known() | {OTHER}
    assert len([case for case in CASES if case.missed]) <= MOST_MISSED
