"""Whole random campaigns of 1942: how many a second, played directly and as sessions.

    python -m benchmarks.fcn_campaign [--campaigns N]

There is no yardstick: what a campaign costs depends on how long chance lets it last.  Direct play and
sessions get the same seeds and answers, and must end alike.
"""

from __future__ import annotations

import argparse
import gc
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import process_time

from benchmarks.common import answer, policy
from benchmarks.fcn_battle import RULES
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import SIMULATION

SCENARIO = "1942"
CAMPAIGNS = 60
WARM = 3


@dataclass(frozen=True, slots=True)
class Rate:
    """How campaigns of one kind were played: seconds of CPU for each, in the order of their seeds."""

    name: str
    seconds: tuple[float, ...]

    def line(self) -> str:
        """One line of a table."""
        rate = len(self.seconds) / sum(self.seconds)
        several = len(self.seconds) > 1
        low, middle, high = statistics.quantiles(self.seconds, n=4) if several else self.seconds * 3
        spread = f"({1e3 * low:.1f} to {1e3 * high:.1f})"
        return f"{self.name:44} {rate:6.1f} games/s   {1e3 * middle:7.1f} ms a game {spread}"


@cache
def program() -> Program:
    """The rule set, compiled."""
    return compile_rule_set(RULES, Report()).program


@cache
def game() -> Game:
    """The same as something to play in sessions."""
    return Game(program())


def direct(seed: int) -> str:
    """The evaluation of a campaign that is played in the build for simulation."""
    found = run_direct(program(), SCENARIO, policy(seed), seed, build=SIMULATION).result
    levels = next(domain for domain in program().domains if domain.name == "Evaluation")
    assert isinstance(found, int)
    return levels.members[found]


def session(seed: int) -> str:
    """The same as a session, with its trace."""
    choose, played = policy(seed), game().start(seed, SCENARIO)
    answer(played, choose)
    return str(played.result)


def measure(campaigns: int = CAMPAIGNS) -> list[Rate]:
    """Both, campaign by campaign."""
    kinds: dict[str, Callable[[int], str]] = {
        "direct, no trace": direct,
        "session: trace and undo": session,
    }
    spent: dict[str, list[float]] = {name: [] for name in kinds}
    gc.collect()
    gc.freeze()
    for seed in range(-WARM, campaigns):
        ended = {}
        for name, play in kinds.items():
            gc.collect()
            start = process_time()
            ended[name] = play(abs(seed))
            if seed >= 0:
                spent[name].append(process_time() - start)
        assert len(set(ended.values())) == 1, f"seed {seed} ended as {ended}"
    gc.unfreeze()
    return [Rate(name, tuple(seconds)) for name, seconds in spent.items()]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Whole random campaigns of FCN.")
    parser.add_argument("--campaigns", type=int, default=CAMPAIGNS, help=f"(default {CAMPAIGNS})")
    for rate in measure(parser.parse_args().campaigns):
        print(rate.line())


if __name__ == "__main__":
    main()
