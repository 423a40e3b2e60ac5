"""Operations of Pacific War up to their battles, against plain Python, on the map of the rule set.

    python -m benchmarks.pacwar_month [--repetitions N]

Supply, bids, plan, activation, task forces and days of contact of both sides, without house rules: what takes
most of the time of a month.  Positions are those of random games, at the start and after a month of war.
`month.rules` holds the procedures; they are compiled as part of a copy of the rule set.  One repetition is
many such operations: setting up is not timed, answering every question is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from benchmarks.common import (
    Ended,
    Ratio,
    assert_same_rolls,
    assert_same_values,
    compare,
    policy,
    print_actions,
)
from benchmarks.pacwar_night import chart, program
from benchmarks.plain_month import Board, War, open_operation
from benchmarks.plain_month.war import ROLLS, Choose
from rulekit.base.bits import members
from rulekit.ir.types import NONE
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import GeneratedModule, generate
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.simulate import new_machine, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support.build import DEFAULT_FUEL, SIMULATION
from rulekit.runtime.support.costly_steps import ReachAtCost
from rulekit.runtime.support.layout import Layout

ENTRY = "opening_of_operation"
KINDS = {
    "the Slot, October 1942": ("two-months", 0),
    "the Slot, a month later": ("two-months", 1),
    "China and Burma, April 1944": ("china-burma", 0),
    "the war, December 1941": ("the-war", 0),
    "the war, January 1942": ("the-war", 1),
}
REPETITIONS = 20
ACTIONS = 10


@cache
def module() -> GeneratedModule:
    """The rule set with the procedures, in the build for simulation."""
    return generate(program(), SIMULATION)


@cache
def board() -> Board:
    """The map for the yardstick."""
    return Board(chart())


# ------------------------------------------------------------------------------ positions


@cache
def position(kind: str, seed: int) -> tuple[Any, ...]:
    """The cells of the state after the set-up and so many random months."""
    scenario, months = KINDS[kind]
    machine = machine_for(seed)
    set_up = scenario_of(program(), scenario)
    assert set_up is not None
    machine.call(set_up.procedure)
    for _ in range(months):
        machine.call("month_before")
    machine.refuel(DEFAULT_FUEL)
    return tuple(machine.M)


def machine_for(seed: int) -> Machine:
    """A machine whose questions are answered at random."""
    machine = new_machine(module(), Streams(module(), seed), policy(seed))
    machine.trace = [].append
    machine.refuel(DEFAULT_FUEL)
    return machine


@cache
def start(kind: str, seed: int) -> dict[str, Any]:
    """A position by names."""
    return values(module().layout, position(kind, seed))


def values(layout: Layout, cells: Sequence[Any]) -> dict[str, Any]:
    """The state by names: numbers, None, and sets of numbers; of forces those that exist."""
    forces = set(members(cells[layout.slots["exists:TaskForce"].base]))
    by_name: dict[str, Any] = {}
    for name, slots in layout.slots.items():
        of_force = name.startswith("TaskForce.")
        if slots.bits is not None:
            flagged = set(members(cells[slots.base]))
            by_name[name] = flagged & forces if of_force else flagged
            continue
        row = cells[slots.base : slots.base + slots.size]
        if str(slots.state.type).startswith("set of"):
            row = [set(members(cell)) for cell in row]
        else:
            row = [None if cell == NONE else cell for cell in row]
        if not slots.keys:
            by_name[name] = row[0]
        elif len(slots.keys) > 1:
            by_name[name] = {keys: cell for (keys, _), cell in zip(slots.each(), row, strict=True)}
        else:
            by_name[name] = {n: cell for n, cell in enumerate(row) if not of_force or n in forces}
    return by_name


# ------------------------------------------------------------------------------ what is timed


def seeds(repetition: int) -> range:
    """The seeds of the operations in one repetition."""
    return range(repetition * ACTIONS, (repetition + 1) * ACTIONS)


def plain_war(kind: str, seed: int, choose: Choose) -> War:
    """A position for the yardstick; its dice go on where those of the program stand."""
    layout, cells = module().layout, position(kind, seed)
    rolled = {roll: cells[layout.counters[roll]] for roll in ROLLS}
    return War(board(), choose, seed, start(kind, seed), rolled)


def plain_openings(kind: str, repetition: int) -> Callable[[], Ended]:
    """By the yardstick."""
    wars = [(seed, plain_war(kind, seed, policy(seed))) for seed in seeds(repetition)]

    def run() -> Ended:
        for _, war in wars:
            open_operation(war)
        return list(wars)

    return run


def direct_openings(kind: str, repetition: int) -> Callable[[], Ended]:
    """By the program, in the build for simulation; it forgets what earlier operations have reached."""
    machines = []
    for seed in seeds(repetition):
        machine = machine_for(seed)
        machine.M[:] = position(kind, seed)
        machines.append((seed, machine))
    remembered = [kept for kept in module().unit.namespace.values() if isinstance(kept, ReachAtCost)]

    def run() -> Ended:
        for _, machine in machines:
            for kept in remembered:
                kept.clear()
            machine.call(ENTRY)
        return [(seed, machine.M) for seed, machine in machines]

    return run


# ------------------------------------------------------------------------------ equality


def same(kind: str, expected: Ended, actual: Ended) -> None:
    """The whole state and all dice after every operation are equal."""
    layout = module().layout
    for (seed, war), (_, cells) in zip(expected, actual, strict=True):
        assert_same_values(seed, plain_state(start(kind, seed), war), values(layout, cells))
        for point, address in layout.counters.items():
            used = cells[address]
            if point in ROLLS:
                dice = chance.Dice(chance.stream_base(seed, f"pacwar.{point}"), 10, 0)
                assert_same_rolls(seed, point, used, dice, getattr(war, point))
            elif used != position(kind, seed)[address]:
                raise AssertionError(f"seed {seed}: `{point}` has rolled in the program")


def plain_state(before: Mapping[str, Any], war: War) -> dict[str, Any]:
    """What the yardstick has changed, laid over the state before."""
    state = dict(before)
    for name, changed in war.values().items():
        laid_over = isinstance(changed, dict) and not name.startswith("TaskForce.")
        state[name] = before[name] | changed if laid_over else changed
    return state


# ------------------------------------------------------------------------------ the table


def measure(repetitions: int = REPETITIONS) -> dict[str, list[Ratio]]:
    """Ratios; seconds are those of one operation."""
    table = {}
    for kind in KINDS:
        others = {"direct, no trace": partial(direct_openings, kind)}
        ratios = compare(partial(plain_openings, kind), others, partial(same, kind), repetitions)
        table[kind] = [replace(ratio, seconds=ratio.seconds / ACTIONS) for ratio in ratios]
    return table


def main() -> None:
    """Print the table."""
    print_actions("Operations of Pacific War up to their battles.", measure, ACTIONS, REPETITIONS)


if __name__ == "__main__":
    main()
