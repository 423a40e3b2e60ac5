"""The tactical action: Japan's carriers sail, strike and ferry planes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.plain_pacific.board import BY_NUMBER, Hex
from benchmarks.plain_pacific.raid import raid
from benchmarks.plain_pacific.war import ALLIES, JAPAN, SHUT_TO_JAPAN, Force, Plane, Ship, War


def strike_from_carriers(war: War) -> None:
    """Task Forces and escort carriers of Japan's choice, then all planes that they carry."""
    forces = war.ask_any("carrier_strikers", JAPAN, [f for f in war.all_forces if f.side == JAPAN])
    for force in forces:
        force.shown = True
        reach = min((ship.range for ship in force.ships), default=0)
        station = war.ask("strike_station", JAPAN, force, [*strike_room(war, force.place, reach), None])
        if station is not None:
            war.sail(force, station)
    escorts = war.ask_any("escort_strikers", JAPAN, escort_carriers(war))
    for ship in escorts:
        spot = ship.spot()
        assert spot is not None
        station = war.ask("escort_station", JAPAN, ship, [*strike_room(war, spot, ship.range), None])
        if station is not None:
            war.moor(ship, station)
    launch(war, planes_aboard(war, forces, escorts))


def strike_room(war: War, start: Hex, reach: int) -> list[Hex]:
    """The hexes to which ships can sail without meeting an enemy."""
    found = {start}
    front = [start]
    for _ in range(reach):
        ahead = []
        for spot in front:
            for near in spot.by_sea:
                if near not in found and not war.navy_at(near, ALLIES):
                    found.add(near)
                    ahead.append(near)
        front = ahead
    return sorted(found, key=BY_NUMBER)


def escort_carriers(war: War) -> list[Ship]:
    """Those that sail alone."""
    return [
        ship
        for ship in war.all_ships
        if ship.side == JAPAN and ship.type == "CVE" and ship.force is None and ship.place is not None
    ]


def planes_aboard(war: War, forces: Sequence[Force], escorts: Sequence[Ship]) -> list[Plane]:
    """Planes on undamaged decks that have not flown this turn."""
    return [
        plane
        for plane in war.all_planes
        if plane.deck is not None
        and plane.mission == "based"
        and not plane.deck.damaged
        and (plane.deck in escorts or plane.deck.force in forces)
    ]


# ------------------------------------------------------------------------------ strikes and ferries


def launch(war: War, planes: list[Plane]) -> None:
    """Strikes on one hex after the other, and those that have not struck may fly elsewhere."""
    targets = sighted(war)
    plan: dict[Hex, list[Plane]] = {}
    marks: dict[tuple[Hex, int], list[Hex | None]] = {}
    for plane in planes:
        spot = whole_spot(plane)
        key = spot, plane.range
        if key not in marks:
            distances = spot.distances
            marks[key] = [
                h for h in targets if distances[h.number] <= plane.range and h.territory not in SHUT_TO_JAPAN
            ]
            marks[key].append(None)
        goal = war.ask("strikes", JAPAN, plane, marks[key])
        if goal is not None:
            plan.setdefault(goal, []).append(plane)
    left = sorted(plan, key=BY_NUMBER)
    while left:
        goal = war.ask("launch.h", JAPAN, None, left)
        left.remove(goal)
        raid(war, goal, plan[goal])
    ferry(war, [plane for plane in planes if is_ready(plane)])


def is_ready(plane: Plane) -> bool:
    """Whether a plane is still on an undamaged deck."""
    return plane.mission == "based" and plane.deck is not None and not plane.deck.damaged


def whole_spot(plane: Plane) -> Hex:
    """The printed hex where a plane on a deck is."""
    spot = plane.spot()
    assert spot is not None
    return spot.whole


def sighted(war: War) -> list[Hex]:
    """The hexes with ships or planes of the Allies."""
    found = {ship.place.whole for ship in war.all_ships if ship.side == ALLIES and ship.place is not None}
    found |= {force.place.whole for force in war.all_forces if force.side == ALLIES}
    found |= {
        plane.place.whole
        for plane in war.all_planes
        if plane.side == ALLIES and plane.place is not None and plane.mission in ("based", "aloft", "ferry")
    }
    return sorted(found, key=BY_NUMBER)


def ferry(war: War, planes: list[Plane]) -> None:
    """Some of the planes fly to where they can still reach a field."""
    fields = [
        h
        for h in war.hexes
        if h.airfield and war.held[h.number] == JAPAN and not war.troops[ALLIES][h.number]
    ]
    able = [plane for plane in planes if whole_spot(plane) in fields or ferry_ways(war, plane, fields)]
    for plane in war.ask_any("ferries", JAPAN, able):
        goal = war.ask("ferry_to", JAPAN, plane, ferry_ways(war, plane, fields))
        war.fly(plane, goal, "ferry")


def ferry_ways(war: War, plane: Plane, fields: Iterable[Hex]) -> list[Hex]:
    """The hexes in range of a plane and of a field."""
    reach = plane.range
    distances = whole_spot(plane).distances
    near_fields = [field for field in fields if distances[field.number] <= 2 * reach]
    return [
        h
        for h in war.hexes
        if distances[h.number] <= reach
        and h.territory not in SHUT_TO_JAPAN
        and any(field.distances[h.number] <= reach for field in near_fields)
    ]
