"""The map, the counters and the tables, read once: nothing here changes in play."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

Row = dict[str, Any]
BY_NUMBER = attrgetter("number")
JAPAN, ALLIES = 0, 1
SIDES = ("Japan", "Allies")
JAPANESE_REGIONS = {
    "Japan_proper", "Korea", "Manchukuo", "Formosa", "Indochina", "Malaya", "Burma", "Dutch_East_Indies",
    "Luzon", "Philippines",
}  # fmt: skip
JAPANESE_PLACES = {
    "Truk", "Saipan", "Guam", "Palau", "Ulithi", "Kwajalein", "Eniwetok", "Majuro", "Tarawa", "Wake",
    "Rabaul", "Gasmata", "Kavieng", "Manus", "Bougainville", "Shortland", "New_Georgia", "Lae", "Buna",
    "Wewak", "Hollandia", "Biak", "Attu", "Kiska",
}  # fmt: skip
FREE_CHINA = {"Kunming", "Chungking", "Changsha", "Yenan"}
FORTRESSES = {"Singapore", "Corregidor", "Florida"}
EYES = {"LRA": "long_range"}
FARTHEST_SIGHT = 8


class Hex:
    """A hex, with the hexes to which ships sail from it, in their order.

    Attributes:
        base: Whether it has a port or an airfield.
        holder: Whose it is in November 1942; None for the sea.
        near: All hexes around it, in their order; `ways` are those of them with open water.
        at_sea_speed: Where a force may sail in a movement phase.
    """

    __slots__ = (
        "at_sea_speed", "base", "holder", "name", "near", "number", "port", "row", "slant", "towards",
        "water", "ways",
    )  # fmt: skip

    def __init__(self, number: int, row: Row) -> None:
        self.number = number
        self.name: str = row["name"]
        self.row, column = divmod(int(row["coordinate"] or self.name), 100)
        self.slant = column - self.row // 2
        self.water: str = row["water"]
        self.port: bool = row["port"]
        self.base = self.port or row["launch"] > 0
        self.holder = None if row["terrain"] == "none_at_all" else holder_of(self.name, row["region"])
        self.near: list[Hex] = []
        self.ways: list[Hex] = []
        self.at_sea_speed: list[Hex] = []
        self.towards: dict[Hex, list[Hex]] = {}


def holder_of(name: str, region: str) -> int:
    """Late in 1942: Japan from Burma to the Gilberts and down to the Solomons."""
    if region in JAPANESE_REGIONS or name in JAPANESE_PLACES:
        return JAPAN
    return JAPAN if region == "China" and name not in FREE_CHINA else ALLIES


def apart(a: Hex, b: Hex) -> int:
    """Hexes as the crow flies."""
    across, up = a.slant - b.slant, a.row - b.row
    return max(abs(across), abs(up), abs(across + up))


@dataclass(frozen=True, slots=True)
class Chart:
    """Map, counters and tables.

    Attributes:
        hexes: In the order of their numbers; `named` has them by name.
        counters: Rows by population and name, with the number of each.
        search_limits: Dice for green, blue and red by side, eye, light and distance.
        attacks: How many attacks come of a die, by boats.
        fortress: Guns of a fortress by range: long, medium, short.
        ports: Of each side.
    """

    hexes: list[Hex]
    named: dict[str, Hex]
    counters: dict[str, dict[str, Row]]
    search_limits: dict[tuple[int, str, str, int], tuple[int, int, int]]
    attacks: dict[int, list[int]]
    fortress: list[int]
    ports: tuple[list[Hex], list[Hex]]


def read_chart(data: Path) -> Chart:
    """From the folder of the rule set's data."""
    load = YAML(typ="safe").load
    populations: dict[str, Any] = {}
    for name in ("map", "ships", "air", "ground"):
        populations |= load(data / f"{name}.yaml")["populations"]
    counters = {kind: _numbered(table) for kind, table in populations.items()}
    hexes = [Hex(number, row) for number, row in enumerate(counters["Hex"].values())]
    _join(hexes)
    stand_ins = load(data / "stand-ins.yaml")["tables"]
    return Chart(
        hexes,
        {each.name: each for each in hexes},
        counters,
        {
            (SIDES.index(side), eye, hour, distance): (green, blue, red)
            for side, eye, hour, distance, green, blue, red in _cells(
                load(data / "search.yaml")["tables"]["search_limits"]
            )
        },
        _attacks(stand_ins["submarine_attacks"]),
        [strength for _, strength in _cells(stand_ins["fortress_guns"])],
        (
            [each for each in hexes if each.port and each.holder == JAPAN],
            [each for each in hexes if each.port and each.holder == ALLIES],
        ),
    )


def _join(hexes: list[Hex]) -> None:
    spots = {(each.row, each.slant): each for each in hexes}
    for each in hexes:
        around = ((0, 1), (0, -1), (1, -1), (1, 0), (-1, 1), (-1, 0))
        near = [spots.get((each.row + up, each.slant + across)) for up, across in around]
        each.near = sorted((h for h in near if h is not None), key=BY_NUMBER)
        each.ways = [h for h in each.near if h.water != "inland"]
    for each in hexes:
        beyond = {far for h in each.ways for far in h.ways}
        each.at_sea_speed = sorted({each, *each.ways, *beyond}, key=BY_NUMBER)
        for far in each.at_sea_speed:
            between = [] if far in each.ways or far is each else [h for h in each.ways if far in h.ways]
            each.towards[far] = between[:1]


def _attacks(table: Row) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for boats, dice, attacks in _cells(table):
        low, _, high = str(dice).partition("..")
        found.setdefault(boats, []).extend([attacks] * (int(high or low) - int(low) + 1))
    return found


def _cells(table: Row) -> list[list[Any]]:
    return [row["row"] if isinstance(row, dict) else row for row in table["rows"]]


def _numbered(table: Row) -> dict[str, Row]:
    rows = [dict(zip(table["columns"], cells, strict=True)) for cells in _cells(table)]
    return {row["name"]: row | {"number": number} for number, row in enumerate(rows)}
