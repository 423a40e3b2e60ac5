"""The lint unbounded-norm: what decides is the number of finished answers, not that of candidates."""

from __future__ import annotations

import pytest

from rulekit.testing import mismatches

RULES = """
enum Side: Red, Blue
piece Plane:
    members {planes}
choice sorties by Red:
    {verb}
    forbid odd: count of chosen mod 2 = 1  {expected}
"""


@pytest.mark.parametrize(
    ("planes", "verb", "expected"),
    [
        (14, "pick any plane from Plane", ""),  # 16,384 sets
        (15, "pick any plane from Plane", "#! RK514"),
        (200, "pick up to 2 plane from Plane", "#! RK514"),  # 20,101 sets
        (199, "pick up to 2 plane from Plane", ""),
        (6, "assign each p in Plane one q from 1..4, or none", ""),  # 5 to the power of 6
        (7, "assign each p in Plane one q from 1..4, or none", "#! RK514"),
        (4, "assign each p in Plane any q from 1..3", ""),  # 8 to the power of 4
        (5, "assign each p in Plane any q from 1..3", "#! RK514"),
    ],
)
def test_more_answers_than_a_search_tries_are_reported(planes: int, verb: str, expected: str) -> None:
    assert [] == mismatches(RULES.format(planes=planes, verb=verb, expected=expected))
