"""Environments for learning programs: a step in bare answers, and steps a second.

    python -m benchmarks.environments [--steps N] [--games N] [SET ...]

A step is what a program does for each decision: it looks (`last`), picks one of the actions of the mask by
chance, and acts (`step`).  A bare answer is `Session.choose` with the value of the same answer, in a session
of the same seed.  The steps run between two runs of the bare answers, in one process; CPU time.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

import rulekit
from benchmarks.common import timed
from rulekit.runtime.envs import TurnsEnv
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.layout import FUEL

NAMES = ("vitp", "fcn", "pacwar", "atp")
STEPS, GAMES, WARM = 1500, 7, 1


@dataclass(frozen=True, slots=True)
class Pace:
    """What the steps of one set took: medians over its games.

    Attributes:
        ratio: A step, in bare answers.
        low: The lower quartile of the ratio.
        high: Its upper quartile.
        steps: Steps a second.
    """

    ratio: float
    low: float
    high: float
    steps: float


Note = Callable[[Question, int], object]
"""Is given the open question and the action that answers it, or a value of a record."""


def walk(env: TurnsEnv, seed: int, steps: int, note: Note | None = None) -> int:
    """Take random steps until the session is over; return how many there were."""
    draw = random.Random(seed).random
    for step in range(steps):
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return step
        legal = seen["action_mask"].view(np.bool_).nonzero()[0]
        action = int(legal[int(draw() * len(legal))])
        if note is not None and (asked := env.session.machine.asked) is not None:
            note(asked, action)
        env.step(action)
    return steps


def answers_of(env: TurnsEnv, seed: int, steps: int) -> list[int]:
    """The values of the answers that the random steps give."""
    values: list[int] = []
    so_far: tuple[int, ...] = ()

    def note(asked: Question, action: int) -> None:
        nonlocal so_far
        value, so_far = env.actions.act(asked, action, so_far)
        if value is not None:
            values.append(value)

    walk(env, seed, steps, note)
    return values


def answer_all(session: Session, values: Sequence[int]) -> None:
    """Give these answers."""
    for value in values:
        session.choose(value)


def assert_same(cells: Sequence[object], env: TurnsEnv) -> None:
    """The session stands where another did, whose cells these are."""
    if cells[FUEL + 1 :] != env.session.machine.M[FUEL + 1 :]:
        raise AssertionError("the steps and the bare answers lead to different states")


def measure(game: Game, steps: int, games: int) -> Pace:
    """Time the steps of a game's sessions against bare answers."""
    env = TurnsEnv(game)
    ratios, paces = [], []
    gc.collect()
    gc.freeze()
    for seed in range(-WARM, games):
        env.reset(seed=abs(seed))
        values = answers_of(env, seed, steps)
        last = env.session.machine.M
        env.reset(seed=abs(seed))
        before, _ = timed(partial(answer_all, env.session, values))
        assert_same(last, env)
        env.reset(seed=abs(seed))
        time, taken = timed(partial(walk, env, seed, steps))
        assert_same(last, env)
        env.reset(seed=abs(seed))
        after, _ = timed(partial(answer_all, env.session, values))
        if seed >= 0:
            bare = (before + after) / 2 / len(values)
            ratios.append(time / taken / bare)
            paces.append(taken / time)
    gc.unfreeze()
    low, middle, high = statistics.quantiles(ratios, n=4) if games > 1 else ratios * 3
    return Pace(middle, low, high, statistics.median(paces))


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.environments", description="Time the steps of environments."
    )
    parser.add_argument("sets", nargs="*", default=NAMES, metavar="SET", help="a name (default: all four)")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of a session (default {STEPS})")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each set (default {GAMES})")
    arguments = parser.parse_args()
    for name in arguments.sets:
        pace = measure(rulekit.load(name), arguments.steps, arguments.games)
        spread = f"({pace.low:.2f} to {pace.high:.2f})"
        print(f"{name:8} {pace.ratio:5.2f} bare answers  {spread:16} {pace.steps:9,.0f} steps a second")


if __name__ == "__main__":
    main()
