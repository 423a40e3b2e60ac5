"""One procedure or function run by itself, with given values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.ir import Function, Param, Procedure, Program
from rulekit.ir.semantics.faults import Finished
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.runtime.machine.fault_reports import as_fault
from rulekit.runtime.machine.machine import Agent
from rulekit.runtime.machine.simulate import first_legal, new_machine, scenario_of
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.play.answering.spelling import meant_part, part_name
from rulekit.runtime.play.beginning.given import Given, set_cells
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.support.build import RUN_FUEL, Build

BUILD = Build(trace="operands")


@frozen
class Evaluated:
    """The result as JSON, the events, and how many of the given dice, things and answers were not used."""

    result: Any
    events: tuple[Event, ...]
    unused: Mapping[str, int]


def evaluate(
    program: Program,
    name: str,
    arguments: Mapping[str, Any],
    *,
    given: Given | None = None,
    scenario: str | None = "",
    seed: int | str = 0,
    agent: Agent = first_legal,
    dice: Mapping[str, Sequence[int]] | None = None,
    draws: Mapping[str, Sequence[Any]] | None = None,
    answers: Mapping[str, Sequence[Any]] | None = None,
    explain: bool = False,
) -> Evaluated:
    """Run a procedure or function of the program.

    Args:
        arguments: For each parameter its value, as JSON.
        given: Values of states to set before; see `rulekit.runtime.play.beginning.given`.
        scenario: Set up first; empty for the state as declared, None for the first scenario.
        agent: Answers choices for which `answers` has none.
        dice, draws: First results of rolls, draws and shuffles by name; the seed gives the others.
        answers: Answers to the parts of choices, in order, by the choice's name.
        explain: Tell of each roll which modifiers act, and why the others do not.

    Raises:
        NamingError: A name, key or value that is none; a missing or unknown argument.
        Fault: The rules cannot go on.
    """
    game = PreparedGame(program, explain=explain, build=BUILD)
    module, naming = game.module, game.naming
    item = item_named(program, name)
    values = _arguments(naming, item.params, arguments)
    streams = Streams(module, seed, game.given_chance(dice, draws))
    waiting = _GivenAnswers(game, answers or {}, agent)
    machine = new_machine(module, streams, waiting)
    trace: list[Any] = []
    machine.trace = trace.append
    machine.refuel(RUN_FUEL)
    result = None
    try:
        chosen = None if scenario == "" else scenario_of(program, scenario)
        if chosen is not None:
            machine.use(Streams(module, seed))
            waiting.active = False
            machine.call(chosen.procedure)
            machine.use(streams)
            waiting.active = True
        set_cells(game.named_values, machine.M, given or {})
        for address in module.layout.counters.values():
            machine.M[address] = 0
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
    unused = streams.count_unused(module.layout.counters, machine.M) | waiting.unused
    return Evaluated(shown, tuple(map(game.teller.event, trace)), unused)


class _GivenAnswers:
    """Answers parts of choices with what is given, in order; where nothing is left, an agent answers."""

    def __init__(self, game: PreparedGame, answers: Mapping[str, Sequence[Any]], agent: Agent) -> None:
        self._game, self._agent, self.active = game, agent, True
        known = game.program.by_name.choices
        for name in answers:
            if name not in known:
                hint = meant(name, known)
                raise NamingError(f"unknown choice `{name[:60]}`" + (f"; {hint}" if hint else ""))
        self._left = {name: list(parts) for name, parts in answers.items()}

    def __call__(self, number: int, side: int, item: Any, options: tuple[int, ...]) -> int:
        choice = self._game.program.choices[number]
        left = self._left.get(choice.name)
        if not self.active or not left:
            return self._agent(number, side, item, options)
        value = meant_part(self._game.naming, choice, left.pop(0))
        if value not in options:
            name = part_name(self._game.naming, choice, value)
            raise NamingError(f"{name} is not a legal answer to `{choice.name}`")
        return value

    @property
    def unused(self) -> dict[str, int]:
        """How many answers of each choice are left."""
        return {name: len(parts) for name, parts in self._left.items() if parts}


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
