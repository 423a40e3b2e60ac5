"""A game as a PettingZoo environment, in which agents act in turn (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rulekit.runtime.envs.actions import Actions
from rulekit.runtime.envs.observing import UNSEEN, Observer
from rulekit.runtime.envs.rewards import Reward, answer, won_or_lost
from rulekit.runtime.play import Game


class TurnsEnv(AECEnv[str, dict[str, Any], int]):
    """The sessions of a game; its sides are the agents.

    An observation has what the side sees (`observation`, see `Observer`) and which actions are legal
    (`action_mask`).  An action is a number of `actions`.

    Args:
        game: The game, as `rulekit.load` gives it.
        scenario: Of each session; None takes the first one.
        reward: Of each side at the end; 1, -1 or 0 by the result if there is none.
        most_answers: After so many a session is cut short (truncated), without a reward; so is one in which
            the rules cannot go on, with the fault in `infos`.
    """

    metadata = {"name": "rulekit", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: Game,
        scenario: str | None = None,
        *,
        reward: Reward = won_or_lost,
        most_answers: int = 100_000,
        render_mode: str | None = None,
    ) -> None:
        """
        Raises:
            ValueError: The game has no sides.
        """
        super().__init__()
        domain = game.program.by_name.domains.get(game.program.sides)
        if domain is None:
            raise ValueError(f"`{game.program.name}` has no sides")
        self.game, self.scenario, self.reward, self.render_mode = game, scenario, reward, render_mode
        self.actions, self._most = Actions(game), most_answers
        self.observer = Observer(game, self.actions.most_values)
        self.possible_agents = list(domain.members)
        self._numbers = {side: number for number, side in enumerate(domain.members)}
        seen = spaces.Box(UNSEEN, 2**30, (self.observer.size,), np.int32)
        mask = spaces.Box(0, 1, (self.actions.size,), np.int8)
        space = spaces.Dict({"observation": seen, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(domain.members, space)
        self.action_spaces = {side: spaces.Discrete(self.actions.size) for side in domain.members}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """The space of a side's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of a side's actions: that of all sides."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a session; its dice follow from the seed, or from that of an earlier `reset`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.session = self.game.start(int(self._random.integers(2**62)), self.scenario)
        self._picture = self.observer.start(self.session)
        self._so_far: tuple[int, ...] = ()
        self._answers = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self.session.over
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {side: {} for side in self.agents}
        self.agent_selection = self._decider()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the state as a side sees it, and its legal actions: none unless it is asked."""
        asked, side = self.session.machine.asked, self._numbers[agent]
        if asked is not None and asked[1] == side:
            mask = self.actions.mask(asked, self._so_far)
        else:
            mask = np.zeros(self.actions.size, np.int8)
        return {"observation": self._picture.numbers(side, self._so_far), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Answer for the side whose turn it is.

        Raises:
            Refused: The action is not legal.
            ValueError: It belongs to another choice.
        """
        agent, asked = self.agent_selection, self.session.machine.asked
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert asked is not None and action is not None
        self._cumulative_rewards[agent] = 0.0
        value, self._so_far = self.actions.act(asked, int(action), self._so_far)
        self._answers += value is not None
        fault = None if value is None else answer(self.session, value)
        if fault is not None:
            self.infos = {side: {"fault": fault} for side in self.agents}
        if self.session.over:
            self.rewards = {side: self.reward(self.session, side) for side in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        elif fault is not None or self._answers >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._decider()

    def _decider(self) -> str:
        asked = self.session.machine.asked
        return self.agents[0] if asked is None else self.possible_agents[asked[1]]

    def render(self) -> str | None:
        """The decision that waits, as text, in the mode `ansi`."""
        return repr(self.session.decision) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""
