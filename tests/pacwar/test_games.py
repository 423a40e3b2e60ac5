"""The scenarios, played to their end by agents without wisdom, invariants on."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rulekit import ir
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import NONE
from rulekit.ir.walk import statements
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play import Game
from rulekit.runtime.support.build import Build
from tests.rule_sets import played_in_a_module

from .conftest import Compile, option_names, with_needs

Agent = Callable[[int, int, object, tuple[int, ...]], int]

OPERATIONS = ("surface-action", "air-strike", "opening", "marianas", "far-shores", "land-battles")
SHORT = (*OPERATIONS, "two-months", "china-burma")
SCENARIOS = (*SHORT, "the-war")
RESULTS = (0, 1, NONE)
"""Japan, the Allies, nobody."""


def any_option(seed: int) -> Agent:
    """An agent that takes whatever comes."""
    dice = random.Random(seed)
    return lambda choice, side, item, options: options[dice.randrange(len(options))]


def first_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the first thing on offer."""
    return options[0]


def last_option(choice: int, side: int, item: object, options: tuple[int, ...]) -> int:
    """An agent that always wants the last: to decline, to hold fire, to withdraw."""
    return options[-1]


def play(program: ir.Program, scenario: str, agent: Agent, seed: int) -> object:
    """The result of a whole game with the invariants tested after every event."""
    return run_direct(program, scenario, agent, seed, build=Build(invariants=True)).result


def play_with(pacwar: Compile, options: tuple[str, ...], scenario: str, seed: int) -> object:
    """The same, of the rules with these options."""
    return play(pacwar(options).program, scenario, any_option(seed), seed)


@pytest.mark.parametrize("scenario", SHORT)
@pytest.mark.parametrize("options", [(), ("authors",)])
def test_a_few_games(pacwar: Compile, options: tuple[str, ...], scenario: str) -> None:
    """With no house rule, or all of them, games end, and luck changes sides."""
    results = {play_with(pacwar, options, scenario, seed) for seed in range(25)}

    assert results <= set(RESULTS)
    assert len(results) > 1


def test_a_screen_that_is_left_alone_is_never_in_both_halves(pacwar: Compile) -> None:
    """Active ships part from idle ones; the screen becomes the core in a step that keeps every invariant."""
    idle = dict.fromkeys(("Tone", "Kagero", "Fubuki"), "unactivated")
    game = Game(pacwar(()).program, invariants=True)
    session = game.position(
        "part_from_idle", locals={"side": "Japan"}, given={"piece.status": idle}, scenario="surface-action"
    )

    assert idle.keys() == set(session.state("TaskForce.core", "TaskForce_1"))
    assert [] == session.state("TaskForce.screen", "TaskForce_1")


@pytest.mark.parametrize("options", [(), ("authors",)])
def test_the_war_ends(pacwar: Compile, options: tuple[str, ...]) -> None:
    """All 45 months of it."""
    assert play_with(pacwar, options, "the-war", 1) in RESULTS


@pytest.mark.parametrize("agent", [first_option, last_option])
@pytest.mark.parametrize("scenario", SHORT)
def test_agents_of_one_mind_end_too(pacwar: Compile, scenario: str, agent: Agent) -> None:
    """Nobody has to be wise for a game to end."""
    assert play(pacwar(()).program, scenario, agent, 1) in RESULTS


def test_as_printed_stops_where_two_rules_cannot_both_be_obeyed(pacwar: Compile) -> None:
    """Must fire at the one across, may not fire at it: both norms are named."""
    program = pacwar(("as-printed",)).program
    for seed in range(200):
        try:
            play(program, "surface-action", any_option(seed), seed)
        except Fault as fault:
            assert "no-legal-option" == fault.name
            assert "must_fire" in str(fault) and "battleships_far_off" in str(fault)
            return
    raise AssertionError("no game met the contradiction")


@pytest.mark.slow
@pytest.mark.parametrize("option", option_names())
def test_every_option_alone(pacwar: Compile, option: str) -> None:
    """Each option by itself, in every scenario but the longest."""
    for scenario in SHORT:
        assert play_with(pacwar, with_needs(option), scenario, 1) in RESULTS


@pytest.mark.slow
def test_combinations_of_options(pacwar: Compile) -> None:
    """Sampled sets of options, with what they need; line and limits only with the reading of both."""
    dice = random.Random(1)
    names = option_names()
    for number in range(12):
        chosen = {each for name in dice.sample(names, 12) for each in with_needs(name)}
        if {"m80-battle-line", "mst-gunnery-limits"} <= chosen:
            chosen.add("errata-line-and-limits")
        if {"m80-fortifications", "jsis-screen-first"} <= chosen:
            chosen.add("errata-fort-control")
        for scenario in SHORT:
            for seed in range(2):
                result = play_with(pacwar, tuple(sorted(chosen)), scenario, seed + 10 * number)
                assert result in RESULTS


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("authors",)])
def test_months_and_wars_in_a_module(pacwar: Compile, options: tuple[str, ...]) -> None:
    """2,000 games of two months, 200 campaigns and all else, often, with the invariants tested, too."""
    program = pacwar(options).program
    for scenario in SCENARIOS:
        games = {"two-months": 1000, "the-war": 100}.get(scenario, 200)
        found = played_in_a_module(program, scenario, games)
        assert {"Japan", "Allies"} <= found <= {"Japan", "Allies", None}


REACHED = {
    "surface-action": {
        "fight_round",
        "exchange_gunfire",
        "exchange_torpedoes",
        "line_up_both",
        "screen_attacks",
        "hunt_submarine",
        "offer_engagement",
        "land_one",
        "sink",
        "search_for",
    },
    "air-strike": {
        "strike_from_the_air",
        "patrol_attacks",
        "fire_flak",
        "take_flak",
        "strike_together",
        "bomb_shore",
        "sink",
        "submarine_attack",
    },
    "two-months": {
        "receive_income",
        "reinforce",
        "strategic_transport",
        "engineering",
        "find_supply",
        "conduct_operation",
        "call_up",
        "organize",
        "day_of_contact",
        "find_condition",
        "activate_jointly",
        "penalty_phase",
        "fight_round",
        "strike_from_the_air",
        "fly_patrols",
        "ground_attack",
        "starve",
        "month_end",
    },
    "marianas": {
        "ask_for_plan",
        "assault",
        "raid",
        "land_troops",
        "bombard_hex",
        "strike_together",
        "patrol_attacks",
        "fire_flak",
    },
    "opening": {"place_aircraft", "strike_from_the_air", "land_troops", "disband_headquarters", "regain"},
    "far-shores": {"weigh", "land_troops", "ground_attack"},
    "land-battles": {"ground_attack", "offer_retreat", "settle_victory", "pursue", "rally"},
    "china-burma": {
        "activate_single",
        "ground_attack",
        "offer_retreat",
        "rebuild",
    },
    "the-war": {
        "place_aircraft",
        "place_headquarters",
        "disband_headquarters",
        "leave_boxes",
        "send_off",
        "go_on_building",
        "start_building",
    },
}


@pytest.mark.parametrize(
    "scenario",
    [pytest.param(name, marks=pytest.mark.slow) if name == "the-war" else name for name in REACHED],
)
def test_scenarios_meet_what_they_are_for(pacwar: Compile, scenario: str) -> None:
    """Naval combat, flak, submarines, screens, guns ashore and losses happen in games at random."""
    program = pacwar(("authors",)).program
    sites = {
        each.name: {stmt.site for stmt in statements(each.body)}
        for each in program.procedures
        if each.name in REACHED[scenario]
    }
    missing = set(REACHED[scenario])
    for seed in range({"two-months": 40, "the-war": 6}.get(scenario, 60)):
        hit = run_direct(program, scenario, any_option(seed), seed, build=Build(coverage=True)).covered
        missing = {name for name in missing if not hit & sites[name]}
        if not missing:
            break

    assert not missing
