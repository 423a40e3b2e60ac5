"""Mass simulation: the overhead of a game, and two processes against one.

    python -m benchmarks.simulate [--games N]

Overhead: CPU seconds of a game in a simulation over those of the same game played alone, by turns.
Processes: wall time of one over that of two; it says something only on a machine with two quiet cores.
"""

from __future__ import annotations

import argparse
import statistics
from time import perf_counter, process_time

from benchmarks.common import RULES
from rulekit.reports.simulation.asking import Simulator
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.simulation.games import PlanPlayer
from rulekit.runtime.simulation.running import run

GAMES = 200
TURNS = 5


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description="Time simulations.")
    parser.add_argument("--games", type=int, default=GAMES)
    games = parser.parse_args().games
    simulator = Simulator(RULES)
    plan, _ = simulator.plan(
        ("result", "decisions", "turn"), where="", scenario=None, agents="random", seed=0
    )
    player, program = PlanPlayer(plan), simulator.program
    ratios, walls = [], []
    for turn in range(TURNS):
        numbers = range(turn * games // TURNS, (turn + 1) * games // TURNS)
        begin = process_time()
        player.play(numbers)
        simulated = process_time() - begin
        begin = process_time()
        for number in numbers:
            seed = plan.seed_of(number)
            run_direct(program, None, RandomPolicy(program, seed), seed)
        ratios.append(simulated / (process_time() - begin))
    for _ in range(TURNS):
        times = []
        for workers in (1, 2):
            begin = perf_counter()
            run(plan, games, workers=workers, chunk=10)
            times.append(perf_counter() - begin)
        walls.append(times[0] / times[1])
    print(f"a game in a simulation: {statistics.median(ratios):.2f}x the game alone (CPU)")
    print(f"two processes: {statistics.median(walls):.2f}x as fast as one (wall)")


if __name__ == "__main__":
    main()
