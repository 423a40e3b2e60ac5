"""One strategic and one tactical action of Across the Pacific against plain Python, on the sampler's map.

    python -m benchmarks.atp_action [--repetitions N]

Japan moves sixteen ground units on the mainland, or strikes with ten air units from two Task Forces at
ships and planes of the Allies.  `pacific.rules` and `pacific.yaml` hold the positions; they are compiled as
part of a copy of the rule set.  One repetition is many actions, each under dice of its own: setting up the
counters is not timed, answering every question is.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.common import RULES as VITP
from benchmarks.common import (
    Ended,
    Ratio,
    assert_same_rolls,
    assert_same_values,
    compare_actions,
    direct_runs,
    print_actions,
    session_runs,
)
from benchmarks.plain_pacific import (
    DONE,
    Board,
    War,
    move_ground_units,
    read_board,
    strike_from_carriers,
)
from rulekit.base.bits import members
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ir.types import DONE as NO_MORE
from rulekit.ir.types import NONE
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import SIMULATION
from rulekit.runtime.support.layout import Layout

RULES = VITP.with_name("atp")
POSITIONS = Path(__file__).with_name("pacific.yaml")
ACT = {"march": move_ground_units, "strike": strike_from_carriers}
REPETITIONS = 40
ACTIONS = 20
ROLLS = ("dogfight", "anti_aircraft", "strafing_run", "bombs_away", "tokkotai")
NO_COUNTERS = dict.fromkeys(("Southern_Army", "China_Army"), "")
"""Headquarters, which Japan's actions never touch.  Nobody asks the yardstick where they are."""

DECLINING = {None, DONE, NONE, NO_MORE}
SELDOM = 0.75
"""How much less likely than any other answer it is that a side declines."""
VERY_MANY = 30


@cache
def programs() -> dict[str, Program]:
    """The rule set with the positions, begun at either action."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / RULES.name
        shutil.copytree(RULES, copy, ignore=shutil.ignore_patterns("owner"))
        shutil.copy(POSITIONS.with_suffix(".rules"), copy / "zz-pacific.rules")
        shutil.copy(POSITIONS, copy)
        made = compile_rule_set(copy, Report()).program
    return {name: replace(made, entry=f"{name}_of_one_side") for name in ACT}


@cache
def games() -> dict[str, Game]:
    """The same as something to play in sessions."""
    return {name: Game(program) for name, program in programs().items()}


@cache
def board() -> Board:
    """Map, counters and tables for the yardstick."""
    return read_board(RULES / "sampler", POSITIONS)


def policy(seed: int) -> Callable[[Any, Any, Any, Sequence[Any]], Any]:
    """Takes any option with equal chance, but seldom declines, so that most units act.

    Of very many it takes none: carriers, which may sail anywhere, stay in reach of the enemy.
    """
    draw = Random(seed).random

    def choose(choice: Any, side: Any, item: Any, options: Sequence[Any]) -> Any:
        number, last = len(options), options[-1]
        if last not in DECLINING:
            return options[int(draw() * number)]
        return last if number > VERY_MANY else options[int(draw() * (number - SELDOM))]

    return choose


def seeds(repetition: int) -> range:
    """The seeds of the actions in one repetition."""
    return range(repetition * ACTIONS, (repetition + 1) * ACTIONS)


# ------------------------------------------------------------------------------ what is timed


def plain_actions(name: str, repetition: int) -> Callable[[], Ended]:
    """By the yardstick."""
    made = [(seed, War(board(), name, policy(seed), seed)) for seed in seeds(repetition)]
    act = ACT[name]

    def run() -> Ended:
        for _, war in made:
            war.choose("begin", 0, None, (False, True))
            act(war)
        return list(made)

    return run


def direct_actions(name: str, repetition: int) -> Callable[[], Ended]:
    """By the program, in the build for simulation."""
    return direct_runs(programs()[name], f"{name}_position", seeds(repetition), policy)


def session_actions(name: str, repetition: int) -> Callable[[], Ended]:
    """By the program as a session, from its first question to its end."""
    return session_runs(games()[name], f"{name}_position", seeds(repetition), policy)


# ------------------------------------------------------------------------------ equality


def same(expected: Ended, actual: Ended) -> None:
    """State and dice after every action are equal."""
    program = programs()["march"]
    layout = generate(program, SIMULATION).layout
    for (seed, war), (_, cells) in zip(expected, actual, strict=True):
        assert_same_values(seed, plain_state(war), program_state(program, layout, cells))
        assert_same_dice(seed, war, layout, cells)


def assert_same_dice(seed: int, war: War, layout: Layout, cells: Sequence[Any]) -> None:
    """Every point of chance stands at the same die: the next twenty are equal."""
    for point in ROLLS:
        dice = chance.Dice(chance.stream_base(seed, f"atp.{point}"), 6)
        assert_same_rolls(seed, point, cells[layout.counters[point]], dice, getattr(war, point))
    if cells[layout.counters["raid.found"]] != war.lots.used:
        raise AssertionError(f"seed {seed}: other draws of Task Forces")


def program_state(program: Program, layout: Layout, cells: Sequence[Any]) -> dict[str, Any]:
    """What an action may change in the program's state, by names."""
    domains = {domain.name: domain.members for domain in program.domains}
    pieces, spaces, statuses = domains["piece"], domains["space"], domains["Status"]
    slots = layout.slots

    def values(name: str, of: Sequence[str], keys: Sequence[str] = pieces) -> dict[str, str]:
        found = ((keys[key[0]], cells[address]) for key, address in slots[name].each())
        return {key: of[value] for key, value in found if value != NONE}

    def marked(name: str) -> set[str]:
        return {pieces[number] for number in members(cells[slots[name].base])}

    status = values("piece.status", statuses)
    return {
        "place": values("place", spaces) | NO_COUNTERS,
        "held": values("Hex.held", domains["Side"], spaces),
        "destroyed": {name for name, value in status.items() if value == "destroyed"},
        "force": values("Naval.force", pieces),
        "core": marked("Naval.core"),
        "damaged": marked("Naval.damaged"),
        "stationed": marked("Naval.stationed"),
        "deck": values("Air.deck", pieces),
        "crew": values("Air.crew", pieces),
        "mission": {
            name: value
            for name, value in values("Air.mission", domains["Mission"]).items()
            if value != "based"
        },
        "shown": marked("TaskForce.shown"),
    }


def plain_state(war: War) -> dict[str, Any]:
    """The yardstick's state as the rule set names it."""

    def name(each: Any) -> str:
        text: str = each if isinstance(each, str) else each.name
        return text.replace(" ", "_")

    troops, ships, forces, planes = war.all_troops, war.all_ships, war.all_forces, war.all_planes
    placed: list[Any] = [*troops, *ships, *forces, *planes]
    sides = ("Japan", "Allies")
    return {
        "place": {name(each): name(each.place) for each in placed if each.place is not None} | NO_COUNTERS,
        "held": {
            name(h): sides[side] for h, side in zip(war.hexes, war.held, strict=True) if side is not None
        },
        "destroyed": {name(unit) for unit in troops if unit.destroyed}
        | {name(plane) for plane in planes if plane.destroyed}
        | {name(ship) for ship in ships if ship.sunk}
        | {name(plane.crew_lost) for plane in planes if plane.crew_lost is not None},
        "force": {name(ship): name(ship.force) for ship in ships if ship.force is not None},
        "core": {name(ship) for ship in ships if ship.core},
        "damaged": {name(ship) for ship in ships if ship.damaged},
        "stationed": {name(ship) for ship in ships if ship.stationed},
        "deck": {name(plane): name(plane.deck) for plane in planes if plane.deck is not None},
        "crew": {name(plane): name(plane.crew) for plane in planes if plane.crew is not None},
        "mission": {name(plane): plane.mission for plane in planes if plane.mission != "based"},
        "shown": {name(force) for force in forces if force.shown},
    }


# ------------------------------------------------------------------------------ the table


def measure(repetitions: int = REPETITIONS) -> dict[str, list[Ratio]]:
    """Ratios for both actions; seconds are those of one."""
    prepare = (plain_actions, direct_actions, session_actions)
    return compare_actions(ACT, *prepare, lambda _: same, ACTIONS, repetitions)


def main() -> None:
    """Print the tables."""
    print_actions("Two actions of ATP against plain Python.", measure, ACTIONS, REPETITIONS)


if __name__ == "__main__":
    main()
