"""A game in which one side decides, as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from rulekit.runtime.envs.actions import Actions
from rulekit.runtime.envs.observing import UNSEEN, Numbers, Observer
from rulekit.runtime.envs.rewards import Reward, answer, won_or_lost
from rulekit.runtime.play import Game

FINE = -0.01
"""The reward of an action that is not legal, which changes nothing."""


class SolitaireEnv(gymnasium.Env[Numbers, np.int64]):
    """The sessions of a game for one player.

    An observation is what the side sees (see `Observer`); `info["action_mask"]` and `action_masks` say which
    actions are legal.  An action that is not changes nothing and costs 0.01.

    Args:
        game: The game, as `rulekit.load` gives it.
        side: The side that decides; None takes the first one.
        scenario, reward, most_answers: As for `TurnsEnv`.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        game: Game,
        side: str | None = None,
        scenario: str | None = None,
        *,
        reward: Reward = won_or_lost,
        most_answers: int = 100_000,
    ) -> None:
        """
        Raises:
            ValueError: The game has no such side.
        """
        domain = game.program.by_name.domains.get(game.program.sides)
        sides = domain.members if domain is not None else ()
        if not sides or side is not None and side not in sides:
            raise ValueError(f"`{game.program.name}` has no side `{side or ''}`")
        self.game, self.scenario, self.reward = game, scenario, reward
        self.side = side or sides[0]
        self._number, self._most, self._steps = sides.index(self.side), most_answers, 0
        self.actions = Actions(game)
        self.observer = Observer(game, self.actions.most_values)
        self.observation_space = gymnasium.spaces.Box(UNSEEN, 2**30, (self.observer.size,), np.int32)
        self.action_space = gymnasium.spaces.Discrete(self.actions.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Start a session; its dice follow from the seed, or from that of an earlier `reset`."""
        super().reset(seed=seed)
        self.session = self.game.start(int(self.np_random.integers(2**62)), self.scenario)
        self._picture, self._steps = self.observer.start(self.session), 0
        self._so_far: tuple[int, ...] = ()
        return self._picture.numbers(self._number, self._so_far), {"action_mask": self.action_masks()}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """1 for each legal action, else 0.

        Raises:
            ValueError: Another side is asked.
        """
        asked = self.session.machine.asked
        if asked is None:
            return np.zeros(self.actions.size, np.int8)
        if asked[1] != self._number:
            raise ValueError(f"another side than {self.side} is asked: use `TurnsEnv`")
        return self.actions.mask(asked, self._so_far)

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Answer the decision."""
        session, asked = self.session, self.session.machine.asked
        self._steps += 1
        reward, fault = 0.0, None
        if asked is not None:
            if int(action) in self.actions.legal(asked, self._so_far):
                value, self._so_far = self.actions.act(asked, int(action), self._so_far)
                fault = None if value is None else answer(session, value)
                reward = self.reward(session, self.side) if session.over else 0.0
            else:
                reward = FINE
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if fault is not None:
            info["fault"] = fault
        cut = not session.over and (fault is not None or self._steps >= self._most)
        numbers = self._picture.numbers(self._number, self._so_far)
        return numbers, reward, session.over, cut, info
