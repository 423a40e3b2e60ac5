"""Air raids on ports and bases (section 9)."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.plain.combat import HITS, hit, strike_targets, take_effect
from benchmarks.plain.game import JAPAN, Game
from benchmarks.plain.pieces import Amphibious, Area, Attacker, Unit


def air_raids(game: Game, area: Area, side: int) -> None:
    """Carriers that pursued nobody may raid enemy ports and bases that the area touches (9.1)."""
    wave = [ship for ship in area.forces[side].ships if ship.planes and not ship.pursuing]
    if not wave:
        return
    enemy = 1 - side
    havens = [h for h in area.havens if h.owner == enemy and not h.forces[enemy].is_empty()]
    goals = game.ask_each("raid_targets", side, wave, [*havens, None])
    for haven in havens:
        raiders = [ship for ship, goal in zip(wave, goals, strict=True) if goal is haven]
        if raiders:
            for _ in range(2):
                raid_round(game, side, area, raiders, haven.forces[enemy].units())


def raid_round(game: Game, side: int, area: Area, raiders: Sequence[Attacker], targets: list[Unit]) -> None:
    """One round, in which nobody fires back (9.2)."""
    aims = strike_targets(game, side, raiders, targets)
    for raider, target in zip(raiders, aims, strict=True):
        if target is not None:
            bomb(game, raider, target)
    take_effect(game, area)
    game.sink_hulks()


def bomb(game: Game, raider: Attacker, target: Unit) -> None:
    """Only hits count; a landing force loses one point for each (9.21, 9.22)."""
    bonus = 1 if raider.circled_planes and not target.flies else 0
    for _ in range(raider.planes):
        if game.roll_attack() + bonus >= HITS:
            hit(game, target, 1 if isinstance(target, Amphibious) else game.roll_damage())


def raid_pearl_harbor(game: Game) -> None:
    """A round of raid by the Japanese carriers off Hawaii (18.2, 18.32)."""
    wave = [ship for ship in game.hawaii.forces[JAPAN].ships if ship.planes and not ship.pursuing]
    raid_round(game, JAPAN, game.hawaii, wave, game.pearl_harbor.forces[1 - JAPAN].units())
