"""Three battle cycles at sea: submarines and forces move, search, and fight."""

from __future__ import annotations

from benchmarks.plain_night.action import fight_out, forces_at
from benchmarks.plain_night.chart import ALLIES, BY_NUMBER, FARTHEST_SIGHT, JAPAN, Hex, apart
from benchmarks.plain_night.sea import (
    MOST_CAPITALS,
    MOST_OTHERS,
    SALVO,
    TORPEDO_HITS,
    Boats,
    Force,
    Sea,
    Ship,
    column,
)

CYCLES = 3


def fight_nights(sea: Sea) -> None:
    """Japan has the advantage in all of them."""
    for _ in range(CYCLES):
        move(sea, JAPAN)
        naval_combat(sea)
        move(sea, ALLIES)
        for force in sea.forces:
            force.detected, force.known = False, "nothing"
        for boats in sea.boats:
            boats.struck.clear()
        sea.remove_empty_forces()


def move(sea: Sea, side: int) -> None:
    """Submarines, then forces, then searches of one side."""
    for boats in sea.boats:
        if boats.side == side and boats.place is not None:
            around = sorted({boats.place, *boats.place.ways}, key=BY_NUMBER)
            boats.place = sea.ask("patrol_line", side, boats, around)
    for force in [f for f in sea.forces if f.side == side]:
        if not force.gone:
            steam(sea, force, sea.ask("course", side, force, force.hex.at_sea_speed))
            strike_from_below(sea, force)
    for force in [f for f in sea.forces if f.side == side]:
        if not force.gone:
            join(sea, force)
    search(sea, side)


# ------------------------------------------------------------------------------ movement


def steam(sea: Sea, force: Force, goal: Hex) -> None:
    """Along the shortest way, past the submarines that lie there."""
    if goal is force.hex:
        return
    for spot in force.hex.towards[goal]:
        if sea.boats_at(spot, 1 - force.side):
            sea.bring(force, spot)
            strike_from_below(sea, force)
        elif spot.base and spot.holder == 1 - force.side:
            force.detected = True
    sea.bring(force, goal)


def join(sea: Sea, force: Force) -> None:
    """Forces that meet may become one."""
    hosts = [
        other for other in sea.forces
        if other.side == force.side and other.hex is force.hex and other is not force
    ]  # fmt: skip
    if not hosts:
        return
    host = sea.ask("joins", force.side, force, [*(h for h in hosts if has_room(force, h)), None])
    if host is not None:
        for ship in force.core + force.screen:
            ship.force = host
        host.core += force.core
        host.screen += force.screen
        force.core, force.screen = [], []
        force.gone = True
        sea.forces.remove(force)


def has_room(force: Force, host: Force) -> bool:
    """At most six capital and four other ships."""
    ships = force.core + force.screen + host.core + host.screen
    capitals = sum(ship.capital for ship in ships)
    return capitals <= MOST_CAPITALS and len(ships) - capitals <= MOST_OTHERS


# ------------------------------------------------------------------------------ submarines


def strike_from_below(sea: Sea, force: Force) -> None:
    """Submarines of the other side in its hex may attack a force."""
    for boats in sea.boats_at(force.hex, 1 - force.side):
        ships = force.ships()
        if ships and sea.ask("attack_by_submarine", boats.side, (boats, force), (False, True)):
            attack(sea, boats, force, ships)


def attack(sea: Sea, boats: Boats, force: Force, ships: list[Ship]) -> None:
    """As many torpedoes as the die says; then the force hunts."""
    assert boats.place is not None
    times = sea.chart.attacks[max(1, min(3, boats.steps - boats.hits))][sea.lurking()]
    boats.struck.add(force)
    aimed = [sea.ask("torpedo_victim", boats.side, boats, ships) for _ in range(times)]
    for target in aimed:
        if target.damage >= target.capacity:
            continue
        die = sea.submarine_torpedo()
        target.damage += sea.strike(die, TORPEDO_HITS[column(SALVO, die)])
    sea.sink_all(force.hex)
    strength = sum(max(0, ship.asw - ship.damage) for ship in force.core + force.screen)
    if strength and column(min(19, strength), sea.hunt()):
        boats.hits += 1
        if boats.hits >= boats.steps:
            boats.place = None
            return
        ports = sea.chart.ports[boats.side]
        nearest = min(apart(port, boats.place) for port in ports)
        havens = [port for port in ports if apart(port, boats.place) == nearest]
        boats.place = sea.ask("haven", boats.side, boats, havens)


# ------------------------------------------------------------------------------ searches


def search(sea: Sea, side: int) -> None:
    """One searcher for each force that is not yet seen."""
    for force in sea.forces:
        if force.side == side or force.detected:
            continue
        spot = force.hex
        seeker = sea.ask("seeker", side, force, [*sea.seekers(side, spot, FARTHEST_SIGHT), None])
        if seeker is None:
            continue
        assert seeker.place is not None
        limits = sea.chart.search_limits[side, seeker.eye, "nighttime", apart(seeker.place, spot)]
        die = sea.search()
        for limit, level in zip(limits, ("green", "blue", "red"), strict=True):
            if die <= limit:
                force.detected, force.known = True, level
                break


# ------------------------------------------------------------------------------ battles


def naval_combat(sea: Sea) -> None:
    """Where both sides are present, and in open water at least one is seen."""
    fleets = sorted({s.place for s in sea.all_ships if s.place is not None}, key=BY_NUMBER)
    for spot in [h for h in fleets if both_present(sea, h) and met(sea, h)]:
        fight_out(sea, spot)


def both_present(sea: Sea, spot: Hex) -> bool:
    """Ships or guns of either side."""
    return bool(sea.present(spot, JAPAN)) and bool(sea.present(spot, ALLIES))


def met(sea: Sea, spot: Hex) -> bool:
    """In open water two sides that have not seen each other pass by."""
    return spot.water != "open" or any(force.detected for force in forces_at(sea, spot))
