"""Whole games: they end, and nothing breaks on the way."""

from __future__ import annotations

import pytest

from rulekit import ir
from rulekit.compiler.driver import Compiled
from rulekit.ir.types import NONE
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.support.build import Build
from tests.rule_sets import Agent, any_option, played_in_a_module

JAPAN, ALLIES = 0, 1


def first_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the first thing on offer: to move, to fight by day, to stay."""
    return options[0]


def last_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the last: to decline, to fight by night, to retreat."""
    return options[-1]


def play(program: ir.Program, agent: Agent, seed: int) -> object:
    """The result of a whole game with the invariants tested after every event."""
    return run_direct(program, "dec_1941", agent, seed, build=Build(invariants=True)).result


@pytest.mark.parametrize("seed", range(20))
def test_a_random_game_ends(vitp: Compiled, seed: int) -> None:
    """Eight turns go by, all invariants hold, and Japan, the Allies or nobody has won."""
    assert play(vitp.program, any_option(seed), seed) in (JAPAN, ALLIES, NONE)


@pytest.mark.parametrize("agent", [first_option, last_option])
def test_agents_of_one_mind_end_too(vitp: Compiled, agent: Agent) -> None:
    """A game does not wait for wisdom: nobody has to retreat, or to want the other action, for it to end."""
    assert play(vitp.program, agent, 1) in (JAPAN, ALLIES, NONE)


@pytest.mark.slow
def test_five_thousand_games(vitp: Compiled) -> None:
    """As above, often, in a module that tests the invariants, too."""
    assert played_in_a_module(vitp.program, "dec_1941", 5000) == {"Japan", "Allies", None}
