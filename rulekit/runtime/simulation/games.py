"""The games of a simulation: each is determined by its number, wherever and whenever it is played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rulekit.ir import Expr
from rulekit.ir.semantics.faults import KINDS, Fault
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.odds.named import ValueReader
from rulekit.runtime.odds.reading import MeasureFunction
from rulekit.runtime.simulation.losses import Clock, losses_of, owners_of, places_of
from rulekit.runtime.simulation.plan import BuiltIn, GameAgent, Plan, SimulatedRules
from rulekit.runtime.simulation.playing import PlayedGame, games_of
from rulekit.runtime.simulation.tally import Failed, Key, Tally, TallyEntry
from rulekit.runtime.support.build import DEFAULT_FUEL


class PlanPlayer:
    """Plays games of a plan, whose rules are compiled once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._players = [_RulesPlayer(rules, plan.agents) for rules in plan.rules]

    def play(self, numbers: Iterable[int]) -> Tally:
        """Play the games of some numbers.

        Raises:
            AgentFailed: An agent gives no legal answer.
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

    def __init__(self, rules: SimulatedRules, agents: Sequence[str | GameAgent]) -> None:
        self._owners, self._clock = owners_of(rules.program), rules.clock
        clock = None
        if rules.clock is not None:
            sides = rules.program.by_name.domains.get(rules.program.sides)
            clock = Clock(rules.clock, self._owners, 0 if sides is None else len(sides.members))
        self._games = games_of(rules.program, rules.scenario, agents, rules.module, clock)
        module = self._games.module
        self._values = ValueReader(rules.program)
        self._measures = [
            measure if isinstance(measure, BuiltIn) else (measure.type, _function(module, measure))
            for measure in rules.measures
        ]
        self._where = None if rules.where is None else _function(module, rules.where)
        self._places = places_of(module)

    def play(self, seed: str) -> tuple[Key, str]:
        """Play one game: the values of its measures, or its fault with the fault's message.

        Raises:
            AgentFailed: An agent gives no legal answer.
        """
        try:
            game = self._games.play(seed)
            game.machine.refuel(DEFAULT_FUEL)
            cells = game.machine.M
            if self._where is not None and not self._where.read(cells, ()):
                return None, ""
            values = []
            for measure in self._measures:
                if isinstance(measure, BuiltIn):
                    values.append(self._built_in(measure, game))
                else:
                    kind, function = measure
                    values.append(self._values.value(kind, function.read(cells, ())))
            if self._clock is not None:
                kind = self._clock.type
                values.append(tuple([(self._values.value(kind, at), lost) for at, lost in game.losses]))
        except Fault as fault:
            code = KINDS[fault.name].code if fault.name in KINDS else ""
            return Failed(code, fault.name, () if fault.site is None else fault.site.rules), fault.message
        return tuple(values), ""

    def _built_in(self, measure: BuiltIn, game: PlayedGame) -> Any:
        match measure.name:
            case "result":
                return self._values.result(game.result)
            case "decisions":
                return game.decisions
            case _:
                return losses_of(measure.side, game.placed, game.machine.M[self._places], self._owners)


def _function(module: GeneratedModule, measure: Expr) -> MeasureFunction:
    return MeasureFunction(module, measure, ())


_players: dict[str, PlanPlayer] = {}


def player_of(plan: Plan) -> PlanPlayer:
    """The player of a plan in this process, which compiles the rules of the last plan only once."""
    nameless = [id(agent) for agent in plan.agents if not isinstance(agent, str) and agent.identity is None]
    key = json.dumps([plan.identity(), nameless])
    if key not in _players:
        _players.clear()
        _players[key] = PlanPlayer(plan)
    return _players[key]


def play_games(plan: Plan, first: int, end: int) -> list[Any]:
    """Play the games from `first` to before `end`, and return their tally as plain JSON."""
    return player_of(plan).play(range(first, end)).json()
