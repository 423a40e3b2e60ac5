"""One battle turn of the solitaire campaign, twelve forces a side, against plain Python.

    python -m benchmarks.fcn_battle [--repetitions N]

`battle.rules` holds the position; it is compiled as part of a copy of the rule set.  One repetition is
many turns, each under dice of its own: setting up the counters is not timed, answering every question is.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.common import RULES as VITP
from benchmarks.common import Ended, Ratio, assert_same_rolls, compare, direct_runs, policy, session_runs
from benchmarks.plain_battle import Counters, Sheet, battle_turn, read_counters
from benchmarks.plain_battle.counters import Plane, Ship, Soldiers, Target
from benchmarks.plain_battle.sheet import COASTAL, JAPANESE_OCEAN, US_OCEAN, US_PLANS, ZONES
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

RULES = VITP.with_name("fcn")
SCENARIO, ENTRY = "battle_position", "battle_of_one_turn"
REPETITIONS = 40
TURNS = 20

PLANS = (
    "AAA, Barrel Roll, Diving Attack, Envelop, First Light, Furball, Leathernecks, Ranging Shots, Sonar"
).split(", ")
"""What the US has bought; `battle.rules` has the same."""

AREAS = ("Japanese_Ocean", "Island", "Coastal", "US_Ocean")
FIELDS = ("US_Airfield", "Japanese_Airfield")
HOLES = ("US_Foxholes", "Japanese_Foxholes")
BEACHES = ("US_Beach", "Japanese_Beach")


@cache
def program() -> Program:
    """The rule set with the position, begun at the battle turn."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / RULES.name
        shutil.copytree(RULES, copy)
        shutil.copy(Path(__file__).with_name("battle.rules"), copy / "zz-battle.rules")
        made = compile_rule_set(copy, Report()).program
    return replace(made, entry=ENTRY)


@cache
def game() -> Game:
    """The same as something to play in sessions."""
    return Game(program())


@cache
def counters() -> Counters:
    """The counters for the yardstick."""
    return read_counters(RULES / "data")


def seeds(repetition: int) -> range:
    """The seeds of the turns in one repetition."""
    return range(repetition * TURNS, (repetition + 1) * TURNS)


# ------------------------------------------------------------------------------ what is timed


def plain_turns(repetition: int, everything: bool = False) -> Callable[[], Ended]:
    """By the yardstick; with `everything`, in 1944 and with all plans of the US."""
    made = [(seed, position(seed, policy(seed))) for seed in seeds(repetition)]
    if everything:
        for _, sheet in made:
            sheet.year, sheet.us_plans = 44, set(US_PLANS)

    def run() -> Ended:
        for _, sheet in made:
            sheet.choose("begin", None, (False, True))
            battle_turn(sheet)
        return list(made)

    return run


def position(seed: int, choose: Callable[..., Any]) -> Sheet:
    """Twelve forces a side, by hand."""
    sheet = Sheet(counters(), lambda choice, item, options: choose(choice, 0, item, options), seed)
    sheet.turns_left, sheet.plan_quantity, sheet.us_plans = 3, 3, set(PLANS)
    sheet.add_ships(US_OCEAN, "Lexington", "Enterprise", "DESRON 1", "Japan Sub Gp 1")
    sheet.add_ships(COASTAL, "Colorado/Maryland", "ABDA", "Chester/Louisville")
    sheet.add_ships(JAPANESE_OCEAN, "SUB Gp 1", "Kaga", "Akagi", "Destroyer Gp 1", "Tone/Chikuma")
    sheet.add_ships(COASTAL, "Kongo/Haruna", "Nagato/Mutsu", "Takao/Chokai")
    sheet.add_planes("11th BG", "18th FG", "MAG 21", "1 Kokutai", "Tainan Kokutai")
    for name, aboard in (
        ("1st Marine", True),
        ("25th Inf", False),
        ("Japan 48th Inf", True),
        ("Japan 6th Inf", False),
    ):
        sheet.add_soldiers(name, aboard)
    return sheet


def direct_turns(repetition: int, everything: bool = False) -> Callable[[], Ended]:
    """By the program, in the build for simulation."""
    slots = generate(program(), SIMULATION).layout.slots

    def arrange(cells: list[Any]) -> None:
        if everything:
            cells[slots["year"].base] = 44
            cells[slots["us_plans"].base] = 2 ** len(US_PLANS) - 1

    return direct_runs(program(), SCENARIO, seeds(repetition), policy, arrange)


def session_turns(repetition: int) -> Callable[[], Ended]:
    """By the program as a session, from its first question to its end."""
    return session_runs(game(), SCENARIO, seeds(repetition), policy)


# ------------------------------------------------------------------------------ equality


def same(expected: Ended, actual: Ended) -> None:
    """State and dice after every turn are equal."""
    layout = generate(program(), SIMULATION).layout
    for (seed, sheet), (_, cells) in zip(expected, actual, strict=True):
        assert_same_state(seed, sheet, layout, cells)
        assert_same_dice(seed, sheet, layout, cells)


def assert_same_state(seed: int, sheet: Sheet, layout: Layout, cells: Sequence[Any]) -> None:
    """What the yardstick has of it is in the program's state too."""
    found, wanted = program_state(layout, cells), plain_state(sheet)
    for key, value in wanted.items():
        actual = {name: found[key][name] for name in value} if key == "place" else found[key]
        if actual != value:
            if key == "place":
                value = {name: place for name, place in value.items() if actual[name] != place}
                actual = {name: actual[name] for name in value}
            raise AssertionError(f"seed {seed}: `{key}` is {value} in plain Python, {actual} in the program")


def assert_same_dice(seed: int, sheet: Sheet, layout: Layout, cells: Sequence[Any]) -> None:
    """Every point of chance stands at the same die: the next twenty are equal."""
    for point, roll in (("attack", sheet.attack), ("location", sheet.locate), ("dawn", sheet.dawn)):
        dice = chance.Dice(chance.stream_base(seed, f"{RULES.name}.{point}"), 10)
        assert_same_rolls(seed, point, cells[layout.counters[point]], dice, roll)
    if cells[layout.counters["plan_cup"]] != sheet.lots.used:
        raise AssertionError(f"seed {seed}: other draws of plans")


def program_state(layout: Layout, cells: Sequence[Any]) -> dict[str, Any]:
    """The program's state, by names."""
    domains = {domain.name: domain.members for domain in program().domains}
    pieces, spaces = domains["piece"], domains["space"]
    slots = layout.slots

    def of_each(name: str) -> dict[str, Any]:
        return {pieces[keys[0]]: cells[address] for keys, address in slots[name].each()}

    def held(name: str, names: Sequence[str] = pieces) -> set[str]:
        return {names[number] for number in members(cells[slots[name].base])}

    strength = of_each("AirfieldCounter.strength")
    found = {name: held(name) for name in ("plan_cup", "drawn_before", "shown", "screens")}
    return found | {
        "place": {name: None if at == NONE else spaces[at] for name, at in of_each("place").items()},
        "damaged": held("piece.damaged"),
        "flown": held("piece.flown"),
        "aboard": held("piece.aboard"),
        "strength": [strength["US_Airfields"], strength["Japanese_Airfields"]],
        "us_plans": held("us_plans", domains["UsPlan"]),
        "turns_left": cells[slots["turns_left"].base],
    }


def plain_state(sheet: Sheet) -> dict[str, Any]:
    """The yardstick's state as the rule set names it."""

    def name(target: Target) -> str:
        return target.name.replace(" ", "_")

    def plans(rows: Sequence[Any]) -> set[str]:
        return {row["name"].replace(" ", "_") for row in rows}

    on_sheet = [target for target in sheet.everything if not target.lost]
    return {
        "place": {name(target): _place(sheet, target) for target in sheet.everything},
        "damaged": {name(target) for target in on_sheet if target.damaged},
        "flown": {name(target) for target in on_sheet if isinstance(target, Plane) and target.flown},
        "aboard": {name(target) for target in on_sheet if target.aboard},
        "strength": [field.strength for field in sheet.airfields],
        "us_plans": {plan.replace(" ", "_") for plan in US_PLANS if plan in sheet.us_plans},
        "plan_cup": plans(sheet.cup),
        "drawn_before": plans(sheet.drawn_before),
        "shown": plans(sheet.shown),
        "screens": plans(sheet.screens),
        "turns_left": sheet.turns_left,
    }


def _place(sheet: Sheet, target: Target) -> str | None:
    if target.lost:
        carried = isinstance(target, Plane) and target.deck is not None
        return None if carried else "Battalion_Box" if target.name.startswith("Japanese") else "Lost"
    side = target.side
    for zone in ZONES:
        if isinstance(target, Ship) and target in sheet.surface[zone][side] + sheet.boats[zone][side]:
            return AREAS[zone]
    if isinstance(target, Plane):
        return (
            AREAS[target.zone]
            if target.zone is not None
            else FIELDS[side]
            if target.deck is None
            else "Decks"
        )
    assert isinstance(target, Soldiers)
    for row, place in (
        (sheet.aboard, "Coastal"),
        (sheet.beach, BEACHES[side]),
        (sheet.foxholes, HOLES[side]),
    ):
        if target in row[side]:
            return place
    raise AssertionError(f"{target.name} is nowhere")


# ------------------------------------------------------------------------------ the table


def measure(repetitions: int = REPETITIONS) -> list[Ratio]:
    """Ratios; seconds are those of one turn."""
    ratios = compare(
        plain_turns,
        {"direct, no trace": direct_turns, "session: trace and undo": session_turns},
        same,
        repetitions,
    )
    return [replace(ratio, seconds=ratio.seconds / TURNS) for ratio in ratios]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="One battle turn of FCN against plain Python.")
    parser.add_argument(
        "--repetitions", type=int, default=REPETITIONS, help=f"of {TURNS} turns each (default {REPETITIONS})"
    )
    for ratio in measure(parser.parse_args().repetitions):
        print(ratio.line())


if __name__ == "__main__":
    main()
