"""One strike of Japan on a hex: fighters first, then torpedoes, dive bombers and level bombers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.plain_pacific.board import BY_NUMBER, MOST_FACTORS, Hex, column_of_odds
from benchmarks.plain_pacific.war import ALLIES, JAPAN, Force, Plane, Ship, War

ESCORT, HUNT, STRAFE_DECKS, STRAFE_FIELD, SUICIDE, TORPEDOING, DIVING, LEVELLING = TASKS = (
    "escort", "hunt", "strafe_decks", "strafe_field", "suicide", "torpedoing", "diving", "levelling",
)  # fmt: skip
BOMBING = {TORPEDOING: "torpedo", DIVING: "dive_bombing", LEVELLING: "level_bombing"}
GROUP, FORCE = "the_group", "a_force"


def raid(war: War, spot: Hex, raiders: list[Plane]) -> None:
    """All waves of one strike."""
    preys = [GROUP] if war.ships_near(spot, ALLIES) else []
    if war.forces_near(spot, ALLIES):
        preys.append(FORCE)
    grounded = bool(war.planes_at(spot, ALLIES, "based"))
    aloft = bool(war.planes_at(spot, ALLIES, "aloft", "ferry"))
    declining = [None] if grounded or aloft or not preys else []
    aim = war.ask("quarry", JAPAN, spot, [*preys, *declining])
    force = war.lots.draw(war.forces_near(spot, ALLIES)) if aim == FORCE else None
    by_task: dict[str | None, list[Plane]] = {task: [] for task in (*TASKS, None)}
    for plane in raiders:
        tasks = tasks_of(plane, grounded, aloft, aim is not None)
        by_task[war.ask("tasks", JAPAN, plane, tasks or [None])].append(plane)
    for plane in raiders:
        war.fly(plane, spot, "aloft")
    first_wave(war, spot, by_task, aim, force)
    for task in BOMBING:
        if by_task[task]:
            bombing_wave(war, spot, task, by_task[task], force)


def tasks_of(plane: Plane, grounded: bool, aloft: bool, ships: bool) -> list[Any]:
    """What a plane can do, in the order of the tasks."""
    found = []
    if plane.attack:
        found.append(ESCORT)
        if aloft:
            found.append(HUNT)
        if ships:
            found.append(STRAFE_DECKS)
        if grounded:
            found.append(STRAFE_FIELD)
    if ships:
        if plane.level == -2:
            found.append(SUICIDE)
        if "T" in plane.bombers:
            found.append(TORPEDOING)
        if "D" in plane.bombers:
            found.append(DIVING)
        if "L" in plane.bombers or "S" in plane.bombers:
            found.append(LEVELLING)
    return found


# ------------------------------------------------------------------------------ waves


def first_wave(
    war: War, spot: Hex, by_task: dict[str | None, list[Plane]], aim: str | None, force: Force | None
) -> None:
    """Fighters, those that strafe, and those that dive into ships."""
    wave = in_order(plane for task in TASKS[:5] for plane in by_task[task])
    air_battle(war, wave, patrol_over(war, spot))
    air_battle(war, flying(by_task[HUNT]), war.planes_at(spot, ALLIES, "aloft", "ferry"))
    strafers, divers = by_task[STRAFE_DECKS], by_task[SUICIDE]
    if aim is not None and (flying(strafers) or flying(divers)):
        close: list[Plane] = []
        if flying(divers):
            close = war.ask_any("stay_close", JAPAN, flying(by_task[ESCORT]))
        party = in_order([*flying(strafers), *flying(by_task[STRAFE_FIELD]), *flying(divers), *close])
        if force is not None:
            press(war, party, strafers, divers, force)
        else:
            fire_flak(war, war.ships_near(spot, ALLIES), party)
            crash(war, flying(divers), list(war.ships_near(spot, ALLIES)))
            strafe(war, flying(strafers), decks_of(war.ships_near(spot, ALLIES)))
    strafe(war, flying(by_task[STRAFE_FIELD]), war.planes_at(spot, ALLIES, "based"))


def press(war: War, party: list[Plane], strafers: list[Plane], divers: list[Plane], force: Force) -> None:
    """The first wave against a Task Force: its Screen, and then its Core."""
    if not war.choose("engage", JAPAN, force, (False, True)):
        return
    force.shown = True
    screen = force.part(False)
    fire_flak(war, screen, party)
    to_core = war.ask_any("to_the_core", JAPAN, flying(divers))
    crash(war, [plane for plane in flying(divers) if plane not in to_core], screen)
    if not flying(to_core) and not flying(strafers):
        return
    if not war.choose("go_on", JAPAN, force, (False, True)):
        return
    core = force.part(True)
    fire_flak(war, core, flying(party))
    crash(war, flying(to_core), core)
    strafe(war, flying(strafers), decks_of(force.part(True)))


def bombing_wave(war: War, spot: Hex, task: str, bombers: list[Plane], force: Force | None) -> None:
    """One kind of bombers against ships."""
    air_battle(war, bombers, patrol_over(war, spot))
    bombers = flying(bombers)
    if not bombers:
        return
    if force is None:
        fire_flak(war, war.ships_near(spot, ALLIES), bombers)
        bomb_ships(war, task, flying(bombers), list(war.ships_near(spot, ALLIES)))
        return
    if not war.choose("engage", JAPAN, force, (False, True)):
        return
    force.shown = True
    screen = force.part(False)
    fire_flak(war, screen, bombers)
    bombers = flying(bombers)
    to_core = war.ask_any("to_the_core", JAPAN, bombers)
    bomb_ships(war, task, [plane for plane in bombers if plane not in to_core], screen)
    if to_core:
        core = force.part(True)
        fire_flak(war, core, to_core)
        bomb_ships(war, task, flying(to_core), core)


# ------------------------------------------------------------------------------ who is there


def flying(planes: Iterable[Plane]) -> list[Plane]:
    """Those that have not been shot down."""
    return [plane for plane in planes if not plane.destroyed]


def in_order(planes: Iterable[Plane]) -> list[Plane]:
    """By their numbers."""
    return sorted(planes, key=BY_NUMBER)


def patrol_over(war: War, spot: Hex) -> list[Plane]:
    """Allied planes on CAP, those over their own Task Force too."""
    found = [plane for h in spot.waters for plane in war.planes_at(h, ALLIES, "patrol")]
    for force in war.forces_near(spot, ALLIES):
        found += [plane for ship in force.ships for plane in ship.planes if plane.mission == "patrol"]
    for ship in war.ships_near(spot, ALLIES):
        found += [plane for plane in ship.planes if plane.mission == "patrol"]
    return in_order(found)


def decks_of(ships: Sequence[Ship]) -> list[Plane]:
    """Planes that stand on the decks of these."""
    return in_order(plane for ship in ships for plane in ship.planes if plane.mission == "based")


def level_of(those: Sequence[Plane] | Sequence[Ship]) -> int:
    """The best level among them."""
    return max((each.level for each in those), default=0)


def is_submerged(war: War, ship: Ship) -> bool:
    """Whether only level bombers find a ship."""
    if ship.type != "SS":
        return False
    spot = ship.place
    return spot is None or not spot.anchorage or war.held[spot.number] != ship.side


# ------------------------------------------------------------------------------ fire at planes


def air_battle(war: War, attackers: list[Plane], defenders: list[Plane]) -> None:
    """One round; both sides fire at once."""
    if not attackers or not defenders:
        return
    lost = air_fire(war, JAPAN, attackers, defenders)
    lost += air_fire(war, ALLIES, defenders, attackers)
    for plane in lost:
        war.destroy_plane(plane, True)


def air_fire(war: War, side: int, shooters: list[Plane], planes: list[Plane]) -> list[Plane]:
    """What one side shoots down."""
    attack = sum(plane.attack for plane in shooters)
    if not attack:
        return []
    roll = war.dogfight() + level_of(shooters)
    column = column_of_odds(attack, defence_of(planes))
    return shot_down(war, side, planes, war.board.by_odds["air_to_air"][column][roll])


def fire_flak(war: War, ships: Sequence[Ship], planes: list[Plane]) -> None:
    """The guns of Allied ships."""
    flak = sum(ship.flak for ship in ships)
    if not planes or not flak:
        return
    roll = war.anti_aircraft() + level_of(ships)
    column = column_of_odds(flak, defence_of(planes))
    for plane in shot_down(war, ALLIES, planes, war.board.by_odds["flak"][column][roll]):
        war.destroy_plane(plane, True)


def strafe(war: War, strafers: list[Plane], planes: list[Plane]) -> None:
    """Fire at planes on decks and on the ground, whose pilots are not aboard."""
    if not strafers or not planes:
        return
    roll = war.strafing_run() + level_of(strafers)
    column = column_of_factors(sum(plane.attack for plane in strafers))
    for plane in shot_down(war, JAPAN, planes, war.board.by_factors["strafing"][column][roll]):
        war.destroy_plane(plane, False)


def shot_down(war: War, side: int, planes: list[Plane], lost: int) -> list[Plane]:
    """As many as are lost, of the choice of those that fire; a transport falls last of all."""
    number = min(lost, len(planes))
    escorts = [plane for plane in planes if not plane.transport]
    spare = number - len(escorts)
    if spare <= 0:
        return war.ask_some("shot_down", side, escorts, number)
    picked: list[Plane] = []
    while len(picked) < number:
        room = spare > sum(plane.transport for plane in picked)
        left = [plane for plane in planes if plane not in picked and (room or not plane.transport)]
        if len(left) == number - len(picked):
            picked += left
        else:
            picked.append(war.ask("shot_down", side, None, left))
    return in_order(picked)


def defence_of(planes: Sequence[Plane]) -> int:
    """Their factors together."""
    return sum(plane.defence for plane in planes)


def column_of_factors(factors: int) -> int:
    """The column of a total."""
    return max(1, min(MOST_FACTORS, factors))


# ------------------------------------------------------------------------------ bombs on ships


def bomb_ships(war: War, task: str, planes: list[Plane], ships: list[Ship]) -> None:
    """Each bomber aims at a ship; each ship is rolled for once."""
    surfaced = [ship for ship in ships if not is_submerged(war, ship)]
    aim: dict[Ship, list[Plane]] = {}
    for plane in planes:
        seen = ships if task == LEVELLING and "L" in plane.bombers else surfaced
        if seen:
            aim.setdefault(war.ask("bomb_targets", JAPAN, plane, seen), []).append(plane)
    for ship in ships:
        if ship in aim:
            roll = war.bombs_away() + level_of(aim[ship])
            if is_submerged(war, ship):
                hit(war, ship, war.board.by_roll[roll])
            else:
                column = column_of_factors(sum(plane.bombs for plane in aim[ship]))
                hit(war, ship, war.board.by_factors[BOMBING[task]][column][roll])


def crash(war: War, divers: list[Plane], ships: list[Ship]) -> None:
    """Kamikaze: planes that dive into ships are lost."""
    surfaced = [ship for ship in ships if not is_submerged(war, ship)]
    if not divers or not surfaced:
        return
    aim: dict[Ship, list[Plane]] = {}
    for plane in divers:
        aim.setdefault(war.ask("crash_targets", JAPAN, plane, surfaced), []).append(plane)
    for ship in surfaced:
        if ship in aim:
            hit(war, ship, war.board.by_factors["kamikaze"][min(9, len(aim[ship]))][war.tokkotai()])
            for plane in aim[ship]:
                war.destroy_plane(plane, True)


def hit(war: War, ship: Ship, result: tuple[str, int]) -> None:
    """What bombs do to a ship; one that is damaged twice sinks."""
    effect, deck_lost = result
    if effect == "no_effect":
        return
    if effect == "sunk" or ship.damaged:
        war.sink(ship)
        return
    ship.damaged = True
    planes = decks_of([ship])
    for plane in war.ask_some("deck_losses", JAPAN, planes, min(deck_lost, len(planes))):
        war.destroy_plane(plane, True)
