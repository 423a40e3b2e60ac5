"""House rules show in play: the same game, with and without one, goes another way."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.option_effects import play

from .conftest import Compile, option_names, with_needs

SCENARIOS = ("two-months", "marianas", "china-burma", "surface-action", "air-strike")
SEEDS = 3
RARE = frozenset((  # random games of these scenarios need more than these seeds, or the whole war
    "belevick-china-garrison", "errata-fort-control", "half-losses-down", "house-headquarters",
    "house-initiative", "house-installations", "house-kamikazes", "house-oil", "house-rally",
    "house-strategic-scenario", "m80-air-strength", "m80-airfield-repair", "m80-second-cap",
    "mst-4e-ground-attack", "mst-airfield-construction", "mst-amphibious-assault", "mst-manila",
    "mst-port-strikes", "mst-singapore", "mst-sw-pacific-hq",
))  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("option", [name for name in option_names() if name not in RARE])
def test_an_option_shows(pacwar: Compile, option: str) -> None:
    """Both games have the same rules, dice and answers but for the option: it makes the first difference."""
    chosen = with_needs(option)
    on, off = pacwar(chosen).program, pacwar(tuple(name for name in chosen if name != option)).program
    games = product(range(SEEDS), SCENARIOS)

    assert any(play(on, seed, scenario).log != play(off, seed, scenario).log for seed, scenario in games)


def test_what_is_rare_is_an_option() -> None:
    """None is listed that is none."""
    assert set(option_names()) >= RARE
