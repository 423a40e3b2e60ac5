"""Task forces: organization, troops aboard, courses, and submarines on the way."""

from __future__ import annotations

from benchmarks.plain_month.war import ACTIVE, MOST_FORCES, Boats, Force, Ship, Troops, War
from benchmarks.plain_night.sea import MOST_CAPITALS, MOST_OTHERS, SALVO, TORPEDO_HITS, column

CRITICAL_HITS = (0, 0, 0, 0, 0, 0, 1, 1, 2, 3)
SPEED, SPEED_OF_AMBUSH = 3, 6
AMBUSHES = (2, 3)

# ------------------------------------------------------------------------------ organization


def organize_forces(war: War, side: int) -> None:
    """Active ships that belong to no force form some, and one more may be a dummy."""
    war.remove_empty_forces(side)
    part_from_idle(war, side)
    while len(war.forces) < MOST_FORCES:
        loose = loose_ships(war, side)
        if not loose:
            break
        flagship = loose[0]
        assert flagship.place is not None
        organize(war, flagship, [ship for ship in loose[1:] if ship.place == flagship.place])
    own = [force for force in war.forces if force.side == side]
    if not own or any(force.decoy for force in own) or len(war.forces) >= MOST_FORCES:
        return
    if war.ask("forms_dummy", side, (False, True)):
        war.form(side, own[0].hex).decoy = True


def loose_ships(war: War, side: int) -> list[Ship]:
    """Active ships in no force."""
    return [
        ship for ship in war.ships
        if ship.side == side and ship.status == ACTIVE and ship.place is not None and ship.force is None
    ]  # fmt: skip


def part_from_idle(war: War, side: int) -> None:
    """Active ships leave a force of which others lie idle, as long as there are markers."""
    for force in war.forces:
        staying = [ship for ship in force.ships() if ship.status != ACTIVE]
        if force.side != side or not staying or len(staying) == len(force.ships()):
            continue
        if len(war.forces) + len({ship.place for ship in loose_ships(war, side)}) >= MOST_FORCES:
            continue
        for ship in force.ships():
            if ship.status == ACTIVE:
                ship.force = None
        force.core = [ship for ship in force.core if ship.status != ACTIVE]
        force.screen = [ship for ship in staying if ship not in force.core]
        if not force.core:
            force.core, force.screen = force.screen, []


def organize(war: War, flagship: Ship, others: list[Ship]) -> None:
    """Ships that go with her, the troops they take, and the screen."""
    side, spot = flagship.side, flagship.place
    assert spot is not None
    ships = [flagship]
    capitals, small = MOST_CAPITALS - flagship.capital, MOST_OTHERS - (not flagship.capital)
    while others := [ship for ship in others if (capitals if ship.capital else small)]:
        pick = war.choose("company", side, None, [*others, None])
        if pick is None:
            break
        ships.append(pick)
        others.remove(pick)
        if pick.capital:
            capitals -= 1
        else:
            small -= 1
    force = war.form(side, spot)
    force.core = ships
    for ship in ships:
        ship.force = force
    load(war, force)
    most = len(ships) // 2
    left: list[Ship] = [ship for ship in force.ships() if not ship.never_screens]
    while left and len(force.screen) < most:
        pick = war.choose("screen_of", side, None, [*left, None])
        if pick is None:
            break
        left.remove(pick)
        force.core.remove(pick)
        force.screen.append(pick)


def load(war: War, force: Force) -> None:
    """Active troops ashore go aboard, one unit to a ship that can lift it."""
    waiting: list[Troops] = [
        unit for unit in war.troops_at[force.hex]
        if unit.side == force.side and unit.status == ACTIVE and unit.holds()
    ]  # fmt: skip
    if not waiting or war.contested(force.hex):
        return
    transports = [s for s in force.ships() if s.lift and not s.cargo and s.status == ACTIVE]
    loaded = []
    for ship in transports:
        unit = war.ask("loads", force.side, [*(u for u in waiting if u.steps() <= ship.lift), None])
        if unit is not None:
            waiting.remove(unit)
            loaded.append((ship, unit))
    for ship, unit in loaded:
        unit.aboard = ship
        ship.cargo.append(unit)


# ------------------------------------------------------------------------------ at sea


def may_sail(war: War, force: Force) -> bool:
    """All its ships are active; a dummy follows its side."""
    if not force.core and not force.screen:
        return war.active(force.side)
    return all(ship.status == ACTIVE for ship in force.core + force.screen)


def sail(war: War, force: Force) -> None:
    """Load, choose a course, and pass the submarines that lie on it."""
    load(war, force)
    ambush = force.side != war.operator and war.intelligence in AMBUSHES
    speed = SPEED_OF_AMBUSH if ambush else SPEED
    goal = war.ask("course", force.side, war.board.reach[force.hex][speed])
    if goal == force.hex:
        return
    for spot in war.board.way(force.hex, goal):
        if boats_at(war, spot, 1 - force.side):
            bring(war, force, spot)
            strike_from_below(war, force)
            if force.gone:
                return
        elif off_enemy_base(war, spot, force.side):
            force.detected = True
    bring(war, force, goal)


def off_enemy_base(war: War, spot: int, side: int) -> bool:
    """Whether a port or an airfield of the other side is there."""
    return war.controller[spot] == 1 - side and (war.has_port[spot] or war.has_airfield[spot])


def bring(war: War, force: Force, spot: int) -> None:
    """Ships go together with what they carry; off an enemy base they are seen."""
    force.hex = spot
    for ship in force.core + force.screen:
        war.move_ship(ship, spot)
        for unit in ship.cargo:
            war.move_troops(unit, spot)
        for plane in ship.planes:
            war.move_plane(plane, spot)
    if off_enemy_base(war, spot, force.side):
        force.detected = True


# ------------------------------------------------------------------------------ submarines


def boats_at(war: War, spot: int, side: int) -> list[Boats]:
    """Submarines of a side that lie there."""
    return [u for u in war.boats if u.place == spot and u.side == side and u.hits < u.full_steps]


def strike_from_below(war: War, force: Force) -> None:
    """Submarines of the other side in its hex may attack a force."""
    for boats in boats_at(war, force.hex, 1 - force.side):
        ships = force.ships()
        if ships and war.ask("attack_by_submarine", boats.side, [False, True]):
            attack(war, boats, force, ships)


def attack(war: War, boats: Boats, force: Force, ships: list[Ship]) -> None:
    """As many torpedoes as the die says; then the force hunts."""
    times = war.board.chart.attacks[max(1, min(3, boats.full_steps - boats.hits))][war.lurking()]
    boats.struck.add(force.number)
    aimed = [war.ask("torpedo_victim", boats.side, ships) for _ in range(times)]
    boats.aimed = [ship.number for ship in aimed]
    for target in aimed:
        if target.damage < target.capacity:
            torpedo(war, target)
    war.sink_all(force.hex)
    strength = sum(max(0, ship.asw - ship.damage) for ship in force.core + force.screen)
    if strength and column(min(19, strength), war.hunt()):
        boats.hits += 1
        if boats.hits >= boats.full_steps:
            boats.place = None
        else:
            send_home(war, boats)


def torpedo(war: War, target: Ship) -> None:
    """A die of 0 may do more."""
    die = war.submarine_torpedo()
    hits = TORPEDO_HITS[column(SALVO, die)]
    if hits:
        target.damage += hits + (CRITICAL_HITS[war.critical()] if die == 0 else 0)


def send_home(war: War, boats: Boats) -> None:
    """To one of the nearest ports of the side."""
    assert boats.place is not None
    ports = [spot for spot, port in enumerate(war.has_port) if port and war.controller[spot] == boats.side]
    if ports:
        far = [war.board.apart(port, boats.place) for port in ports]
        nearest = min(far)
        havens = [port for port, distance in zip(ports, far, strict=True) if distance == nearest]
        boats.place = war.ask("haven", boats.side, havens)
