"""Set-up, reinforcements and removals (section 4)."""

from __future__ import annotations

from benchmarks.plain.game import ALLIES, JAPAN, SIDES, Game
from benchmarks.plain.pieces import Haven, Ship, Unit

RAID_FORCE_SPEED = 5


def send_raid_force(game: Game) -> None:
    """Japan's carriers for Pearl Harbor leave with the set-up (4.2)."""
    able = [ship for ship in game.yokosuka.forces[JAPAN].ships if ship.speed >= RAID_FORCE_SPEED]
    for ship in game.ask_any("raid_force", JAPAN, able):
        ship.raiding = True
        game.move(ship, game.hawaii)


def place_reinforcements(game: Game, side: int) -> None:
    """New units at the port of their row, those that were lost at a port of choice (4.4)."""
    arriving = [unit for unit in game.by_side[side] if unit.due == game.turn]
    back = [unit for unit in arriving if unit.place is game.returning]
    for unit in arriving:
        if unit.place is not game.returning:
            _place_new(game, unit)
    ports: list[Haven | None] = [port for port in game.ports if port.owner == side]
    for unit, port in zip(back, game.ask_each("return_ports", side, back, ports or [None]), strict=True):
        if port is None:
            unit.due = game.turn + 1
        else:
            game.move(unit, port)


def _place_new(game: Game, unit: Unit) -> None:
    port = unit.port
    if port is game.pearl_harbor and port.owner != unit.side and game.samoa.owner == ALLIES:
        port = game.samoa
    if port is not None:
        if port.owner == unit.side:
            game.move(unit, port)
        else:
            game.sink(unit)


# ------------------------------------------------------------------------------ removals


def take_removals(game: Game) -> None:
    """British ships that leave, or one of their type instead (4.42)."""
    for listed in game.ships:
        if listed.leaves == game.turn:
            in_play = _british_in_play(game)
            if listed in in_play:
                options = [listed]
            else:
                options = [ship for ship in in_play if _same_type(ship, listed)] or in_play
            if options:
                game.remove(game.ask("removal", ALLIES, None, options))


def _british_in_play(game: Game) -> list[Ship]:
    found = [ship for haven in game.havens for side in SIDES for ship in haven.forces[side].ships]
    return sorted((ship for ship in found if ship.nation == "British"), key=lambda ship: ship.number)


def _same_type(ship: Ship, listed: Ship) -> bool:
    if _is_removal_battleship(listed):
        return _is_removal_battleship(ship)
    return _is_removal_carrier(listed) and _is_removal_carrier(ship)


def _is_removal_battleship(ship: Ship) -> bool:
    if ship.gunnery == 4:
        return (ship.armor == 4 and 3 <= ship.speed <= 4) or (ship.armor == 5 and ship.speed == 6)
    return ship.gunnery == 3 and ship.armor == 3 and ship.speed == 6


def _is_removal_carrier(ship: Ship) -> bool:
    return ship.airstrike > 0 and ship.gunnery == 0 and ship.armor == 2 and ship.speed == 7
