"""One combat action, ten attackers on six targets, by night and by day.

    python -m benchmarks.vitp_action [--repetitions N]

`action.rules` holds the two positions; it is compiled as part of a copy of the rule set.  One repetition is
many actions, each under dice of its own: setting up the counters is not timed, answering every question is.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks import plain
from benchmarks.common import (
    RULES,
    Ended,
    Ratio,
    assert_same,
    assert_same_dice,
    board,
    compare_actions,
    direct_runs,
    policy,
    print_actions,
    session_runs,
)
from benchmarks.plain.combat import Battle, fight_by_day, fight_by_night
from benchmarks.plain.game import DONE
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.ir.types import DONE as NO_MORE
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import SIMULATION

REPETITIONS = 40
ACTIONS = 20
AREA, TURN = "Coral Sea", 3
POSITIONS = {
    "night": (
        "Kongo, Haruna, Hiei, Kirishima, Myoko, Nachi, Haguro, Takao, Mogami, Tone, "
        "Nevada, West Virginia, Houston, Lexington, Saratoga, 1st Marines"
    ),
    "day": (
        "Akagi, Kaga, Shokaku, Zuikaku, Hiryu, Soryu, Ryujo, 21 AirFlot, 22 AirFlot, 23 AirFlot, "
        "Nevada, Houston, Lexington, Saratoga, 7th A.F., 1st Marines"
    ),
}
FIGHT = {"night": fight_by_night, "day": fight_by_day}


@cache
def programs() -> dict[str, Program]:
    """The rule set with the positions, begun at either action."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / RULES.name
        shutil.copytree(RULES, copy)
        shutil.copy(Path(__file__).with_name("action.rules"), copy / "action.rules")
        made = compile_rule_set(copy, Report()).program
    return {name: replace(made, entry=f"{name}_action") for name in POSITIONS}


@cache
def games() -> dict[str, Game]:
    """The same as something to play in sessions."""
    return {name: Game(program) for name, program in programs().items()}


def holding_fire(seed: int) -> Callable[[Any, Any, Any, Sequence[Any]], Any]:
    """The usual policy, but no carrier fires its guns."""
    choose = policy(seed)

    def answer(choice: Any, side: Any, item: Any, options: Sequence[Any]) -> Any:
        last = options[-1]
        return last if last is DONE or last == NO_MORE else choose(choice, side, item, options)

    return answer


def seeds(repetition: int) -> range:
    """The seeds of the actions in one repetition."""
    return range(repetition * ACTIONS, (repetition + 1) * ACTIONS)


def plain_actions(name: str, repetition: int) -> Callable[[], Ended]:
    """By the yardstick."""
    made = [_plain_position(name, seed) for seed in seeds(repetition)]
    fight = FIGHT[name]

    def run() -> Ended:
        for _, game, area in made:
            game.choose("begin", 0, None, (False, True))
            fight(game, Battle(area, area.forces))
        return [(seed, game) for seed, game, _ in made]

    return run


def _plain_position(name: str, seed: int) -> tuple[int, plain.Game, Any]:
    game = plain.Game(board(), holding_fire(seed), seed)
    game.turn = TURN
    for unit in game.units:
        if unit.place is not None:
            game.remove(unit)
    area = next(area for area in game.areas if area.name == AREA)
    wanted = POSITIONS[name].split(", ")
    for unit in game.units:
        if unit.name in wanted:
            game.move(unit, area)
    return seed, game, area


def direct_actions(name: str, repetition: int) -> Callable[[], Ended]:
    """By the program, in the build for simulation."""
    return direct_runs(programs()[name], f"{name}_position", seeds(repetition), holding_fire)


def session_actions(name: str, repetition: int) -> Callable[[], Ended]:
    """By the program as a session, from its first question to its end."""
    return session_runs(games()[name], f"{name}_position", seeds(repetition), holding_fire)


def same(name: str) -> Callable[[Ended, Ended], None]:
    """State and dice after every action are equal."""
    layout = generate(programs()[name], SIMULATION).layout

    def check(expected: Ended, actual: Ended) -> None:
        for (seed, game), (_, cells) in zip(expected, actual, strict=True):
            assert_same(game, layout, cells)
            assert_same_dice(game, seed, layout, cells)

    return check


def measure(repetitions: int = REPETITIONS) -> dict[str, list[Ratio]]:
    """Ratios for both positions; seconds are those of one action."""
    return compare_actions(
        POSITIONS, plain_actions, direct_actions, session_actions, same, ACTIONS, repetitions
    )


def main() -> None:
    """Print the tables."""
    print_actions("One combat action of VITP against plain Python.", measure, ACTIONS, REPETITIONS)


if __name__ == "__main__":
    main()
