"""Battles in whole campaigns: everything that can happen in them does, and nothing is left on the sheet."""

from __future__ import annotations

import pytest

from rulekit import ir
from rulekit.compiler.driver import Compiled
from rulekit.ir.walk import statements
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.support.build import Build
from tests.rule_sets import any_option

FILES = {"aircraft.rules", "battle-plans.rules", "battle.rules", "combat.rules", "damage.rules", "hits.rules"}

# Reached by an example, and so seldom in play at random that the campaigns here may do without.
RARE = {"draw_japanese_plans", "place_japanese_forces", "japanese_bombs"}


def covered(program: ir.Program, scenario: str, seeds: range) -> set[int]:
    """The statements that were run."""
    hit: set[int] = set()
    for seed in seeds:
        hit |= set(run_direct(program, scenario, any_option(seed), seed, build=Build(coverage=True)).covered)
    return hit


def unreached(program: ir.Program, hit: set[int]) -> set[str]:
    """Procedures of the battle with statements that were not."""
    return {
        each.name
        for each in program.procedures
        if not each.name.startswith("example:")
        for stmt in statements(each.body)
        if program.sites[stmt.site].file in FILES and stmt.site not in hit
    }


def test_campaigns_meet_everything_in_battles(fcn: Compiled) -> None:
    """All plans, losses and placements come up in random play; no kamikaze in 1942."""
    assert set() == unreached(fcn.program, covered(fcn.program, "1942", range(80))) - RARE


def test_kamikaze_come_in_1944(fcn: Compiled) -> None:
    """And are lost."""
    hit = covered(fcn.program, "1944", range(6))

    assert "japanese_bombs" not in unreached(fcn.program, hit)


@pytest.mark.parametrize("seed", range(6))
def test_battles_keep_their_promises_in_1945(fcn: Compiled, seed: int) -> None:
    """Invariants hold after every event: sides, seas, decks, plans, the sheet cleared."""
    run_direct(fcn.program, "1945", any_option(seed), seed, build=Build(invariants=True))
