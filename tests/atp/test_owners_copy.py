"""An owner's copy of full size takes the sampler's place, and the booklet's scenarios run on it."""

from __future__ import annotations

import random

import pytest

from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play import Game
from tests.atp import owners_copy
from tests.atp import sampler_counters as counters
from tests.atp.conftest import FOLDER
from tests.atp.test_games import RESULTS
from tests.rule_sets import any_option

SCENARIOS = (
    "across_the_pacific",
    "remember_pearl_harbor",
    "battle_of_midway",
    "struggle_for_guadalcanal",
    "rising_sun",
)


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """The rule set with a made-up owner's files laid over it."""
    files = owners_copy.write(tmp_path_factory.mktemp("owner"))
    return compile_rule_set(FOLDER, Report(), overlays=files)


def test_it_has_full_size(atp: Compiled, owned: Compiled) -> None:
    """3,000 hexes and three second shores; 500 units beside the markers."""
    before, now = atp.program.by_name.sizes, owned.program.by_name.sizes
    printed = sum(map(len, (counters.GROUND, counters.NAVAL, counters.AIR)))

    assert 3003 == now["space"]
    assert 500 - printed == now["piece"] - before["piece"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_of_the_booklet_runs(owned: Compiled, scenario: str) -> None:
    """To its end, three times: no step takes more work than it may, though the map is six times as large."""
    for seed in range(3):
        assert run_direct(owned.program, scenario, any_option(seed), seed).result in RESULTS


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_session_has_work_enough(owned: Compiled, scenario: str) -> None:
    """A step of a session has a thousandth of a simulated game's budget, which is enough on the large map."""
    game = Game(owned.program)
    for seed in range(8):
        session, draw = game.start(seed, scenario), random.Random(seed)
        while (asked := session.machine.asked) is not None:
            session.choose(draw.choice(asked[3]))
        assert session.over
