"""The yardstick of two actions of the Pacific plays the rule set's: the same answers, dice and states."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from benchmarks import atp_action
from benchmarks.plain_pacific import War
from benchmarks.plain_pacific.war import ALLIES

QUESTIONS = {
    "mover", "way_of", "onward", "hop", "rear_area", "airlift", "overstacked", "carrier_strikers",
    "strike_station", "escort_station", "strikes", "quarry", "tasks", "engage", "bomb_targets", "shot_down",
    "to_the_core", "go_on", "stay_close", "crash_targets", "ferry_to",
}  # fmt: skip
LOST = {"Burmese", "BB", "CL", "Zero A", "P-36", "anchorage"}
AKYAB = 252


@pytest.mark.parametrize("name", atp_action.ACT)
def test_actions_are_the_same(name: str) -> None:
    """Direct play ends as plain Python does."""
    for repetition in range(3):
        atp_action.same(
            atp_action.plain_actions(name, repetition)(), atp_action.direct_actions(name, repetition)()
        )


@pytest.mark.parametrize("name", atp_action.ACT)
def test_sessions_end_alike(name: str) -> None:
    """What is timed as a session ends as the yardstick does."""
    atp_action.same(atp_action.plain_actions(name, 0)(), atp_action.session_actions(name, 0)())


@pytest.mark.slow
@pytest.mark.parametrize("name", atp_action.ACT)
def test_many_actions_are_the_same(name: str) -> None:
    """The same often enough to meet what is rare."""
    for repetition in range(3, 100):
        atp_action.same(
            atp_action.plain_actions(name, repetition)(), atp_action.direct_actions(name, repetition)()
        )


def test_what_is_timed_is_whole() -> None:
    """All but rare questions are asked; units overrun others, ships leave port, planes and ships are lost."""
    asked: set[str] = set()
    lost: set[str] = set()
    for name, seed in product(atp_action.ACT, range(100)):
        choose = atp_action.policy(seed)

        def noting(choice: str, *rest: Any, choose: Callable[..., Any] = choose) -> Any:
            asked.add(choice)
            return choose(choice, *rest)

        war = War(atp_action.board(), name, noting, seed)
        atp_action.ACT[name](war)
        lost |= {unit.name for unit in war.all_troops if unit.destroyed}
        lost |= {ship.type for ship in war.all_ships if ship.sunk}
        lost |= {plane.name for plane in war.all_planes if plane.destroyed}
        if name == "march" and not war.navy_at(war.hexes[AKYAB], ALLIES):
            lost.add("anchorage")

    assert asked >= QUESTIONS
    assert lost >= LOST


def test_a_difference_is_seen() -> None:
    """The comparison would notice one hex that has changed hands."""
    ended = atp_action.plain_actions("march", 0)()
    held = ended[0][1].held
    held[held.index(0)] = 1

    with pytest.raises(AssertionError, match="held"):
        atp_action.same(ended, atp_action.direct_actions("march", 0)())
