"""The examples of the Coral Sea notice the rules that they show: they fail where a rule is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rule_sets import caught

FOLDER = Path(__file__).parents[2] / "rules" / "vitp"

CHANGES = {
    "gunnery of a crippled ship": (
        "combat.rules",
        "when s is crippled: smaller(s.gunnery, 1)",
        "when s is crippled: s.gunnery",
    ),
    "airstrike of a crippled ship": (
        "combat.rules",
        "when a is crippled: 0",
        "when a is crippled: a.airstrike",
    ),
    "speed of a damaged ship": ("combat.rules", "larger(1, v.speed - v.damage)", "v.speed"),
    "bonus for control": (
        "combat.rules",
        "+1 when area.controller is side",
        "+0 when area.controller is side",
    ),
    "bonus for day": ("combat.rules", "+1 when wanted is Day", "+0 when wanted is Day"),
    "amphibious units at night": (
        "combat.rules",
        "unless every e in ships(b, other(side)) is chosen",
        "unless every e in gunners(b, other(side)) is chosen",
    ),
    "no bonus against air units": (
        "combat.rules",
        "    unless target is AirUnit                                                    [7.53, 12.22]\n",
        "",
    ),
    "sunk beyond the armor": (
        "combat.rules",
        "otherwise: points > u.armor                                                 [7.551]",
        "otherwise: points >= u.armor [7.551]",
    ),
    "bonus of a damaged ship": ("combat.rules", "and a.damage = 0", "and a.damage >= 0"),
    "bonus of a submarine": (
        "submarines.rules",
        "modifier torpedo_bonus on roll torpedo: +1",
        "modifier torpedo_bonus on roll torpedo: +0",
    ),
    "pursuers that are too slow": (
        "retreats.rules",
        "forbid too_slow: speed_now(hunter) < group_speed(quarry)",
        "forbid too_slow: speed_now(hunter) < 1",
    ),
    "air units without a base": (
        "capture.rules",
        "    do ground_air_units                                                         [14.3:2]\n",
        "    do sink_hulks\n",
    ),
    "raiders do not control": ("control.rules", "is patrolling: true", "is Ship: true"),
    "a five disables": ("combat.rules", "| 5    | disables     ", "| 5    | -            "),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", CHANGES)
def test_a_changed_rule_is_noticed(rule: str, tmp_path: Path) -> None:
    """At least one example of the file fails."""
    assert caught(FOLDER, tmp_path / "copy", "coral-sea.rules", CHANGES[rule])
