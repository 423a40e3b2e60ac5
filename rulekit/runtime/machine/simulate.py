"""Whole games without stops: for simulation, for tests, and as the yardstick of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.spelling import suggestion
from rulekit.ir import Program, Scenario
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import GeneratedModule, generate
from rulekit.runtime.machine.machine import Agent, Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.support.build import DEFAULT_FUEL, SIMULATION, Build


@frozen
class Outcome:
    """How a direct run ended.

    Attributes:
        result: What `finish` gave, as a value of the IR; None if nothing.
        cells: The last state; `layout` of the compiled program says what stands where.
        trace: Events as the build records them; empty without a trace.
        covered: Sites that ran, in a build that counts them.
    """

    result: Any
    cells: list[Any]
    trace: list[Any]
    covered: frozenset[int] = frozenset()


def run_direct(
    program: Program,
    scenario: str | None = None,
    agent: Agent | None = None,
    seed: int | str = 0,
    *,
    build: Build = SIMULATION,
    fuel: int = DEFAULT_FUEL,
) -> Outcome:
    """Play a whole game with an agent that answers every choice.

    Args:
        scenario: Its name; None takes the first one, if there is any.
        agent: Called as `agent(choice, side, item, options)` with numbers as the IR has them; `item` is None
            where the part has none.  None takes the first option each time.
        seed: Of the dice; policies draw from points of their own.
        fuel: Units of work that the game may take.

    Raises:
        Fault: The rules cannot go on.
    """
    module = generate(program, build)
    machine = new_machine(module, Streams(module, seed), agent or first_legal)
    trace: list[Any] = []
    machine.trace = trace.append
    machine.refuel(fuel)
    module.forget()
    result = play(machine, scenario_of(program, scenario))
    return Outcome(result, machine.M, trace, module.ran())


def new_machine(module: GeneratedModule, streams: Streams, agent: Agent | None) -> Machine:
    """A machine with the state as declared."""
    machine = Machine(module, streams, module.layout.initial())
    machine.agent = agent
    return machine


def play(machine: Machine, scenario: Scenario | None) -> Any:
    """Set up and play to the end; the result."""
    try:
        set_up(machine, scenario)
        machine.call(machine.module.program.entry)
    except Finished as finished:
        return finished.result
    return None


def set_up(machine: Machine, scenario: Scenario | None) -> None:
    """Set up a scenario, if there is one."""
    if scenario is not None:
        machine.setting_up = True
        machine.call(scenario.procedure)
        machine.setting_up = False
        machine.check(range(len(machine.module.program.invariants)))


def scenario_of(program: Program, name: str | None) -> Scenario | None:
    """The scenario with this name (also with hyphens or spaces); without a name the first, if there is any.

    Raises:
        Fault: There is none of this name.
    """
    if name is None:
        return program.scenarios[0] if program.scenarios else None
    for scenario in program.scenarios:
        if scenario.name in (name, "_".join(name.replace("-", " ").split())):
            return scenario
    names = [scenario.name for scenario in program.scenarios]
    hint = suggestion(name, names) if names else "the rule set has none"
    raise Fault("unknown-scenario", f"unknown scenario `{name}`; {hint}")


def first_legal(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
    """The policy that takes the first option."""
    return options[0]


class RandomPolicy:
    """Takes any option with equal chance, from a point of its own for each choice.

    The points are named `policy.<choice>`, so that no draw here moves the dice of the game, nor a choice's
    draws those of another.
    """

    __slots__ = ("_bases", "_drawn")

    def __init__(self, program: Program, seed: int | str) -> None:
        self._bases = [chance.stream_base(seed, f"policy.{choice.name}") for choice in program.choices]
        self._drawn = [0] * len(program.choices)

    def __call__(self, choice: int, side: int, item: Any, options: Sequence[int]) -> int:
        position = self._drawn[choice]
        self._drawn[choice] = position + 1
        return options[chance.uniform(self._bases[choice], position, len(options))]
