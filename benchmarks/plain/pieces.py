"""Counters and places while a game is played."""

from __future__ import annotations

from typing import Any, ClassVar

from benchmarks.plain.board import Row

# Nations whose raiders reach two areas only (6.23, 17.23, 17.32).
SHORT_RANGED = ("British", "Australian", "Dutch")


class Force:
    """What one side has at a place, or in a group: three lists, each in the order of the counters."""

    __slots__ = ("air", "lists", "ships", "troops")

    def __init__(self) -> None:
        self.ships: list[Ship] = []
        self.air: list[AirUnit] = []
        self.troops: list[Amphibious] = []
        self.lists: tuple[list[Any], list[Any], list[Any]] = (self.ships, self.air, self.troops)

    def units(self) -> list[Unit]:
        """All of them, in a list of its own."""
        return [*self.ships, *self.air, *self.troops]

    def vessels(self) -> list[Ship | Amphibious]:
        """Those that float, in a list of its own."""
        return [*self.ships, *self.troops]

    def is_empty(self) -> bool:
        """Whether nobody is here."""
        return not (self.ships or self.air or self.troops)


# ------------------------------------------------------------------------------ places


class Place:
    """Anywhere on or off the board."""

    __slots__ = ("forces", "name", "number")

    def __init__(self, number: int, name: str) -> None:
        self.number = number
        self.name = name
        self.forces = (Force(), Force())


class Area(Place):
    """A sea area; `havens` and `bases` are those that touch it."""

    __slots__ = ("bases", "began_under", "borders", "controller", "havens", "poc", "resolved", "submarines")

    def __init__(self, number: int, row: Row) -> None:
        super().__init__(number, row["name"])
        self.poc = (row["japanese_poc"], row["allied_poc"])
        self.controller: int | None = row["controller"]
        self.began_under: int | None = None
        self.resolved = False
        self.borders: list[Area] = []
        self.havens: list[Haven] = []
        self.bases: list[Haven] = []
        self.submarines: list[Submarine] = []


class Haven(Place):
    """A port or a base; `near_bases` touch one of its areas, `closed_to` nations may not return here."""

    __slots__ = ("closed_to", "is_port", "near_bases", "original_owner", "owner", "repairs", "touches")

    def __init__(self, number: int, row: Row) -> None:
        super().__init__(number, row["name"])
        self.owner: int = row["owner"]
        self.is_port = "repairs" in row
        self.original_owner: int = row["original_owner"] if self.is_port else self.owner
        self.repairs: dict[int, int] = row.get("repairs", {})
        self.touches: list[Area] = []
        self.near_bases: list[Haven] = []
        self.closed_to: set[str] = set()


# ------------------------------------------------------------------------------ counters


class Piece:
    """Any counter."""

    __slots__ = ("name", "number", "place", "side")

    def __init__(self, number: int, row: Row) -> None:
        self.number = number
        self.name: str = row["name"]
        self.side: int = row["side"]
        self.place: Place | None = None


class Unit(Piece):
    """A counter that can be shot at.

    `marked`, `crossed` and `struck` are the markers of the action that goes on: points of damage, a disabled
    marker, and whether any lies there.  `group` is its force in a pursuit.
    """

    __slots__ = (
        "armor",
        "crossed",
        "damage",
        "disabled",
        "due",
        "group",
        "marked",
        "nation",
        "port",
        "struck",
    )
    kind: ClassVar[int]
    flies: ClassVar[bool] = False

    def __init__(self, number: int, row: Row, port: Haven | None) -> None:
        super().__init__(number, row)
        self.nation: str = row["nation"]
        self.armor: int = row["armor"]
        self.due: int = row["due"]
        self.port = port
        self.marked = 0
        self.crossed = self.struck = self.disabled = False
        self.group: Force | None = None
        self.damage = 0

    def set_damage(self, damage: int) -> None:
        """Change the damage and what follows from it."""
        self.damage = damage


class Ship(Unit):
    """A warship; `guns`, `planes` and `pace` are its factors in effect."""

    __slots__ = (
        "airstrike",
        "circled_guns",
        "circled_planes",
        "far_ranging",
        "gunnery",
        "guns",
        "leaves",
        "pace",
        "planes",
        "pursuing",
        "raiding",
        "repaired",
        "speed",
    )
    kind = 0

    def __init__(self, number: int, row: Row, port: Haven | None) -> None:
        super().__init__(number, row, port)
        self.gunnery: int = row["gunnery"]
        self.airstrike: int = row["airstrike"]
        self.speed: int = row["speed"]
        self.circled_guns = "Gunnery" in row["circled"]
        self.circled_planes = "Airstrike" in row["circled"]
        self.leaves: int = row["leaves"]
        self.far_ranging = self.nation not in SHORT_RANGED
        self.raiding = self.repaired = self.pursuing = False
        self.guns: int = self.gunnery
        self.planes: int = self.airstrike
        self.pace: int = self.speed

    def set_damage(self, damage: int) -> None:
        self.damage = damage
        crippled = 0 < damage >= self.armor
        self.guns = min(self.gunnery, 1) if crippled else self.gunnery
        self.planes = 0 if crippled else self.airstrike
        self.pace = max(1, self.speed - damage)

    def is_resting(self) -> bool:
        """Whether it rests on the bottom of a port (9.23)."""
        return self.damage > self.armor


class AirUnit(Unit):
    """Land-based air; its defense factor stands as armor."""

    __slots__ = ("planes",)
    kind = 1
    flies = True
    circled_planes: ClassVar[bool] = False

    def __init__(self, number: int, row: Row, port: Haven | None) -> None:
        super().__init__(number, row, port)
        self.planes: int = row["airstrike"]


class Amphibious(Unit):
    """A landing force."""

    __slots__ = ("pace", "retreated", "speed")
    kind = 2

    def __init__(self, number: int, row: Row, port: Haven | None) -> None:
        super().__init__(number, row, port)
        self.speed: int = row["speed"]
        self.pace: int = self.speed
        self.retreated = False

    def set_damage(self, damage: int) -> None:
        self.damage = damage
        self.pace = max(1, self.speed - damage)


class Submarine(Piece):
    """At sea on its turns only."""

    __slots__ = ("turns",)

    def __init__(self, number: int, row: Row) -> None:
        super().__init__(number, row)
        self.turns: list[int] = row["turns"]


Attacker = Ship | AirUnit
