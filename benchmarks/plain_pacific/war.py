"""Counters on the map, questions, dice, and how units leave the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from benchmarks.plain.dice import dice
from benchmarks.plain_battle.lots import Lots
from benchmarks.plain_pacific.board import BY_NUMBER, Board, Hex, Row

JAPAN, ALLIES = SIDES = (0, 1)
DONE = object()
TURN = 3
HELD_BY_JAPAN_IN_1941 = {
    "Home_Islands", "Kuriles", "Ryukyus", "Bonins", "Sakhalin", "Manchukuo", "Jehol", "Korea", "Cheju_do",
    "Inner_Mongolia", "China", "North_China", "Formosa", "Hainan", "Hong_Kong_Colony", "Indochina",
    "Thailand", "Marianas", "Carolines", "Palaus", "Marshalls", "Gilberts", "New_Ireland", "Bougainville",
    "Marcus_Island",
}  # fmt: skip
CONQUERED = {
    "Admiralty_Islands", "Malaya", "Burma", "Luzon", "Visayas", "Mindanao", "Sumatra", "Java", "Borneo",
    "Celebes", "Moluccas", "Dutch_New_Guinea",
}  # fmt: skip
CONQUERED_PLACES = {"Bangkok", "Guam", "Wake", "Rabaul", "Brunei"}
SHUT_TO_JAPAN = {"USSR", "Outer_Mongolia"}
"""As long as the Kwantung Army sleeps."""

THIRDS = {"army": 12, "corps": 6, "division": 3, "brigade": 1, "regiment": 1, "battalion": 1}
CARRIERS_OF_DIVISIONS = ("LST", "Type_SB", "APA", "LCD", "TR")
CARRIERS_OF_SMALL_UNITS = ("APD", "Type_T", "DD")

Choose = Callable[[str, int, Any, Sequence[Any]], Any]
T = TypeVar("T")


def side_of(row: Row) -> int:
    """Whom a nation fights for."""
    return JAPAN if row["nation"] in ("Japanese", "Indian_National") else ALLIES


class Ground:
    """A ground unit; `level` is its combat effectiveness, `thirds` what it counts in a stack."""

    __slots__ = (
        "anchor", "arm", "destroyed", "irregular", "level", "moves", "name", "number", "on_wheels", "place",
        "side", "size", "thirds",
    )  # fmt: skip

    def __init__(self, row: Row) -> None:
        self.number, self.name = row["number"], row["name"]
        self.side = side_of(row)
        self.size, self.arm, self.level = row["size"], row["arm"], row["cel"]
        self.moves, self.anchor = row["moves"], row["anchor"]
        self.irregular = self.arm == "irregular"
        self.on_wheels = self.arm in ("armor", "motorized")
        self.thirds = THIRDS[self.size]
        self.place: Hex | None = None
        self.destroyed = False


class Force:
    """The marker of a Task Force, with its ships."""

    __slots__ = ("name", "number", "place", "ships", "shown", "side")

    def __init__(self, name: str, number: int, side: int, place: Hex) -> None:
        self.name, self.number, self.side, self.place = name, number, side, place
        self.ships: list[Ship] = []
        self.shown = False

    def part(self, core: bool) -> list[Ship]:
        """Its Core, or its Screen."""
        return [ship for ship in self.ships if ship.core == core]


class Ship:
    """A ship; one of a Task Force has no place of its own."""

    __slots__ = (
        "core", "damaged", "flak", "force", "level", "name", "number", "place", "planes", "range", "side",
        "stationed", "sunk", "type",
    )  # fmt: skip

    def __init__(self, row: Row) -> None:
        self.number, self.name = row["number"], row["name"]
        self.side = side_of(row)
        self.type, self.flak, self.level, self.range = row["type"], row["flak"], row["cel"], row["range"]
        self.place: Hex | None = None
        self.force: Force | None = None
        self.planes: list[Plane] = []
        self.core = self.damaged = self.stationed = self.sunk = False

    def spot(self) -> Hex | None:
        """Where it is, alone or with its force."""
        return self.place if self.force is None else self.force.place

    def lifts(self, unit: Ground) -> bool:
        """Whether it can carry a unit."""
        if self.type in CARRIERS_OF_DIVISIONS:
            return unit.thirds <= THIRDS["division"]
        if self.type in CARRIERS_OF_SMALL_UNITS and (self.type != "DD" or self.side == JAPAN):
            return unit.thirds < THIRDS["division"] and unit.arm != "armor"
        return False


class Plane:
    """An air unit, over a hex or on a deck; `level` is that of its crew if it has one."""

    __slots__ = (
        "attack", "bombers", "bombs", "carrier", "crew", "crew_lost", "deck", "defence", "destroyed", "level",
        "mission", "name", "number", "place", "range", "side", "transport",
    )  # fmt: skip

    def __init__(self, row: Row) -> None:
        self.number, self.name = row["number"], row["name"]
        self.side = side_of(row)
        self.attack, self.bombs, self.bombers = row["attack"], row["bombs"], row["bombers"]
        self.defence, self.range, self.level = row["defence"], row["range"], row["cel"] or 0
        self.carrier, self.transport = row["carrier"], row["transport"]
        self.place: Hex | None = None
        self.deck: Ship | None = None
        self.crew: str | None = None
        self.crew_lost: str | None = None
        self.mission = "based"
        self.destroyed = False

    def spot(self) -> Hex | None:
        """Where it is, alone or on its deck."""
        return self.place if self.deck is None else self.deck.spot()


class War:
    """Everything that an action changes.

    Attributes:
        held: Sides by number of the hex; None at sea.
        troops, ships, forces, planes: By side and hex, in order; planes without those on decks.
        umbrella: The hexes under Japan's air umbrella.
    """

    def __init__(self, board: Board, position: str, choose: Choose, seed: int) -> None:
        self.board = board
        self.hexes = board.hexes
        self.choose = choose
        rolls = ("dogfight", "anti_aircraft", "strafing_run", "bombs_away", "tokkotai")
        self.dogfight, self.anti_aircraft, self.strafing_run, self.bombs_away, self.tokkotai = (
            dice(seed, f"atp.{roll}").__next__ for roll in rolls
        )
        self.lots = Lots(seed, "atp.raid.found")
        self.held = [_holder(each) for each in self.hexes]
        self.troops: list[list[list[Ground]]] = self._by_side_and_hex()
        self.ships: list[list[list[Ship]]] = self._by_side_and_hex()
        self.forces: list[list[list[Force]]] = self._by_side_and_hex()
        self.planes: list[list[list[Plane]]] = self._by_side_and_hex()
        self.all_troops: list[Ground] = []
        self.all_ships: list[Ship] = []
        self.all_forces: list[Force] = []
        self.all_planes: list[Plane] = []
        self.umbrella: set[Hex] = set()
        self._place_counters(position)

    def _by_side_and_hex(self) -> list[list[list[Any]]]:
        return [[[] for _ in self.hexes] for _ in SIDES]

    def _place_counters(self, position: str) -> None:
        named = {each.name: each for each in self.hexes}
        counters = self.board.counters
        start = {
            kind: [row for row in rows if row["position"] == position]
            for kind, rows in self.board.start.items()
        }
        for row in start["StartOnLand"]:
            unit = Ground(counters["Ground"][row["unit"]])
            self.all_troops.append(unit)
            self.put(unit, named[row["spot"]])
        forces: dict[str, Force] = {}
        for row in start["StartAtSea"]:
            ship = Ship(counters["Naval"][row["unit"]])
            ship.stationed = row["stationed"]
            self.all_ships.append(ship)
            spot = named[row["spot"]]
            if row["force"] is None:
                self.moor(ship, spot)
                continue
            if row["force"] not in forces:
                force = forces[row["force"]] = Force(row["force"], len(forces), ship.side, spot)
                _add(self.forces[force.side][spot.number], force)
                self.all_forces.append(force)
            ship.force, ship.core = forces[row["force"]], row["core"]
            ship.force.ships.append(ship)
            ship.force.ships.sort(key=BY_NUMBER)
        ships = {ship.name: ship for ship in self.all_ships}
        for row in start["StartInTheAir"]:
            plane = Plane(counters["Air"][row["unit"]])
            self.all_planes.append(plane)
            plane.mission = row["mission"]
            if row["crew"] is not None:
                plane.crew, plane.level = row["crew"], counters["Pilots"][row["crew"]]["cel"]
            if row["deck"] is not None:
                plane.deck = ships[row["deck"]]
                plane.deck.planes.append(plane)
            else:
                plane.place = named[row["spot"]]
                _add(self.planes[plane.side][plane.place.number], plane)
        for counter in (self.all_troops, self.all_ships, self.all_forces, self.all_planes):
            counter.sort(key=BY_NUMBER)

    # ------------------------------------------------------------------------------ questions

    def ask(self, choice: str, side: int, item: Any, options: Sequence[T]) -> T:
        """One of the options; the only one is taken without asking."""
        if len(options) == 1:
            return options[0]
        answer: T = self.choose(choice, side, item, options)
        return answer

    def ask_any(self, choice: str, side: int, options: Sequence[T]) -> list[T]:
        """Any number of the options, in their own order: one more each time, or done."""
        left: list[Any] = [*options, DONE]
        while len(left) > 1:
            pick = self.choose(choice, side, None, left)
            if pick is DONE:
                break
            left.remove(pick)
        return [option for option in options if option not in left]

    def ask_some(self, choice: str, side: int, options: Sequence[T], number: int) -> list[T]:
        """So many of the options, in their own order; all that are left are taken without asking."""
        left = list(options)
        for wanted in range(number, 0, -1):
            if len(left) == wanted:
                left.clear()
                break
            left.remove(self.choose(choice, side, None, left))
        return [option for option in options if option not in left]

    # ------------------------------------------------------------------------------ who is where

    def navy_at(self, spot: Hex, side: int) -> bool:
        """Whether ships or Task Forces of a side are in a hex."""
        return bool(self.ships[side][spot.number] or self.forces[side][spot.number])

    def ships_near(self, spot: Hex, side: int) -> list[Ship]:
        """Ships that planes find there, whichever coast they are at."""
        if len(spot.waters) == 1:
            return self.ships[side][spot.number]
        return sorted((s for h in spot.waters for s in self.ships[side][h.number]), key=BY_NUMBER)

    def forces_near(self, spot: Hex, side: int) -> list[Force]:
        """Task Forces that planes find there."""
        if len(spot.waters) == 1:
            return self.forces[side][spot.number]
        return sorted((f for h in spot.waters for f in self.forces[side][h.number]), key=BY_NUMBER)

    def planes_at(self, spot: Hex, side: int, *missions: str) -> list[Plane]:
        """Planes over a hex, or on its fields, that do one of these."""
        return [plane for plane in self.planes[side][spot.number] if plane.mission in missions]

    def put(self, unit: Ground, spot: Hex) -> None:
        """Move a ground unit, in the order of the stack."""
        if unit.place is not None:
            self.troops[unit.side][unit.place.number].remove(unit)
        unit.place = spot
        _add(self.troops[unit.side][spot.number], unit)

    def moor(self, ship: Ship, spot: Hex) -> None:
        """Move a ship, which leaves its force if it has one."""
        if ship.place is not None:
            self.ships[ship.side][ship.place.number].remove(ship)
        ship.place = spot
        _add(self.ships[ship.side][spot.number], ship)

    def sail(self, force: Force, spot: Hex) -> None:
        """Move a Task Force."""
        self.forces[force.side][force.place.number].remove(force)
        force.place = spot
        _add(self.forces[force.side][spot.number], force)

    def fly(self, plane: Plane, spot: Hex, mission: str) -> None:
        """Leave the deck or the field."""
        self._leave(plane)
        plane.mission = mission
        plane.place = spot
        _add(self.planes[plane.side][spot.number], plane)

    def _leave(self, plane: Plane) -> None:
        if plane.deck is not None:
            plane.deck.planes.remove(plane)
            plane.deck = None
        elif plane.place is not None:
            self.planes[plane.side][plane.place.number].remove(plane)
            plane.place = None

    # ------------------------------------------------------------------------------ losses

    def destroy_troops(self, unit: Ground) -> None:
        """Take a ground unit out of the game."""
        assert unit.place is not None
        self.troops[unit.side][unit.place.number].remove(unit)
        unit.place = None
        unit.destroyed = True

    def destroy_plane(self, plane: Plane, with_crew: bool) -> None:
        """Take an air unit out of the game, with its pilots unless it was on the ground."""
        self._leave(plane)
        plane.mission = "based"
        plane.destroyed = True
        if with_crew:
            plane.crew_lost = plane.crew
        plane.crew = None

    def sink(self, ship: Ship) -> None:
        """Take a ship out of the game with all but the planes that protect it."""
        spot = ship.spot()
        assert spot is not None
        for plane in list(ship.planes):
            if plane.mission == "patrol":
                self.fly(plane, spot, "patrol")
            else:
                self.destroy_plane(plane, True)
        if ship.place is not None:
            self.ships[ship.side][ship.place.number].remove(ship)
            ship.place = None
        if ship.force is not None:
            ship.force.ships.remove(ship)
            ship.force = None
        ship.core = ship.stationed = False
        ship.sunk = True


def _add(row: list[Any], counter: Any) -> None:
    row.append(counter)
    if len(row) > 1 and row[-2].number > counter.number:
        row.sort(key=BY_NUMBER)


def _holder(each: Hex) -> int | None:
    if not each.is_land:
        return None
    if each.territory in CONQUERED or each.name in CONQUERED_PLACES:
        return JAPAN
    return ALLIES if each.west or each.territory not in HELD_BY_JAPAN_IN_1941 else JAPAN
