"""The strategic action: ground units of Japan move, one after the other, hex by hex."""

from __future__ import annotations

from itertools import combinations

from benchmarks.plain_pacific.board import BY_NUMBER, Hex
from benchmarks.plain_pacific.war import ALLIES, JAPAN, SHUT_TO_JAPAN, Ground, Ship, War

MARCH, HOP, REAR_AREA, AIRLIFT = "march", "hop", "rear_area", "airlift"
ASLEEP = {"Korea", "Cheju_do", "Manchukuo", "Jehol", "Outer_Mongolia", "USSR", "Alaska", "Ocean"}
"""Where no headquarters is active, so that no ground combat is allowed; the Kwantung Army sleeps."""

Options = dict[str, list[Hex]]


def move_ground_units(war: War) -> None:
    """Each unit at most once, in the order that Japan likes."""
    take_stock(war)
    left = [unit for unit in war.all_troops if unit.side == JAPAN and unit.moves and unit.place is not None]
    rear_left = True
    while left:
        unit = war.ask("mover", JAPAN, None, [*left, None])
        if unit is None:
            break
        left.remove(unit)
        ways = other_ways(war, unit, rear_left)
        way = war.ask("way_of", JAPAN, unit, [MARCH, *ways])
        if way == MARCH:
            march(war, unit)
            continue
        goal = war.ask(way, JAPAN, unit, ways[way])
        war.put(unit, goal)
        if way == HOP:
            occupy(war, goal)
        elif way == REAR_AREA:
            rear_left = False
    settle_stacks(war)


# ------------------------------------------------------------------------------ umbrellas


def take_stock(war: War) -> None:
    """Where Japan's bombers reach and American submarines do not, and where its own submarines are."""
    board = war.board
    umbrella: set[Hex] = set()
    for plane in war.all_planes:
        if plane.side == JAPAN and ("L" in plane.bombers or "S" in plane.bombers):
            base = plane.place if plane.deck is None else plane.deck.place
            if base is not None:
                umbrella.update(board.within(base.whole, plane.range))
    patrols = [ship for ship in war.all_ships if ship.stationed and ship.place is not None]
    for ship in patrols:
        if ship.side == ALLIES:
            umbrella.difference_update(waters_around(war, ship))
    for ship in patrols:
        if ship.side == JAPAN:
            umbrella.update(waters_around(war, ship))
    war.umbrella = umbrella


def waters_around(war: War, ship: Ship) -> list[Hex]:
    """Where a submarine on station is felt."""
    assert ship.place is not None
    return [h for h in war.board.within(ship.place.whole, 1) if h.wet and not h.reef]


def network(war: War, origin: Hex) -> set[Hex]:
    """The part of the umbrella that hangs together with a hex."""
    umbrella = war.umbrella
    if origin not in umbrella:
        return set()
    found = {origin}
    front = [origin]
    while front:
        for near in front.pop().neighbours:
            if near in umbrella and near not in found:
                found.add(near)
                front.append(near)
    return found


# ------------------------------------------------------------------------------ where a unit may go


def may_enter(spot: Hex) -> bool:
    """Whether Japanese units may be in a hex."""
    return spot.is_land and spot.territory not in SHUT_TO_JAPAN


def other_ways(war: War, unit: Ground, rear_left: bool) -> Options:
    """Ways beside a march, with the hexes to which they lead."""
    found: Options = {}
    spot = unit.place
    assert spot is not None
    if unit.anchor:
        hops = [h for h in spot.straits if may_enter(h) and no_enemy_at(war, h)]
        if hops:
            found[HOP] = hops
    if rear_left and spot.is_coastal and undisturbed(war, spot):
        berths = berths_of(war, unit, spot)
        if berths:
            found[REAR_AREA] = berths
    if unit.arm in ("parachute", "glider") and spot.airfield:
        fields = [
            h
            for h in network(war, spot)
            if h is not spot
            and h.airfield
            and war.held[h.number] == JAPAN
            and may_enter(h)
            and not war.troops[ALLIES][h.number]
        ]
        if fields:
            found[AIRLIFT] = sorted(fields, key=BY_NUMBER)
    return found


def no_enemy_at(war: War, spot: Hex) -> bool:
    """Whether nothing of the Allies is in a hex."""
    return not (
        war.troops[ALLIES][spot.number] or war.navy_at(spot, ALLIES) or war.planes[ALLIES][spot.number]
    )


def undisturbed(war: War, spot: Hex) -> bool:
    """Whether no enemy unit is next to a hex."""
    troops = war.troops[ALLIES]
    return not any(troops[near.number] for near in spot.by_land)


def berths_of(war: War, unit: Ground, spot: Hex) -> list[Hex]:
    """Anchorages in the rear area with a ship that can carry a unit."""
    ports = {
        ship.place
        for ship in war.all_ships
        if ship.side == JAPAN
        and ship.place is not None
        and ship.place is not spot
        and ship.place.anchorage
        and ship.lifts(unit)
    }
    if not ports:
        return []
    reached = network(war, spot)
    return sorted(
        (
            h
            for h in ports
            if h in reached and war.held[h.number] == JAPAN and may_enter(h) and undisturbed(war, h)
        ),
        key=BY_NUMBER,
    )


# ------------------------------------------------------------------------------ the march


def march(war: War, unit: Ground) -> None:
    """Hex by hex; the unit takes what it passes through, and overruns the weak."""
    spot = unit.place
    assert spot is not None
    left = unit.moves
    been = {spot}
    fresh, weak, on_road = True, False, False
    while left > 0 or on_road:
        ways = onward(war, unit, spot, left, fresh, weak, on_road, been)
        goal = war.ask("onward", JAPAN, unit, [*ways, None])
        if goal is None:
            return
        overrun = overruns(war, unit, goal)
        if goal in spot.ledo_road:
            if not on_road:
                left = max(0, left - 1)
            on_road = True
        else:
            on_road = False
            if goal in spot.mountains and goal not in spot.kokoda_trail:
                left = 0
            else:
                left = max(0, left - (step_cost(war, unit, spot, goal) or 0))
        for enemy in list(war.troops[ALLIES][goal.number]):
            war.destroy_troops(enemy)
        war.put(unit, goal)
        occupy(war, goal)
        zoners = zoners_at(war, goal)
        if unit.level == 2:
            if any(enemy.level != -1 for enemy in zoners):
                return
        elif zoners:
            return
        weak = bool(zoners) and not overrun
        spot = goal
        been.add(spot)
        fresh = False


def onward(
    war: War, unit: Ground, spot: Hex, left: int, fresh: bool, weak: bool, on_road: bool, been: set[Hex]
) -> list[Hex]:
    """The hexes that a unit may enter next."""
    found = []
    enemies = war.troops[ALLIES]
    for goal in spot.by_land:
        by_road = goal in spot.ledo_road
        if goal.territory in SHUT_TO_JAPAN or (on_road and goal in been):
            continue
        if (weak or enemies[goal.number]) and not overruns(war, unit, goal):
            continue
        if not by_road:
            cost = step_cost(war, unit, spot, goal)
            if cost is None or (cost > left and not fresh):
                continue
            if goal in spot.mountains and (unit.on_wheels or not (fresh or goal in spot.kokoda_trail)):
                continue
        found.append(goal)
    return found


def step_cost(war: War, unit: Ground, spot: Hex, goal: Hex) -> int | None:
    """What it costs to enter a hex; None where the unit cannot go."""
    crossing, arm = war.board.crossing, unit.arm
    cost = crossing[goal.terrain, arm]
    if cost is None:
        return None
    for side in spot.walls_and_rivers.get(goal, ()):
        over = crossing[side, arm]
        if over is None:
            return None
        cost += over
    return cost + 1 if goal in spot.kokoda_trail else cost


def overruns(war: War, unit: Ground, goal: Hex) -> bool:
    """Whether a unit of the best passes through a hex with none but the worst."""
    if unit.level != 2 or goal.territory in ASLEEP:
        return False
    enemies = war.troops[ALLIES][goal.number]
    return bool(enemies) and all(enemy.level == -1 for enemy in enemies)


def zoners_at(war: War, spot: Hex) -> list[Ground]:
    """The enemies whose zones of control reach a hex."""
    troops = war.troops[ALLIES]
    found = [enemy for enemy in troops[spot.number] if enemy.irregular]
    if spot.zones is not None:
        for near in spot.zones:
            found += [enemy for enemy in troops[near.number] if not enemy.irregular]
    return found


# ------------------------------------------------------------------------------ coming in


def occupy(war: War, spot: Hex) -> None:
    """Take a hex: planes on the ground are lost, ships leave the anchorage."""
    war.held[spot.number] = JAPAN
    for plane in war.planes_at(spot, ALLIES, "based"):
        war.destroy_plane(plane, True)
    if spot.anchorage and war.navy_at(spot, ALLIES):
        displace(war, spot)


def displace(war: War, spot: Hex) -> None:
    """The Allies' ships go to one of their closest anchorages, or are lost."""
    ships, forces = list(war.ships[ALLIES][spot.number]), list(war.forces[ALLIES][spot.number])
    havens = [
        h
        for h in war.hexes
        if h.anchorage and war.held[h.number] == ALLIES and not war.troops[JAPAN][h.number] and h is not spot
    ]
    if not havens:
        for ship in ships:
            war.sink(ship)
        return
    closest = min(spot.distances[h.number] for h in havens)
    refuges = [h for h in havens if spot.distances[h.number] == closest]
    refuge = war.ask("refuge", ALLIES, None, refuges)
    for ship in ships:
        war.moor(ship, refuge)
    for force in forces:
        war.sail(force, refuge)


# ------------------------------------------------------------------------------ stacks


def settle_stacks(war: War) -> None:
    """Give up what does not fit, and no more."""
    for spot in war.hexes:
        stack = war.troops[JAPAN][spot.number]
        if len(stack) > 1 and not fits(stack, spot):
            for unit in overstacked(war, spot, stack):
                war.destroy_troops(unit)


def fits(stack: list[Ground], spot: Hex) -> bool:
    """Whether units may be together in a hex."""
    if len(stack) < 2 or spot.name == "Tokyo":
        return True
    return sum(unit.thirds for unit in stack) <= (9 if spot.is_rough else 15)


def overstacked(war: War, spot: Hex, stack: list[Ground]) -> list[Ground]:
    """Units of which each has to go as long as the others go."""
    enough = [
        set(lost)
        for number in range(1, len(stack))
        for lost in combinations(stack, number)
        if fits([unit for unit in stack if unit not in lost], spot)
        and not any(fits([u for u in stack if u is unit or u not in lost], spot) for unit in lost)
    ]
    picked: set[Ground] = set()
    while picked not in enough:
        ways = [
            unit for unit in stack if unit not in picked and any({*picked, unit} <= lost for lost in enough)
        ]
        picked.add(war.ask("overstacked", JAPAN, spot, ways))
    return [unit for unit in stack if unit in picked]
