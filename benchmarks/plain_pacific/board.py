"""The map and the tables, read once: nothing here changes in play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

Row = dict[str, Any]
FAR = 999
"""What no way leads to."""

MOST_FACTORS = 30
BEYOND = (
    "mountains", "rivers", "walls", "straits", "shut", "ledo_road", "kokoda_trail", "joins", "parted",
)  # fmt: skip
BY_NUMBER = attrgetter("number")


class Hex:
    """What is printed of one hex, and the hexes around it in their order.

    Attributes:
        whole: The printed hex of a second coast, else the hex itself.
        waters: The hex and its second coasts.
        zones: From where enemies reach into it; None where only irregulars of its own do.
    """

    __slots__ = (
        "airfield", "anchorage", "by_land", "by_sea", "distances", "is_coastal", "is_land", "is_rough",
        "kokoda_trail", "ledo_road", "mountains", "name", "neighbours", "number", "reef", "straits",
        "terrain", "territory", "walls_and_rivers", "waters", "west", "wet", "whole", "zones",
    )  # fmt: skip

    def __init__(self, number: int, row: Row) -> None:
        self.number = number
        self.name: str = row["name"]
        self.terrain: str = row["terrain"]
        self.territory: str = row["territory"]
        self.is_coastal, self.reef, self.airfield, self.anchorage, self.west = (
            bool(row[name]) for name in ("coastal", "reef", "airfield", "anchorage", "west")
        )
        self.is_land = self.terrain != "sea"
        self.is_rough = self.terrain == "rough"
        self.wet = self.is_coastal or not self.is_land
        self.whole = self
        self.waters = [self]
        self.neighbours: list[Hex] = []
        self.by_land: list[Hex] = []
        self.by_sea: list[Hex] = []
        self.zones: list[Hex] | None = None
        self.mountains: set[Hex] = set()
        self.straits: list[Hex] = []
        self.ledo_road: set[Hex] = set()
        self.kokoda_trail: set[Hex] = set()
        self.walls_and_rivers: dict[Hex, list[str]] = {}
        self.distances: list[int] = []


@dataclass(frozen=True, slots=True)
class Board:
    """Map, counters and tables.

    Attributes:
        hexes: In the order of their numbers.
        counters: Rows by population and name, with the number of each.
        start: Where the counters stand, by population of `pacific.yaml`.
        crossing: The costs of terrain and hexsides by what it is and the arm; None where it may not go.
        by_odds: Results by table, column of odds and roll.
        by_factors: Results by table, factors and roll.
        by_roll: Results of the table without columns.
    """

    hexes: list[Hex]
    counters: dict[str, dict[str, Row]]
    start: dict[str, list[Row]]
    crossing: dict[tuple[str, str], int | None]
    by_odds: dict[str, list[dict[int, int]]]
    by_factors: dict[str, list[dict[int, Any]]]
    by_roll: dict[int, Any]

    def within(self, centre: Hex, reach: int) -> list[Hex]:
        """All hexes at most so far away in the air."""
        return [near for near, steps in zip(self.hexes, centre.distances, strict=True) if steps <= reach]


def read_board(sampler: Path, positions: Path) -> Board:
    """From the folder of the sampler and the file of the positions."""
    load = YAML(typ="safe").load
    counters = load(sampler / "counters.yaml")["populations"]
    tables = load(sampler / "tables.yaml")["tables"]
    return Board(
        _read_map(_rows(load(sampler / "map.yaml")["populations"]["Hex"])),
        {kind: _numbered(_rows(table)) for kind, table in counters.items()},
        {kind: _rows(table) for kind, table in load(positions)["populations"].items()},
        {
            (what, arm): cost
            for name in ("terrain_cost", "hexside_cost")
            for what, arm, cost in _cells(tables[name])
        },
        {name: _by_odds(tables[name]) for name in ("air_to_air", "flak")},
        {
            name: _by_factors(tables[name])
            for name in ("strafing", "torpedo", "dive_bombing", "level_bombing", "kamikaze")
        },
        {roll: tuple(result) for roll, *result in _cells(tables["asw"])},
    )


def _cells(table: Row) -> list[list[Any]]:
    return [row["row"] if isinstance(row, dict) else row for row in table["rows"]]


def _rows(table: Row) -> list[Row]:
    return [dict(zip(table["columns"], cells, strict=True)) for cells in _cells(table)]


def _numbered(rows: Sequence[Row]) -> dict[str, Row]:
    return {row["name"]: row | {"number": number} for number, row in enumerate(rows)}


# ------------------------------------------------------------------------------ the map


def _read_map(rows: list[Row]) -> list[Hex]:
    hexes = [Hex(number, row) for number, row in enumerate(rows)]
    named = {each.name: each for each in hexes}
    spots = {row["coordinate"] or row["name"]: each for each, row in zip(hexes, rows, strict=True)}
    for spot, each in spots.items():
        around = _around(int(spot[:2]), int(spot[2:]))
        each.neighbours = sorted((spots[key] for key in around if key in spots), key=BY_NUMBER)
    for each, row in zip(hexes, rows, strict=True):
        beyond = {name: {named[key] for key in row[name] or ()} for name in BEYOND}
        adjoining = (set(each.neighbours) - beyond["parted"]) | beyond["joins"]
        each.by_land = sorted((h for h in adjoining - beyond["straits"] if h.is_land), key=BY_NUMBER)
        if each.wet:
            each.by_sea = sorted((h for h in adjoining - beyond["shut"] if h.wet), key=BY_NUMBER)
        each.mountains, each.ledo_road, each.kokoda_trail = (
            beyond[name] for name in ("mountains", "ledo_road", "kokoda_trail")
        )
        each.straits = sorted(beyond["straits"], key=BY_NUMBER)
        for kind, name in (("river", "rivers"), ("wall", "walls")):
            for other in beyond[name]:
                each.walls_and_rivers.setdefault(other, []).append(kind)
        if each.terrain not in ("forest", "rough"):
            each.zones = [h for h in each.by_land if h not in each.mountains]
        if row["shore_of"] is not None:
            each.whole = named[row["shore_of"]]
            each.whole.waters.append(each)
    for each in hexes:
        each.distances = _distances(each, len(hexes))
    return hexes


def _around(row: int, column: int) -> Iterator[str]:
    left = column if row % 2 else column + 1
    yield from (f"{row:02}{column + 1:02}", f"{row:02}{column - 1:02}")
    for beside in (row - 1, row + 1):
        yield from (f"{beside:02}{left:02}", f"{beside:02}{left - 1:02}")


def _distances(start: Hex, number: int) -> list[int]:
    steps = [FAR] * number
    steps[start.number] = 0
    front = [start]
    while front:
        ahead = []
        for spot in front:
            for near in spot.neighbours:
                if steps[near.number] == FAR:
                    steps[near.number] = steps[spot.number] + 1
                    ahead.append(near)
        front = ahead
    return steps


# ------------------------------------------------------------------------------ the tables


def _by_odds(table: Row) -> list[dict[int, int]]:
    columns: dict[Fraction, dict[int, int]] = {}
    for odds, roll, lost in _cells(table):
        strength, against = odds.split(":")
        columns.setdefault(Fraction(int(strength), int(against)), {})[roll] = lost
    return [columns[odds] for odds in sorted(columns)]


def _by_factors(table: Row) -> list[dict[int, Any]]:
    columns: list[dict[int, Any]] = [{} for _ in range(MOST_FACTORS + 1)]
    for factors, roll, *result in _cells(table):
        low, _, high = str(factors).partition("..")
        for column in range(int(low), int(high or low) + 1):
            columns[column][roll] = tuple(result) if len(result) > 1 else result[0]
    return columns


def column_of_odds(strength: int, against: int) -> int:
    """1:4, 1:3, 1:2, 1:1, 2:1 and so on to 6:1, rounded down, from 0."""
    if not strength:
        return 0
    if strength >= against:
        return 2 + min(6, strength // max(1, against))
    return max(0, 4 + -against // strength)
