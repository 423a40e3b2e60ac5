"""Printed rules of options that random games seldom meet, each with a position in which it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.base.frozen import frozen

from .positions import CHINA, POSITIONS, Position

BATTERIES = {
    "Kure": ("coast.1", "Japan"),
    "Sasebo": ("coast.2", "Japan"),
    "Tokyo": ("coast.3", "Japan"),
    "Oahu": ("coast.4", "Allies"),
    "Soerabaja": ("coast.5", "Allies"),
    "Batavia": ("coast.6", "Allies"),
    "Pusan": ("coast.7", "Japan"),
    "Truk": ("coast.8", "Japan"),
    "Osaka": ("coast.9", "Japan"),
    "Ominato": ("coast.10", "Japan"),
    "Saigon": ("coast.11", "Japan"),
    "Hanoi": ("coast.12", "Japan"),
    "Port_Arthur": ("coast.13", "Japan"),
    "Pescadores": ("coast.14", "Japan"),
    "Shanghai": ("coast.15", "Japan"),
    "Hong_Kong": ("coast.16", "Allies"),
    "Colombo": ("coast.17", "Allies"),
    "Trincomalee": ("coast.18", "Allies"),
    "Calcutta": ("coast.19", "Allies"),
    "Rangoon": ("coast.20", "Allies"),
    "Anchorage": ("coast.21", "Allies"),
}
FLEETS = {"Japan": ("Hiei", "Kagero"), "Allies": ("California", "Mahan")}
OCCUPIERS = {
    "Kwantung_Army": "Peking",
    "China_Army": "Hanoi",
    "Unit_6_3": "Kunming",
    "Unit_7_4": "Hong_Kong",
    "Unit_4_10": "Changsha",
    "Guards_Division": "Chungking",
    "Division_2": "Yenan",
    "Kawaguchi_Brigade": "Nanking",
}
RAIDERS = {"Hornet": "Oahu", "Hornet_Group": "Oahu", "Doolittle_Raiders": "Oahu"}
ABOARD = {"Doolittle_Raiders": "Hornet", "Hornet_Group": "Hornet"}


@frozen
class Row:
    """A rule that shows from a position, as a game goes another way without a line of it.

    Attributes:
        rule: Its number.
        option: The option that has it.
        position: Where it matters.
        now: Text of the option, for a rule without a line that a program could leave out: a permission, an
            exception, a constant. It occurs once.
        then: The text without the rule.
    """

    rule: str
    option: str
    position: Position
    now: str = ""
    then: str = ""


def _guns(hex_: str, holder: str) -> Position:
    ships = FLEETS["Allies" if holder == "Japan" else "Japan"]
    given = {"place": dict.fromkeys(ships, hex_), "Hex.controller": {hex_: holder}}
    return Position("engagement", {"hex": hex_, "at_light": "Day_AM", "from_range": "medium"}, given)


def _raid(date: str, force: str) -> Position:
    return Position("raid_in", {"date": date, "f": force}, scenario="air-strike")


def _doolittle(at: str, deck: Mapping[str, Any]) -> Position:
    return Position(
        at, {"side": "Allies"}, {"place": RAIDERS, "AirUnit.deck": deck, "lost": {"Hornet_Group": 3}}
    )


def _bombs(what: str, plane: str = "Bomber_Command_20") -> Position:
    return Position(
        "bomb_shore",
        {"plane": plane, "hex": "Rabaul", "what": what},
        {"Hex.controller": {"Rabaul": "Japan"}},
    )


JOINT = Position(
    "call_up",
    {"side": "Japan", "hq": "China_Command", "call": "jointly"},
    {
        "place": {"China_Command": "Hankow", "China_Army": "Hankow"},
        "Headquarters.points": {"China_Command": 60},
        "Hex.controller": {"Hankow": "Japan"},
    },
)
FRESH = Position(
    "ground_phase",
    given={
        "place": dict.fromkeys(("Marine_Division", "Aussie_Brigade", "Unit_6_3"), "Rabaul"),
        "piece.status": dict.fromkeys(("Marine_Division", "Aussie_Brigade"), "activated"),
        "Ground.attacked_in": {"Marine_Division": 1},
        "Hex.controller": {"Rabaul": "Japan"},
        "operator": "Allies",
        "cycle": 1,
    },
)
TWICE = "forbid second_attack: unit.attacked_in = week "
BY_OTHERS = "forbid second_attack: some u in (Ground at hex) has u.attacked_in = week "

ROWS = (
    *(Row(rule, "house-coastal-defense", _guns(hex_, holder)) for hex_, (rule, holder) in BATTERIES.items()),
    Row("china.2", "belevick-china-garrison", POSITIONS["belevick-china-garrison"]),
    Row(
        "china.3",
        "belevick-china-garrison",
        Position(
            "close_month",
            given={
                "place": OCCUPIERS,
                "china_conquered": True,
                "Hex.controller": dict.fromkeys(CHINA, "Japan"),
            },
        ),
    ),
    Row(
        "china.12",
        "house-china",
        Position(
            "call_up",
            {"side": "Allies", "hq": "Chungking_HQ", "call": "jointly"},
            {
                "place": dict.fromkeys(("Chungking_HQ", "Red_Army", "Chinese_Army"), "Chungking"),
                "Headquarters.points": {"Chungking_HQ": 20},
                "Hex.controller": {"Chungking": "Allies"},
            },
        ),
    ),
    Row(
        "amphib.15",
        "house-landings",
        Position(
            "land_troops",
            {"side": "Allies", "hex": "Ndeni"},
            {
                "operator": "Japan",
                "grace": 2,
                "base_used": True,
                "place": dict.fromkeys(("Transport_Division", "Marine_Regiment"), "Ndeni"),
                "Ground.aboard": {"Marine_Regiment": "Transport_Division"},
                "piece.status": {"Transport_Division": "activated"},
                "Hex.controller": {"Ndeni": "Japan"},
            },
        ),
    ),
    Row("air-units.5", "house-air-units", _doolittle("transfer_aircraft", ABOARD)),
    Row("air-units.6", "house-air-units", _doolittle("transfer_aircraft", {})),
    Row("air-units.7", "house-air-units", _doolittle("replace_aircraft", ABOARD)),
    Row("air-units.8", "house-air-units", _doolittle("replace_aircraft", ABOARD)),
    Row(
        "experience.1",
        "house-experience",
        Position(
            "bomb",
            {"plane": "Carrier_Group_7", "target": "Fletcher", "strength": 19},
            {"place": {"Fletcher": "Slot"}},
        ),
    ),
    Row(
        "experience.2",
        "house-experience",
        Position(
            "teach",
            {"side": "Japan"},
            {
                "place": {"Kaohsiung_Group": "Truk"},
                "Hex.controller": {"Truk": "Japan"},
                "replacements": [[["Japan", "level_0"], 4]],
            },
        ),
        "redefine value taught_steps: 3",
        "redefine value taught_steps: 2",
    ),
    Row("hq.1", "house-headquarters", POSITIONS["house-headquarters"]),
    Row(
        "garrison.2",
        "house-intrinsic-garrisons",
        _bombs("troops", "Bomber_Group_7"),
        "value garrison_quality: 2 ",
        "value garrison_quality: 9 ",
    ),
    Row(
        "activation.1",
        "house-joint-activation",
        JOINT,
        "total basic_cost in chosen",
        "(total of counted_cost(u, hq, call) for u in chosen)",
    ),
    Row(
        "activation.3",
        "house-joint-activation",
        JOINT,
        "total basic_cost in chosen",
        "(total of price(u, hq, call) for u in chosen)",
    ),
    Row("kamikaze.1", "house-kamikazes", POSITIONS["house-kamikazes"]),
    Row(
        "repair.2",
        "house-repair-costs",
        Position(
            "engineering",
            {"side": "Japan"},
            {
                "place": {"Combined_Fleet": "Truk"},
                "Headquarters.points": {"Combined_Fleet": 20},
                "Hex.controller": {"Palembang": "Japan"},
                "Hex.wells_lost": {"Palembang": 45},
            },
        ),
        "    remove norm partly of choice wells_repaired                                 [repair.2]\n",
        "",
    ),
    Row(
        "intel.4",
        "house-search-results",
        Position(
            "search_for",
            {"unit": "Flying_Boats", "f": "TaskForce_2"},
            {"TaskForce.core": {"TaskForce_2": []}, "TaskForce.screen": {"TaskForce_2": []}},
            "surface-action",
        ),
    ),
    Row(
        "strategic-scenario.4",
        "house-strategic-scenario",
        Position(
            "reinforce",
            {"side": "Allies"},
            {"month": "Apr 1942", "place": {"India_HQ": "Calcutta", "South_Pacific_HQ": "Noumea"}},
        ),
    ),
    Row(
        "subs.1",
        "house-submarine-attacks",
        Position(
            "submarines_strike",
            {"f": "TaskForce_1"},
            {"place": {"Squadron_7": "New_Georgia"}, "Submarine.struck": {"Squadron_7": ["TaskForce_1"]}},
            "surface-action",
        ),
    ),
    Row(
        "subs.10",
        "mst-asw-screen",
        Position(
            "submarines_strike",
            {"f": "TaskForce_1"},
            {"place": {"Squadron_7": "New_Georgia"}},
            "surface-action",
        ),
        "result u.aimed ",
        "result aimed ",
    ),
    Row(
        "subs.16",
        "house-submarine-rulings",
        Position(
            "return_submarines",
            given={
                "place": {"I_Boats": "Solomon_Sea"},
                "Hex.controller": {"Rabaul": "Japan", "Shortland": "Japan"},
                "Hex.port_hits": {"Shortland": 3},
            },
        ),
        "friendly_ports(u.side) where it is not interdicted ",
        "friendly_ports(u.side) ",
    ),
    Row("flak-phase.6", "jsis-flak-phase-in", _raid("Dec 1942", "TaskForce_2")),
    Row("flak-phase.7", "jsis-flak-phase-in", _raid("Mar 1943", "TaskForce_2")),
    Row("flak-phase.9", "jsis-flak-phase-in", _raid("Feb 1943", "TaskForce_1")),
    Row("flak-phase.10", "jsis-flak-phase-in", _raid("Jun 1943", "TaskForce_1")),
    Row("flak-phase.11", "jsis-flak-phase-in", _raid("Dec 1943", "TaskForce_1")),
    Row(
        "task-force.2",
        "jsis-task-force-core",
        Position(
            "organize",
            {"side": "Japan", "ships": ["Kagero", "Fubuki", "Hiei", "Kirishima"], "hex": "Shortland"},
            {
                "place": dict.fromkeys(
                    ("Kagero", "SNLF_Battalion", "Fubuki", "Hiei", "Kirishima"), "Shortland"
                ),
                "Ground.aboard": {"SNLF_Battalion": "Kagero"},
            },
        ),
    ),
    Row(
        "naval-combat.22",
        "m80-battle-line",
        Position(
            "meet", {"hex": "Slot", "at_light": "Night", "from_range": "medium"}, scenario="surface-action"
        ),
        "        unless light is Night                                                   [naval-combat.22]\n",
        "",
    ),
    Row(
        "defense.6",
        "m80-defense-modifiers",
        Position(
            "engagement",
            {"hex": "Slot", "at_light": "Day_AM", "from_range": "medium"},
            {"place": dict.fromkeys(("Yamato", "California", "Washington"), "Slot")},
        ),
    ),
    Row(
        "construction.1",
        "mst-airfield-construction",
        Position(
            "hit_building",
            {"hex": "Guadalcanal", "hits": 1},
            {
                "Hex.building": {"Guadalcanal": "Allies"},
                "place": {"Seabees": "Guadalcanal"},
                "broken": ["Seabees"],
            },
        ),
        "    replace procedure watch_building:\n",
        "    replace procedure watch_building:\n        do original(hex)\n",
    ),
    *(
        Row(rule, "mst-airfield-construction", POSITIONS["mst-airfield-construction"])
        for rule in ("construction.2", "construction.3", "construction.4")
    ),
    Row(
        "map.3",
        "mst-manila",
        Position(
            "move_ground",
            {"side": "Allies"},
            {
                "place": {"Philippine_Division": "Bataan"},
                "piece.status": {"Philippine_Division": "activated"},
                "Hex.controller": {"Bataan": "Allies", "Corregidor": "Allies"},
            },
        ),
    ),
    Row("air-attack.7", "mst-port-strikes", _bombs("port")),
    Row("air-attack.8", "mst-port-strikes", _bombs("port")),
    Row(
        "air-attack.10",
        "mst-port-strikes",
        Position(
            "bomb_shore",
            {"plane": "Carrier_Group_1", "hex": "Oahu", "what": "port"},
            {"operations": 1, "month": "Dec 1941", "Hex.controller": {"Oahu": "Allies"}},
        ),
    ),
    Row(
        "air-units.1",
        "mst-range-of-4e",
        Position(
            "air_missions",
            {"side": "Allies"},
            {
                "month": "Jun 1942",
                "place": {"Bomber_Group_5": "Oahu", "Hiei": "Midway"},
                "piece.status": {"Bomber_Group_5": "activated"},
                "Hex.controller": {"Oahu": "Allies", "Midway": "Japan"},
            },
        ),
        "        from Jun 1942: 22 ",
        "        from Jun 1942: 26 ",
    ),
    Row("ground-move.11", "mst-weekly-limits", FRESH, TWICE, BY_OTHERS),
    Row("ground-move.12", "mst-weekly-limits", FRESH, TWICE, BY_OTHERS),
)
