"""Mass simulation: the overhead of a game, and two processes against one.

    python -m benchmarks.simulate [--games N] [--turns N]

Overhead: CPU seconds of a game in a simulation over those of the same game played alone, by turns.

Processes: wall time of one over that of two, which says something only on a machine with two quiet cores.
On any machine, the CPU time of one over the longest chain of CPU time of two: that of the process that shares
out the games, and of the worker that played longest.  This is the wall time on two quiet cores, or a little
more, as the first process also works while the others play.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from unittest import mock

from benchmarks.common import RULES
from rulekit.reports.simulation.asking import Simulator
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.simulation import running
from rulekit.runtime.simulation.games import PlanPlayer
from rulekit.runtime.simulation.plan import Plan

GAMES = 1_000
TURNS = 5


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description="Time simulations.")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--turns", type=int, default=TURNS)
    arguments = parser.parse_args()
    simulator = Simulator(RULES)
    plan, _ = simulator.plan(
        ("result", "decisions", "turn"), where="", scenario=None, agents="random", seed=0
    )
    games, turns = arguments.games, arguments.turns
    ratios = [
        overhead(plan, range(turn * games // turns, (turn + 1) * games // turns)) for turn in range(turns)
    ]
    print(f"a game in a simulation: {statistics.median(ratios):.3f}x the game alone (CPU)", flush=True)
    pairs = [(processes(plan, games, 1), processes(plan, games, 2)) for _ in range(turns)]
    walls = [one[0] / two[0] for one, two in pairs]
    chains = [one[1] / two[1] for one, two in pairs]
    for ratios, what in ((chains, "longest chain of CPU time"), (walls, "wall")):
        median, best = statistics.median(ratios), max(ratios)
        print(f"two processes: {median:.2f}x as fast as one, at best {best:.2f}x ({what})")


def overhead(plan: Plan, numbers: range) -> float:
    """The CPU time of some games in a simulation over that of the same games in a bare loop."""
    player, program = PlanPlayer(plan), plan.rules[0].program
    player.play(numbers[:1])
    run_direct(program, None, RandomPolicy(program, 0), 0)
    begin = process_time()
    player.play(numbers)
    simulated = process_time() - begin
    begin = process_time()
    for number in numbers:
        seed = plan.seed_of(number)
        run_direct(program, None, RandomPolicy(program, seed), seed)
    return simulated / (process_time() - begin)


def processes(plan: Plan, games: int, workers: int) -> tuple[float, float]:
    """Wall seconds of a simulation by so many processes, and its longest chain of CPU seconds."""
    with _noted_times() as folder:
        begin, cpu = perf_counter(), process_time()
        running.run(plan, games, workers=workers)
        wall, cpu = perf_counter() - begin, process_time() - cpu
        longest = max((float(file.read_text()) for file in folder.iterdir()), default=0.0)
    return wall, cpu + longest


@contextmanager
def _noted_times() -> Iterator[Path]:
    """A folder in which each worker keeps a file with its CPU time."""
    parent, play = os.getpid(), running.play_games
    with tempfile.TemporaryDirectory() as folder:

        def noting(plan: Plan, first: int, end: int) -> list[Any]:
            plain = play(plan, first, end)
            if os.getpid() != parent:
                (Path(folder) / str(os.getpid())).write_text(str(process_time()))
            return plain

        with mock.patch.object(running, "play_games", noting):
            yield Path(folder)


if __name__ == "__main__":
    main()
