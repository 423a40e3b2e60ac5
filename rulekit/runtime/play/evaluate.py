"""One procedure or function run by itself, with given values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Function, Param, Procedure, Program
from rulekit.ir.semantics.faults import Finished
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.fault_reports import as_fault
from rulekit.runtime.machine.machine import Agent, Streams
from rulekit.runtime.machine.simulate import first_legal, new_machine, scenario_of
from rulekit.runtime.play.events import Event, Teller
from rulekit.runtime.play.saved.saves import address_of, cell_value
from rulekit.runtime.support.build import RUN_FUEL, Build
from rulekit.runtime.support.layout import Layout

BUILD = Build(trace="operands")
Given = Mapping[str, Sequence[tuple[Sequence[str | int], Any]]]
"""For each state some cells: keys and value, as saves write them."""


@frozen
class Evaluated:
    """The result as JSON, and the events."""

    result: Any
    events: tuple[Event, ...]


def evaluate(
    program: Program,
    name: str,
    arguments: Mapping[str, Any],
    *,
    given: Given | None = None,
    scenario: str | None = "",
    seed: int | str = 0,
    agent: Agent = first_legal,
    explain: bool = False,
) -> Evaluated:
    """Run a procedure or function of the program.

    Args:
        arguments: For each parameter its value, as JSON.
        given: Values to set before.
        scenario: Set up first; empty for the state as declared, None for the first scenario.
        agent: Answers choices.
        explain: Tell of each roll which modifiers act, and why the others do not.

    Raises:
        NamingError: A name, key or value that is none; a missing or unknown argument.
        Fault: The rules cannot go on.
    """
    module, naming = generate(program, replace(BUILD, explain=explain)), Naming(program)
    item = item_named(program, name)
    values = _arguments(naming, item.params, arguments)
    machine = new_machine(module, Streams(module, seed), agent)
    trace: list[Any] = []
    machine.trace = trace.append
    machine.refuel(RUN_FUEL)
    result = None
    try:
        chosen = None if scenario == "" else scenario_of(program, scenario)
        if chosen is not None:
            machine.call(chosen.procedure)
        set_cells(module.layout, naming, machine.M, given or {})
        trace.clear()
        if isinstance(item, Function):
            result = module.function(name)(machine.M, *values)
        else:
            result = machine.call(name, *values)
        shown = naming.to_json(item.result, result)
    except Finished as finished:
        kind = module.events[trace[-1][0]]
        shown = naming.to_json(kind.fields[0][1], finished.result) if kind.fields else None
    except NamingError:
        raise
    except Exception as error:
        raise as_fault(module, error) from error
    teller = Teller(module, naming)
    return Evaluated(shown, tuple(map(teller.event, trace)))


def item_named(program: Program, name: str) -> Function | Procedure:
    """The procedure or function of this name; a procedure comes first.

    Raises:
        NamingError: There is none.
    """
    items: tuple[Function | Procedure, ...] = (*program.procedures, *program.functions)
    for item in items:
        if item.name == name:
            return item
    raise NamingError(f"unknown procedure or definition `{name}`")


def _arguments(naming: Naming, params: tuple[Param, ...], arguments: Mapping[str, Any]) -> list[Any]:
    names = [param.name for param in params]
    for name in arguments:
        if name not in names:
            raise NamingError(f"unknown parameter `{name}`")
    values = []
    for param in params:
        if param.name not in arguments:
            raise NamingError(f"missing value for `{param.name}`, of type `{param.type}`")
        values.append(naming.read(param.type, arguments[param.name]))
    return values


def set_cells(layout: Layout, naming: Naming, cells: list[Any], given: Given) -> None:
    """Set cells named as saves name them; a flag state's value lists all that have the flag.

    Raises:
        NamingError: A state, key or value that is none.
    """
    for name, entries in given.items():
        if name not in layout.slots:
            raise NamingError(f"unknown state `{name}`")
        slots = layout.slots[name]
        for keys, value in entries:
            address = address_of(slots, naming, keys)
            cells[address] = cell_value(slots, naming, value)
    layout.derive(cells)
