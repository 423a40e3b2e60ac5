"""Movement: patrols, repairs, raiders, air units, landing forces, submarines (sections 6, 11, 12 and 16)."""

from __future__ import annotations

from benchmarks.plain.game import ALLIES, BY_NUMBER, FREE_CRUISERS, JAPAN, SIDES, Game
from benchmarks.plain.pieces import Area, Haven, Ship

SURE_SPEED = 7


def neighbours(areas: set[Area], side: int) -> set[Area]:
    """Areas that border those of these which the enemy does not control (6.3)."""
    return {next_to for area in areas if area.controller != 1 - side for next_to in area.borders}


def in_two_moves(haven: Haven, side: int) -> tuple[set[Area], set[Area]]:
    """Areas at one move from a haven, and at two (6.22)."""
    near = set(haven.touches)
    return near, neighbours(near, side) - near


def by_number(areas: set[Area]) -> list[Area]:
    return sorted(areas, key=BY_NUMBER)


# ------------------------------------------------------------------------------ patrols and raiders


def may_sail(game: Game, ship: Ship) -> bool:
    """Not from the bottom (9.23); of the Allies, on the first turn, only five cruisers (18.12)."""
    if ship.is_resting():
        return False
    return not game.surprise or ship.side == JAPAN or ship.name in FREE_CRUISERS


def passes_speed_roll(game: Game, ship: Ship) -> bool:
    """The roll of 6.4, which the fastest need not make."""
    return ship.pace >= SURE_SPEED or game.roll_speed() < ship.pace


def move_patrols(game: Game, side: int) -> list[Ship]:
    """Send ships on patrol; those that must roll for their speed, in order (6.11, 6.221)."""
    strained: list[Ship] = []
    for haven in game.havens:
        if haven.owner == side and haven.forces[side].ships:
            near, second = in_two_moves(haven, side)
            options = [*by_number(near | second), None]
            for ship in [ship for ship in haven.forces[side].ships if may_sail(game, ship)]:
                area = game.ask("patrol", side, None, options)
                if area is not None:
                    if area not in near:
                        strained.append(ship)
                    game.move(ship, area)
    return sorted(strained, key=BY_NUMBER)


def roll_for_patrols(game: Game, strained: list[Ship]) -> None:
    """Patrols that fail their roll are raiders (6.41)."""
    for ship in strained:
        if not passes_speed_roll(game, ship):
            ship.raiding = True


def ready_raiders(game: Game, side: int) -> None:
    """Turn ships in port into raiders (6.12)."""
    able = [
        ship
        for ship in game.ships_by_side[side]
        if isinstance(ship.place, Haven) and not ship.repaired and may_sail(game, ship)
    ]
    for ship in game.ask_any("raiders", side, able):
        ship.raiding = True


def move_raiders(game: Game, side: int) -> None:
    """Send raiders to sea, and roll for those that went as far as they could (5.24, 6.23, 6.42)."""
    strained: set[Ship] = set()
    for haven in game.havens:
        if haven.owner == side:
            raiders = [ship for ship in haven.forces[side].ships if ship.raiding]
            if raiders:
                near, second = in_two_moves(haven, side)
                third = neighbours(second, side) - near - second
                short, far = [*by_number(near | second), None], [*by_number(near | second | third), None]
                for ship in raiders:
                    area = game.ask("raid_move", side, None, far if ship.far_ranging else short)
                    if area is not None:
                        if area in third if ship.far_ranging else area in second:
                            strained.add(ship)
                        game.move(ship, area)
    if strained:
        for area in game.areas:
            for ship in [ship for ship in area.forces[side].ships if ship in strained]:
                if not passes_speed_roll(game, ship):
                    game.return_to_port(side, [ship], area.bases)


def repair(game: Game, side: int) -> None:
    """Mend ships in yards; they stay there this turn (11.1, 11.3, 11.4)."""
    for port in game.ports:
        points = game.repair_points(port) if port.owner == side else 0
        if points:
            damaged = [ship for ship in port.forces[side].ships if ship.damage]
            ships = game.ask_any("under_repair", side, damaged)
            left = min(points, sum(ship.damage for ship in ships))
            room = sum(ship.damage for ship in ships)
            shares: list[int] = []
            for ship in ships:
                room -= ship.damage
                options = range(max(0, left - room), min(ship.damage, left) + 1)
                shares.append(game.ask("repair_shares", side, ship, options))
                left -= shares[-1]
            for ship, share in zip(ships, shares, strict=True):
                if share:
                    ship.set_damage(ship.damage - share)
                    ship.repaired = True


# ------------------------------------------------------------------------------ others


def place_air_units(game: Game) -> None:
    """One unit each in turn, Japan first; who declines is done (5.22, 12.1)."""
    ready = [[unit for unit in game.air_by_side[side] if isinstance(unit.place, Haven)] for side in SIDES]
    if game.surprise:
        ready[ALLIES].clear()
    covered = [[area for area in game.areas if any(h.owner == side for h in area.havens)] for side in SIDES]
    side = JAPAN
    while ready[JAPAN] or ready[ALLIES]:
        if ready[side]:
            unit = game.ask("air_unit", side, None, [*ready[side], None])
            if unit is None:
                ready[side].clear()
            else:
                ready[side].remove(unit)
                game.move(unit, game.ask("air_area", side, None, covered[side]))
        side = 1 - side


def move_amphibious(game: Game, side: int) -> None:
    """Landing forces go two areas at most (13.1)."""
    for haven in game.havens:
        if haven.owner == side and haven.forces[side].troops:
            near, second = in_two_moves(haven, side)
            options = [*by_number(near | second), None]
            for unit in list(haven.forces[side].troops):
                area = game.ask("amphibious_move", side, None, options)
                if area is not None:
                    game.move(unit, area)


def place_submarines(game: Game) -> None:
    """Submarines of this turn appear anywhere (6.6)."""
    for submarine in game.submarines:
        if game.turn in submarine.turns:
            area = game.ask("submarine_area", submarine.side, None, game.areas)
            submarine.place = area
            area.submarines.append(submarine)
