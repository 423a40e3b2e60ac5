"""What goes on by land and in the air between battles: marches, transfers of aircraft, searches."""

from __future__ import annotations

from benchmarks.plain_month.war import ACTIVE, Boats, Plane, Ship, Troops, War, month_of
from benchmarks.plain_night.chart import ALLIES, FARTHEST_SIGHT, JAPAN

MARCH = 2
STACKING_LIMIT = 48
LONG_RANGE, SHORT_RANGE, LONG_RANGE_FROM = 26, 20, month_of(1942, 6)
BLUE, GREEN = 2, 3
RED = 2

Seeker = Ship | Plane | Boats

# ------------------------------------------------------------------------------ marches


def march_all(war: War, side: int) -> None:
    """Every active unit ashore may go."""
    for unit in war.troops:
        if may_march(unit, side):
            ways = [way for way in marches(war, unit) if has_room(war, unit, way)]
            goal = war.ask("ground_move", side, [*ways, None])
            if goal is not None:
                enter(war, unit, goal)


def may_march(unit: Troops, side: int) -> bool:
    """An active unit ashore of that side that is not broken."""
    return (
        unit.side == side and unit.status == ACTIVE and not unit.broken
        and unit.aboard is None and unit.place is not None
    )  # fmt: skip


def marches(war: War, unit: Troops) -> list[int]:
    """A hex of any land, or two along a road; not past an enemy, nor away from one."""
    start = unit.place
    assert start is not None
    if war.contested(start):
        return []
    steps = war.board.marches
    ways = set()
    for way, cost in steps[start]:
        ways.add(way)
        if cost < MARCH and not war.held(way, 1 - unit.side):
            ways.update(beyond for beyond, more in steps[way] if cost + more <= MARCH)
    ways.discard(start)
    return sorted(ways)


def has_room(war: War, unit: Troops, spot: int) -> bool:
    """Whether a unit may stack there."""
    steps = sum(other.steps() for other in war.troops_at[spot] if other.side == unit.side)
    return steps + unit.steps() <= STACKING_LIMIT


def enter(war: War, unit: Troops, spot: int) -> None:
    """Into an enemy's hex it goes by a side that is its own."""
    unit.came_from = None
    if war.held(spot, 1 - unit.side):
        assert unit.place is not None
        unit.came_from = unit.place
        war.entries.setdefault((spot, unit.side), set()).add(unit.place)
    war.move_troops(unit, spot)
    take_control(war, unit.side, spot)


def take_control(war: War, side: int, spot: int) -> None:
    """Land that no enemy defends belongs to who is there."""
    if not war.board.land[spot] or war.controller[spot] == side or war.held(spot, 1 - side):
        return
    war.controller[spot] = side
    war.entries.pop((spot, JAPAN), None)
    war.entries.pop((spot, ALLIES), None)
    for plane in [p for p in war.planes_at[spot] if p.side != side and p.deck is None]:
        war.lose_plane(plane)
    if not war.has_port[spot] and not war.has_airfield[spot]:
        return
    if side == JAPAN:
        war.once_japanese.add(spot)
    elif spot in war.once_japanese:
        war.initiative = max(0, war.initiative - 1)


# ------------------------------------------------------------------------------ aircraft


def transfer_aircraft(war: War, side: int) -> None:
    """Active units ashore may change their base."""
    movable = movable_aircraft(war, side)
    going = set(war.ask_any("transferring", side, movable))
    for plane in movable:
        if plane in going:
            bases = new_bases(war, plane)
            if bases:
                war.move_plane(plane, war.ask("transfer", side, bases))
                plane.flown = True


def movable_aircraft(war: War, side: int) -> list[Plane]:
    """Active units ashore that have another base to go to."""
    return [
        plane for plane in war.planes
        if plane.side == side and plane.status == ACTIVE and plane.place is not None
        and plane.deck is None and not plane.flown and plane.steps() and new_bases(war, plane)
    ]  # fmt: skip


def land_again(war: War, side: int) -> None:
    """Who has changed base may fly again."""
    for plane in war.planes:
        if plane.side == side:
            plane.flown = False


def new_bases(war: War, plane: Plane) -> list[int]:
    """Airfields of the side in range, with room and without enemy troops."""
    here, board = plane.place, war.board
    assert here is not None
    enemies = war.footholds(1 - plane.side)
    reach = plane.range
    if plane.engine == "B":
        reach = min(reach, LONG_RANGE if war.month >= LONG_RANGE_FROM else SHORT_RANGE)
    return [
        spot for spot, field in enumerate(war.has_airfield)
        if field and spot != here and spot not in enemies and war.controller[spot] == plane.side
        and board.apart(here, spot) <= reach
        and board.capacity[spot] - planes_based_at(war, spot) >= plane.steps()
    ]  # fmt: skip


def planes_based_at(war: War, spot: int) -> int:
    """Steps of aircraft ashore."""
    return sum(plane.steps() for plane in war.planes_at[spot] if plane.deck is None)


# ------------------------------------------------------------------------------ searches


def lookouts(war: War, side: int) -> list[Seeker]:
    """Active ships with spotters, search planes and active aircraft, submarines."""
    eyes: list[Seeker] = [
        ship for ship in war.ships
        if ship.spotter and ship.side == side and ship.status == ACTIVE and ship.place is not None
    ]  # fmt: skip
    eyes += [
        plane for plane in war.planes
        if plane.side == side and plane.place is not None and not plane.kamikaze
        and (plane.engine == "LRA" or plane.status == ACTIVE) and plane.steps()
    ]  # fmt: skip
    eyes += [u for u in war.boats if u.side == side and u.place is not None and u.hits < u.full_steps]
    return eyes


def within_sight(war: War, eyes: list[Seeker], spot: int) -> list[Seeker]:
    """Those near enough to find something there at this hour."""
    apart, limits = war.board.apart, war.board.chart.search_limits
    hour = "nighttime" if war.night else "daytime"
    return [
        unit for unit in eyes
        if unit.place is not None and (far := apart(unit.place, spot)) <= FARTHEST_SIGHT
        and limits[unit.side, unit.eye, hour, far][RED] >= 0
    ]  # fmt: skip


def lookouts_ashore(war: War, side: int, eyes: list[Seeker], spot: int) -> list[Seeker]:
    """Those who may learn more than the side's own troops there see."""
    seekers = within_sight(war, eyes, spot)
    if not war.held(spot, side):
        return seekers
    return [unit for unit in seekers if level_of(war, side, unit, spot, 0) > BLUE]


def search_seas(war: War, side: int) -> None:
    """One searcher for each force that is not yet seen, and one for a hex ashore."""
    eyes = lookouts(war, side)
    for force in war.forces:
        if force.side == side or force.detected:
            continue
        seeker = war.ask("seeker", side, [*within_sight(war, eyes, force.hex), None])
        if seeker is not None:
            level = level_of(war, side, seeker, force.hex, war.search())
            if level:
                force.detected, force.known, force.decoy = True, max(force.known, level), False
    search_shore(war, side, [unit for unit in eyes if not isinstance(unit, Boats)])


def level_of(war: War, side: int, seeker: Seeker, spot: int, die: int) -> int:
    """What a die tells: nothing, red, blue or green."""
    assert seeker.place is not None
    hour = "nighttime" if war.night else "daytime"
    limits = war.board.chart.search_limits[side, seeker.eye, hour, war.board.apart(seeker.place, spot)]
    return next((GREEN - n for n, limit in enumerate(limits) if die <= limit), 0)


def search_shore(war: War, side: int, eyes: list[Seeker]) -> None:
    """A hex of the other side's troops of which nothing is known yet."""
    known = war.known_ashore[side]
    quarries = [
        spot for spot in sorted(war.footholds(1 - side))
        if spot not in known and lookouts_ashore(war, side, eyes, spot)
    ]  # fmt: skip
    if not quarries:
        return
    spot = war.ask("shore_searched", side, [*quarries, None])
    if spot is None:
        return
    seeker = war.ask("shore_seeker", side, lookouts_ashore(war, side, eyes, spot))
    war.looked_at[side].add(spot)
    level = level_of(war, side, seeker, spot, war.shore_search())
    if level:
        known[spot] = level
