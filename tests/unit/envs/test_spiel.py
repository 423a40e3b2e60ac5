"""Rule sets in OpenSpiel: its own tests, chance nodes, observers, and copies of states."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest

import rulekit
from rulekit import envs
from rulekit.runtime.play import Game
from tests.unit.runtime.play.games import game
from tests.unit.runtime.play.test_chance_asked import lots
from tests.unit.serve.test_protocol import bidding


def named(name: str) -> Game:
    """A game by its name."""
    match name:
        case "bids":
            return bidding()
        case "lots":
            return lots()
        case "vitp" | "fcn" | "pacwar" | "atp":
            return rulekit.load(name)
        case _:
            return game(name)


@pytest.mark.parametrize("name", ["bids", "lots", "duel", "ferry"])
def test_openspiel_accepts_it(name: str) -> None:
    """Its random simulations, with copies and serialised states on the way."""
    pyspiel.random_sim_test(envs.spiel_game(named(name)), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "actions"), [("vitp", 40), ("fcn", 40), ("pacwar", 40), ("atp", 40)])
def test_openspiel_accepts_the_beginning_of_a_large_game(name: str, actions: int) -> None:
    """The same for some actions; a whole game takes minutes, since each state is made from its history."""
    own = envs.spiel_game(named(name), most_actions=actions)
    pyspiel.random_sim_test(own, num_sims=1, serialize=True, verbose=False)


def first_chance(state: Any, kind: str) -> Any:
    """The next chance node of a kind: others get their last outcome, sides answer with their first action."""
    while not state.is_terminal():
        chance = state.session.decision.chance
        if chance is not None and chance.kind == kind and not state.so_far:
            return state
        state.apply_action(state.chance_outcomes()[-1][0] if chance is not None else state.legal_actions()[0])
    raise AssertionError(kind)


def test_chance_nodes_have_the_odds_of_the_rules() -> None:
    """A roll by its sum; a draw of two things and an order, thing by thing."""
    state = first_chance(envs.spiel_game(lots()).new_initial_state(), "roll")
    sums = dict(state.chance_outcomes())
    assert state.is_chance_node() and 11 == len(sums)
    assert pytest.approx(6 / 36) == sums[5] and pytest.approx(1 / 36) == sums[0]
    assert "luck 7" == state.action_to_string(pyspiel.PlayerId.CHANCE, 5)
    state.apply_action(5)
    assert 7 == state.session.state("score", "Red")

    drawn = first_chance(state, "draw")
    assert [(place, 0.25) for place in range(4)] == drawn.chance_outcomes()
    other = drawn.clone()
    for one, places in ((drawn, (3, 0)), (other, (0, 3))):
        one.apply_action(places[0])
        assert 3 == len(one.chance_outcomes()) and places[0] not in dict(one.chance_outcomes())
        one.apply_action(places[1])
    assert ["ape", "dog"] == drawn.session.state("hand", "Red") == other.session.state("hand", "Red")

    order = first_chance(drawn, "order")
    for place in (4, 0, 3, 1):
        order.apply_action(place)
    assert ["bear", "cat"] == order.session.state("pile")[1:] or "shuffle.pile" == order.session.log[-1][
        "chance"
    ]


def test_observers_see_what_their_side_sees() -> None:
    """Two states that differ in a secret bid are equal for the other side and watchers, not for its own."""
    own = envs.spiel_game(bidding())
    states = []
    for bid in (0, 3):
        state = own.new_initial_state()
        state.apply_action(bid)
        states.append(state)
    one, two = states
    for player in (0, 1):
        alike = one.observation_string(player) == two.observation_string(player)
        assert (player == 1) == (one.information_state_string(player) == two.information_state_string(player))
        assert alike and np.array_equal(one.observation_tensor(player), two.observation_tensor(player))
    public = pyspiel.IIGObservationType(private_info=pyspiel.PrivateInfoType.NONE, perfect_recall=True)
    watcher = own.make_py_observer(public)
    assert watcher.string_from(one, 0) == watcher.string_from(two, 0)
    with pytest.raises(ValueError, match="the view of one side"):
        private = pyspiel.PrivateInfoType.ALL_PLAYERS
        own.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True, private_info=private))


def test_the_end_has_rewards() -> None:
    """Of a whole game, by its result; the game is found by its name."""
    own = envs.spiel_game(game("duel"))
    state = pyspiel.load_game(own.get_type().short_name).new_initial_state()
    assert [0.0, 0.0] == state.returns()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    winner = state.session.result
    sides = game("duel").naming.domains["Side"].members
    assert [1.0 if side == winner else -1.0 for side in sides] == state.returns() or winner not in sides


def test_cut_short() -> None:
    """After so many actions a state is terminal."""
    state = envs.spiel_game(bidding(), most_actions=1).new_initial_state()
    state.apply_action(1)
    assert state.is_terminal() and [0.0, 0.0] == state.returns()


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("pettingzoo", "import rulekit.envs", "envs"),
        ("pyspiel", "from rulekit.envs import spiel_game", "openspiel"),
    ],
)
def test_a_missing_extra_is_named(module: str, name: str, extra: str) -> None:
    """`import rulekit.envs` works with the extra, and says without it what to install."""
    assert rulekit.envs.TurnsEnv is envs.TurnsEnv
    code = f"import sys; sys.modules[{module!r}] = None; {name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert 1 == done.returncode
    assert f"pip install 'rulekit[{extra}]'" in done.stderr.splitlines()[-1]
