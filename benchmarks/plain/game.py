"""The state of one game, and what every chapter does with it: ask, move, sink, return to port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from benchmarks.plain.board import ALLIES, JAPAN, SIDES, Board
from benchmarks.plain.dice import dice
from benchmarks.plain.pieces import (
    AirUnit,
    Amphibious,
    Area,
    Haven,
    Piece,
    Place,
    Ship,
    Submarine,
    Unit,
)

LAST_TURN = 8
GROUP_BOXES = ("Group W", "Group X", "Group Y", "Group Z")
# Where British ships may return (10.1, 17.22); Americans may not return to Ceylon (17.12).
BRITISH_PORTS = ("Ceylon", "Singapore", "Saigon", "Yokosuka")
# The Allied ships that may patrol on the first turn (18.12).
FREE_CRUISERS = ("Houston", "Exeter", "De Ruyter", "Australia", "Canberra")

BY_NUMBER = attrgetter("number")
T = TypeVar("T")

Choose = Callable[[str, int, Any, Sequence[Any]], Any]
"""Answers a question: which one, whose, about what (or None), and the options, of which it returns one."""


class Done:
    """The option that ends a choice of several."""

    def __repr__(self) -> str:
        return "done"


DONE = Done()


class Game:
    """Everything that changes, and the map."""

    def __init__(self, board: Board, choose: Choose, seed: int) -> None:
        self.choose = choose
        self.roll_initiative = dice(seed, "vitp.initiative").__next__
        self.roll_attack = dice(seed, "vitp.attack").__next__
        self.roll_damage = dice(seed, "vitp.damage").__next__
        self.roll_speed = dice(seed, "vitp.speed_roll").__next__
        self.roll_torpedo = dice(seed, "vitp.torpedo").__next__
        self.roll_whereabouts = dice(seed, "vitp.whereabouts").__next__
        self.turn = 1
        self.lead = 0
        self.surprise = False
        self.extra_rounds = 0
        self.struck: list[Unit] = []
        self._lay_out_map(board)
        self._punch_counters(board)

    def _lay_out_map(self, board: Board) -> None:
        self.areas = [Area(number, row) for number, row in enumerate(board.areas)]
        first = len(self.areas)
        self.havens = [Haven(first + n, row) for n, row in enumerate([*board.ports, *board.bases])]
        self.ports = [haven for haven in self.havens if haven.is_port]
        first += len(self.havens)
        boxes = [Place(first + n, name) for n, name in enumerate(("Returning", *GROUP_BOXES))]
        self.returning, *self.group_boxes = boxes
        self.places: list[Place] = [*self.areas, *self.havens, *boxes]
        areas = {area.name: area for area in self.areas}
        for area, row in zip(self.areas, board.areas, strict=True):
            area.borders = [areas[name] for name in row["borders"]]
        for haven, row in zip(self.havens, [*board.ports, *board.bases], strict=True):
            haven.touches = sorted((areas[name] for name in row["touches"]), key=BY_NUMBER)
            for area in haven.touches:
                area.havens.append(haven)
                if not haven.is_port:
                    area.bases.append(haven)
        for haven in self.havens:
            near = {base for area in haven.touches for base in area.bases}
            haven.near_bases = sorted(near, key=BY_NUMBER)
            if haven.name not in BRITISH_PORTS:
                haven.closed_to.add("British")
            if haven.name == "Ceylon":
                haven.closed_to.add("United States")
        self.hawaii = areas["Hawaiian Islands"]
        self.indonesia = areas["Indonesia"]
        self.central_pacific = areas["Central Pacific Ocean"]
        havens = {haven.name: haven for haven in self.havens}
        self.yokosuka = havens["Yokosuka"]
        self.pearl_harbor = havens["Pearl Harbor"]
        self.samoa = havens["Samoa"]

    def _punch_counters(self, board: Board) -> None:
        named = {place.name: place for place in self.places}
        counters = [(Ship, board.ships), (AirUnit, board.air_units), (Amphibious, board.amphibious)]
        havens = {haven.name: haven for haven in self.havens}
        self.units: list[Unit] = []
        for kind, rows in counters:
            for row in rows:
                unit = kind(len(self.units), row, havens.get(row["port"]))
                self.units.append(unit)
                if unit.due == 1 and row["start"] is not None:
                    self.move(unit, named[row["start"]])
        self.ships = [unit for unit in self.units if isinstance(unit, Ship)]
        self.submarines = [
            Submarine(len(self.units) + number, row) for number, row in enumerate(board.submarines)
        ]
        self.pieces: list[Piece] = [*self.units, *self.submarines]
        self.by_side = [[unit for unit in self.units if unit.side == side] for side in SIDES]
        self.ships_by_side = [[ship for ship in self.ships if ship.side == side] for side in SIDES]
        self.amphibious = [unit for unit in self.units if isinstance(unit, Amphibious)]
        air_units = [unit for unit in self.units if isinstance(unit, AirUnit)]
        self.air_by_side = [[unit for unit in air_units if unit.side == side] for side in SIDES]

    # ------------------------------------------------------------------------------ questions

    def ask(self, choice: str, side: int, item: Any, options: Sequence[T]) -> T:
        """One of the options; the only one is taken without asking."""
        if len(options) == 1:
            return options[0]
        answer: T = self.choose(choice, side, item, options)
        return answer

    def ask_each(self, choice: str, side: int, items: Sequence[Any], options: Sequence[T]) -> list[T]:
        """One of the options for each item."""
        if len(options) == 1:
            return [options[0]] * len(items)
        choose = self.choose
        return [choose(choice, side, item, options) for item in items]

    def ask_any(self, choice: str, side: int, options: Sequence[T]) -> list[T]:
        """Any number of the options, in their own order: one more each time, or done."""
        left: list[Any] = [*options, DONE]
        while len(left) > 1:
            pick = self.choose(choice, side, None, left)
            if pick is DONE:
                break
            left.remove(pick)
        return [option for option in options if option not in left]

    # ------------------------------------------------------------------------------ pieces

    def move(self, unit: Unit, place: Place) -> None:
        """Put a unit at a place, where its list stays in order."""
        self._leave(unit)
        unit.place = place
        found = place.forces[unit.side].lists[unit.kind]
        found.append(unit)
        if len(found) > 1 and found[-2].number > unit.number:
            found.sort(key=BY_NUMBER)

    def remove(self, unit: Unit) -> None:
        """Take a unit off the board for good."""
        self._leave(unit)
        unit.place = None

    def _leave(self, unit: Unit) -> None:
        if unit.place is not None:
            unit.place.forces[unit.side].lists[unit.kind].remove(unit)
        if unit.group is not None:
            unit.group.lists[unit.kind].remove(unit)
            unit.group = None

    def sink(self, unit: Unit) -> None:
        """Ships are gone; other units come back in two turns (7.61, 12.3, 13.5)."""
        unit.crossed = False
        if isinstance(unit, Ship):
            self.remove(unit)
        else:
            unit.set_damage(0)
            self.move(unit, self.returning)
            unit.due = self.turn + 2

    # ------------------------------------------------------------------------------ ports and bases

    def return_to_port(self, side: int, units: Sequence[Unit], bases: Sequence[Haven]) -> None:
        """Each unit to a friendly port or one of these bases; those that find none are lost (10.1, 10.4)."""
        if not units:
            return
        havens = [haven for haven in (*self.ports, *bases) if haven.owner == side]
        by_nation: dict[str, list[Haven | None]] = {}
        berths: list[Haven | None] = []
        for unit in units:
            nation = unit.nation
            if nation not in by_nation:
                by_nation[nation] = [haven for haven in havens if nation not in haven.closed_to] or [None]
            berths.append(self.ask("berths", side, unit, by_nation[nation]))
        for unit, haven in zip(units, berths, strict=True):
            if haven is None:
                self.sink(unit)
            else:
                self.move(unit, haven)

    def is_yard(self, haven: Haven) -> bool:
        """Whether a port can repair, this turn or another (11.1, 11.24, 11.51)."""
        if not haven.is_port or haven.owner != haven.original_owner:
            return False
        if haven is self.samoa:
            return self.pearl_harbor.owner == JAPAN
        return haven.repairs[LAST_TURN] > 0

    def repair_points(self, port: Haven) -> int:
        """What a port repairs this turn (4.6, 11.5, 11.51)."""
        if not self.is_yard(port):
            return 0
        return (self.pearl_harbor if port is self.samoa else port).repairs[self.turn]

    def sink_hulks(self) -> None:
        """Ships that rest on the bottom of anything but a yard are lost (9.232)."""
        for haven in self.havens:
            ships = haven.forces[haven.owner].ships
            if ships and not self.is_yard(haven):
                for ship in [ship for ship in ships if ship.is_resting()]:
                    self.sink(ship)


__all__ = ["ALLIES", "BY_NUMBER", "DONE", "FREE_CRUISERS", "JAPAN", "LAST_TURN", "SIDES", "Choose", "Game"]
