"""What a check shows as an example is one: put into the rules it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints.norms import exhausted_choice
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.runtime.play.examples import Examples
from rulekit.testing import compile_text

PACWAR = Path(__file__).parents[4] / "rules" / "pacwar"
RULES = """
enum Side: Red, Blue
space Port:
    members North, South
piece Ship:
    members Alpha, Beta
    side: Side = (Red when it is Alpha otherwise Blue)
    state hits: 0..9
    state seen(side): flag
group Fleet, at most 2:
    ships: set of Ship
state night: flag
state turn: 1..9 = 1
choice harbour(ship, side) by side:
    pick one port from Port
    forbid far: ship.place is not port when night
    forbid late: turn > 3 and ship.hits > 2 when not night
define fleet_of(side) -> set of Ship: (Ship where its side is side)
choice aim(side) by side:
    assign each shooter in fleet_of(side) one target from fleet_of(other(side)), or none
    forbid must_fire: declining
    forbid unseen: not target.seen(side)
choice flagship(fleet: Fleet) by Red:
    pick one ship from fleet.ships
    forbid hurt: ship.hits > 3
"""


def holds(text: str, example: str) -> bool:
    """Whether an example of a rule set holds."""
    made = compile_text(f"{text}\n{example}")
    assert made.program is not None, [found.message for found in made.findings]
    return all(result.passed for result in Examples(made.program).all())


def test_every_situation_is_an_example() -> None:
    """Of pieces at places, flags by side, numbers, sets of groups: each ends in the fault."""
    made = compile_text(RULES)
    found = [each for each in made.findings if each.example]

    assert ["RK510", "RK511", "RK510"] == [each.kind.code for each in found]
    for each in found:
        assert holds(RULES, each.example), each.example


@pytest.mark.slow
def test_two_authors_of_a_house_rule() -> None:
    """The line of battle against the limits of gunnery, shown with both printed rules."""
    options = ("m80-battle-line", "mst-gunnery-limits")
    compiled = compile_rule_set(PACWAR, Report(), options=options)
    (found,) = (each for each in exhausted_choice.lint(Inspection(compiled)) if each.kind.code == "RK511")

    assert ("choice gun_targets", "must_fire") == found.key[:2]
    marks = [found.under, *(label.text for label in found.labels)]
    assert ["[naval-combat.13] by M80", "[naval-combat.3] by Mst"] == marks
    assert "given Combat_1.engaged = {" in found.example
