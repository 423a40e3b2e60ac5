"""Positions in which house rules show that random games reach too seldom, played with and without them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulekit import ir
from rulekit.runtime.play import Fault, Game

Log = list[object]
CHINA = ("Kunming", "Chungking", "Changsha", "Yenan", "Hong_Kong")
RAIDERS = ("Hiei", "Kirishima", "Maru_Convoy", "SNLF_Battalion", "Tone", "Kagero", "Fubuki")
"""The Japanese force of `surface-action`, with its troops."""


@dataclass(frozen=True)
class Position:
    """A procedure with its arguments and what is given; None stands for the states as declared."""

    at: str
    locals: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    scenario: str = ""

    def play(self, game: Game, seed: int) -> Log:
        """What is asked, offered and done, with any answers; the last entry is a fault if one stops it."""
        dice, log = random.Random(seed), list[object]()
        try:
            session = game.position(
                self.at, locals=self.locals, given=self.given, scenario=self.scenario, seed=seed
            )
            while (decision := session.decision) is not None:
                offered = [answer.value for answer in decision.legal_answers]
                log.append((decision.choice, decision.side, decision.part, offered))
                session.choose(dice.choice(offered))
        except Fault as fault:
            return [*log, fault.name]
        log += [(event.kind, event.subject, repr(sorted(event.fields.items()))) for event in session.events]
        return log


def shows(position: Position, on: ir.Program, off: ir.Program, seeds: int) -> bool:
    """True if a game with the rule goes another way than the same one without it."""
    games = Game(on), Game(off)
    return any(position.play(games[0], seed) != position.play(games[1], seed) for seed in range(seeds))


POSITIONS: Mapping[str, Position] = {
    "belevick-china-garrison": Position(
        "close_month", given={"Hex.controller": dict.fromkeys(CHINA, "Japan")}, scenario="china-burma"
    ),
    "errata-fort-control": Position(
        "engagement",
        {"hex": "Corregidor", "at_light": "Day_AM", "from_range": "medium"},
        {
            "place": dict.fromkeys(RAIDERS, "Corregidor"),
            "TaskForce.hex": {"TaskForce_1": "Corregidor"},
            "Hex.controller": {"Corregidor": "Allies", "Bataan": "Japan"},
        },
        "surface-action",
    ),
    "half-losses-down": Position(
        "settle_victory",
        {
            "hex": "Rabaul",
            "force": ["Marine_Division"],
            "first_attacker": "Marine_Division",
            "losses": 5,
            "gone": True,
        },
        {"place": {"Marine_Division": "Rabaul"}, "piece.status": {"Marine_Division": "activated"}},
    ),
    "house-alternate-decks": Position(
        "sink",
        {"s": "Shokaku"},
        {
            "AirUnit.alerted": {"Carrier_Group_5": True},
            "piece.lost": {"Carrier_Group_5": 2, "Carrier_Group_6": 4},
        },
        "air-strike",
    ),
    "house-headquarters": Position(
        "place_headquarters",
        {"side": "Japan"},
        {"Hex.controller": {"Rabaul": "Japan", "Truk": "Japan"}, "Hex.port_hits": {"Rabaul": 3}},
    ),
    "house-initiative": Position(
        "change_hands", {"side": "Japan", "hex": "Rabaul"}, {"once_japanese": {"Rabaul": True}}
    ),
    "house-installations": Position(
        "lose_installation", {"side": "Allies", "hex": "Tarakan", "retreat": "mandated"}
    ),
    "house-kamikazes": Position(
        "raid_in",
        {"date": "Oct 1944", "f": "TaskForce_2"},
        {"place": {"Kamikaze": "Rabaul"}, "piece.status": {"Kamikaze": "activated"}},
        "air-strike",
    ),
    "house-oil": Position(
        "call_up",
        {"side": "Japan", "hq": "Combined_Fleet", "call": "at_first"},
        {
            "month": "Jun 1944",
            "place": {"Nagato": "Palembang", "Combined_Fleet": "Palembang"},
            "Headquarters.points": {"Combined_Fleet": 20},
            "Hex.controller": {"Palembang": "Japan"},
        },
    ),
    "house-rally": Position(
        "rally", given={"place": {"Unit_7_4": "Rabaul"}, "broken": ["Unit_7_4"], "cut_off": ["Unit_7_4"]}
    ),
    "house-strategic-scenario": Position("place_aircraft", scenario="the-war"),
    "m80-air-strength": Position("raid_in", {"date": "Oct 1942", "f": "TaskForce_2"}, scenario="air-strike"),
    "m80-airfield-repair": Position("repair_airfields", given={"Hex.airfield_hits": {"Rabaul": 9}}),
    "m80-second-cap": Position(
        "patrol_attacks", {"side": "Allies", "wave": ["Carrier_Group_5"], "strength": 24, "together_": False}
    ),
    "mst-4e-ground-attack": Position(
        "bomb_shore",
        {"plane": "Bomber_Group_7", "hex": "Rabaul", "what": "troops"},
        {"place": {"Unit_7_4": "Rabaul"}, "Hex.controller": {"Rabaul": "Japan"}},
    ),
    "mst-airfield-construction": Position(
        "hit_building",
        {"hex": "Guadalcanal", "hits": 3},
        {
            "Hex.building": {"Guadalcanal": "Japan"},
            "Hex.building_hits": {"Guadalcanal": 2},
            "Headquarters.points": {"Combined_Fleet": 9},
        },
    ),
    "mst-amphibious-assault": Position(
        "land_troops",
        {"side": "Allies", "hex": "Rabaul"},
        {
            "operator": "Japan",
            "base_used": True,
            "place": dict.fromkeys(("Unit_6_3", "Transport_Division", "Marine_Regiment"), "Rabaul"),
            "Ground.aboard": {"Marine_Regiment": "Transport_Division"},
            "piece.status": {"Transport_Division": "activated"},
            "Hex.controller": {"Rabaul": "Japan"},
        },
    ),
    "mst-manila": Position(
        "land_troops",
        {"side": "Japan", "hex": "Bataan"},
        {
            "base_used": True,
            "place": dict.fromkeys(("Maru_Convoy", "SNLF_Battalion"), "Bataan"),
            "Ground.aboard": {"SNLF_Battalion": "Maru_Convoy"},
            "piece.status": {"Maru_Convoy": "activated"},
            "Hex.controller": {"Bataan": "Allies", "Corregidor": "Allies"},
        },
    ),
    "house-map-edge": Position(
        "leave_boxes", {"side": "Allies"}, {"box": {"Hornet": 2}, "Hex.controller": {"Oahu": "Allies"}}
    ),
    "mst-asw-damage": Position(
        "hunt_submarine",
        {"f": "TaskForce_1", "u": "I_Boats"},
        {
            "damage": {"Mahan": 2},
            "place": {"Mahan": "Rabaul"},
            "TaskForce.hex": {"TaskForce_1": "Rabaul"},
            "TaskForce.screen": {"TaskForce_1": ["Mahan"]},
        },
    ),
    "mst-port-strikes": Position(
        "bomb_shore",
        {"plane": "Bomber_Group_7", "hex": "Rabaul", "what": "port"},
        {"Hex.controller": {"Rabaul": "Japan"}},
    ),
    "mst-singapore": Position(
        "engagement",
        {"hex": "Singapore", "at_light": "Day_AM", "from_range": "medium"},
        {
            "place": {"Hiei": "Singapore", "Kagero": "Singapore"},
            "Hex.controller": {"Singapore": "Allies"},
        },
    ),
    "mst-sw-pacific-hq": Position(
        "disband_headquarters",
        {"side": "Allies"},
        {"place": {"SW_Pacific": "Manila", "ANZAC_HQ": "Townsville"}},
    ),
}
