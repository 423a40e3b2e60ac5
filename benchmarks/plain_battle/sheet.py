"""The battle sheet: who is where, questions, and hits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from benchmarks.plain_battle.counters import (
    BATTALIONS,
    GROUPS,
    JAPAN,
    SIDES,
    US,
    Airfields,
    Counters,
    Plane,
    Ship,
    Soldiers,
    Target,
)
from benchmarks.plain_battle.lots import Lots, ten_sided

JAPANESE_OCEAN, ISLAND, COASTAL, US_OCEAN = ZONES = range(4)
DOGFIGHT, FLAK, BOMBS, TORPEDO, DEPTH_CHARGE, GUNS, ASSAULT = range(7)

US_PLANS = (
    "AAA",
    "Anti-Aircraft",
    "ASW",
    "Artillery",
    "Barrel Roll",
    "Charge",
    "Damage Control",
    "Diving Attack",
    "Engaged",
    "Envelop",
    "First Light",
    "Furball",
    "Leathernecks",
    "Ranging Shots",
    "Seabees",
    "Sonar",
)
STOPPING = ("Barrel Roll", "Damage Control", "Leathernecks", "Seabees")

BY_NUMBER = attrgetter("number")
WORTH = attrgetter("worth")
Choose = Callable[[str, Any, Sequence[Any]], Any]
T = TypeVar("T")


class Sheet:
    """Everything that a battle changes."""

    def __init__(self, counters: Counters, choose: Choose, seed: int) -> None:
        self.counters = counters
        self.choose = choose
        self.attack = ten_sided(seed, "fcn.attack").__next__
        self.locate = ten_sided(seed, "fcn.location").__next__
        self.dawn = ten_sided(seed, "fcn.dawn").__next__
        self.lots = Lots(seed, "fcn.plan_cup")
        self.surface: list[tuple[list[Ship], list[Ship]]] = [([], []) for _ in ZONES]
        self.boats: list[tuple[list[Ship], list[Ship]]] = [([], []) for _ in ZONES]
        self.carriers: tuple[list[Ship], list[Ship]] = ([], [])
        self.air: list[tuple[list[Plane], list[Plane]]] = [([], []) for _ in ZONES]
        self.down: tuple[list[Plane], list[Plane]] = ([], [])
        self.aboard: tuple[list[Soldiers], list[Soldiers]] = ([], [])
        self.beach: tuple[list[Soldiers], list[Soldiers]] = ([], [])
        self.foxholes: tuple[list[Soldiers], list[Soldiers]] = ([], [])
        self.based: tuple[list[Plane], list[Plane]] = ([], [])
        self.airfields = (Airfields(US, 0), Airfields(JAPAN, 0))
        self.everything: list[Target] = []
        self.had_footing = [False, False]
        self.us_plans: set[str] = set()
        self.cup = [row for row in counters.plans if row["copy"] == 1]
        self.drawn_before: list[Any] = []
        self.shown: list[Any] = []
        self.screens: list[Any] = []
        self.in_play: dict[str, int] = {}
        self.bonus = [0] * 7
        self.superior_bonus = [0] * 7
        self.stops_left = 0
        self.plan_quantity = 0
        self.turns_left = 0
        self.year = 42
        self.battalions = BATTALIONS

    # ------------------------------------------------------------------------------ setting up

    def add_ships(self, zone: int, *names: str) -> None:
        """Put ships in an area, carriers with their aircraft."""
        for name in names:
            ship = Ship(self.counters.ships[name])
            self.everything.append(ship)
            rows = self.boats if ship.is_boat else self.surface
            rows[zone][ship.side].append(ship)
            if ship.is_carrier:
                self.carriers[ship.side].append(ship)
                for berth, type_ in enumerate(GROUPS[ship.side, ship.row["type"]]):
                    number = 10_000 + 10 * ship.number + berth
                    plane = Plane(
                        number, f"{name} plane {berth + 1}", ship.side, self.counters.planes[type_], ship
                    )
                    ship.planes.append(plane)
                    self.everything.append(plane)
        for rows in (*self.surface, *self.boats, self.carriers):
            for row in rows:
                row.sort(key=BY_NUMBER)

    def add_planes(self, *names: str) -> None:
        """Put land-based aircraft on their airfields."""
        for name in names:
            row = self.counters.air_units[name]
            plane = Plane(1_000 + row["number"], name, row["side"], row, None)
            self.everything.append(plane)
            self.down[plane.side].append(plane)
            self.based[plane.side].append(plane)
            self.airfields[plane.side].strength += 1
        for side in SIDES:
            self.down[side].sort(key=BY_NUMBER)
            self.based[side].sort(key=BY_NUMBER)

    def add_soldiers(self, name: str, aboard: bool) -> None:
        """Put infantry on a transport, or in its foxholes."""
        row = self.counters.infantry[name]
        soldiers = Soldiers(row | {"number": 2_000 + row["number"]}, aboard)
        self.everything.append(soldiers)
        (self.aboard if aboard else self.foxholes)[soldiers.side].append(soldiers)

    # ------------------------------------------------------------------------------ questions

    def ask(self, choice: str, item: Any, options: Sequence[T]) -> T:
        """One of the options; the only one is taken without asking."""
        if len(options) == 1:
            return options[0]
        answer: T = self.choose(choice, item, options)
        return answer

    def ask_some(self, choice: str, options: Sequence[T], number: int) -> list[T]:
        """So many of the options, one after the other; all that are left are taken without asking."""
        left = list(options)
        picked: list[T] = []
        while len(picked) < number:
            if len(left) == number - len(picked):
                return picked + left
            pick = self.choose(choice, None, left)
            left.remove(pick)
            picked.append(pick)
        return picked

    def use(self, plan: str, zone: int) -> bool:
        """Whether the US discards a plan now."""
        if plan not in self.us_plans or not self.choose("discard", (plan, zone), (False, True)):
            return False
        self.us_plans.remove(plan)
        return True

    # ------------------------------------------------------------------------------ who is where

    def dug_in(self, side: int) -> list[Soldiers]:
        """Soldiers ashore, in the order of their counters."""
        beach, foxholes = self.beach[side], self.foxholes[side]
        return sorted(beach + foxholes, key=BY_NUMBER) if beach else foxholes

    def has_footing(self, side: int) -> bool:
        """Whether infantry or land-based aircraft of a side are ashore."""
        return bool(self.foxholes[side] or self.beach[side] or self.based[side])

    def waterborne(self, zone: int, side: int) -> list[Any]:
        """Ships but submarines, and transports."""
        ships = self.surface[zone][side]
        return [*ships, *self.aboard[side]] if zone == COASTAL else ships

    def on_island(self, side: int) -> list[Any]:
        """Airfields, and soldiers if the enemy of them is ashore too."""
        field = self.airfields[side]
        found: list[Any] = [field] if field.strength else []
        if self.had_footing[1 - side] or self.has_footing(1 - side):
            found += self.dug_in(side)
        return found

    def off_the_coast(self, side: int) -> list[Any]:
        """What naval guns reach, in the order of the counters."""
        return sorted([*self.waterborne(COASTAL, side), *self.on_island(side)], key=BY_NUMBER)

    def open_fire(self) -> None:
        """Remember who is ashore until both sides have taken their losses."""
        self.had_footing = [self.has_footing(US), self.has_footing(JAPAN)]

    def cease_fire(self) -> None:
        """Forget it again."""
        self.had_footing = [False, False]

    # ------------------------------------------------------------------------------ hits

    def strike(self, value: int, superior: int) -> int:
        """Hits of one attack."""
        die = self.attack()
        return (die <= value) + (die <= superior)

    def strike_again(self, value: int, plan: str, zone: int) -> int:
        """Hits of one US attack that a plan may roll again."""
        if self.attack() <= value:
            return 1
        return int(self.use(plan, zone) and self.attack() <= value)

    def with_extra(self, hits: int, plan: str, zone: int) -> int:
        """One more where there is one, if the US likes."""
        return hits + self.use(plan, zone) if hits else 0

    def inflict(
        self, hits: int, side: int, attack: int, find: Callable[..., Sequence[Any]], *where: int
    ) -> None:
        """Give hits to a side, one by one, to what `find(*where)` finds."""
        for _ in range(hits):
            found = find(*where)
            if not found:
                return
            least = min(map(WORTH, found))
            cheapest = [target for target in found if target.worth == least]
            if side == JAPAN:
                cheapest = [target for target in cheapest if target.damaged] or cheapest
            self.suffer(self.ask("victim", attack, cheapest), attack)

    def suffer(self, target: Any, attack: int) -> None:
        """One hit."""
        if self.us_stops(target, attack) if target.side == US else self.japan_stops(target):
            return
        if isinstance(target, Airfields):
            target.strength -= 1
        elif target.damaged:
            self.destroy(target)
        else:
            target.turn_over()
        if isinstance(target, Ship):
            for plane in target.planes:
                plane.lost = True
            target.planes.clear()

    def us_stops(self, target: Any, attack: int) -> bool:
        """Whether the US has a plan against this hit, and uses it."""
        ways = [plan for plan in STOPPING if plan in self.us_plans and self.stops(plan, target, attack)]
        if not ways:
            return False
        plan = self.choose("stop", (target, attack), [*ways, None])
        if plan is None:
            return False
        self.us_plans.remove(plan)
        return True

    def stops(self, plan: str, target: Any, attack: int) -> bool:
        """Whether a plan can stop a hit."""
        if plan == "Damage Control":
            return not isinstance(target, Airfields)
        if plan == "Barrel Roll":
            return isinstance(target, Plane) and attack in (DOGFIGHT, FLAK)
        if plan == "Seabees":
            return isinstance(target, Airfields)
        ashore = isinstance(target, Airfields) or (isinstance(target, Soldiers) and not target.aboard)
        return ashore and any(soldiers.is_marine for soldiers in self.dug_in(US))

    def japan_stops(self, target: Any) -> bool:
        """Whether a plan of Japan stops this hit."""
        if isinstance(target, Airfields):
            return False
        if self.stops_left:
            self.stops_left -= 1
            return True
        if self.screens and isinstance(target, Ship) and target.is_carrier:
            plan = self.screens.pop(0)
            if plan in self.shown:
                self.shown.remove(plan)
            self.drawn_before.append(plan)
            return True
        return False

    def destroy(self, target: Any) -> None:
        """Take a counter off the sheet."""
        side = target.side
        target.lost = True
        target.damaged = False
        if isinstance(target, Ship):
            for rows in (*self.surface, *self.boats, self.carriers):
                if target in rows[side]:
                    rows[side].remove(target)
        elif isinstance(target, Soldiers):
            target.aboard = False
            for row in (self.aboard[side], self.beach[side], self.foxholes[side]):
                if target in row:
                    row.remove(target)
        else:
            self.ground(target)
            if target.deck is None:
                self.based[side].remove(target)
                if target in self.down[side]:
                    self.down[side].remove(target)
            elif target in target.deck.planes:
                target.deck.planes.remove(target)

    def ground(self, plane: Plane) -> None:
        """Take an aircraft out of the air."""
        if plane.zone is not None:
            self.air[plane.zone][plane.side].remove(plane)
            plane.zone = None
