"""Retreats, groups and pursuit (section 8)."""

from __future__ import annotations

from benchmarks.plain.combat import Battle, fight_round, is_contested
from benchmarks.plain.game import ALLIES, JAPAN, SIDES, Game
from benchmarks.plain.landings import land
from benchmarks.plain.pieces import Amphibious, Area, Force, Ship
from benchmarks.plain.raids import raid_pearl_harbor
from benchmarks.plain.submarines import submarine_attacks

# House reading: after so many rounds in a row without an attack somebody must give way.
IDLE_LIMIT = 12
EXTRA_ROUNDS = 2


class Groups:
    """The groups of one retreat, each in the lowest place that was free when it formed."""

    __slots__ = ("places",)

    def __init__(self) -> None:
        self.places: list[Battle | None] = []

    def now(self) -> list[Battle]:
        """The groups that exist, in order."""
        return [group for group in self.places if group is not None]

    def form(self, group: Battle) -> None:
        """Give a new group its place."""
        if None in self.places:
            self.places[self.places.index(None)] = group
        else:
            self.places.append(group)

    def dissolve(self, group: Battle) -> None:
        """Free the place of a group, and its units."""
        self.places[self.places.index(group)] = None
        for force in group.forces:
            for unit in force.units():
                unit.group = None


def offer_retreat(game: Game, battle: Battle) -> Groups | None:
    """Ask both sides, Japan first; the groups of the side that goes (8.1)."""
    if not is_contested(battle.area):
        return None
    for side in SIDES:
        must = battle.idle >= IDLE_LIMIT and side == yielding_side(battle.area)
        if side == JAPAN and game.surprise and game.extra_rounds == EXTRA_ROUNDS:
            must = True
        if must or game.choose("retreat", side, None, (False, True)):
            return flee(game, battle, side)
    return None


def yielding_side(area: Area) -> int:
    """Who gives way: the side that does not control the area."""
    return JAPAN if area.controller is None else 1 - area.controller


def flee(game: Game, battle: Battle, side: int) -> Groups:
    """Break off: ships become raiders, air units go home, the rest splits into groups (8.2, 8.31)."""
    force = battle.area.forces[side]
    for ship in force.ships:
        ship.raiding = True
    for unit in force.troops:
        unit.retreated = True
    game.return_to_port(side, list(force.air), battle.area.bases)
    groups = Groups()
    split(game, groups, battle.area, side, force.vessels(), list(battle.area.forces[1 - side].ships), idle=0)
    return groups


def split(
    game: Game,
    groups: Groups,
    area: Area,
    side: int,
    fleers: list[Ship | Amphibious],
    hunters: list[Ship],
    idle: int,
) -> None:
    """Form groups of those who flee, and let the enemy's ships pursue them (8.32, 8.33, 8.42)."""
    if not fleers:
        return
    fresh: list[Battle] = []
    for fleer in fleers:
        party = game.ask("parties", side, fleer, range(1, len(fresh) + 2))
        if party > len(fresh):
            fresh.append(Battle(area, (Force(), Force()), fleeing=side, idle=idle))
            groups.form(fresh[-1])
        join(fresh[party - 1], fleer)
    paces = [min(fleer.pace for fleer in group.forces[side].vessels()) for group in fresh]
    caught = idle < IDLE_LIMIT and not (
        side == ALLIES and game.surprise and game.extra_rounds == EXTRA_ROUNDS
    )
    pursued: list[tuple[Ship, Battle]] = []
    for hunter in hunters:
        quarries = [group for group, pace in zip(fresh, paces, strict=True) if caught and hunter.pace >= pace]
        quarry = game.ask("pursuit", 1 - side, hunter, [*quarries, None])
        if quarry is not None:
            pursued.append((hunter, quarry))
    for hunter, quarry in pursued:
        join(quarry, hunter)
        hunter.pursuing = True
    for group in fresh:
        if not group.forces[1 - side].ships:
            escape(game, groups, group, side)


def join(group: Battle, unit: Ship | Amphibious) -> None:
    """Make a unit one of the group."""
    unit.group = group.forces[unit.side]
    unit.group.lists[unit.kind].append(unit)


def escape(game: Game, groups: Groups, group: Battle, side: int) -> None:
    """Those whom nobody pursues reach port (8.44)."""
    game.return_to_port(side, group.forces[side].units(), group.area.bases)
    groups.dissolve(group)


def run_down(game: Game, area: Area, groups: Groups) -> None:
    """Rounds of pursuit until no group is left (8.4)."""
    while running := groups.now():
        for group in running:
            fight_round(game, group)
        if game.surprise and area is game.hawaii and game.extra_rounds < EXTRA_ROUNDS:
            if any(group.fleeing == ALLIES for group in running):
                game.extra_rounds += 1
                raid_pearl_harbor(game)
        submarine_attacks(game, area)
        for group in running:
            follow_up(game, groups, group)
        land(game, area)


def follow_up(game: Game, groups: Groups, group: Battle) -> None:
    """After a round: gone, escaped, or split again (8.42, 8.44, 8.45)."""
    side = group.fleeing
    assert side is not None
    if group.forces[side].is_empty():
        groups.dissolve(group)
    elif not group.forces[1 - side].ships:
        escape(game, groups, group, side)
    else:
        fleers, hunters = group.forces[side].vessels(), list(group.forces[1 - side].ships)
        groups.dissolve(group)
        split(game, groups, group.area, side, fleers, hunters, group.idle)
