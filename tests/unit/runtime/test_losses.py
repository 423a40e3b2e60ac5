"""Losses in the course of simulated games: by the clock, alike for all ways to play."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulekit.reports.simulation.asking import Simulator
from rulekit.runtime.play import Decision, LegalAnswer, Session
from rulekit.runtime.simulation import running
from rulekit.runtime.simulation.results import Simulation
from rulekit.runtime.simulation.tally import Tally, tally_of

RULES = """
enum Side: Red, Blue
space Sea:
    members Here
piece Buoy:
    members Bell, Light
piece Boat from "boats.yaml":
    side: Side
state day: 1..4 = 1
state storm: flag
choice sink(side) by side:
    pick one boat from (Boat at Here where its side is side), or none
scenario morning:
    move Boat to Here
sequence play:
    repeat 3 times:
        phase day "A day" for each side in Side, Red first:
            step sinking "Sinking":
                choose sink(side) as boat
                when boat is not none: remove boat
        when storm: remove (Boat at Here where its side is Blue)
        add 1 to day
"""
BOATS = """format: 1
populations:
  Boat:
    columns: [name, side]
    rows:
      - [A, Red]
      - [B, Red]
      - [C, Blue]
      - [D, Blue]
      - [E, Blue]
"""
GAMES = 40


@pytest.fixture
def simulator(tmp_path: Path) -> Simulator:
    """A set of boats that are sunk, one by each side on each day; its buoys are nobody's."""
    (tmp_path / "boats.yaml").write_text(BOATS)
    (tmp_path / "t.rules").write_text(RULES)
    (tmp_path / "ruleset.yaml").write_text('id: t\ntitle: T\nlanguage: "0.2"\nsequence: play\n')
    return Simulator(tmp_path)


def played(simulator: Simulator, agents: Any = "random", **changes: Any) -> tuple[Simulation, Tally]:
    """Games by the clock `day`, and their tally."""
    of = ("lost Red", "lost Blue")
    plan, names = simulator.plan(of, where="", scenario=None, agents=agents, seed=3, clock="day")
    tally = running.run(plan, GAMES, **{"workers": 1, **changes})
    return Simulation(plan, names, tally), tally


def first(session: Session, decision: Decision) -> LegalAnswer:
    """The first legal answer, by an agent that plays in sessions."""
    return decision.legal_answers[0]


def test_each_day_has_what_was_lost_by_its_end(simulator: Simulator) -> None:
    """The first legal boat of each side is sunk on each day: Red has two, Blue three."""
    simulation, tally = played(simulator, "first-legal")

    assert [(2, 3, ((1, (1, 1)), (2, (2, 2)), (3, (2, 3)), (4, (2, 3))))] == [end for end, _ in tally.ends(0)]
    means = {side: [mean.value for mean in by.values()] for side, by in simulation.losses().items()}
    assert {"Red": [1, 2, 2, 2], "Blue": [1, 2, 3, 3]} == means


def test_means_are_those_of_single_games(simulator: Simulator) -> None:
    """At random: the losses at the end are the measures `lost`, and each mean is that of all games."""
    simulation, tally = played(simulator)
    ends = Counter[Any]()
    for end, entry in tally.ends(0):
        assert isinstance(end, tuple)
        red, blue, history = end
        ends[history] += entry.count
        assert (red, blue) == history[-1][1]
        assert [1, 2, 3, 4] == [day for day, _ in history]

    losses = simulation.losses()
    assert 1 < len(ends)
    for place, side in enumerate(("Red", "Blue")):
        sums = [sum(count * h[day][1][place] for h, count in ends.items()) for day in range(4)]
        assert [sum_ / GAMES for sum_ in sums] == pytest.approx([m.value for m in losses[side].values()])


def test_all_ways_to_play_count_alike(simulator: Simulator) -> None:
    """Sessions and direct games, one process and two; as plain JSON, too."""
    _, direct = played(simulator, "first-legal")
    _, sessions = played(simulator, first)
    assert direct.entries == sessions.entries

    _, alone = played(simulator)
    _, shared = played(simulator, workers=2, chunk=3)
    assert alone.entries == shared.entries
    assert alone.entries == tally_of(alone.json()).entries


def test_without_a_clock_no_losses_are_kept(simulator: Simulator) -> None:
    """The ends of games have the measures alone, and a file of games is of one clock."""
    plan, names = simulator.plan(("lost Red",), where="", scenario=None, agents="random", seed=3)
    timed, _ = simulator.plan(("lost Red",), where="", scenario=None, agents="random", seed=3, clock="day")
    simulation = Simulation(plan, names, running.run(plan, 3, workers=1))

    assert {} == simulation.losses()
    assert {1} == {len(end) for end, _ in simulation.tally.ends(0) if isinstance(end, tuple)}
    assert plan.identity() != timed.identity()
