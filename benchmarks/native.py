"""Whole random games in a WebAssembly module: how many times as fast as in Python, by turns in one run.

python -m benchmarks.native [--rounds N]
"""

from __future__ import annotations

import argparse
import gzip
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import process_time

from benchmarks import vitp_game
from benchmarks.common import SCENARIO, program
from rulekit import compile_rules
from rulekit.ir import Program
from rulekit.ir.reachable import for_play
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame

ROUNDS = 15
BATCH = 200
"""Games of one round in a module, for each one in Python."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How many times as fast a module is: the median, the quartiles, and the time of one game."""

    name: str
    median: float
    low: float
    high: float
    milliseconds: float

    def line(self) -> str:
        """One line of the table."""
        spread = f"({self.low:.1f} to {self.high:.1f})"
        return f"{self.name:<44} {self.median:6.1f}x {spread:<16} {self.milliseconds:8.3f} ms a game"


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def _speed(
    name: str, game: NativeGame, scenario: str | None, slow: Callable[[int], object], rounds: int
) -> Speed:
    """Compare a batch of a module with games of something else, by turns, every game from another seed."""
    game.playouts(0, BATCH, scenario)
    slow(0)
    ratios: list[float] = []
    fast: list[float] = []
    for turn in range(1, rounds + 1):
        batch = _seconds(partial(game.playouts, turn * BATCH, BATCH, scenario)) / BATCH
        one = _seconds(partial(slow, turn))
        ratios.append(one / batch)
        fast.append(batch)
    low, median, high = statistics.quantiles(ratios, n=4)
    return Speed(name, median, low, high, 1000 * statistics.median(fast))


def _direct(rules: Program, scenario: str | None) -> Callable[[int], object]:
    return lambda seed: run_direct(rules, scenario, RandomPolicy(rules, seed), seed)


def measure(rounds: int = ROUNDS) -> Iterator[Speed]:
    """The speed of the sets that build, against plain Python where there is a yardstick."""
    rules = for_play(program())
    game = NativeGame(build(rules))
    plain = vitp_game.plain_game
    yield _speed("vitp, over plain Python", game, SCENARIO, lambda seed: plain(seed)(), rounds)
    yield _speed("vitp, over generated Python", game, SCENARIO, _direct(rules, SCENARIO), rounds)
    for name in ("fcn", "examples/boards/connect-four", "examples/boards/breakthrough"):
        rules = for_play(compile_rules(name))
        short = name.rpartition("/")[2]
        game = NativeGame(build(rules))
        yield _speed(f"{short}, over generated Python", game, None, _direct(rules, None), rounds)


def main() -> None:
    """Run and print everything."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.native", description="Time modules.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds by turns (default: {ROUNDS})")
    rounds = parser.parse_args().rounds
    rules = program()
    start = process_time()
    content = build(rules)
    spent = process_time() - start
    print(f"building vitp: {spent:.2f} s; {len(content):,} bytes, {len(gzip.compress(content)):,} compressed")
    for speed in measure(rounds):
        print(speed.line())


if __name__ == "__main__":
    main()
