"""Whole random games in a module or as C: how many times as fast as in Python, by turns in one run.

python -m benchmarks.native [--rounds N]
"""

from __future__ import annotations

import argparse
import gzip
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks import fcn_battle, pacwar_night, plain_boards, vitp_game
from benchmarks.common import SCENARIO, program
from rulekit import compile_rules
from rulekit.ir import Procedure, Program, Scenario
from rulekit.ir.reachable import for_play
from rulekit.ir.types import Nothing
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame
from tests.unit.runtime.native.compiled_c import Compiled

ROUNDS = 15
BATCH = 200
"""Games of one round in a module, for each one in Python."""
SMALL_BATCH = 4000
"""The same of a game that takes so little time that the call of a batch would be most of it."""
STEPS = """
const session = await host.load(modules[0]), room = session.copy(), spent = () => process.cpuUsage().user;
let seed = 0, state = 7;
const below = (count) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
};
const answers = (many) => {
    let question = null;
    for (let n = 0; n < many; n++) {
        question ??= session.start(seed++);
        question = session.answer(below(question.options.length));
    }
};
const median = (many, work) => {
    const times = Array.from({ length: ROUNDS }, () => {
        const begun = spent();
        work(many);
        return (spent() - begun) / many;
    });
    return times.sort((one, other) => one - other)[ROUNDS >> 1];
};
const copies = (many) => { for (let n = 0; n < many; n++) session.copy(room); };
answers(20000);
return [room.length, median(20000, answers), median(2000, copies)];
"""
"""A script for Node: the bytes of a copy; in microseconds an answer to the next question, and a copy."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How many times as fast a module is: the median, the quartiles, and the time of one game."""

    name: str
    median: float
    low: float
    high: float
    microseconds: float

    def line(self) -> str:
        """One line of the table."""
        spread = f"({self.low:.1f} to {self.high:.1f})"
        return f"{self.name:<44} {self.median:6.1f}x {spread:<16} {self.microseconds:9.2f} us a game"


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


@dataclass(frozen=True, slots=True)
class Batch:
    """Plays a number of games from a seed on; `seconds` is the time of one of them."""

    seconds: Callable[[int], float]
    games: int = 1


def _batch(play: Callable[[int], object], games: int = 1) -> Batch:
    return Batch(lambda seed: _seconds(partial(play, seed)) / games, games)


def _speed(name: str, fast: Batch, slow: Batch, rounds: int) -> Speed:
    """Compare batches of a module with games of something else, by turns, every game from another seed."""
    fast.seconds(0)
    slow.seconds(0)
    ratios: list[float] = []
    times: list[float] = []
    for turn in range(1, rounds + 1):
        times.append(fast.seconds(turn * fast.games))
        ratios.append(slow.seconds(turn) / times[-1])
    low, median, high = statistics.quantiles(ratios, n=4)
    return Speed(name, median, low, high, 1e6 * statistics.median(times))


def _in_module(rules: Program, scenario: str | None, games: int = BATCH) -> Batch:
    game = NativeGame(build(rules))
    return _batch(lambda seed: game.playouts(seed, games, scenario), games)


def _direct(rules: Program, scenario: str | None) -> Batch:
    return _batch(lambda seed: run_direct(rules, scenario, RandomPolicy(rules, seed), seed))


def _by_hand(name: str) -> Batch:
    """Games of a yardstick for a small game."""
    play = plain_boards.GAMES[name]

    def games(seed: int) -> None:
        choose = Random(seed).choice
        for _ in range(BATCH):
            play(choose)

    return _batch(games, BATCH)


def _after_set_up(rules: Program, scenario: str) -> Batch:
    """Games in a module, less the time in which an equal one only sets them up."""
    nothing = Procedure("nothing", (), Nothing(), (), (), 0)
    kept = Scenario("whole", "", rules.entry)
    only = replace(
        rules,
        entry=nothing.name,
        procedures=(*rules.procedures, nothing),
        scenarios=(*rules.scenarios, kept),
    )
    whole, begun = _in_module(for_play(rules), scenario), _in_module(for_play(only), scenario)
    return Batch(lambda seed: whole.seconds(seed) - begun.seconds(seed), whole.games)


def _in_c(rules: Program, folder: Path) -> Batch:
    """Games of the rules as C; the first scenario."""
    compiled = Compiled(rules, folder, "-O2")

    def games(seed: int) -> None:
        assert compiled.call("playouts", seed, BATCH, 0) == 0

    return _batch(games, BATCH)


def measure(rounds: int = ROUNDS) -> Iterator[Speed]:
    """The speed of modules, against plain Python where there is a yardstick."""
    rules = for_play(program())
    module, by_hand = _in_module(rules, SCENARIO), _batch(lambda seed: vitp_game.plain_game(seed)())
    yield _speed("vitp, over plain Python", module, by_hand, rounds)
    if find_spec("ziglang") is not None:
        with TemporaryDirectory() as folder:
            yield _speed("vitp as C, over plain Python", _in_c(rules, Path(folder)), by_hand, rounds)
    yield _speed("vitp, over generated Python", module, _direct(rules, SCENARIO), rounds)
    battle = Batch(lambda seed: _seconds(fcn_battle.plain_turns(seed)) / fcn_battle.TURNS)
    module = _after_set_up(fcn_battle.program(), fcn_battle.SCENARIO)
    yield _speed("a battle of fcn, over plain Python", module, battle, rounds)
    night = Batch(lambda seed: _seconds(pacwar_night.plain_nights("night", seed)) / pacwar_night.ACTIONS)
    module = _after_set_up(pacwar_night.program(), pacwar_night.SCENARIO)
    yield _speed("nights of pacwar, over plain Python", module, night, rounds)
    for name in ("fcn", "pacwar", "atp"):
        rules = for_play(compile_rules(name))
        yield _speed(f"{name}, over generated Python", _in_module(rules, None), _direct(rules, None), rounds)
    for name in plain_boards.GAMES:
        rules = for_play(compile_rules(f"examples/boards/{name}"))
        module = _in_module(rules, None, SMALL_BATCH)
        yield _speed(f"{name}, over plain Python", module, _by_hand(name), rounds)


def steps(rounds: int = ROUNDS) -> Iterator[str]:
    """How long an answer and a copy take in Node: a line for each game."""
    from tests.unit.runtime.native.test_js_host import run

    with TemporaryDirectory() as folder:
        for name in ("vitp", "fcn", "pacwar", "atp"):
            content = build(compile_rules(name), stops=True)
            size, answer, copy = run(Path(folder), STEPS.replace("ROUNDS", str(rounds)), content)
            yield f"{name} in Node: an answer {answer:.2f} us, a copy of {size:,} bytes {copy:.2f} us"


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
        print(speed.line(), flush=True)
    if find_spec("playwright") is not None:
        for line in steps(rounds):
            print(line, flush=True)


if __name__ == "__main__":
    main()
