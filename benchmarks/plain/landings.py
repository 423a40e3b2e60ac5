"""Landings, invasions and captures (sections 13 and 14)."""

from __future__ import annotations

from benchmarks.plain.game import SIDES, Game
from benchmarks.plain.pieces import Amphibious, Area, Haven


def land(game: Game, area: Area) -> None:
    """Landing forces of both sides may go ashore (13.31)."""
    for side in SIDES:
        land_side(game, side, area)


def last_landings(game: Game) -> None:
    """What is still at sea may land (5.73)."""
    for side in SIDES:
        waiting = [area for area in game.areas if _landers(area, side)]
        while waiting:
            area = game.ask("last_landings.area", side, None, waiting)
            waiting.remove(area)
            land_side(game, side, area)


def land_side(game: Game, side: int, area: Area) -> None:
    """Name a beach or none for each landing force, then land them one by one (13.3, 13.42)."""
    landers = _landers(area, side)
    if not landers:
        return
    beaches = [haven for haven in area.havens if haven.owner == side or not haven.is_port]
    chosen = game.ask_each("landings", side, landers, [*beaches, None])
    beach_of = dict(zip(landers, chosen, strict=True))
    waiting = [unit for unit in landers if beach_of[unit] is not None]
    while waiting:
        unit = game.ask("land_side.unit", side, None, waiting)
        waiting.remove(unit)
        beach = beach_of[unit]
        assert beach is not None
        come_ashore(game, unit, beach)


def _landers(area: Area, side: int) -> list[Amphibious]:
    return [unit for unit in area.forces[side].troops if not unit.retreated]


def come_ashore(game: Game, unit: Amphibious, beach: Haven) -> None:
    """Land among friends, or invade: one landing force for one, then the base is taken (13.4)."""
    if beach.owner == unit.side:
        game.move(unit, beach)
        return
    game.sink(unit)
    defenders = beach.forces[beach.owner].troops
    if defenders:
        game.sink(game.ask("defender_lost", beach.owner, None, list(defenders)))
    else:
        beach.owner = unit.side
        evacuate(game, beach)
        after_capture(game)


# ------------------------------------------------------------------------------ captures


def capture_surrounded(game: Game) -> None:
    """Havens among areas that were the enemy's before and after the flags change hands (14.1)."""
    taken = [haven for haven in game.havens if is_surrounded(haven)]
    for haven in taken:
        haven.owner = 1 - haven.owner
    for side in SIDES:
        for haven in taken:
            if haven.owner != side:
                evacuate(game, haven)
    after_capture(game)


def is_surrounded(haven: Haven) -> bool:
    enemy = 1 - haven.owner
    return all(area.began_under == enemy and area.controller == enemy for area in haven.touches)


def evacuate(game: Game, haven: Haven) -> None:
    """The loser's units leave; ships on the bottom are lost (9.231, 14.3)."""
    loser = 1 - haven.owner
    for ship in [ship for ship in haven.forces[loser].ships if ship.is_resting()]:
        game.sink(ship)
    game.return_to_port(loser, haven.forces[loser].units(), haven.near_bases)


def after_capture(game: Game) -> None:
    """Air units without friendly ground go home; hulks outside yards are lost (12.24, 9.232)."""
    for side in SIDES:
        for area in game.areas:
            stranded = area.forces[side].air
            if stranded and not any(haven.owner == side for haven in area.havens):
                game.return_to_port(side, list(stranded), area.bases)
    game.sink_hulks()
