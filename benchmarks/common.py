"""What the benchmarks share: the program, one policy for all, paired timings, and equality of games."""

from __future__ import annotations

import argparse
import gc
import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks import plain
from rulekit.base.bits import members
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ir.types import NONE
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import new_machine, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support.build import DEFAULT_FUEL, SIMULATION
from rulekit.runtime.support.layout import Layout

RULES = Path(__file__).parents[1] / "rules" / "vitp"
SCENARIO = "dec_1941"

# What is but a local variable in the yardstick, and what belongs to battles that are over.
LOCAL = {"done_placing", "Battle.area", "Battle.engaged", "Battle.fleeing", "Battle.fresh", "Battle.idle"}


@cache
def program() -> Program:
    """The rule set, compiled."""
    return compile_rule_set(RULES, Report()).program


@cache
def board() -> plain.Board:
    """The same for the yardstick: the data files alone."""
    return plain.read_board(RULES / "data")


Policy = Callable[[int], Callable[[Any, Any, Any, Sequence[Any]], Any]]
"""Returns, for a seed, the function that chooses among options."""


def policy(seed: int) -> Callable[[object, object, object, Sequence[Any]], Any]:
    """Takes any option with equal chance, from one stream for all questions.

    One stream, so that a question too many or too few turns everything after it into another game; and as
    cheap as a policy can be, because its time stands on both sides of every ratio.
    """
    draw = random.Random(seed).random

    def choose(choice: object, side: object, item: object, options: Sequence[Any]) -> Any:
        return options[int(draw() * len(options))]

    return choose


# ------------------------------------------------------------------------------ time


def answer(session: Session, choose: Callable[..., Any]) -> None:
    """Answer a session to its end, as a policy chooses."""
    machine = session.machine
    while machine.asked is not None:
        session.choose(choose(*machine.asked))


Ended = list[tuple[int, Any]]
"""For each part of a repetition its seed, and the last state."""


def direct_runs(
    program: Program,
    scenario_name: str,
    seeds: Iterable[int],
    policy: Policy,
    arrange: Callable[[list[Any]], None] = lambda _: None,
) -> Callable[[], Ended]:
    """Set up a scenario for each seed; the result plays on in the build for simulation.

    Args:
        arrange: Changes the cells of the state after the set-up.
    """
    module = generate(program, SIMULATION)
    scenario = scenario_of(program, scenario_name)
    assert scenario is not None
    machines = []
    for seed in seeds:
        machine = new_machine(module, Streams(module, seed), policy(seed))
        machine.trace = [].append
        machine.refuel(DEFAULT_FUEL)
        machine.call(scenario.procedure)
        arrange(machine.M)
        machines.append((seed, machine))
    entry = program.entry

    def run() -> Ended:
        for _, machine in machines:
            machine.call(entry)
        return [(seed, machine.M) for seed, machine in machines]

    return run


def session_runs(game: Game, scenario: str, seeds: Iterable[int], policy: Policy) -> Callable[[], Ended]:
    """Start a session for each seed; the result answers each from its first question to its end."""
    sessions = [(seed, game.start(seed, scenario), policy(seed)) for seed in seeds]

    def run() -> Ended:
        for _, session, choose in sessions:
            answer(session, choose)
        return [(seed, session.machine.M) for seed, session, _ in sessions]

    return run


Prepare = Callable[[int], Callable[[], Any]]
"""Makes everything ready for one repetition; what it returns is timed, and gives back how it ended."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time over the yardstick's: the median of all repetitions, and the quartiles around it."""

    name: str
    median: float
    low: float
    high: float
    seconds: float

    def line(self) -> str:
        """One line of a table."""
        spread = f"({self.low:.2f} to {self.high:.2f})"
        return f"{self.name:44} {self.median:5.2f}x  {spread:16} {1e3 * self.seconds:9.3f} ms"


def compare(
    yardstick: Prepare,
    others: Mapping[str, Prepare],
    same: Callable[[Any, Any], None],
    repetitions: int,
    warm: int = 3,
) -> list[Ratio]:
    """Time others against the yardstick, which runs before and after each, in one process.

    Args:
        same: Raises unless the yardstick and another ended alike; asked at every repetition.
        repetitions: Each has a seed of its own.
        warm: Repetitions before those that count.
    """
    ratios: dict[str, list[float]] = {name: [] for name in others}
    spent: dict[str, list[float]] = {name: [] for name in others}
    plain_times: list[float] = []
    gc.collect()
    gc.freeze()
    for seed in range(-warm, repetitions):
        for name, prepare in others.items():
            before, ended = timed(yardstick(abs(seed)))
            time, other = timed(prepare(abs(seed)))
            after, _ = timed(yardstick(abs(seed)))
            same(ended, other)
            if seed >= 0:
                plain_times += (before, after)
                ratios[name].append(2 * time / (before + after))
                spent[name].append(time)
    gc.unfreeze()
    found = [Ratio("plain Python", 1.0, 1.0, 1.0, statistics.median(plain_times))]
    for name, values in ratios.items():
        low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
        found.append(Ratio(name, middle, low, high, statistics.median(spent[name])))
    return found


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of CPU, without collections of garbage, and what came of it."""
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        ended = run()
        return process_time() - start, ended
    finally:
        gc.enable()


# ------------------------------------------------------------------------------ equality


def assert_same(game: plain.Game, layout: Layout, cells: Sequence[Any]) -> None:
    """The yardstick's game and the program's state are the same, and so is what every die will show next."""
    by_name = plain_state(game)
    for name, slots in layout.slots.items():
        if name in LOCAL:
            continue
        expected = by_name[name]
        if slots.bits is not None:
            actual: Any = set(members(cells[slots.base]))
        elif slots.keys:
            numbered = {keys[0]: cells[address] for keys, address in slots.each()}
            actual = {key: numbered[key] for key in expected}
        else:
            actual = cells[slots.base]
        if expected != actual:
            raise AssertionError(f"`{name}` differs: {expected} in plain Python, {actual} in the program")


def assert_same_dice(game: plain.Game, seed: int, layout: Layout, cells: Sequence[Any]) -> None:
    """Every point of chance stands at the same die: the next twenty are equal."""
    rolls = {
        "initiative": game.roll_initiative,
        "attack": game.roll_attack,
        "damage": game.roll_damage,
        "speed_roll": game.roll_speed,
        "torpedo": game.roll_torpedo,
        "whereabouts": game.roll_whereabouts,
    }
    for point, address in layout.counters.items():
        dice = chance.Dice(chance.stream_base(seed, f"{program().name}.{point}"), 6)
        expected = [dice[cells[address] + n] for n in range(20)]
        actual = [rolls[point]() for _ in range(20)]
        if expected != actual:
            raise AssertionError(f"dice of `{point}` stand elsewhere after {cells[address]} in the program")


def assert_same_values(seed: int, expected: Mapping[str, Any], actual: Mapping[str, Any]) -> None:
    """The program's state has the values that the yardstick's has."""
    for key, value in expected.items():
        if actual[key] != value:
            raise AssertionError(
                f"seed {seed}: `{key}` is {value} in plain Python, {actual[key]} in the program"
            )


def assert_same_rolls(seed: int, point: str, used: int, dice: chance.Dice, roll: Callable[[], Any]) -> None:
    """The next twenty rolls at a point of chance are equal, after so many in the program."""
    if [dice[used + n] for n in range(20)] != [roll() for _ in range(20)]:
        raise AssertionError(f"seed {seed}: dice of `{point}` stand elsewhere after {used} in the program")


def plain_state(game: plain.Game) -> dict[str, Any]:
    """The yardstick's state as the rule set names it: values by number of piece or place, or sets."""
    units, ships, areas = game.units, game.ships, game.areas
    return {
        "place": {p.number: NONE if p.place is None else p.place.number for p in game.pieces},
        "piece.due": {u.number: u.due for u in units},
        "piece.damage": {u.number: u.damage for u in units},
        "piece.marked": {u.number: u.marked for u in units},
        "piece.struck": {u.number for u in units if u.struck},
        "piece.disabled": {u.number for u in units if u.disabled},
        "piece.to_be_disabled": {u.number for u in units if u.crossed},
        "Ship.raiding": {s.number for s in ships if s.raiding},
        "Ship.strained": set(),
        "Ship.repaired": {s.number for s in ships if s.repaired},
        "Ship.firing": set(),
        "Ship.pursuing": {s.number for s in ships if s.pursuing},
        "Amphibious.retreated": {u.number for u in game.amphibious if u.retreated},
        "Area.controller": {a.number: NONE if a.controller is None else a.controller for a in areas},
        "Area.began_under": {a.number: NONE if a.began_under is None else a.began_under for a in areas},
        "Area.resolved": {a.number for a in areas if a.resolved},
        "space.owner": {h.number: h.owner for h in game.havens},
        "exists:Battle": set(),
        "turn": game.turn,
        "lead": game.lead,
        "surprise": int(game.surprise),
        "extra_rounds": game.extra_rounds,
    }


Actions = Callable[[str, int], Callable[[], Any]]
"""Prepares the actions of a kind for a repetition; the function that is returned runs them."""


def compare_actions(
    kinds: Iterable[str],
    plain: Actions,
    direct: Actions,
    session: Actions,
    same: Callable[[str], Callable[[Any, Any], None]],
    count: int,
    repetitions: int,
) -> dict[str, list[Ratio]]:
    """Time actions by the program against plain Python, for each kind; seconds are those of one action."""
    found: dict[str, list[Ratio]] = {}
    for kind in kinds:
        others = {
            "direct, no trace": partial(direct, kind),
            "session: trace and undo": partial(session, kind),
        }
        ratios = compare(partial(plain, kind), others, same(kind), repetitions)
        found[kind] = [replace(ratio, seconds=ratio.seconds / count) for ratio in ratios]
    return found


def print_actions(
    description: str, measure: Callable[[int], dict[str, list[Ratio]]], count: int, repetitions: int
) -> None:
    """Read `--repetitions` from the command line, and print a table for each kind of action."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--repetitions",
        type=int,
        default=repetitions,
        help=f"of {count} actions each (default {repetitions})",
    )
    for kind, ratios in measure(parser.parse_args().repetitions).items():
        print(f"{kind}:")
        for ratio in ratios:
            print(ratio.line())
