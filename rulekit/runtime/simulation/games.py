"""The games of a simulation: each is determined by its number, wherever and whenever it is played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Expr, Program
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import KINDS, Fault, Finished
from rulekit.ir.types import NONE
from rulekit.runtime.codegen.assemble import GeneratedModule, generate
from rulekit.runtime.machine import simulate
from rulekit.runtime.machine.machine import Agent
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.odds.named import ValueReader
from rulekit.runtime.odds.reading import MeasureFunction
from rulekit.runtime.simulation.tally import Failed, Key, Tally, TallyEntry
from rulekit.runtime.support.build import DEFAULT_FUEL, SIMULATION

AGENTS: Final = ("random", "first-legal")
"""Agents that a simulation knows by name."""


@frozen
class BuiltIn:
    """A measure that every game has, whatever its rules.

    Attributes:
        name: `result` (what `finish` gave), `decisions` (how many parts of choices were answered) or `lost`
            (how many pieces of a side were on the map after the set-up and are off it at the end).
        side: The side, for `lost`.
    """

    name: str
    side: int = 0


@frozen
class SimulatedRules:
    """The rules of a simulation, or those that they are compared with.

    Attributes:
        scenario: None for the first one, if there is any.
        measures: They are read at the end of each game.
        where: Only games that end with this true count; None counts all.
    """

    program: Program
    scenario: str | None
    measures: tuple[Expr | BuiltIn, ...]
    where: Expr | None = None


@frozen
class Plan:
    """A simulation: every game is played with each of these rules, from the same seed.

    Attributes:
        agents: The name of the agent of each side, in the order of sides.
        seed: The seed of the whole.
    """

    rules: tuple[SimulatedRules, ...]
    agents: tuple[str, ...]
    seed: str

    def seed_of(self, number: int) -> str:
        """The seed of one game, of its dice and of its agents."""
        return f"{self.seed}/{number}"

    def identity(self) -> Mapping[str, Any]:
        """Everything that decides the totals, as plain JSON: games of another plan do not add to these."""
        asked = repr([(rules.measures, rules.where) for rules in self.rules]).encode()
        return {
            "rules": [rules.program.source_hash for rules in self.rules],
            "options": [list(rules.program.options) for rules in self.rules],
            "scenario": [rules.scenario for rules in self.rules],
            "measures": hashlib.sha256(asked).hexdigest()[:16],
            "agents": list(self.agents),
            "seed": self.seed,
        }


class CountingAgent:
    """Hands each decision to the agent of its side, and counts them."""

    __slots__ = ("_by_side", "count")

    def __init__(self, by_side: Sequence[Agent]) -> None:
        self._by_side, self.count = by_side, 0

    def __call__(self, choice: int, side: int, item: Any, options: tuple[int, ...]) -> int:
        self.count += 1
        return self._by_side[side](choice, side, item, options)


def agents_of(program: Program, names: Sequence[str], seed: str) -> list[Agent]:
    """The agents of all sides in one game."""
    policy = simulate.RandomPolicy(program, seed)
    return [policy if name == "random" else simulate.first_legal for name in names]


class PlanPlayer:
    """Plays games of a plan, whose rules are compiled once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._players = [_RulesPlayer(rules, plan.agents) for rules in plan.rules]

    def play(self, numbers: Iterable[int]) -> Tally:
        """Play the games of some numbers.

        Raises:
            Fault: There is no such scenario.
        """
        tally = Tally()
        for number in numbers:
            seed = self.plan.seed_of(number)
            ends = [player.play(seed) for player in self._players]
            tally.add(
                tuple([end for end, _ in ends]), TallyEntry(1, number, next((m for _, m in ends if m), ""))
            )
        return tally


class _RulesPlayer:
    """Plays games by one set of rules."""

    def __init__(self, rules: SimulatedRules, agents: Sequence[str]) -> None:
        program = for_play(rules.program)
        self._program, self._agents = program, agents
        self._module = generate(program, SIMULATION)
        self._scenario = simulate.scenario_of(program, rules.scenario)
        self._values = ValueReader(rules.program)
        self._measures = [
            measure if isinstance(measure, BuiltIn) else (measure.type, _function(self._module, measure))
            for measure in rules.measures
        ]
        self._where = None if rules.where is None else _function(self._module, rules.where)
        places = self._module.layout.slots.get("place")
        self._places = slice(0, 0) if places is None else slice(places.base, places.base + places.size)
        statics = program.by_name.statics
        self._sides = statics["piece.side"].values if "piece.side" in statics else ()

    def play(self, seed: str) -> tuple[Key, str]:
        """Play one game: the values of its measures, or its fault with the fault's message."""
        agent = CountingAgent(agents_of(self._program, self._agents, seed))
        machine = simulate.new_machine(self._module, Streams(self._module, seed), agent)
        machine.refuel(DEFAULT_FUEL)
        cells = machine.M
        placed: list[Any] = cells[self._places]
        result: Any = None
        try:
            try:
                simulate.set_up(machine, self._scenario)
                placed = cells[self._places]
                machine.call(self._program.entry)
            except Finished as finished:
                result = finished.result
            machine.refuel(DEFAULT_FUEL)
            if self._where is not None and not self._where.read(cells, ()):
                return None, ""
            values = []
            for measure in self._measures:
                if isinstance(measure, BuiltIn):
                    values.append(self._built_in(measure, result, agent.count, placed, cells))
                else:
                    kind, function = measure
                    values.append(self._values.value(kind, function.read(cells, ())))
        except Fault as fault:
            code = KINDS[fault.name].code if fault.name in KINDS else ""
            return Failed(code, fault.name, () if fault.site is None else fault.site.rules), fault.message
        return tuple(values), ""

    def _built_in(
        self, measure: BuiltIn, result: Any, decisions: int, placed: Sequence[Any], cells: Sequence[Any]
    ) -> Any:
        match measure.name:
            case "result":
                return self._values.result(result)
            case "decisions":
                return decisions
            case _:
                left = zip(placed, cells[self._places], self._sides, strict=False)
                return sum(
                    1 for old, now, side in left if old != NONE and now == NONE and side == measure.side
                )


def _function(module: GeneratedModule, measure: Expr) -> MeasureFunction:
    return MeasureFunction(module, measure, ())


_players: dict[str, PlanPlayer] = {}


def player_of(plan: Plan) -> PlanPlayer:
    """The player of a plan in this process, which compiles the rules of the last plan only once."""
    key = json.dumps(plan.identity())
    if key not in _players:
        _players.clear()
        _players[key] = PlanPlayer(plan)
    return _players[key]


def play_games(plan: Plan, first: int, end: int) -> list[Any]:
    """Play the games from `first` to before `end`, and return their tally as plain JSON."""
    return player_of(plan).play(range(first, end)).json()
