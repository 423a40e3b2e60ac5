"""Old faults of the rules: with each put back, the example beside its rule fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulekit.analysis.compile import compile_without_clashes
from rulekit.base.frozen import frozen
from rulekit.diagnostics import Report
from rulekit.runtime.play.examples import Examples

from .conftest import FOLDER, with_needs


@frozen
class OldFault:
    """How a rule was played before.

    Attributes:
        said: What was wrong, with the printed row if there is one.
        file: Where the rule stands now; its option is played, or none if it is the base's.
        now: Text of the rule that mends it; it occurs once.
        then: The text with the fault.
        example: Title of an example that fails with it.
        shown_in: File of the example, if it is another one.
    """

    said: str
    file: str
    now: str
    then: str
    example: str
    shown_in: str = ""


FAULTS = (
    OldFault(
        "coast.24: silenced batteries fire as before",
        "options/house-coastal-defense.rules",
        "when fort is reduced: battery_guns(token, range)",
        "when fort is reduced: battery_guns(battery(fort), range)",
        "until engineers repair it, the battery of Kure fires as a token",
    ),
    OldFault(
        "coast.22: twelve ports without guns",
        "base/data/map.yaml",
        "      - [Cairns_Guns, the guns of Cairns, Cairns]\n",
        "",
        "every port has guns",
        "options/house-coastal-defense.rules",
    ),
    OldFault(
        "air-attack.11: heavy bombers against installations, too",
        "options/mst-4e-ground-attack.rules",
        "redefine define troop_points",
        "redefine define ground_points",
        "against troops a heavy bomber attacks with its naval rating, and against an airfield as ever",
    ),
    OldFault(
        "fort.11: guns once passed stay passed",
        "options/m80-fortifications.rules",
        "set s.passed_guns_of to none",
        "set s.withheld to false",
        "ships that come back later meet the guns again",
    ),
    OldFault(
        "map.7: no landing at all, in place of no assault",
        "options/mst-manila.rules",
        "hex.controller is side or may_assault",
        "may_assault",
        "one's own half may be reinforced, whoever holds the other",
    ),
    OldFault(
        "defense.11: who has fled never moves again",
        "options/house-harbor-withdrawal.rules",
        "take 1 from s.fled",
        "add 0 to s.fled",
        "and is free in the month after that",
    ),
    OldFault(
        "defense.8: an enemy who closes holds a ship at anchor",
        "options/house-harbor-withdrawal.rules",
        "original(c, side, other_bid) or some s in harbor_ships(c, side)",
        "original(c, side, other_bid)",
        "and gets away, to the nearest port, though the enemy closes",
    ),
    OldFault(
        "defense.9: debts are never paid",
        "base/month/arrivals.rules",
        "        take paid from debt(side)\n",
        "",
        "the debt is paid from the next income",
        "options/house-harbor-withdrawal.rules",
    ),
    OldFault(
        "landings in the open sea",
        "base/land/landings.rules",
        "    forbid no_land: not land(hex)\n",
        "",
        "troops come ashore only where there is land",
        "examples/troops.rules",
    ),
    OldFault(
        "deactivated ships sail",
        "base/sea/task-forces.rules",
        "otherwise: every s in ships_of(f) is active",
        "otherwise: true",
        "a force stays where it is while one of its ships is done",
        "examples/campaign.rules",
    ),
    OldFault(
        "deactivated aircraft strike",
        "base/air/missions.rules",
        "where it is active and it is can_launch and it is not alerted",
        "where it is can_launch and it is not alerted",
        "a target must be within reach of an active unit",
        "examples/missions.rules",
    ),
    OldFault(
        "battle cycles after the operation's end",
        "base/cycles.rules",
        "repeat while (some u in Mobile is active), at most 90 times",
        "repeat while cycle < 30, at most 90 times",
        "an operation, step by step",
        "examples/campaign.rules",
    ),
    OldFault(
        "no losses for who attacks a garrison",
        "options/house-intrinsic-garrisons.rules",
        "    do take_losses(force, first_attacker, found.attacker, true)\n",
        "",
        "the attacker has losses, too",
    ),
    OldFault(
        "garrison.7: being broken has no effect",
        "options/house-intrinsic-garrisons.rules",
        "(1 when garrison_broken(hex) otherwise larger(1, garrison(hex, side)))",
        "larger(1, garrison(hex, side))",
        "an optional retreat breaks it, a second one is its end",
    ),
    OldFault(
        "garrison.7: it rallies under the guns of a fleet",
        "options/house-intrinsic-garrisons.rules",
        "and not blockaded(it)",
        "and not contested(it)",
        "it does not rally with an enemy in the hex",
    ),
    OldFault(
        "who withdraws and has nowhere to go is lost",
        "base/land/combat.rules",
        "        when not must: result false\n",
        "",
        "who would withdraw and has nowhere to go stays, and pays nothing",
        "examples/troops.rules",
    ),
    OldFault(
        "control.2: what is lost works on",
        "options/house-installations.rules",
        "original(side, hex, installation) and not lost_to_combat(hex, installation)",
        "original(side, hex, installation)",
        "what is lost works no longer for its side",
    ),
    OldFault(
        "nothing is ever interdicted",
        "base/month/links.rules",
        "hex.port_hits >= interdicting_hits or blockaded",
        "hex.port_hits > 59 or blockaded",
        "an interdicted headquarters calls nobody",
        "examples/cycles.rules",
    ),
    OldFault(
        "hq.1: every port is linked",
        "options/house-headquarters.rules",
        "can_be_linked(hex) and hex in in_supply",
        "can_be_linked(hex)",
        "not where no source of supply reaches",
    ),
    OldFault(
        "nobody is ever cut off",
        "base/month/links.rules",
        "            otherwise when u is not cut_off: mark u as cut_off\n",
        "",
        "troops that no source reaches are cut off",
        "examples/cycles.rules",
    ),
    OldFault(
        "no operation is the first",
        "base/month/months.rules",
        "operations <= 1 and today = Dec 1941",
        "operations > 9",
        "the first operation of the war",
        "examples/cycles.rules",
    ),
    OldFault(
        "activation.2, activation.3: joint activation is never asked",
        "base/operations.rules",
        "do activate_jointly(side)",
        "do prepare_activation(side)",
        "a battle cycle in the corner of the Solomons",
        "examples/cycles.rules",
    ),
    OldFault(
        "penalty.4: nobody can buy time",
        "options/house-penalty-time.rules",
        "original(side) or stranded(side)",
        "original(side)",
        "the reacting side may buy time if it cannot stand down in its five turns",
    ),
    OldFault(
        "penalty time never begins",
        "base/operations.rules",
        "when side = operator: cycle >= planned_cycles",
        "when side = operator: false",
        "penalty time is bought, for half of what the active units cost",
        "examples/cycles.rules",
    ),
    OldFault(
        "naval-move.4: troops alone need no declaration",
        "options/house-fast-fleets.rules",
        "to places_of(other(side))\n            - (join",
        "to {}\n            - (join",
        "troops with a ship are not alone",
    ),
    OldFault(
        "naval-move.1: only the end of a move has to be clear",
        "options/house-fast-fleets.rules",
        "(1 when clear_of_enemies(f, it) otherwise none)",
        "1",
        "the whole way must be clear",
    ),
    OldFault(
        "ground-move.8: a march in the contact phase counts",
        "base/land/movement.rules",
        "    when contact_day = 0: set u.moved_in",
        "    set u.moved_in",
        "a march in the contact phase leaves the week's move",
        "options/mst-weekly-limits.rules",
    ),
    OldFault(
        "amphib.16: combat may begin at any time",
        "base/operations.rules",
        "    when operator_done and side = reactor: grace <= 1\n",
        "",
        "no landing in an empty enemy hex when the operation is over",
        "options/house-landings.rules",
    ),
    OldFault(
        "patrol.7: nobody is asked for a fighter patrol",
        "base/cycles.rules",
        '    step patrols_fly "Fighter patrols": do fly_patrols(side)\n',
        "",
        "in its movement phase a unit is asked, and may guard its own airfield",
        "options/house-fighter-patrol.rules",
    ),
    OldFault(
        "intel.1: works in progress are open to all",
        "options/house-search-results.rules",
        "told(construction_begun) or own_works",
        "told(construction_done) or own_works",
        "works in progress are nobody else's business until they are seen",
    ),
    OldFault(
        "construction.3: nothing in play hits a building site",
        "base/land/bombardment.rules",
        "    when what is building_site: do hit_building(hex, air_on_installation(found))\n",
        "",
        "the guns of ships reach it",
        "options/mst-airfield-construction.rules",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.said)
def test_an_example_notices_the_old_fault(fault: OldFault, tmp_path: Path) -> None:
    """The set with the fault compiles, and the example, which holds in the set as it is, does not hold."""
    folder = tmp_path / "pacwar"
    shutil.copytree(FOLDER, folder)
    text = (folder / fault.file).read_text(encoding="utf-8")
    assert 1 == text.count(fault.now)
    (folder / fault.file).write_text(text.replace(fault.now, fault.then), encoding="utf-8")

    shown_in = fault.shown_in or fault.file
    options = with_needs(Path(shown_in).stem) if shown_in.startswith("options/") else ()
    program = compile_without_clashes(folder, Report(), options=options).program
    (example,) = (each for each in program.examples if each.name == fault.example)

    assert not Examples(program).run(example).passed
