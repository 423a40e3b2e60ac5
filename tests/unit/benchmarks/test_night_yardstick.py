"""The yardstick of nights at sea plays the rules of Pacific War: the same answers, dice and states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks import pacwar_night
from benchmarks.plain_night import Sea, fight_nights

QUESTIONS = {
    "patrol_line", "course", "joins", "attack_by_submarine", "torpedo_victim", "seeker", "commit", "bid",
    "gun_targets", "torpedo_targets", "retires_to",
}  # fmt: skip


@pytest.mark.parametrize("prepare", [pacwar_night.direct_nights, pacwar_night.session_nights])
def test_nights_are_the_same(prepare: Callable[[str, int], Callable[[], Any]]) -> None:
    """Direct play and sessions end as plain Python does."""
    for repetition in range(3):
        pacwar_night.same(pacwar_night.plain_nights("night", repetition)(), prepare("night", repetition)())


@pytest.mark.slow
def test_many_nights_are_the_same() -> None:
    """The same often enough to meet what is rare."""
    for repetition in range(3, 60):
        pacwar_night.same(
            pacwar_night.plain_nights("night", repetition)(),
            pacwar_night.direct_nights("night", repetition)(),
        )


def test_what_is_timed_is_whole() -> None:
    """Every question is asked; ships of both sides, submarines and guns ashore are hit, and ships sink."""
    asked: set[str] = set()
    hit: set[str] = set()
    for seed in range(200):
        choose = pacwar_night.policy(seed)

        def noting(choice: str, *rest: Any, choose: Callable[..., Any] = choose) -> Any:
            asked.add(choice)
            return choose(choice, *rest)

        sea = Sea(pacwar_night.chart(), noting, seed)
        fight_nights(sea)
        hit |= {f"ship of {ship.side}" for ship in sea.all_ships if ship.damage}
        hit |= {"sunk" for ship in sea.all_ships if ship.place is None}
        hit |= {"boats" for boats in sea.boats if boats.hits}
        hit |= {"guns" for fort in sea.forts.values() if fort.damage}

    assert QUESTIONS == asked
    assert {"ship of 0", "ship of 1", "sunk", "boats", "guns"} == hit


def test_a_difference_is_seen() -> None:
    """The comparison would notice one hit more."""
    ended = pacwar_night.plain_nights("night", 0)()
    ended[0][1].all_ships[0].damage += 1

    with pytest.raises(AssertionError, match="damage"):
        pacwar_night.same(ended, pacwar_night.direct_nights("night", 0)())
