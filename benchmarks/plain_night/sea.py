"""What is at sea: ships, task forces, submarines, guns ashore and search planes; questions and dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeVar

from benchmarks.plain.dice import stream
from benchmarks.plain_night.chart import (
    ALLIES,
    BY_NUMBER,
    EYES,
    FORTRESSES,
    JAPAN,
    SIDES,
    Chart,
    Hex,
    Row,
    apart,
)

DONE = object()
RANGES = LONG, MEDIUM, SHORT = (0, 1, 2)
CAPITALS = {"BB", "BC", "CV", "CVL", "CVS", "CVE", "CA", "CL"}
MOST_CAPITALS, MOST_OTHERS = 6, 4
ROLLS = (
    "gunfire", "torpedo", "confirming", "critical", "search", "lurking", "submarine_torpedo", "hunt",
)  # fmt: skip
HALF_A_WORD = tuple(product(range(10), repeat=3))
RED = 2
SALVO = 4
TORPEDO_HITS = (0, 1, 1, 2, 2, 3, 3, 3, 4, 5, 6, 8)
CRITICAL_HITS = (0, 0, 0, 0, 0, 0, 1, 1, 2, 3)

FORCES = (
    (JAPAN, "New_Georgia", ("Hiei", "Kirishima", "Kagero", "Fubuki")),
    (JAPAN, "Northern_Waters", ("Tone", "Takao", "Sendai", "Asashio")),
    (JAPAN, "Shortland", ("Nagato", "Jintsu", "Yugumo", "Mutsuki")),
    (ALLIES, "Florida", ("Washington", "New_Orleans", "Mahan", "Bagley")),
    (ALLIES, "Torpedo_Junction", ("California", "Astoria", "Honolulu", "Farragut")),
    (ALLIES, "Guadalcanal", ("Portland", "Brooklyn", "Omaha", "Fletcher")),
)
BOATS = {"I_Boats": "Coral_Sea", "Squadron_7": "Slot"}
PLANES = {
    "Flying_Boats": "Rabaul",
    "Tainan_Group": "Rabaul",
    "Patrol_Wing_1": "Guadalcanal",
    "Cactus": "Guadalcanal",
}

Choose = Callable[[str, int, Any, Sequence[Any]], Any]
T = TypeVar("T")


class Ship:
    """A ship; `guns` and `torpedoes` are as printed, by range."""

    __slots__ = (
        "asw", "capacity", "capital", "damage", "force", "guns", "name", "number", "place", "side", "spotter",
        "torpedoes", "type",
    )  # fmt: skip
    eye = "spotters"

    def __init__(self, row: Row) -> None:
        self.number, self.name, self.type = row["number"], row["name"], row["type"]
        self.side = SIDES.index(row["side"])
        self.capital = self.type in CAPITALS
        self.capacity, self.spotter = row["capacity"], row["spotter"]
        self.asw: int = row["asw"] or 0
        self.guns: tuple[int | None, ...] = tuple(
            row["gunnery"][name] for name in ("long", "medium", "short")
        )
        self.torpedoes: tuple[int | None, ...] = (None, row["torpedo"]["medium"], row["torpedo"]["short"])
        self.damage = 0
        self.place: Hex | None = None
        self.force: Force | None = None


class Fort:
    """Guns of the Allies ashore, of the strength of a fortress."""

    __slots__ = ("capacity", "damage", "guns", "name", "number", "place")
    side = ALLIES

    def __init__(self, row: Row, place: Hex, guns: Sequence[int]) -> None:
        self.number, self.name, self.place = row["number"], row["name"], place
        self.guns = tuple(guns)
        self.capacity, self.damage = 3, 0


class Force:
    """A task force; it is gone when nothing is left in it."""

    __slots__ = ("core", "detected", "gone", "hex", "known", "name", "number", "screen", "side")

    def __init__(self, number: int, side: int, spot: Hex) -> None:
        self.number, self.name, self.side, self.hex = number, f"TaskForce_{number}", side, spot
        self.core: list[Ship] = []
        self.screen: list[Ship] = []
        self.detected = self.gone = False
        self.known = "nothing"

    def ships(self) -> list[Ship]:
        """Core and screen, in the order of ships."""
        return sorted(self.core + self.screen, key=BY_NUMBER)


class Boats:
    """Submarines that lie in a hex; `struck` are the forces they have attacked in this cycle."""

    __slots__ = ("hits", "name", "number", "place", "side", "steps", "struck")
    eye = "spotters"

    def __init__(self, row: Row, place: Hex) -> None:
        self.number, self.name = row["number"], row["name"]
        self.place: Hex | None = place
        self.side, self.steps = SIDES.index(row["side"]), row["full_steps"]
        self.hits = 0
        self.struck: set[Force] = set()


class Plane:
    """Aircraft that search."""

    __slots__ = ("eye", "name", "number", "place", "side")

    def __init__(self, row: Row, place: Hex) -> None:
        self.number, self.name, self.place = row["number"], row["name"], place
        self.side = SIDES.index(row["side"])
        self.eye = EYES.get(row["engine"], "aircraft")


Combatant = Ship | Fort


class Sea:
    """Everything that changes.

    Attributes:
        ships: By side and number of the hex, in their order.
        forts: By number of the hex.
    """

    def __init__(self, chart: Chart, choose: Choose, seed: int) -> None:
        self.chart, self.choose = chart, choose
        (
            self.gunfire, self.torpedo, self.confirming, self.critical, self.search, self.lurking,
            self.submarine_torpedo, self.hunt,
        ) = (stream(seed, f"pacwar.{roll}", HALF_A_WORD).__next__ for roll in ROLLS)  # fmt: skip
        self.ships: tuple[dict[int, list[Ship]], dict[int, list[Ship]]] = ({}, {})
        self.all_ships: list[Ship] = []
        self.forces: list[Force] = []
        self.forts: dict[int, Fort] = {}
        counters, named = chart.counters, chart.named
        for number, (side, where, names) in enumerate(FORCES, 1):
            force = Force(number, side, named[where])
            self.forces.append(force)
            for ship in sorted((Ship(counters["Ship"][name]) for name in names), key=BY_NUMBER):
                (force.core if ship.type in ("BB", "CA") else force.screen).append(ship)
                ship.force = force
                self.all_ships.append(ship)
                self.put(ship, named[where])
        for row in counters["Fort"].values():
            place = named[row["place"]]
            if place.name in FORTRESSES and place.holder == ALLIES:
                self.forts[place.number] = Fort(row, place, chart.fortress)
        rows = counters["Submarine"]
        self.boats = sorted((Boats(rows[name], named[at]) for name, at in BOATS.items()), key=BY_NUMBER)
        rows = counters["AirUnit"]
        self.planes = sorted((Plane(rows[name], named[at]) for name, at in PLANES.items()), key=BY_NUMBER)
        self.all_ships.sort(key=BY_NUMBER)

    # ------------------------------------------------------------------------------ questions

    def ask(self, choice: str, side: int, item: Any, options: Sequence[T]) -> T:
        """One of the options; the only one is taken without asking."""
        if len(options) == 1:
            return options[0]
        answer: T = self.choose(choice, side, item, options)
        return answer

    def ask_at_least(self, choice: str, side: int, options: Sequence[T], least: int) -> list[T]:
        """At least so many of the options; all that are needed are taken without asking."""
        left: list[Any] = list(options)
        chosen = 0
        while left:
            if len(left) == least - chosen:
                return list(options)
            pick = self.choose(choice, side, None, left if chosen < least else [*left, DONE])
            if pick is DONE:
                break
            left.remove(pick)
            chosen += 1
        return [option for option in options if option not in left]

    # ------------------------------------------------------------------------------ who is where

    def put(self, ship: Ship, spot: Hex | None) -> None:
        """Move a ship, or take it from the map."""
        if ship.place is not None:
            self.ships[ship.side][ship.place.number].remove(ship)
        ship.place = spot
        if spot is not None:
            there = self.ships[ship.side].setdefault(spot.number, [])
            there.append(ship)
            there.sort(key=BY_NUMBER)

    def bring(self, force: Force, spot: Hex) -> None:
        """All ships of a force go together; off an enemy base they are seen."""
        force.hex = spot
        for ship in force.core + force.screen:
            self.put(ship, spot)
        if spot.base and spot.holder == 1 - force.side:
            force.detected = True

    def ships_at(self, spot: Hex, side: int) -> list[Ship]:
        """Ships of a side in a hex; those that are sunk have left it."""
        return self.ships[side].get(spot.number, [])

    def boats_at(self, spot: Hex, side: int) -> list[Boats]:
        """Submarines of a side that lie there."""
        return [u for u in self.boats if u.place is spot and u.side == side and u.hits < u.steps]

    def present(self, spot: Hex, side: int) -> list[Combatant]:
        """Ships, and guns ashore that still fire."""
        found: list[Combatant] = [s for s in self.ships_at(spot, side) if s.damage < s.capacity]
        fort = self.forts.get(spot.number)
        if side == ALLIES and fort is not None and fort.damage < fort.capacity:
            found.append(fort)
        return found

    def seekers(self, side: int, spot: Hex, reach: int) -> list[Ship | Plane | Boats]:
        """Who may find ships in a hex by night: ships with spotters, aircraft, submarines."""
        eyes: list[Ship | Plane | Boats] = [s for s in self.all_ships if s.side == side and s.spotter]
        eyes += [u for u in self.planes if u.side == side]
        eyes += [u for u in self.boats if u.side == side and u.hits < u.steps]
        limits = self.chart.search_limits
        return [
            unit for unit in eyes
            if unit.place is not None and (far := apart(unit.place, spot)) <= reach
            and limits[side, unit.eye, "nighttime", far][RED] >= 0
        ]  # fmt: skip

    # ------------------------------------------------------------------------------ losses

    def strike(self, die: int, hits: int) -> int:
        """How many hits a shot makes: a die of 0 may do more."""
        return hits + CRITICAL_HITS[self.critical()] if hits and die == 0 else hits

    def sink_all(self, spot: Hex) -> None:
        """Sunk ships leave the map, and forces without ships."""
        for side in (JAPAN, ALLIES):
            for ship in [s for s in self.ships_at(spot, side) if s.damage >= s.capacity]:
                force = ship.force
                if force is not None:
                    (force.core if ship in force.core else force.screen).remove(ship)
                ship.force = None
                self.put(ship, None)
        self.remove_empty_forces()

    def remove_empty_forces(self) -> None:
        """Nothing is left in them."""
        for force in self.forces:
            if not force.core and not force.screen:
                force.gone = True
        self.forces = [force for force in self.forces if not force.gone]


def column(strength: int, die: int) -> int:
    """The column of the results; the lower the die, the further right."""
    if strength < 0 or die > strength:
        return 0
    return max(1, min(11, min(strength, 19) - die + 1))
