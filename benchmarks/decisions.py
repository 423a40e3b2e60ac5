"""The options of every decision of *Across the Pacific*: CPU milliseconds, on the sampler and on a full map.

    python -m benchmarks.decisions [--games N] [--plays N]

Random sessions of the scenarios.  A decision takes the time from an answer until the next question is there
with all its options.  For the *first* part of a choice this includes what the rules do after the choice
before; for *further* parts nothing happens in between, and the time is that of the options alone.  The full
map is the made-up owner's copy of the tests, with 3,003 hexes and 500 units.  What was there before the games
is left out of garbage collections.  With several plays, all games are played so often, each time by a program
compiled anew, which remembers nothing; the least time of a decision counts, as other work on the machine can
only add to it.
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from benchmarks.common import RULES
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.runtime.play import Game
from tests.atp import owners_copy

FOLDER = RULES.parent / "atp"
WORST = 5
"""So many choices are named."""


@dataclass(frozen=True)
class Decision:
    """One question: the choice, whether it is a further part of it, its options and its milliseconds."""

    choice: str
    further: bool
    options: int
    time: float


@dataclass(frozen=True)
class Map:
    """A program and the scenarios played on it; `goal` says how many milliseconds a decision may take."""

    name: str
    program: Program
    scenarios: Sequence[str]
    goal: float


def sampler() -> Map:
    """The map of rulekit's own."""
    shipped = compile_rule_set(FOLDER, Report()).program
    return Map("sampler, 400 hexes", shipped, ("sampler_two", "sampler_long"), 1.0)


def full_map() -> Map:
    """A map as large as the printed one."""
    with tempfile.TemporaryDirectory() as folder:
        files = owners_copy.write(Path(folder))
        owned = compile_rule_set(FOLDER, Report(), overlays=files).program
    names = [scenario.name for scenario in owned.scenarios if not scenario.name.startswith("sampler")]
    return Map("full map, 3,003 hexes", owned, names, 10.0)


def decisions(here: Map, games: int) -> Iterator[Decision]:
    """All decisions of so many random sessions of each scenario."""
    game, names = Game(here.program), [choice.name for choice in here.program.choices]
    gc.collect()
    gc.freeze()
    for seed, scenario in ((seed, name) for seed in range(games) for name in here.scenarios):
        draw, session = random.Random(seed), game.start(seed, scenario)
        while (asked := session.machine.asked) is not None:
            answer, choosing = draw.choice(asked[3]), session.machine.choosing
            begun = process_time()
            session.choose(answer)
            spent = 1000 * (process_time() - begun)
            if (now := session.machine.asked) is not None:
                further = now[0] == asked[0] and session.machine.choosing is choosing
                yield Decision(names[now[0]], further, len(now[3]), spent)


def report(make: Callable[[], Map], games: int, plays: int) -> Iterator[str]:
    """The lines for one map."""
    here, *others = (make() for _ in range(plays))
    played = [list(decisions(one, games)) for one in (here, *others)]
    least = [min(same, key=lambda one: one.time) for same in zip(*played, strict=True)]
    times = sorted(least, key=lambda one: one.time)
    yield f"{here.name}: {len(times):,} decisions, goal {here.goal:.0f} ms"
    for name, further in (("first parts", False), ("further parts", True)):
        yield f"  {name:13} {_distribution([one.time for one in times if one.further is further], here.goal)}"
    worst: dict[str, Decision] = {one.choice: one for one in times}
    for one in sorted(worst.values(), key=lambda one: -one.time)[:WORST]:
        late = sum(other.time > here.goal for other in times if other.choice == one.choice)
        part = "further part" if one.further else "first part"
        yield f"  {one.choice:24} at worst {one.time:7.2f} ms ({part}, {one.options} options), {late} late"


def _distribution(times: Sequence[float], goal: float) -> str:
    late = sum(time > goal for time in times)
    at = [times[min(int(len(times) * share), len(times) - 1)] for share in (0.5, 0.99, 0.999)]
    middle, most, nearly = (f"{time:.3f}" for time in at)
    shares = f"median {middle} ms, 99 % {most}, 99.9 % {nearly}, worst {times[-1]:.2f}"
    return f"{shares}; {late} of {len(times):,} late"


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions", description="Time all decisions.")
    parser.add_argument("--games", type=int, default=3, help="random games of each scenario")
    parser.add_argument("--plays", type=int, default=1, help="times that each game is played")
    options = parser.parse_args()
    for make in (sampler, full_map):
        for line in report(make, options.games, options.plays):
            print(line, flush=True)


if __name__ == "__main__":
    main()
