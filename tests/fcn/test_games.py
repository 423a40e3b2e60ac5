"""Whole campaigns: they end with an evaluation, and nothing breaks on the way."""

from __future__ import annotations

import pytest

from rulekit import ir
from rulekit.compiler.driver import Compiled
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.support.build import Build
from tests.rule_sets import Agent, any_option, played_in_a_module


def first_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the first thing on offer: to buy, to scout, to move to the West Coast."""
    return options[0]


def last_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the last: to decline."""
    return options[-1]


def play(program: ir.Program, scenario: str, agent: Agent, seed: int) -> str:
    """The evaluation of a whole campaign, with the invariants tested after every event."""
    found = run_direct(program, scenario, agent, seed, build=Build(invariants=True)).result
    assert isinstance(found, int)
    levels = next(domain for domain in program.domains if domain.name == "Evaluation")
    return levels.members[found]


EVALUATIONS = {"Great", "Good", "Historical", "Poor", "Replaced", "Hawaii_Lost"}


@pytest.mark.parametrize("seed", range(20))
def test_a_random_campaign_ends(fcn: Compiled, seed: int) -> None:
    """Six turns go by, or fewer, and the player is judged."""
    assert play(fcn.program, "1942", any_option(seed), seed) in EVALUATIONS


@pytest.mark.parametrize("agent", [first_option, last_option])
def test_agents_of_one_mind_end_too(fcn: Compiled, agent: Agent) -> None:
    """Nobody has to be wise for a campaign to end."""
    assert play(fcn.program, "1942", agent, 1) in EVALUATIONS


@pytest.mark.parametrize("scenario", ["1943", "1944", "1945"])
@pytest.mark.parametrize("seed", range(4))
def test_later_campaigns_end(fcn: Compiled, scenario: str, seed: int) -> None:
    """With the counters of the sampler."""
    assert play(fcn.program, scenario, any_option(seed), seed) in EVALUATIONS


@pytest.mark.parametrize("seed", range(3))
def test_a_series_ends(fcn: Compiled, seed: int) -> None:
    """Linked campaigns end where one is lost, or with the sum of all four."""
    assert play(fcn.program, "linked", any_option(seed), seed) in EVALUATIONS | {"Dismal"}


@pytest.mark.slow
def test_five_thousand_campaigns(fcn: Compiled) -> None:
    """As above, often, in a module that tests the invariants, too."""
    found = played_in_a_module(fcn.program, "1942", 5000)

    assert found <= EVALUATIONS
    assert len(found) > 1
