"""Exact odds against direct trials, sized for a test; the whole run is `python -m benchmarks.odds_trials`."""

from __future__ import annotations

import pytest

from benchmarks.odds_trials import QUESTIONS, distance, questions

TRIALS = 2_000


@pytest.mark.slow
def test_outcomes_come_as_often_as_expected() -> None:
    """Within four standard deviations, and nothing comes that has no chance."""
    measured = {title: distance(program, example, TRIALS) for title, program, example in questions([], 1)}

    assert measured.keys() == set(QUESTIONS)
    for title, found in measured.items():
        assert found is not None, title
        assert found[1] > 5
        assert found[0] < 4, title
