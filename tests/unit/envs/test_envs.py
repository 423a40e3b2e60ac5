"""Rule sets as environments: the tests of PettingZoo and Gymnasium, and what an observation has."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import rulekit
from rulekit import envs
from rulekit.base.resources import rules_folder
from tests.unit.runtime.play.test_views import hands, hide
from tests.unit.serve.test_protocol import bidding

SETS = sorted(path.parent.name for path in rules_folder().glob("*/ruleset.yaml"))


@cache
def game(name: str) -> rulekit.Game:
    """A rule set as it is bundled; `bids` is a small game of secret bids."""
    return bidding() if name == "bids" else rulekit.load(name)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*SETS, "bids"])
def test_pettingzoo_accepts_every_set(name: str) -> None:
    """Its own tests of the interface and of seeds."""
    api_test(envs.TurnsEnv(game(name)), num_cycles=300)
    seed_test(lambda: envs.TurnsEnv(game(name)), num_cycles=100)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_accepts_a_solitaire_game() -> None:
    """Its own test of the interface."""
    check_env(envs.SolitaireEnv(game("fcn"), "US"), skip_render_check=True)


def steps(env: envs.TurnsEnv, seed: int, most: int) -> Any:
    """Play at random; yield the agent and its observation before each step."""
    env.reset(seed=seed)
    draw = np.random.default_rng(seed)
    for _ in range(most):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return
        seen = env.observe(agent)
        yield agent, seen
        env.step(int(draw.choice(np.flatnonzero(seen["action_mask"]))))


@pytest.mark.parametrize("name", [*SETS, "bids"])
def test_an_observation_is_as_if_made_anew(name: str) -> None:
    """Written from events, it has the numbers of the whole state; the mask has the legal answers."""
    env = envs.TurnsEnv(game(name))
    for number, (agent, seen) in enumerate(steps(env, 1, 60)):
        side = env.possible_agents.index(agent)
        if number % 7 == 0:
            for other in range(len(env.possible_agents)):
                anew = env.observer.start(env.session).numbers(other, env._so_far)
                assert np.array_equal(anew, env._picture.numbers(other, env._so_far))
        asked = env.session.machine.asked
        assert asked is not None and asked[1] == side
        names = {env.actions.names[action][-1] for action in np.flatnonzero(seen["action_mask"])}
        if env.actions.names[env.actions.legal(asked)[0]][1:][:-1] == () and not env._so_far:
            decision = env.session.decision
            assert decision is not None and len(decision.legal_answers) == seen["action_mask"].sum()
            if decision.verb not in ("split",):
                assert names == {answer.name for answer in decision.legal_answers}
        assert env.observation_space(agent).contains(seen)


def test_a_game_ends_with_rewards() -> None:
    """1 for the winner, -1 for the loser, as the result says."""
    env = envs.TurnsEnv(game("vitp"))
    for _ in steps(env, 3, 100_000):
        pass
    winner = env.session.result

    assert env.session.over and winner in env.possible_agents
    assert {side: 1.0 if side == winner else -1.0 for side in env.agents} == env.rewards


def test_an_observation_hides_what_the_side_may_not_see() -> None:
    """Other hidden values, and the same numbers."""
    import random

    observer = envs.Observer(hands())
    session, other = hands().start(1), hands().start(1)
    assert hide(other, "Blue", random.Random(5))
    one, two = (observer.start(some) for some in (session, other))

    assert np.array_equal(one.numbers(0), two.numbers(0))
    assert not np.array_equal(one.numbers(1), two.numbers(1))


def test_numbers_of_actions_are_stable() -> None:
    """They follow from rules and options; the digest tells two numberings apart."""
    first = envs.Actions(game("vitp"))
    again = envs.Actions(rulekit.load("vitp"))
    other = envs.Actions(game("bids"))

    assert first.as_json == again.as_json and first.digest != other.digest
    assert {
        "format": 1,
        "digest": other.digest,
        "actions": [list(name) for name in other.names],
    } == json.loads(json.dumps(other.as_json))
    assert [("bid", "0"), ("bid", "1"), ("bid", "2"), ("bid", "3"), ("dive", "no"), ("dive", "yes")] == list(
        other.names
    )


def test_an_action_that_is_not_legal() -> None:
    """Is refused, and nothing has changed; in a solitaire game it costs a little."""
    env = envs.TurnsEnv(game("bids"))
    env.reset(seed=1)
    with pytest.raises(rulekit.Refused):
        env.step(2)
    with pytest.raises(ValueError, match="is not an answer here: dive yes"):
        env.step(5)
    assert 0 == env.session.answered
    alone = envs.SolitaireEnv(game("fcn"), "US")
    alone.reset(seed=1)
    wrong = int(np.flatnonzero(alone.action_masks() == 0)[0])
    assert (-0.01, False, False) == alone.step(np.int64(wrong))[1:4] and 0 == alone.session.answered


def test_records_are_answered_value_by_value() -> None:
    """Each value is an action, masked by those before it."""
    from rulekit.testing import MANIFEST, compile_text, manifest

    text = """
enum Side: Red, Blue
space Spot:
    members A, B, C
choice go(side) by side:                                [1]
    pick one start from Spot, one goal from Spot
    forbid stay: start is goal                          [1.1]
sequence play:
    choose go(Red) as way
    choose go(Blue) as other
"""
    compiled = compile_text(text, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    env = envs.TurnsEnv(rulekit.Game(compiled.program))
    env.reset(seed=1)
    masks = []
    for name in ("B", "C"):
        mask = np.flatnonzero(env.observe("Red")["action_mask"])
        masks.append([env.actions.names[action] for action in mask])
        env.step(next(int(action) for action in mask if env.actions.names[action][-1] == name))

    assert [("go", "start", "A"), ("go", "start", "B"), ("go", "start", "C")] == masks[0]
    assert [("go", "goal", "A"), ("go", "goal", "C")] == masks[1]
    assert {"start": "B", "goal": "C"} == env.session.log[0]["value"]
    assert "Blue" == env.agent_selection
