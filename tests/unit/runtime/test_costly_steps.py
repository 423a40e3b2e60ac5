"""Reach at a cost that is remembered: the same as that of a flood from each start."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from rulekit.ir.steps import reached_at_cost, touched_together
from rulekit.runtime.support import costly_steps
from rulekit.runtime.support.costly_steps import ReachAtCost


@pytest.mark.parametrize("seed", range(12))
def test_reach_is_that_of_a_flood(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For any sets, starts and costs, while little room is left to remember them; rows differ in length."""
    draw = Random(seed)
    for name in ("MOST_REACHES", "MOST_FRONTS"):
        monkeypatch.setattr(costly_steps, name, draw.randint(1, 6))
    size = draw.randint(1, 60)
    sparse = [
        [draw.getrandbits(size) & draw.getrandbits(size) & draw.getrandbits(size) for _ in range(length)]
        for length in (draw.randint(1, 5) for _ in range(size))
    ]
    reach = ReachAtCost(sparse)
    touched = partial(touched_together, steps=sparse.__getitem__)
    overs = [draw.getrandbits(size) for _ in range(3)]
    for _ in range(100):
        over, start, most = draw.choice(overs), 1 << draw.randrange(size), draw.randint(0, 9)
        assert reached_at_cost(over, start, most, touched) == reach[over, start, most]
        assert len(reach) <= costly_steps.MOST_REACHES
