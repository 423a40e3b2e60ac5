"""Submarine attacks (section 16)."""

from __future__ import annotations

from benchmarks.plain.combat import DISABLES, HITS, disable, hit, take_effect
from benchmarks.plain.game import Game
from benchmarks.plain.pieces import Area


def submarine_attacks(game: Game, area: Area) -> None:
    """Each submarine here may fire its one torpedo, with a bonus of one (5.41, 16.2)."""
    for submarine in list(area.submarines):
        enemies = area.forces[1 - submarine.side].vessels()
        target = game.ask("torpedo_target", submarine.side, None, [*enemies, None])
        if target is not None:
            roll = game.roll_torpedo() + 1
            if roll >= HITS:
                hit(game, target, game.roll_damage())
            elif roll == DISABLES:
                disable(game, target)
            take_effect(game, area)
            area.submarines.remove(submarine)
            submarine.place = None


def return_submarines(game: Game) -> None:
    """Those still at sea may attack once more, then all go (5.6)."""
    for area in game.areas:
        submarine_attacks(game, area)
        for submarine in area.submarines:
            submarine.place = None
        area.submarines.clear()
