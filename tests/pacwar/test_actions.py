"""Single actions from the command line: surface actions in every band and light, air attacks by month."""

from __future__ import annotations

import re

import pytest

from tests.unit.cli.running import rulekit

from .conftest import FOLDER

TARGETING = [
    "--with=m80-battle-line",
    "--with=mst-gunnery-limits",
    "--with=errata-line-and-limits",
    "--with=m80-defense-modifiers",
    "--with=jsis-screen-first",
]


def surface_action(light: str, band: str, seed: int, *more: str) -> str:
    """What is told of an action under the guns of Florida."""
    ran = rulekit(
        "run",
        FOLDER,
        "meet",
        "--scenario=surface-action",
        "--set=hex=Florida",
        f"--set=at_light={light}",
        f"--set=from_range={band}",
        "--agents=random",
        f"--seed={seed}",
        *TARGETING,
        *more,
    )
    assert (0, "") == (ran.code, ran.err)
    return ran.out


def air_attack(month: str) -> str:
    """What is told of an attack on the American task force in that month."""
    ran = rulekit(
        "run",
        FOLDER,
        "raid_in",
        "--scenario=air-strike",
        f"--set=date={month}",
        "--set=f=TaskForce_2",
        "--seed=1",
        "--with=jsis-flak-phase-in",
    )
    assert (0, "") == (ran.code, ran.err)
    return ran.out


@pytest.mark.parametrize("light", ["Day_PM", "Night"])
def test_a_surface_action_is_explained(light: str) -> None:
    """Rounds, lines and fire are told with the rows behind them, in each band."""
    for band in ("long", "medium", "short"):
        told = surface_action(light, band, seed=4)

        assert "Round of naval combat" in told and "the guns of Florida Island" in told
        assert "naval-combat.8" in told and "ships in the line" in told


def test_the_strength_of_fire_is_explained() -> None:
    """With `--explain`, each modifier of a gun's strength has its row: night and thick sides."""
    told = surface_action("Night", "medium", 4, "--explain")

    assert re.search(r"gun strength \(.*\): 2 → 0\n", told)
    assert re.search(r"naval-combat\.6 +- slow big guns: ", told)
    assert re.search(r"defense\.1 +\* thick sides: -2\n", told)


@pytest.mark.parametrize(
    ("month", "shift"), [("Jul 1942", ""), ("Sep 1942", " +3 "), ("Jan 1943", " +2 "), ("Jun 1944", "")]
)
def test_flak_of_the_month(month: str, shift: str) -> None:
    """The die of the Allies is shown with what the month adds to it."""
    lines = [line for line in air_attack(month).splitlines() if "flak for Allies:" in line]

    assert 1 == len(lines)
    assert ("+" in lines[0]) == bool(shift)
    assert shift in lines[0]
