"""Every seeded fault is found, by its kind alone, and nothing is told of its twin."""

from __future__ import annotations

import pytest

from benchmarks.faults import Case, cases, known, outcome
from tests.unit.diagnostics.test_pages import KINDS

CASES = cases()
FEWEST = 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}/{case.name}")
def test_fault(case: Case) -> None:
    """It is found, and nothing else is; the twin is clean."""
    made = outcome(case)

    assert made.found, case.wrong
    assert ((), ()) == (made.beside, made.alarms)


def test_there_are_enough() -> None:
    """Cases are of kinds that there are, and none was lost."""
    assert FEWEST <= len(CASES)
    assert KINDS and {case.kind for case in CASES} <= known()
