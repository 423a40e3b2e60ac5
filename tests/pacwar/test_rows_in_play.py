"""Printed rules of an option show in games of it alone: without one, the same game goes another way."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.option_effects import SetOptions
from benchmarks.option_rows import rows_of

from .conftest import FOLDER

SOON = (
    "house-boats",
    "house-detection",
    "house-disclosure",
    "house-dummy-forces",
    "house-fast-fleets",
    "house-fighter-patrol",
    "house-fleet-train",
    "house-front-line",
    "house-harbor-withdrawal",
    "house-initiative",
    "house-monsoon",
    "house-oil",
    "house-penalty-time",
    "house-pursuit",
    "house-rally",
    "house-sequence",
    "house-ship-units",
    "house-spotters",
    "house-stacking",
    "house-strategic-transport",
    "house-withdrawal",
    "jsis-screen-first",
    "ksch-random-flak",
    "mst-rail-movement",
)
"""Options of which every rule shows in few games; `docs/games/examples-and-options.md` has the rest."""
MOST = 48


@cache
def set_options() -> SetOptions:
    """What is known of the rule set and its options; games are those of each test."""
    return SetOptions(FOLDER, 0)


@pytest.mark.slow
@pytest.mark.parametrize("option", SOON)
def test_every_rule_of_an_option_shows(option: str) -> None:
    """The scenarios in turn, but for the longest."""
    rows = rows_of(set_options(), option, MOST, ("the-war",))

    assert not any(rows.others.values()), rows.line()
