"""Steps of environments that are timed: they are those of the bare answers beside them."""

from __future__ import annotations

import rulekit
from benchmarks.environments import answers_of, measure, walk
from rulekit.runtime.envs import TurnsEnv


def test_the_answers_of_the_steps_lead_to_the_same_state() -> None:
    """Bare answers with the values of the steps end where the steps end: `measure` compares the states."""
    pace = measure(rulekit.load("vitp"), steps=30, games=1)
    assert pace.ratio > 0
    assert pace.steps > 0


def test_the_walk_is_the_same_again() -> None:
    """A seed gives the same answers each time, and the walk ends with the game."""
    env = TurnsEnv(rulekit.load("fcn"))
    walks = []
    for _ in range(2):
        env.reset(seed=3)
        walks.append(answers_of(env, 3, 10_000))
    env.reset(seed=3)
    steps = walk(env, 3, 10_000)
    assert walks[0] == walks[1]
    assert env.session.over
    assert len(walks[0]) <= steps < 10_000
