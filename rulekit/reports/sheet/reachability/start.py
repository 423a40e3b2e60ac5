"""The situation that a sheet is for: a scenario set up, a month of the calendar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir.expr import Value
from rulekit.ir.types import Flag, ListOf
from rulekit.ir.walk import nodes
from rulekit.reports.sheet.reachability.expressions import Reader
from rulekit.reports.sheet.reachability.guess import NO, Guess, Kinds, number
from rulekit.reports.sheet.reachability.memory import Cells, Memory

if TYPE_CHECKING:  # the interpreter is loaded only where a scenario is set up
    from rulekit.runtime.codegen.assemble import GeneratedModule
    from rulekit.runtime.machine.machine import Agent, Machine


SET_UPS = 24
"""Set-ups that are played, the first with the first option of each choice, the others with any."""
NOTHING_NEW = 6
"""Set-ups in a row that do nothing that others did not do; then no more are played."""


@frozen
class Start:
    """How a game may begin, as set-ups with several answers and dice show.

    Attributes:
        cells: For each state's cells, by their keys, the values that they had.
        ran: Sites that ran.
        whole: Whether each set-up ended; it does not where an owner's data are missing.
    """

    cells: dict[str, Cells]
    ran: frozenset[int]
    whole: bool


def start_of(program: ir.Program, scenario: ir.Scenario) -> Start:
    """The game after its set-up, which is played again while its choices and dice bring something new."""
    from rulekit.ir.reachable import of_procedures
    from rulekit.runtime.codegen.assemble import generate
    from rulekit.runtime.machine.simulate import RandomPolicy, first_legal
    from rulekit.runtime.support.build import SIMULATION

    own = of_procedures(program, (scenario.procedure,))
    own = replace(own, scenarios=(scenario,), examples=(), invariants=(), entry=scenario.procedure)
    module = generate(own, replace(SIMULATION, coverage=True))
    module.forget()
    cells: dict[str, dict[tuple[int, ...], frozenset[Value]]] = {name: {} for name in module.layout.slots}
    whole, without_news = True, 0
    for seed in range(SET_UPS):
        known = len(module.ran())
        machine, ended = _set_up(module, first_legal if seed == 0 else RandomPolicy(own, seed), seed)
        whole = whole and ended
        news = len(module.ran()) > known
        for name, held in cells.items():
            for keys, value in _cells_of(machine, name):
                before = held.get(keys, frozenset())
                if value not in before:
                    held[keys] = before | {value}
                    news = True
        without_news = 0 if news else without_news + 1
        if without_news == NOTHING_NEW:
            break
    return Start(dict(cells), module.ran(), whole)


def _set_up(module: GeneratedModule, agent: Agent, seed: int) -> tuple[Machine, bool]:
    """Play the set-up; its machine, and whether the set-up ended."""
    from rulekit.ir.semantics.faults import Fault, Finished
    from rulekit.runtime.machine.simulate import new_machine
    from rulekit.runtime.machine.streams import Streams
    from rulekit.runtime.support.build import STEP_FUEL

    machine = new_machine(module, Streams(module, seed), agent)
    machine.refuel(STEP_FUEL)
    machine.setting_up = True
    try:
        machine.call(module.program.entry)
    except Finished:
        pass
    except Fault:
        return machine, False
    return machine, True


def _cells_of(machine: Machine, name: str) -> Iterator[tuple[tuple[int, ...], Value]]:
    """Return a state's cells and what they hold."""
    slots = machine.module.layout.slots[name]
    for keys, address in slots.each():
        value = machine.M[address]
        if slots.bits is not None:
            for bit in range(slots.bits.size):
                yield (*keys, slots.bits.low + bit), bool(value >> bit & 1)
        elif isinstance(slots.state.type, Flag):
            yield keys, bool(value)
        else:
            yield keys, tuple(value) if isinstance(slots.state.type, ListOf) else value


class MonthReader:
    """The present month by a calendar; `name` is empty if there is none."""

    def __init__(self, program: ir.Program, kinds: Kinds, name: str) -> None:
        self._program, self._kinds = program, kinds
        function = program.by_name.functions.get(name)
        self._body = function.body if function is not None else None

    def at(self, held: Mapping[str, Guess]) -> Guess:
        """Which months it may be where some states are known to hold something."""
        if self._body is None or not held:
            return None
        reader = Reader(self._program, Memory(self._program, self._kinds, {}, held), self._kinds, 0)
        return reader.value(self._body, {})

    def states_in(self, month: int) -> dict[str, Guess]:
        """Return the values of the state that determines the month, in the turn that contains one."""
        every = () if self._body is None else nodes(self._body)
        read = {node.state: node for node in every if isinstance(node, ir.Read) and not node.keys}
        if len(read) != 1:
            return {}
        ((name, node),) = read.items()
        values = self._kinds.spread(None, node.type)
        of_month: dict[int, set[ir.expr.Value]] = {}
        for value in values if isinstance(values, frozenset) else ():
            months = self.at({name: frozenset((value,))})
            for now in map(number, months) if isinstance(months, frozenset) else ():
                if now <= month:
                    of_month.setdefault(now, set()).add(value)
        return {name: frozenset(of_month[max(of_month)])} if of_month else {}


MOST_VALUES = 64
"""Values of a state that are tried one by one against the invariants."""


def states_that_invariants_leave(
    program: ir.Program, kinds: Kinds, fixed: Mapping[str, Guess]
) -> dict[str, Guess]:
    """Return the values of states that no invariant excludes where some states are fixed.

    Only states without keys that an invariant reads beside a fixed one, and whose values become fewer.
    """
    left: dict[str, Guess] = {}
    for state in program.states:
        whole = kinds.spread(None, state.type)
        if state.keys or state.name in fixed or not isinstance(whole, frozenset) or len(whole) > MOST_VALUES:
            continue
        about = [known.body for known in program.invariants if _reads(known.body, state.name, fixed)]
        excluded = {
            v for v in whole if _excludes(program, kinds, about, {**fixed, state.name: frozenset((v,))})
        }
        kept = whole - excluded
        if len(kept) < len(whole):
            left[state.name] = kept
    return left


def _reads(body: ir.Expr, name: str, fixed: Mapping[str, Guess]) -> bool:
    read = {node.state for node in nodes(body) if isinstance(node, ir.Read) and not node.keys}
    return name in read and not read.isdisjoint(fixed)


def _excludes(program: ir.Program, kinds: Kinds, about: list[ir.Expr], held: Mapping[str, Guess]) -> bool:
    reader = Reader(program, Memory(program, kinds, {}, held), kinds, 0)
    return any(reader.value(body, {}) == NO for body in about)
