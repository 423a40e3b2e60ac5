"""The sequence of play (section 5), areas one by one (7.1), the surprise attack (18), control (15)."""

from __future__ import annotations

from benchmarks.plain import arrivals, movement
from benchmarks.plain.combat import Battle, fight_round, is_contested, with_planes
from benchmarks.plain.game import ALLIES, JAPAN, LAST_TURN, SIDES, Game
from benchmarks.plain.landings import capture_surrounded, land, last_landings
from benchmarks.plain.pieces import Area
from benchmarks.plain.raids import air_raids, raid_pearl_harbor, raid_round
from benchmarks.plain.retreats import EXTRA_ROUNDS, offer_retreat, run_down
from benchmarks.plain.submarines import return_submarines, submarine_attacks

END_OF_TRACK = 29


def set_up(game: Game) -> None:
    """The counters stand where they begin; what is left is to be surprised (18.1)."""
    game.surprise = True


def play(game: Game) -> int | None:
    """Eight turns; the side that has won, None for a drawn game (5.75)."""
    arrivals.send_raid_force(game)
    for turn in range(1, LAST_TURN + 1):
        game.turn = turn
        if turn > 1:
            for side in SIDES:
                arrivals.place_reinforcements(game, side)
            arrivals.take_removals(game)
        move_everything(game)
        resolve_all(game)
        return_submarines(game)
        set_flags(game)
        capture_surrounded(game)
        last_landings(game)
        for side in SIDES:
            for area in game.areas:
                game.return_to_port(side, area.forces[side].units(), area.bases)
        clear_markers(game)
    if game.lead == 0:
        return None
    return JAPAN if game.lead > 0 else ALLIES


def move_everything(game: Game) -> None:
    """All of 5.2, in order."""
    for side in SIDES:
        strained = movement.move_patrols(game, side)
        movement.repair(game, side)
        movement.ready_raiders(game, side)
        movement.roll_for_patrols(game, strained)
    movement.place_air_units(game)
    for side in SIDES:
        movement.move_amphibious(game, side)
    for side in SIDES:
        movement.move_raiders(game, side)
    movement.place_submarines(game)


def clear_markers(game: Game) -> None:
    """What lasts a turn is over (7.62)."""
    for ship in game.ships:
        ship.disabled = ship.raiding = ship.repaired = ship.pursuing = False
    for unit in game.amphibious:
        unit.disabled = unit.retreated = False


# ------------------------------------------------------------------------------ areas


def resolve_all(game: Game) -> None:
    """Areas in the order that Japan likes; on the first turn Hawaii, then Indonesia (7.1, 18.13)."""
    for area in game.areas:
        area.resolved = False
    if game.surprise:
        surprise_at_pearl_harbor(game)
        resolve(game, game.hawaii)
        surprise_in_indonesia(game)
        resolve(game, game.indonesia)
        game.surprise = False
    while options := [area for area in game.areas if not area.resolved and is_busy(area)]:
        resolve(game, game.ask("next_area", JAPAN, None, options))


def is_busy(area: Area) -> bool:
    """Whether there is anything to resolve (7.11)."""
    japan, allies = area.forces
    if japan.troops or allies.troops or is_contested(area):
        return True
    return any(ship.airstrike for ship in (japan.ships or allies.ships))


def resolve(game: Game, area: Area) -> None:
    """Fight, then raid and land (7.1, 5.5)."""
    if is_contested(area):
        fight(game, area)
    for side in SIDES:
        air_raids(game, area, side)
    land(game, area)
    area.resolved = True


def fight(game: Game, area: Area) -> None:
    """Rounds of combat until one side is left or has fled (7.12, 7.8)."""
    battle = Battle(area, area.forces)
    while is_contested(area):
        fight_round(game, battle)
        if game.surprise and area is game.hawaii:
            game.extra_rounds += 1
        submarine_attacks(game, area)
        groups = offer_retreat(game, battle)
        land(game, area)
        if groups is not None:
            run_down(game, area, groups)
            return


# ------------------------------------------------------------------------------ the surprise attack


def surprise_at_pearl_harbor(game: Game) -> None:
    """The raid, the search for the carriers, and the rounds after it (18.2, 18.3)."""
    hawaii = game.hawaii
    for _ in range(2):
        raid_pearl_harbor(game)
    if not hawaii.forces[JAPAN].is_empty():
        if not game.choose("stay_at_pearl_harbor", JAPAN, None, (False, True)):
            withdraw(game, hawaii, JAPAN)
    find_groups(game)
    leave_pearl_harbor(game)
    submarine_attacks(game, hawaii)
    if not hawaii.forces[ALLIES].is_empty() and game.choose("slip_away", ALLIES, None, (False, True)):
        withdraw(game, hawaii, ALLIES)
    game.extra_rounds = 0
    if is_contested(hawaii):
        fight(game, hawaii)
    for _ in range(EXTRA_ROUNDS - game.extra_rounds):
        raid_pearl_harbor(game)
    withdraw(game, hawaii, JAPAN)
    game.extra_rounds = 0


def withdraw(game: Game, area: Area, side: int) -> None:
    """Go home unpursued (18.21, 18.25)."""
    game.return_to_port(side, area.forces[side].units(), area.bases)


def find_groups(game: Game) -> None:
    """Where the American groups were (18.22)."""
    for box in game.group_boxes:
        die = game.roll_whereabouts()
        units = box.forces[ALLIES].units()
        if die > 3:
            for unit in units:
                unit.due = 2
        else:
            for unit in units:
                game.move(unit, game.central_pacific if die == 1 else game.hawaii)


def leave_pearl_harbor(game: Game) -> None:
    """Ships that float and air units go to sea (18.23)."""
    force = game.pearl_harbor.forces[ALLIES]
    for unit in [*(ship for ship in force.ships if not ship.is_resting()), *force.air]:
        game.move(unit, game.hawaii)


def surprise_in_indonesia(game: Game) -> None:
    """Two rounds of raid on those at sea (18.4)."""
    force, enemy = game.indonesia.forces
    for _ in range(2):
        raid_round(game, JAPAN, game.indonesia, with_planes(force), enemy.units())


# ------------------------------------------------------------------------------ control


def set_flags(game: Game) -> None:
    """Control of areas, and the points it brings (15.3, 15.4)."""
    for area in game.areas:
        area.began_under = area.controller
        area.controller = holder(area)
        if area.controller is not None:
            points = area.poc[area.controller]
            game.lead += points if area.controller == JAPAN else -points
    game.lead = max(-END_OF_TRACK, min(END_OF_TRACK, game.lead))


def holder(area: Area) -> int | None:
    """Who has a patrol or an air unit there (15.3)."""
    for side in SIDES:
        force = area.forces[side]
        if force.air or not all(ship.raiding for ship in force.ships):
            return side
    return None
