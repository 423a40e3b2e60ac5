"""Nights at sea of Pacific War against plain Python, on the map of the rule set.

    python -m benchmarks.pacwar_night [--repetitions N]

Three task forces and a squadron of submarines of each side meet in the Solomons: three battle cycles of
submarines, movement at sea, searches and naval combat, without house rules.  `night.rules` holds the
position; it is compiled as part of a copy of the rule set.  One repetition is many such operations, each
under dice of its own: setting up is not timed, answering every question is.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.common import RULES as VITP
from benchmarks.common import (
    Ended,
    Ratio,
    assert_same_rolls,
    assert_same_values,
    compare_actions,
    direct_runs,
    policy,
    print_actions,
    session_runs,
)
from benchmarks.plain_night import Chart, Sea, fight_nights, read_chart
from benchmarks.plain_night.sea import ROLLS
from rulekit.base.bits import members
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ir.types import NONE
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import SIMULATION
from rulekit.runtime.support.layout import Layout

RULES = VITP.with_name("pacwar")
ADDED = [Path(__file__).with_name(name) for name in ("night.rules", "month.rules")]
SCENARIO = "night_position"
KINDS = ("night",)
REPETITIONS = 40
ACTIONS = 20


@cache
def program() -> Program:
    """The rule set with the position, begun at the first cycle, and what `pacwar_month` adds."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / RULES.name
        shutil.copytree(RULES, copy, ignore=shutil.ignore_patterns("owner"))
        for path in ADDED:
            shutil.copy(path, copy / f"zz-{path.name}")
        return replace(compile_rule_set(copy, Report()).program, entry="night")


@cache
def game() -> Game:
    """The same as something to play in sessions."""
    return Game(program())


@cache
def chart() -> Chart:
    """Map, counters and tables for the yardstick."""
    return read_chart(RULES / "base" / "data")


def seeds(repetition: int) -> range:
    """The seeds of the operations in one repetition."""
    return range(repetition * ACTIONS, (repetition + 1) * ACTIONS)


# ------------------------------------------------------------------------------ what is timed


def plain_nights(kind: str, repetition: int) -> Callable[[], Ended]:
    """By the yardstick."""
    made = [(seed, Sea(chart(), policy(seed), seed)) for seed in seeds(repetition)]

    def run() -> Ended:
        for _, sea in made:
            sea.choose("begin", 0, None, (False, True))
            fight_nights(sea)
        return list(made)

    return run


def direct_nights(kind: str, repetition: int) -> Callable[[], Ended]:
    """By the program, in the build for simulation."""
    return direct_runs(program(), SCENARIO, seeds(repetition), policy)


def session_nights(kind: str, repetition: int) -> Callable[[], Ended]:
    """By the program as a session, from its first question to its end."""
    return session_runs(game(), SCENARIO, seeds(repetition), policy)


# ------------------------------------------------------------------------------ equality


def same(expected: Ended, actual: Ended) -> None:
    """State and dice after every operation are equal."""
    layout = generate(program(), SIMULATION).layout
    for (seed, sea), (_, cells) in zip(expected, actual, strict=True):
        assert_same_values(seed, plain_state(sea), program_state(layout, cells))
        assert_same_dice(seed, sea, layout, cells)


def assert_same_dice(seed: int, sea: Sea, layout: Layout, cells: Sequence[Any]) -> None:
    """Every point of chance stands at the same die: the next twenty are equal, and no other has rolled."""
    for point, address in layout.counters.items():
        used = cells[address]
        if point not in ROLLS:
            assert not used, f"seed {seed}: `{point}` has rolled in the program"
            continue
        dice = chance.Dice(chance.stream_base(seed, f"pacwar.{point}"), 10, 0)
        assert_same_rolls(seed, point, used, dice, getattr(sea, point))


def program_state(layout: Layout, cells: Sequence[Any]) -> dict[str, Any]:
    """What may change at sea in the program's state, by names."""
    domains = {domain.name: domain.members for domain in program().domains}
    pieces, spaces, forces = domains["piece"], domains["space"], domains["TaskForce"]
    slots = layout.slots
    there = set(members(cells[slots["exists:TaskForce"].base]))

    def numbers(name: str) -> dict[int, int]:
        return {key[0]: cells[address] for key, address in slots[name].each()}

    def masks(name: str, of: Sequence[str]) -> dict[str, set[str]]:
        values = numbers(name).items()
        return {
            forces[key]: {of[member] for member in members(value)} for key, value in values if key in there
        }

    def named(name: str, of: Sequence[str]) -> dict[str, str]:
        return {forces[key]: of[value] for key, value in numbers(name).items() if key in there}

    information = domains["Information"]
    places = numbers("place")
    damage = numbers("piece.damage")
    return {
        "place": {pieces[key]: spaces[value] for key, value in places.items() if value != NONE},
        "damage": {pieces[key]: value for key, value in damage.items() if value},
        "hits": {pieces[key]: value for key, value in numbers("Submarine.hits").items() if value},
        "hex": named("TaskForce.hex", spaces),
        "core": masks("TaskForce.core", pieces),
        "screen": masks("TaskForce.screen", pieces),
        "known": named("TaskForce.known", information),
        "detected": {forces[key] for key in members(cells[slots["TaskForce.detected"].base]) if key in there},
    }


def plain_state(sea: Sea) -> dict[str, Any]:
    """The yardstick's state as the rule set names it."""
    placed: list[Any] = [*sea.all_ships, *sea.boats, *sea.planes]
    struck: list[Any] = [*sea.all_ships, *sea.forts.values()]
    forts = {name: row["place"] for name, row in sea.chart.counters["Fort"].items()}
    return {
        "place": {each.name: each.place.name for each in placed if each.place is not None} | forts,
        "damage": {each.name: each.damage for each in struck if each.damage},
        "hits": {boats.name: boats.hits for boats in sea.boats if boats.hits},
        "hex": {force.name: force.hex.name for force in sea.forces},
        "core": {force.name: {ship.name for ship in force.core} for force in sea.forces},
        "screen": {force.name: {ship.name for ship in force.screen} for force in sea.forces},
        "known": {force.name: force.known for force in sea.forces},
        "detected": {force.name for force in sea.forces if force.detected},
    }


# ------------------------------------------------------------------------------ the table


def measure(repetitions: int = REPETITIONS) -> dict[str, list[Ratio]]:
    """Ratios; seconds are those of one operation."""
    prepare = (plain_nights, direct_nights, session_nights)
    return compare_actions(KINDS, *prepare, lambda _: same, ACTIONS, repetitions)


def main() -> None:
    """Print the table."""
    print_actions("Nights at sea of Pacific War against plain Python.", measure, ACTIONS, REPETITIONS)


if __name__ == "__main__":
    main()
