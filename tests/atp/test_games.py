"""Games on the sampler, played to their end by agents without wisdom, invariants on."""

from __future__ import annotations

import pytest

from rulekit import ir
from rulekit.compiler.driver import Compiled
from rulekit.ir.types import NONE
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.support.build import Build
from tests.rule_sets import Agent, any_option, played_in_a_module

RESULTS = (0, 1, NONE)
"""Japan, the Allies, nobody."""


def first_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the first thing on offer."""
    return options[0]


def last_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the last: to decline, to stay."""
    return options[-1]


def play(program: ir.Program, scenario: str, agent: Agent, seed: int) -> object:
    """The result of a whole game, with the invariants tested after every event."""
    return run_direct(program, scenario, agent, seed, build=Build(invariants=True)).result


@pytest.mark.parametrize("scenario", ["sampler_one", "sampler_two"])
def test_random_games_end(atp: Compiled, scenario: str) -> None:
    """Nothing breaks on the way."""
    assert all(play(atp.program, scenario, any_option(seed), seed) in RESULTS for seed in range(10))


def test_a_long_game_ends(atp: Compiled) -> None:
    """Nine turns go by."""
    assert play(atp.program, "sampler_long", any_option(1), 1) in RESULTS


@pytest.mark.parametrize("agent", [first_option, last_option])
def test_agents_of_one_mind_end_too(atp: Compiled, agent: Agent) -> None:
    """Nobody has to be wise for a game to end."""
    assert play(atp.program, "sampler_two", agent, 1) in RESULTS


@pytest.mark.slow
def test_thousands_of_games(atp: Compiled) -> None:
    """As above, often, in a module that tests the invariants, too."""
    for scenario, games in (("sampler_one", 2000), ("sampler_long", 100)):
        assert played_in_a_module(atp.program, scenario, games) <= {"Japan", "Allies", None}
