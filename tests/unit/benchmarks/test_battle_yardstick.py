"""The yardstick of the battle turn plays the rule set's battle: the same answers, dice and states."""

from __future__ import annotations

import pytest

from benchmarks import fcn_battle


@pytest.mark.parametrize("everything", [False, True])
def test_turns_are_the_same(everything: bool) -> None:
    """Direct play ends as plain Python does, with the plans that are timed and with all there are."""
    for repetition in range(3):
        fcn_battle.same(
            fcn_battle.plain_turns(repetition, everything)(),
            fcn_battle.direct_turns(repetition, everything)(),
        )


def test_sessions_end_alike() -> None:
    """What is timed as a session ends as the yardstick does."""
    fcn_battle.same(fcn_battle.plain_turns(0)(), fcn_battle.session_turns(0)())


@pytest.mark.slow
@pytest.mark.parametrize("everything", [False, True])
def test_many_turns_are_the_same(everything: bool) -> None:
    """The same often enough to meet what is rare."""
    for repetition in range(3, 60):
        fcn_battle.same(
            fcn_battle.plain_turns(repetition, everything)(),
            fcn_battle.direct_turns(repetition, everything)(),
        )


def test_a_difference_is_seen() -> None:
    """The comparison would notice one airfield."""
    ended = fcn_battle.plain_turns(0)()
    ended[0][1].airfields[0].strength += 1

    with pytest.raises(AssertionError, match="strength"):
        fcn_battle.same(ended, fcn_battle.direct_turns(0)())
