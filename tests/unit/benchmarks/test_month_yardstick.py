"""The yardstick of operations up to their battles plays the rules: the same answers, dice and states."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from benchmarks import pacwar_month
from benchmarks.plain_month import open_operation

QUESTIONS = {
    "stake", "headquarters", "size", "duration", "activation", "company", "screen_of", "loads", "forms_dummy",
    "course", "attack_by_submarine", "torpedo_victim", "goes_on", "breaks_off", "ground_move", "transferring",
    "transfer", "seeker", "shore_searched", "shore_seeker", "reacts",
}  # fmt: skip
CHANGED = {
    "place", "piece.damage", "piece.status", "Ground.aboard", "Ground.cut_off", "Ground.came_from",
    "Submarine.struck", "Headquarters.points", "Headquarters.net", "TaskForce.screen",
    "TaskForce.detected", "Hex.controller", "entries", "known_ashore", "intelligence",
}  # fmt: skip


@pytest.mark.parametrize("kind", pacwar_month.KINDS)
def test_operations_open_the_same(kind: str) -> None:
    """Direct play ends as plain Python does, from random positions: the whole state and all dice."""
    pacwar_month.same(kind, pacwar_month.plain_openings(kind, 0)(), pacwar_month.direct_openings(kind, 0)())


@pytest.mark.slow
@pytest.mark.parametrize("kind", pacwar_month.KINDS)
def test_many_operations_open_the_same(kind: str) -> None:
    """The same often enough to meet what is rare."""
    for repetition in range(1, 4):
        pacwar_month.same(
            kind,
            pacwar_month.plain_openings(kind, repetition)(),
            pacwar_month.direct_openings(kind, repetition)(),
        )


@pytest.mark.slow
def test_what_is_timed_is_whole() -> None:
    """Every question is asked, and units, forces, fronts and knowledge change."""
    asked: set[str] = set()
    changed: set[str] = set()
    for kind, seed in product(pacwar_month.KINDS, range(40)):
        choose = pacwar_month.policy(seed)

        def noting(choice: str, *rest: Any, choose: Callable[..., Any] = choose) -> Any:
            asked.add(choice)
            return choose(choice, *rest)

        before = pacwar_month.start(kind, seed)
        war = pacwar_month.plain_war(kind, seed, noting)
        open_operation(war)
        after = pacwar_month.plain_state(before, war)
        changed |= {name for name, value in before.items() if after[name] != value}

    assert QUESTIONS == asked
    assert CHANGED <= changed


def test_a_difference_is_seen() -> None:
    """The comparison would notice one point more."""
    kind = "the Slot, October 1942"
    ended = pacwar_month.plain_openings(kind, 0)()
    ended[0][1].headquarters[0].points += 1

    with pytest.raises(AssertionError, match="points"):
        pacwar_month.same(kind, ended, pacwar_month.direct_openings(kind, 0)())
