"""The extended example notices the rules that it shows: some of it fails where a rule is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rule_sets import caught

FOLDER = Path(__file__).parents[2] / "rules" / "fcn"

CHANGES = {
    "the damaged one of equals first": (
        "hits.rules",
        "when side is Japan and (some t in hurt): hurt",
        "when side is Japan and (some t in worn(all)): worn(all)",
    ),
    "the cheapest first": (
        "hits.rules",
        "let cheapest = all with lowest worth(it)",
        "let cheapest = all with highest worth(it)",
    ),
    "airfields are worth one": (
        "hits.rules",
        "when t is AirfieldCounter: 1  ",
        "when t is AirfieldCounter: 3  ",
    ),
    "infantry is met first": (
        "hits.rules",
        "    when met: dug_in(side) + usable(side)",
        "    when true: dug_in(side) + usable(side)",
    ),
    "a sortie takes one infantry": (
        "orders.rules",
        "| 10   | -      | Sortie    | 3     | 1",
        "| 10   | -      | Sortie    | 3     | 2",
    ),
    "the last unit stays": (
        "orders.rules",
        "otherwise: larger(0, count of grounds(area, Japan) - 1)",
        "otherwise: 200",
    ),
    "battalions for missing infantry": (
        "orders.rules",
        "let lacking = row.troops - count of troops",
        "let lacking = 0",
    ),
    "one escort for a carrier": (
        "battle.rules",
        "repeat while some s in left and guarding < number:",
        "repeat while some s in left and guarding <= number:",
    ),
    "AAA of Ship Combat": (
        "battle-plans.rules",
        "| Ship_Combat       | flak                                          | 3     | 2",
        "| Ship_Combat       | flak                                          | 0     | 2",
    ),
    "guns of Ship Combat": (
        "battle-plans.rules",
        "| Ship_Combat       | gunfire                                       | 3     | 2",
        "| Ship_Combat       | gunfire                                       | 3     | 0",
    ),
    "bombers go where aircraft are": (
        "aircraft.rules",
        "when zone is not Island: false\n    when some a in air_force(US): true",
        "when zone is not Island: false\n    when some a in air_force(US): false",
    ),
    "No Contact": (
        "aircraft.rules",
        "    forbid no_contact: zone is Japanese_Ocean when in_play(No_Contact) > 0 [plans-jp.24]\n",
        "",
    ),
    "damaged carriers": (
        "aircraft.rules",
        "(0 when c is damaged otherwise length(air_group(c)))",
        "length(air_group(c))",
    ),
    "damaged forces lower the roll": (
        "home.rules",
        "modifier damaged_forces on roll new_forces: -count of worn_forces",
        "modifier damaged_forces on roll new_forces: -0",
    ),
    "resupply counters raise it": (
        "home.rules",
        "modifier resupplied on roll new_forces: +resupply",
        "modifier resupplied on roll new_forces: +0",
    ),
    "no attack from the beach": (
        "combat.rules",
        "for each s in Soldiers at Japanese_Foxholes",
        "for each s in Soldiers at {Japanese_Foxholes, Japanese_Beach}",
    ),
    "two turns": (
        "battle.rules",
        "    repeat while turns_left > 0 and joined",
        "    repeat while turns_left > 1 and joined",
    ),
    "a scout costs a point": (
        "scouting.rules",
        "        take 1 from points(Supply)                                  [scouting.2]\n",
        "",
    ),
    "the price of a carrier": (
        "resupply.rules",
        "when f is Ship and f is carrier: f.buy",
        "when f is Ship and f is carrier: f.cost",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", CHANGES)
def test_a_changed_rule_is_noticed(rule: str, tmp_path: Path) -> None:
    """At least one example of the file fails."""
    assert caught(FOLDER, tmp_path / "copy", "extended.rules", CHANGES[rule])
