"""All that an operation changes: units, forces, what is held and known; questions and dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Any, TypeVar

from benchmarks.plain.dice import stream
from benchmarks.plain_month.board import Board
from benchmarks.plain_night.chart import ALLIES, BY_NUMBER, EYES, JAPAN, SIDES, Row
from benchmarks.plain_night.sea import CAPITALS

DONE = object()
READY, ACTIVE, SPENT = range(3)
NEVER_SCREEN = {"CV", "CVL", "CVS"}
CARRIERS = {"CV", "CVL", "CVE"}
SIZES = ("battalion", "regiment", "brigade", "division", "army")
ROLLS = (
    "intelligence_die", "search", "shore_search", "lurking", "submarine_torpedo", "critical", "hunt",
)  # fmt: skip
HALF_A_WORD = tuple(product(range(10), repeat=3))
MOST_FORCES = 40
GIANTS = {"Yamato", "Musashi"}

Choose = Callable[[str, int, Any, Sequence[Any]], Any]
Start = Mapping[str, Any]
T = TypeVar("T")


def month_of(year: int, month: int) -> int:
    """Months since the year 0."""
    return 12 * year + month - 1


class Ship:
    """A ship with the troops and aircraft that she carries."""

    __slots__ = (
        "asw", "capacity", "capital", "cargo", "carrier", "cost", "damage", "force", "giant", "lift",
        "nation", "never_screens", "number", "place", "planes", "side", "spotter", "status",
    )  # fmt: skip
    eye = "spotters"

    def __init__(self, number: int, row: Row, start: Start) -> None:
        self.number, self.side, self.nation = number, SIDES.index(row["side"]), row["nation"]
        self.capital, self.carrier = row["type"] in CAPITALS, row["type"] in CARRIERS
        self.never_screens, self.giant = row["type"] in NEVER_SCREEN, row["name"] in GIANTS
        self.cost, self.lift, self.spotter = row["activation"], row["lift"], row["spotter"]
        self.asw, self.capacity = row["asw"] or 0, row["capacity"]
        self.damage: int = start["piece.damage"][number]
        self.status: int = start["piece.status"][number]
        self.place: int | None = start["place"][number]
        self.force: Force | None = None
        self.cargo: list[Troops] = []
        self.planes: list[Plane] = []


class Plane:
    """An air unit, on the deck of a ship or at a base."""

    __slots__ = (
        "alerted", "cost", "deck", "engine", "eye", "flown", "full_steps", "kamikaze", "lost", "nation",
        "number", "patrol_over", "place", "range", "side", "status",
    )  # fmt: skip

    def __init__(self, number: int, row: Row, start: Start, ships: Sequence[Ship]) -> None:
        self.number, self.side, self.nation = number, SIDES.index(row["side"]), row["nation"]
        self.cost, self.engine, self.range = row["activation"], row["engine"], row["range"]
        self.full_steps: int = row["full_steps"]
        self.kamikaze: bool = row["kamikaze"]
        self.eye = EYES.get(self.engine, "aircraft")
        self.lost: int = start["piece.lost"][number]
        self.status: int = start["piece.status"][number]
        self.place: int | None = start["place"][number]
        deck = start["AirUnit.deck"][number]
        self.deck: Ship | None = None if deck is None else ships[deck]
        self.alerted: bool = number in start["AirUnit.alerted"]
        self.flown: bool = number in start["AirUnit.flown"]
        self.patrol_over: int | None = start["AirUnit.patrol_over"][number]

    def steps(self) -> int:
        """Steps that are left."""
        return max(0, self.full_steps - self.lost)


class Troops:
    """A ground unit, ashore or aboard."""

    __slots__ = (
        "aboard", "assaulting", "attacked_in", "broken", "came_from", "cost", "cut_off", "full_steps", "lost",
        "moved_in", "nation", "number", "place", "side", "status",
    )  # fmt: skip

    def __init__(self, number: int, row: Row, start: Start, ships: Sequence[Ship]) -> None:
        self.number, self.side, self.nation = number, SIDES.index(row["side"]), row["nation"]
        self.cost = SIZES.index(row["size"]) + 1
        self.full_steps: int = row["full_steps"]
        self.lost: int = start["piece.lost"][number]
        self.status: int = start["piece.status"][number]
        self.place: int | None = start["place"][number]
        aboard = start["Ground.aboard"][number]
        self.aboard: Ship | None = None if aboard is None else ships[aboard]
        self.broken: bool = number in start["Ground.broken"]
        self.assaulting: bool = number in start["Ground.assaulting"]
        self.cut_off: bool = number in start["Ground.cut_off"]
        self.moved_in: int = start["Ground.moved_in"][number]
        self.attacked_in: int = start["Ground.attacked_in"][number]
        self.came_from: int | None = start["Ground.came_from"][number]

    def steps(self) -> int:
        """Steps that are left."""
        return max(0, self.full_steps - self.lost)

    def holds(self) -> bool:
        """Whether it is ashore and something is left of it."""
        return self.aboard is None and self.lost < self.full_steps


class Boats:
    """Submarines; `struck` are the forces they have attacked in this cycle, `aimed` their last targets."""

    __slots__ = ("aimed", "full_steps", "hits", "number", "place", "side", "struck")
    eye = "spotters"

    def __init__(self, number: int, row: Row, start: Start) -> None:
        self.number, self.side, self.full_steps = number, SIDES.index(row["side"]), row["full_steps"]
        self.hits: int = start["Submarine.hits"][number]
        self.place: int | None = start["place"][number]
        self.struck: set[int] = set(start["Submarine.struck"][number])
        self.aimed: list[int] = list(start["Submarine.aimed"][number])


class Headquarters:
    """A headquarters and the hexes of its net."""

    __slots__ = ("name", "nation", "net", "number", "place", "points", "side")

    def __init__(self, number: int, row: Row, start: Start) -> None:
        self.number, self.name = number, row["name"]
        self.side, self.nation = SIDES.index(row["side"]), row["nation"]
        self.place: int | None = start["place"][number]
        self.points: int = start["Headquarters.points"][number]
        self.net: set[int] = set(start["Headquarters.net"][number])


class Force:
    """A task force; `gone` once its marker is off the map."""

    __slots__ = ("core", "decoy", "detected", "gone", "hex", "known", "number", "screen", "side")

    def __init__(self, number: int, side: int, spot: int) -> None:
        self.number, self.side, self.hex = number, side, spot
        self.core: list[Ship] = []
        self.screen: list[Ship] = []
        self.detected = self.decoy = self.gone = False
        self.known = 0

    def ships(self) -> list[Ship]:
        """Core and screen, in the order of ships."""
        return sorted(self.core + self.screen, key=BY_NUMBER)


Mobile = Ship | Plane | Troops


class War:
    """Everything that changes.

    Attributes:
        ships_at: Ships by hex, in their order; `troops_at` and `planes_at` likewise.
        known_ashore: How much a side knows of a hex, by side and hex.
        entries: Where a side came from into a hex, by hex and side.
    """

    def __init__(
        self, board: Board, choose: Choose, seed: int, start: Start, rolled: Mapping[str, int]
    ) -> None:
        self.board, self.choose = board, choose
        (
            self.intelligence_die, self.search, self.shore_search, self.lurking, self.submarine_torpedo,
            self.critical, self.hunt,
        ) = (
            islice(stream(seed, f"pacwar.{roll}", HALF_A_WORD), rolled[roll], None).__next__ for roll in ROLLS
        )  # fmt: skip
        self._take_units(start)
        self._take_forces(start)
        self.controller: list[int | None] = list(start["Hex.controller"].values())
        self.port_hits: list[int] = list(start["Hex.port_hits"].values())
        self.staging_bases: set[int] = set(start["Hex.staging_base"])
        self.has_port = [p or n in start["Hex.built_port"] for n, p in enumerate(board.port)]
        self.has_airfield = [f or n in start["Hex.built_airfield"] for n, f in enumerate(board.airfield)]
        self.once_japanese: set[int] = set(start["once_japanese"])
        self.entries: dict[tuple[int, int], set[int]] = {
            key: set(there) for key, there in start["entries"].items() if there
        }
        self.known_ashore: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for (spot, side), known in start["known_ashore"].items():
            if known:
                self.known_ashore[side][spot] = known
        self.looked_at = (set(start["looked_at"][JAPAN]), set(start["looked_at"][ALLIES]))
        self.month: int = start["month"]
        self.day, self.night = start["day"], start["light"] == 2
        self.initiative: int = start["initiative"]
        self.contact_day: int = start["contact_day"]
        self.operations: int = start["operations"]
        self.last_operator: int | None = start["last_operator"]
        self.operator: int = start["operator"]
        first = self.headquarters[0].number
        self.callers: list[list[Headquarters]] = [[], []]
        self.operating = [
            None if number is None else self.headquarters[number - first]
            for number in start["operating"].values()
        ]
        self.bids = list(start["bid_of"].values())
        self.levels = list(start["level"].values())
        self.weeks: int = start["weeks"]
        self.intelligence: int = start["intelligence"]
        self.base_used: int = start["base_used"]

    def _take_units(self, start: Start) -> None:
        counters, hexes = self.board.chart.counters, len(self.board.port)
        numbers = iter(range(len(start["place"])))
        self.ships = [Ship(next(numbers), row, start) for row in counters["Ship"].values()]
        self.planes = [Plane(next(numbers), row, start, self.ships) for row in counters["AirUnit"].values()]
        self.troops = [Troops(next(numbers), row, start, self.ships) for row in counters["Ground"].values()]
        for _ in counters["Fort"]:
            next(numbers)
        self.boats = [Boats(next(numbers), row, start) for row in counters["Submarine"].values()]
        self.headquarters = [
            Headquarters(next(numbers), row, start) for row in counters["Headquarters"].values()
        ]
        self.ships_at: list[list[Ship]] = [[] for _ in range(hexes)]
        self.planes_at: list[list[Plane]] = [[] for _ in range(hexes)]
        self.troops_at: list[list[Troops]] = [[] for _ in range(hexes)]
        for ship in self.ships:
            if ship.place is not None:
                self.ships_at[ship.place].append(ship)
        for plane in self.planes:
            if plane.place is not None:
                self.planes_at[plane.place].append(plane)
                if plane.deck is not None:
                    plane.deck.planes.append(plane)
        for unit in self.troops:
            if unit.place is not None:
                self.troops_at[unit.place].append(unit)
            if unit.aboard is not None:
                unit.aboard.cargo.append(unit)
        self.mobile: tuple[list[Mobile], list[Mobile]] = ([], [])
        units: list[Mobile] = [*self.ships, *self.planes, *self.troops]
        for piece in units:
            self.mobile[piece.side].append(piece)

    def _take_forces(self, start: Start) -> None:
        self.forces: list[Force] = []
        for number in sorted(start["exists:TaskForce"]):
            force = Force(number, start["TaskForce.side"][number], start["TaskForce.hex"][number])
            force.core = [self.ships[ship] for ship in sorted(start["TaskForce.core"][number])]
            force.screen = [self.ships[ship] for ship in sorted(start["TaskForce.screen"][number])]
            force.detected = number in start["TaskForce.detected"]
            force.decoy = number in start["TaskForce.decoy"]
            force.known = start["TaskForce.known"][number]
            for ship in force.core + force.screen:
                ship.force = force
            self.forces.append(force)

    # ------------------------------------------------------------------------------ questions

    def ask(self, choice: str, side: int, options: Sequence[T]) -> T:
        """One of the options; the only one is taken without asking."""
        if len(options) == 1:
            return options[0]
        answer: T = self.choose(choice, side, None, options)
        return answer

    def ask_any(self, choice: str, side: int, options: Iterable[T]) -> list[T]:
        """Any of the options."""
        left: list[Any] = [*options, DONE]
        chosen = []
        while len(left) > 1:
            pick = self.choose(choice, side, None, left)
            if pick is DONE:
                break
            chosen.append(pick)
            left.remove(pick)
        return chosen

    # ------------------------------------------------------------------------------ who is where

    def move_ship(self, ship: Ship, spot: int | None) -> None:
        """Move a ship, or take it from the map; what she carries is left behind."""
        if ship.place is not None:
            self.ships_at[ship.place].remove(ship)
        ship.place = spot
        if spot is not None:
            insert(self.ships_at[spot], ship)

    def move_plane(self, plane: Plane, spot: int | None) -> None:
        """The same for an air unit."""
        if plane.place is not None:
            self.planes_at[plane.place].remove(plane)
        plane.place = spot
        if spot is not None:
            insert(self.planes_at[spot], plane)

    def move_troops(self, unit: Troops, spot: int | None) -> None:
        """The same for troops."""
        if unit.place is not None:
            self.troops_at[unit.place].remove(unit)
        unit.place = spot
        if spot is not None:
            insert(self.troops_at[spot], unit)

    def held(self, spot: int, side: int) -> bool:
        """Whether troops of a side hold a hex."""
        return any(unit.side == side and unit.holds() for unit in self.troops_at[spot])

    def contested(self, spot: int) -> bool:
        """Whether both sides' do."""
        return self.held(spot, JAPAN) and self.held(spot, ALLIES)

    def footholds(self, side: int) -> set[int]:
        """Where a side has troops ashore."""
        return {u.place for u in self.troops if u.side == side and u.place is not None and u.holds()}

    def active(self, side: int) -> bool:
        """Whether anything of a side is active."""
        return any(unit.status == ACTIVE for unit in self.mobile[side])

    def works(self, spot: int, side: int) -> bool:
        """Whether a side has a port there."""
        return self.has_port[spot] and self.controller[spot] == side

    # ------------------------------------------------------------------------------ forces

    def form(self, side: int, spot: int) -> Force:
        """A force with the lowest marker that is free."""
        used = {force.number for force in self.forces}
        force = Force(min(n for n in range(MOST_FORCES) if n not in used), side, spot)
        insert(self.forces, force)
        return force

    def remove_empty_forces(self, *sides: int) -> None:
        """Nothing is left in them, and they are no decoys; those of some sides alone, or of both."""
        for force in self.forces:
            if (
                not force.core and not force.screen and not force.decoy
                and force.side in (sides or (JAPAN, ALLIES))
            ):  # fmt: skip
                force.gone = True
        self.forces = [force for force in self.forces if not force.gone]

    def sink_all(self, spot: int) -> None:
        """Sunk ships leave the map with all they carry, and forces without ships."""
        for ship in [ship for ship in self.ships_at[spot] if ship.damage >= ship.capacity]:
            for unit in ship.cargo:
                unit.aboard, unit.status, unit.broken = None, READY, False
                self.move_troops(unit, None)
            for plane in ship.planes:
                self.lose_plane(plane)
            ship.cargo, ship.planes = [], []
            if ship.force is not None:
                (ship.force.core if ship in ship.force.core else ship.force.screen).remove(ship)
            ship.force, ship.status = None, READY
            self.move_ship(ship, None)
        self.remove_empty_forces()

    def lose_plane(self, plane: Plane) -> None:
        """It leaves the map."""
        plane.deck, plane.patrol_over, plane.status, plane.alerted = None, None, READY, False
        self.move_plane(plane, None)

    # ------------------------------------------------------------------------------ the state

    def values(self) -> dict[str, Any]:
        """What an operation may change, as the rule set names it: by numbers of pieces, hexes and forces."""
        hexes = range(len(self.controller))
        afloat = {force.number: force for force in self.forces}
        units = self.mobile[JAPAN] + self.mobile[ALLIES]
        placed: list[Any] = [*units, *self.boats, *self.headquarters]
        both = (JAPAN, ALLIES)
        return {
            "place": {piece.number: piece.place for piece in placed},
            "piece.damage": {ship.number: ship.damage for ship in self.ships},
            "piece.status": {unit.number: unit.status for unit in units},
            "AirUnit.deck": {u.number: u.deck.number if u.deck else None for u in self.planes},
            "AirUnit.patrol_over": {u.number: u.patrol_over for u in self.planes},
            "AirUnit.alerted": {u.number for u in self.planes if u.alerted},
            "AirUnit.flown": {u.number for u in self.planes if u.flown},
            "Ground.aboard": {u.number: u.aboard.number if u.aboard else None for u in self.troops},
            "Ground.broken": {u.number for u in self.troops if u.broken},
            "Ground.cut_off": {u.number for u in self.troops if u.cut_off},
            "Ground.moved_in": {u.number: u.moved_in for u in self.troops},
            "Ground.attacked_in": {u.number: u.attacked_in for u in self.troops},
            "Ground.came_from": {u.number: u.came_from for u in self.troops},
            "Submarine.hits": {u.number: u.hits for u in self.boats},
            "Submarine.struck": {u.number: u.struck for u in self.boats},
            "Submarine.aimed": {u.number: tuple(u.aimed) for u in self.boats},
            "Headquarters.points": {hq.number: hq.points for hq in self.headquarters},
            "Headquarters.net": {hq.number: hq.net for hq in self.headquarters},
            "exists:TaskForce": set(afloat),
            "TaskForce.side": {n: force.side for n, force in afloat.items()},
            "TaskForce.hex": {n: force.hex for n, force in afloat.items()},
            "TaskForce.core": {n: {ship.number for ship in force.core} for n, force in afloat.items()},
            "TaskForce.screen": {n: {ship.number for ship in force.screen} for n, force in afloat.items()},
            "TaskForce.decoy": {n for n, force in afloat.items() if force.decoy},
            "TaskForce.detected": {n for n, force in afloat.items() if force.detected},
            "TaskForce.known": {n: force.known for n, force in afloat.items()},
            "Hex.controller": dict(enumerate(self.controller)),
            "once_japanese": self.once_japanese,
            "entries": {(h, side): self.entries.get((h, side), set()) for h in hexes for side in both},
            "known_ashore": {(h, side): self.known_ashore[side].get(h, 0) for h in hexes for side in both},
            "looked_at": dict(enumerate(self.looked_at)),
            "initiative": self.initiative,
            "contact_day": self.contact_day,
            "base_used": self.base_used,
            "operations": self.operations,
            "last_operator": self.last_operator,
            "operator": self.operator,
            "callers": {side: {hq.number for hq in callers} for side, callers in enumerate(self.callers)},
            "operating": {side: hq.number if hq else None for side, hq in enumerate(self.operating)},
            "bid_of": dict(enumerate(self.bids)),
            "level": dict(enumerate(self.levels)),
            "weeks": self.weeks,
            "intelligence": self.intelligence,
        }  # fmt: skip


def insert(stack: list[Any], item: Any) -> None:
    """Add to a stack, which stays in order."""
    stack.append(item)
    stack.sort(key=BY_NUMBER)
