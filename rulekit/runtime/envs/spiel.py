"""A game for OpenSpiel, with explicit chance.

This needs `pip install 'rulekit[openspiel]'`.
"""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import pyspiel

from rulekit.ir import Point
from rulekit.ir.types import Int, Member
from rulekit.runtime.chance import name_key
from rulekit.runtime.envs.actions import Actions
from rulekit.runtime.envs.observing import Observer
from rulekit.runtime.envs.rewards import Reward, answer, won_or_lost
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support import asked as a
from rulekit.runtime.support.asked import Question

MOST_OUTCOMES: Final = 1_000_000
"""Outcomes of one chance node."""


class _Rules:
    """The common part of all states of one OpenSpiel game."""

    def __init__(self, game: Game, scenario: str | None, reward: Reward, most_actions: int) -> None:
        program = game.program
        domain = program.by_name.domains.get(program.sides)
        if domain is None:
            raise ValueError(f"`{program.name}` has no sides")
        self.sides, self.reward, self.most_actions = domain.members, reward, most_actions
        self.actions = Actions(game)
        self.first = game.start(scenario=scenario, chance="asked")
        self.observer = Observer(game, self.actions.most_values)
        self.most_outcomes = min(
            max((self._outcomes(game, one) for one in program.points), default=1), MOST_OUTCOMES
        )
        key = f"{program.source_hash} {program.options} {self.first.scenario}"
        self.type = pyspiel.GameType(
            short_name=f"rulekit_{program.name}_{name_key(key):016x}",
            long_name=program.title or program.name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=len(self.sides),
            min_num_players=len(self.sides),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=False,
        )
        self.info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.size,
            max_chance_outcomes=self.most_outcomes,
            num_players=len(self.sides),
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=most_actions,
        )

    @staticmethod
    def _outcomes(game: Game, point: Point) -> int:
        """The most outcomes that a chance node of a point may have."""
        if point.dice:
            return point.dice * (point.sides - 1) + 1
        thing = game.lots[point.name].thing if point.name in game.lots else None
        if isinstance(thing, Member):
            return game.program.by_name.sizes[thing.domain]
        return thing.high - thing.low + 1 if isinstance(thing, Int) else MOST_OUTCOMES


def spiel_game(
    game: Game, scenario: str | None = None, *, reward: Reward = won_or_lost, most_actions: int = 100_000
) -> Any:
    """Register a game with OpenSpiel, and return it as a `pyspiel.Game`.

    The sides are the players, in the order of the rules.  An action is a number of `Actions`.  Each roll is a
    chance node, whose outcome is the sum of the dice less the lowest one; a draw or shuffle is a chance node
    for each thing, whose outcome is its place among those that there were to draw from.  So a node never has
    more outcomes than there are things, and several things come as likely as the rules say.

    Args:
        game: The game, as `rulekit.load` gives it.
        scenario: Of each state; None takes the first one.
        reward: Of each side at the end, from -1 to 1; 1, -1 or 0 by the result if there is none.
        most_actions: After so many actions of sides a state is terminal, with rewards of 0; so is one
            in which the rules cannot go on.

    Raises:
        ValueError: The game has no sides, or more than a million actions.
    """
    rules = _Rules(game, scenario, reward, most_actions)

    class SpielGame(pyspiel.Game):
        """OpenSpiel makes a game from its short name; the class has all that it needs."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(rules.type, rules.info, params or {})
            self.rules = rules

        def new_initial_state(self) -> SpielState:
            """The state at the beginning."""
            return SpielState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
            """An observer of states."""
            return SpielObserver(rules, iig_obs_type, params)

    _REGISTERED[rules.type.short_name] = rules
    pyspiel.register_game(rules.type, SpielGame)
    return SpielGame()


class SpielState(pyspiel.State):
    """A session as a state of OpenSpiel; made by its game."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._place = _Place(game.rules, game.rules.first.clone())

    @property
    def session(self) -> Session:
        """The session, which asks for chance."""
        return self._place.session

    @property
    def so_far(self) -> tuple[int, ...]:
        """The values of a record, or the places of things, that are chosen of the open question."""
        return self._place.so_far

    def current_player(self) -> int:
        """The side that decides, chance, or the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        asked = self._asked
        return int(pyspiel.PlayerId.CHANCE) if asked[0] < 0 else asked[1]

    @property
    def _asked(self) -> Question:
        asked = self.session.machine.asked
        assert asked is not None
        return asked

    def is_terminal(self) -> bool:
        """True if the game is over, or was cut short."""
        return self._place.stopped or self.session.over

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._place.rules.actions.legal(self._asked, self.so_far))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node, each with its probability."""
        asked = self._asked
        point = self.session.game.program.points[~asked[0]]
        if asked[1] == a.ROLL:
            total, low = a.total_weight(point, asked), asked[2] * point.lowest
            return [(number - low, weight / total) for number, weight in a.outcomes(point, asked)]
        left = [place for place in range(len(asked[3])) if place not in self.so_far]
        return [(place, 1 / len(left)) for place in left]

    def _apply_action(self, action: int) -> None:
        asked = self._asked
        if asked[0] < 0:
            value = self._chance_answer(asked, action)
        else:
            self._place.taken += 1
            value, self._place.so_far = self._place.rules.actions.act(asked, action, self.so_far)
        if value is not None:
            self._place.stopped = answer(self.session, value) is not None
        self._place.stopped |= self._place.taken >= self._place.rules.most_actions

    def _chance_answer(self, asked: Question, action: int) -> Any:
        """The answer of chance, or None if it draws one more thing."""
        number, kind, count, things = asked
        if kind == a.ROLL:
            return self.session.legal_answer(
                count * self.session.game.program.points[~number].lowest + action
            )
        self._place.so_far = (*self.so_far, action)
        needed = 1 if kind == a.ONE else count if kind == a.SET else len(things) - 1
        if len(self.so_far) < needed:
            return None
        last = [place for place in range(len(things)) if place not in self.so_far]
        places, self._place.so_far = (*self.so_far, *(last if kind == a.ORDER else ())), ()
        decision = self.session.decision
        assert decision is not None and decision.chance is not None
        return self.session.legal_answer([decision.chance.things[place] for place in places])

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return f"{action}: {' '.join(self._place.rules.actions.names[action])}"
        decision = self.session.decision
        if decision is None or decision.chance is None:
            return str(action)
        if decision.chance.kind == "roll":
            return f"{decision.choice} {int(decision.domain.split('..')[0]) + action}"
        return f"{decision.choice} {decision.chance.things[action]}"

    def returns(self) -> list[float]:
        """The reward of each side; 0 before the end."""
        rules, session = self._place.rules, self.session
        if not session.over:
            return [0.0] * len(rules.sides)
        return [float(rules.reward(session, side)) for side in rules.sides]

    def __str__(self) -> str:
        """The decision that waits, and how many answers there were."""
        decision = self.session.decision
        asked = (
            "over" if decision is None else f"{decision.side}: {decision.choice} {dict(decision.arguments)}"
        )
        return f"{self.session.answered} {asked} {self.so_far}"


class _Place:
    """All that a state has, for copies and pickles of it: a pickle has the answers, and gives them again."""

    def __init__(self, rules: _Rules, session: Session) -> None:
        self.rules, self.session = rules, session
        self.so_far: tuple[int, ...] = ()
        self.taken, self.stopped = 0, False

    def __deepcopy__(self, memo: dict[int, Any]) -> _Place:
        other = _Place(self.rules, self.session.clone())
        other.so_far, other.taken, other.stopped = self.so_far, self.taken, self.stopped
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        name, values = self.rules.type.short_name, [entry["value"] for entry in self.session.log]
        return _place_after, (name, values, self.so_far, self.taken, self.stopped)


_REGISTERED: Final[dict[str, _Rules]] = {}
"""The common parts of the states of registered games, by short name."""


def _place_after(name: str, values: list[Any], so_far: tuple[int, ...], taken: int, stopped: bool) -> _Place:
    """The place after some answers."""
    rules = _REGISTERED[name]
    place = _Place(rules, rules.first.clone())
    for value in values:
        place.session.choose(value)
    place.so_far, place.taken, place.stopped = so_far, taken, stopped
    return place


class SpielObserver:
    """Observes states for a player, or for a watcher who sees only what is public."""

    def __init__(self, rules: _Rules, iig_obs_type: Any, params: Any) -> None:
        """
        Raises:
            ValueError: There are parameters, or everything that all sides know is asked for.
        """
        if params:
            raise ValueError(f"unknown parameters of an observer: {', '.join(map(str, params))}")
        private = pyspiel.PrivateInfoType.SINGLE_PLAYER if iig_obs_type is None else iig_obs_type.private_info
        if private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("an observer has the view of one side, or of a watcher")
        self._rules, self._public = rules, private == pyspiel.PrivateInfoType.NONE
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(rules.observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees into `tensor`."""
        side = len(self._rules.sides) if self._public else player
        self.tensor[:] = self._rules.observer.start(state.session).numbers(side, state.so_far)

    def string_from(self, state: SpielState, player: int) -> str:
        """The view of a player, or with perfect recall all events that they have seen, as JSON."""
        view = state.session.view(None if self._public else self._rules.sides[player])
        if self._recalls:
            seen: Any = [event.as_json for event in view.events]
        else:
            seen = view.states
        mine = state.so_far if view.decision is not None else ()
        return json.dumps([seen, repr(view.decision), mine])
