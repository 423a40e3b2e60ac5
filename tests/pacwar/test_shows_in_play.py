"""House rules show in play: the same game, with and without one, goes another way."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.option_effects import play

from .conftest import Compile, option_names, with_needs
from .positions import POSITIONS, shows

SCENARIOS = (
    "two-months",
    "marianas",
    "china-burma",
    "surface-action",
    "air-strike",
    "land-battles",
    "far-shores",
    "opening",
)
SEEDS = 12


@pytest.mark.slow
@pytest.mark.parametrize("option", [name for name in option_names() if name not in POSITIONS])
def test_an_option_shows(pacwar: Compile, option: str) -> None:
    """Both games have the same rules, dice and answers but for the option: it makes the first difference."""
    chosen = with_needs(option)
    on, off = pacwar(chosen).program, pacwar(tuple(name for name in chosen if name != option)).program
    games = product(range(SEEDS), SCENARIOS)

    assert any(play(on, seed, scenario).log != play(off, seed, scenario).log for seed, scenario in games)


@pytest.mark.slow
@pytest.mark.parametrize("option", POSITIONS)
def test_a_rare_option_shows_from_a_position(pacwar: Compile, option: str) -> None:
    """What random games seldom reach, from where it matters: the same seed, with and without the option."""
    chosen = with_needs(option)
    on, off = pacwar(chosen).program, pacwar(tuple(name for name in chosen if name != option)).program

    assert shows(POSITIONS[option], on, off, SEEDS)


def test_positions_are_for_options() -> None:
    """Every option shows in one of the two ways."""
    assert set(option_names()) >= set(POSITIONS)
