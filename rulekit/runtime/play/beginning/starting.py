"""Where a session begins: at the sequence of play, at a procedure, or at a step inside the sequence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Param, Procedure
from rulekit.ir.semantics.faults import Fault, Finished
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.ir.types import Nothing, Type
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.simulate import scenario_of
from rulekit.runtime.machine.streams import GivenChance, Streams
from rulekit.runtime.play.beginning.given import Given, give
from rulekit.runtime.play.beginning.positions import RUN, entry_at
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.session import Session


@frozen
class Begin:
    """Where a session begins; see `Game.position`.  Saves hold it as JSON."""

    at: str = ""
    locals: Mapping[str, Any] = field(default_factory=dict)
    run: int = 1

    @property
    def as_json(self) -> dict[str, Any]:
        """The beginning as saves have it."""
        return {"at": self.at, "locals": dict(self.locals), "run": self.run}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Begin:
        """The beginning that a save has."""
        return cls(data["at"], data["locals"], data["run"])


@frozen
class FirstCall:
    """The procedure that a session runs, in the game that has it; `result` is its type, if it has any."""

    game: PreparedGame
    procedure: str
    arguments: tuple[Any, ...]
    result: Type | None


def first_call(game: PreparedGame, begin: Begin) -> FirstCall:
    """The procedure with which a session begins.

    Raises:
        NamingError: There is no such procedure or step, or something that it needs is not given.
    """
    game = game.origin
    program = game.program
    procedure = program.by_name.procedures.get(begin.at or program.entry)
    if procedure is not None:
        arguments = _values(game.naming, procedure.params, begin.locals)
        return FirstCall(game, procedure.name, arguments, _result(procedure))
    if not program.entry:
        raise NamingError(f"unknown procedure `{begin.at[:60]}`; the rule set has no sequence of play")
    names = tuple(sorted(begin.locals))
    entry = entry_at(program, begin.at, names)
    other = game.entry_game(entry.program, (entry.procedure, names))
    given = {param.name: param for param in entry.params}
    values = _values(other.naming, tuple(given.values()), begin.locals)
    run = other.naming.read(RUN.type, begin.run)
    own = program.by_name.procedures[program.entry]
    return FirstCall(other, entry.procedure, (run, *values), _result(own))


def _result(procedure: Procedure) -> Type | None:
    return None if isinstance(procedure.result, Nothing) else procedure.result


def _values(naming: Naming, params: tuple[Param, ...], given: Mapping[str, Any]) -> tuple[Any, ...]:
    names = [param.name for param in params]
    for name in given:
        if name not in names:
            raise NamingError(f"unknown parameter `{name}`")
    for param in params:
        if param.name not in given:
            raise NamingError(f"missing value for `{param.name}`, of type `{param.type}`")
    return tuple(naming.read(param.type, given[param.name]) for param in params)


def start_position(
    game: PreparedGame,
    begin: Begin,
    given: Given,
    scenario: str | None,
    seed: int | str,
    chance: GivenChance,
) -> Session:
    """A session that begins in a state that is given; see `Game.position`."""
    call = first_call(game, begin)
    game = call.game
    chosen = None if scenario == "" else scenario_of(game.program, scenario)
    cells = game.module.layout.initial() if chosen is None else _set_up(game, chosen.procedure, seed)
    machine = Machine(game.module, Streams(game.module, seed), cells)
    machine.refuel(game.fuel)
    give(game, machine, given)
    for address in game.module.layout.counters.values():
        machine.M[address] = 0
    machine.use(Streams(game.module, seed, chance))
    session = Session(game, machine, None if chosen is None else chosen.name, [])
    session.begun = begin.as_json
    session.begin_with(call.procedure, call.arguments, call.result)
    return session


def _set_up(game: PreparedGame, procedure: str, seed: int | str) -> list[Any]:
    """The state after a scenario's set-up: choices get their first legal answer, dice come from the seed."""
    if game.asks_chance:
        game = game.origin.with_chance("drawn")
    machine = Machine(game.module, Streams(game.module, seed), game.module.layout.initial())
    machine.refuel(game.fuel)
    machine.trace, machine.setting_up = _ignore, True
    try:
        if machine.module.stops(("procedure", procedure, False)):
            machine.push(procedure)
            going = machine.run()
            while going:
                assert machine.asked is not None
                going = machine.run(machine.asked[3][0])
        else:
            machine.call(procedure)
    except Finished as finished:
        raise Fault("no-sequence", "the game ends with its set-up") from finished
    return machine.M


def _ignore(entry: Any) -> None:
    """Drop an entry."""
