"""What is printed on the counters, read once, and counters in play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

US, JAPAN = SIDES = (0, 1)
SIDE_NUMBERS = {"US": US, "Japan": JAPAN}
CARRIERS = ("CV", "CVL", "CVE")
GROUPS = {
    (US, "CV"): ("F4F", "SBD", "SBD", "TBD"),
    (JAPAN, "CV"): ("A6M", "D3A", "B5N"),
    (JAPAN, "CVL"): ("A6M", "D3A"),
    (JAPAN, "CVE"): ("D3A",),
}
TRANSPORT_WORTH = 4
BATTALIONS = 80

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Counters:
    """Rows of the data files by name, in their order, with what stands on them in 1942."""

    ships: dict[str, Row]
    air_units: dict[str, Row]
    infantry: dict[str, Row]
    plans: list[Row]
    planes: dict[str, Row]


def read_counters(folder: Path) -> Counters:
    """The counters of a rule set's `data` folder."""
    load = YAML(typ="safe").load
    forces = load(folder / "forces.yaml")["populations"]
    numbers = load(folder / "1942.yaml")["tables"]
    plans = load(folder / "plans.yaml")["populations"]["PlanCounter"]
    return Counters(
        _joined(forces["Ship"], numbers["ship_values_1942"]),
        _joined(forces["AirUnit"], numbers["air_values_1942"]),
        _joined(forces["Infantry"], numbers["infantry_values_1942"]),
        _rows(plans),
        {row["type"]: row for row in _rows(numbers["plane_values_1942"])},
    )


def _rows(table: Row) -> list[Row]:
    """Rows by column; one with notes of its own has its cells under `row`."""
    cells = (row["row"] if isinstance(row, dict) else row for row in table["rows"])
    return [dict(zip(table["columns"], each, strict=True)) for each in cells]


def _joined(population: Row, table: Row) -> dict[str, Row]:
    values = {row[table["columns"][0]]: row for row in _rows(table)}
    found: dict[str, Row] = {}
    for number, cells in enumerate(_rows(population)):
        row = cells | {"number": number, "side": SIDE_NUMBERS[cells["side"]]}
        if row["name"] in values:
            found[row["name"]] = row | values[row["name"]]
    return found


# ------------------------------------------------------------------------------ in play


class Target:
    """What can be hit; `worth` says in what order."""

    __slots__ = ("aboard", "damaged", "lost", "name", "number", "side", "worth")

    def __init__(self, number: int, name: str, side: int, worth: int) -> None:
        self.number = number
        self.name = name
        self.side = side
        self.worth = worth
        self.damaged = False
        self.lost = False
        self.aboard = False


class Airfields(Target):
    """The airfields of a side on the island."""

    __slots__ = ("strength",)

    def __init__(self, side: int, strength: int) -> None:
        super().__init__(-2 + side, f"airfields of {side}", side, 1)
        self.strength = strength


class Ship(Target):
    """A ship; `planes` stand on its deck."""

    __slots__ = ("aaa", "berths", "depth", "is_boat", "is_carrier", "planes", "row", "superior", "surface")

    def __init__(self, row: Row) -> None:
        super().__init__(row["number"], row["name"], row["side"], row["cost"])
        self.row = row
        self.aaa, self.superior, self.surface, self.depth = (
            row[name] for name in ("aaa", "superior", "surface", "depth")
        )
        self.is_carrier = row["type"] in CARRIERS
        self.is_boat = row["type"] == "SS"
        self.berths = len(GROUPS[self.side, row["type"]]) if self.is_carrier else 0
        self.planes: list[Plane] = []

    def turn_over(self) -> None:
        """Show the damaged side."""
        row = self.row
        self.damaged = True
        self.aaa, self.superior, self.surface, self.depth = (
            row[name] for name in ("hurt_aaa", "hurt_superior", "hurt_surface", "hurt_depth")
        )


class Plane(Target):
    """An aircraft; `deck` is the carrier it belongs to, if any."""

    __slots__ = ("deck", "dogfight", "flown", "ground", "is_bomber", "row", "ship", "superior", "zone")

    def __init__(self, number: int, name: str, side: int, row: Row, deck: Ship | None) -> None:
        super().__init__(number, name, side, row["cost"])
        self.row = row
        self.dogfight, self.superior, self.ship, self.ground = (
            row[name] for name in ("dogfight", "superior", "ship", "ground")
        )
        self.is_bomber = self.ship > 0 or self.ground > 0
        self.deck = deck
        self.flown = False
        self.zone: int | None = None

    def turn_over(self) -> None:
        """Show the damaged side."""
        row = self.row
        self.damaged = True
        self.dogfight, self.superior, self.ship, self.ground = (
            row[name] for name in ("hurt_dogfight", "hurt_superior", "hurt_ship", "hurt_ground")
        )


class Soldiers(Target):
    """Infantry or a battalion; on a transport it is worth what the transport is."""

    __slots__ = ("cost", "ground", "is_marine", "row")

    def __init__(self, row: Row, aboard: bool) -> None:
        super().__init__(row["number"], row["name"], row["side"], TRANSPORT_WORTH if aboard else row["cost"])
        self.row = row
        self.cost: int = row["cost"]
        self.ground: int = row["ground"]
        self.is_marine: bool = row["marine"]
        self.aboard = aboard

    def turn_over(self) -> None:
        """Show the damaged side."""
        self.damaged = True
        self.ground = self.row["hurt_ground"]

    def land(self) -> None:
        """Leave the transport."""
        self.aboard = False
        self.worth = self.cost
