"""A scenario set up: what the states hold then, and which statements did that."""

from __future__ import annotations

from dataclasses import replace

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir.expr import Value
from rulekit.ir.types import Flag, ListOf
from rulekit.reports.sheet.reachability.memory import Cells


@frozen
class Start:
    """How a game begins.

    Attributes:
        cells: Each state's, by its keys.
        ran: Sites that ran.
        whole: Whether the set-up came to its end; it does not where an owner's data are missing.
    """

    cells: dict[str, Cells]
    ran: frozenset[int]
    whole: bool


def started(program: ir.Program, scenario: ir.Scenario) -> Start:
    """The game after its set-up, with the first option of each choice and the dice of seed 0."""
    from rulekit.ir.reachable import of_procedures
    from rulekit.ir.semantics.faults import Fault, Finished
    from rulekit.runtime.codegen.assemble import generate
    from rulekit.runtime.machine.machine import Streams
    from rulekit.runtime.machine.simulate import first_legal, new_machine
    from rulekit.runtime.support.build import SIMULATION, STEP_FUEL

    own = of_procedures(program, (scenario.procedure,))
    own = replace(own, scenarios=(scenario,), examples=(), invariants=(), entry=scenario.procedure)
    made = generate(own, replace(SIMULATION, coverage=True))
    machine = new_machine(made, Streams(made, 0), first_legal)
    machine.refuel(STEP_FUEL)
    made.forget()
    whole = True
    try:
        machine.setting_up = True
        machine.call(scenario.procedure)
    except Finished:
        pass
    except Fault:
        whole = False
    cells: dict[str, Cells] = {}
    for name, slots in made.layout.slots.items():
        held: dict[tuple[int, ...], Value] = {}
        for keys, address in slots.each():
            value = machine.M[address]
            if slots.bits is not None:
                for bit in range(slots.bits.size):
                    held[(*keys, slots.bits.low + bit)] = bool(value >> bit & 1)
            elif isinstance(slots.state.type, Flag):
                held[keys] = bool(value)
            else:
                held[keys] = tuple(value) if isinstance(slots.state.type, ListOf) else value
        cells[name] = held
    return Start(cells, made.ran(), whole)
