"""One round of combat: day or night, targets, shots, effects (section 7)."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.plain.game import ALLIES, JAPAN, SIDES, Game
from benchmarks.plain.pieces import Area, Attacker, Force, Ship, Unit

DAY, NIGHT = ACTIONS = (0, 1)
DISABLES, HITS = 5, 6


class Battle:
    """Those who fight a round together: everybody in an area, or a group that flees and its pursuers."""

    __slots__ = ("area", "fleeing", "forces", "idle")

    def __init__(
        self, area: Area, forces: tuple[Force, Force], fleeing: int | None = None, idle: int = 0
    ) -> None:
        self.area = area
        self.forces = forces
        self.fleeing = fleeing
        self.idle = idle


def is_contested(area: Area) -> bool:
    """Whether both sides are there (7.12)."""
    return not (area.forces[JAPAN].is_empty() or area.forces[ALLIES].is_empty())


def fight_round(game: Game, battle: Battle) -> None:
    """One round (5.32, 7.2)."""
    battle.idle += 1
    actions = agree_on_action(game, battle)
    if DAY in actions:
        fight_by_day(game, battle)
    if NIGHT in actions and not any(force.is_empty() for force in battle.forces):
        fight_by_night(game, battle)


def agree_on_action(game: Game, battle: Battle) -> tuple[int, ...]:
    """The action that both want, or that the higher roll wants; both, on equal rolls (7.3)."""
    wishes = [game.choose("wish", side, None, ACTIONS) for side in SIDES]
    if wishes[JAPAN] == wishes[ALLIES]:
        return (wishes[JAPAN],)
    rolls = [
        game.roll_initiative() + (wishes[side] == DAY) + (battle.area.controller == side) for side in SIDES
    ]
    if rolls[JAPAN] == rolls[ALLIES]:
        return ACTIONS
    return (wishes[rolls[ALLIES] > rolls[JAPAN]],)


# ------------------------------------------------------------------------------ actions


def fight_by_day(game: Game, battle: Battle) -> None:
    """Airstrikes, of Japan first; losses land together (5.34, 5.35, 7.51)."""
    for side in SIDES:
        wave = with_planes(battle.forces[side])
        if wave:
            aims = strike_targets(game, side, wave, battle.forces[1 - side].units())
            for shooter, target in zip(wave, aims, strict=True):
                if target is not None:
                    battle.idle = 0
                    shoot(game, shooter.planes, target, shooter.circled_planes)
    take_effect(game, battle.area)


def fight_by_night(game: Game, battle: Battle) -> None:
    """Gunfire, of Japan first; carriers fire if they were named (7.42)."""
    gunners: list[list[Ship]] = [[], []]
    for side in (ALLIES, JAPAN):
        armed = [ship for ship in battle.forces[side].ships if ship.guns]
        carriers = [ship for ship in armed if ship.airstrike]
        named = game.ask_any("carriers_firing", side, carriers)
        gunners[side] = [ship for ship in armed if not ship.airstrike or ship in named]
    for side in SIDES:
        if gunners[side]:
            aims = gun_targets(game, side, gunners[side], battle.forces[1 - side], gunners[1 - side])
            for shooter, target in zip(gunners[side], aims, strict=True):
                if target is not None:
                    battle.idle = 0
                    shoot(game, shooter.guns, target, shooter.circled_guns and not shooter.damage)
    take_effect(game, battle.area)


def with_planes(force: Force) -> list[Attacker]:
    """Who can strike: carriers that are not crippled, and air units (7.41, 7.73)."""
    return [*(ship for ship in force.ships if ship.planes), *(unit for unit in force.air if unit.planes)]


def strike_targets(game: Game, side: int, wave: Sequence[Attacker], targets: list[Unit]) -> list[Unit | None]:
    """A target, or none, for each who strikes (7.41)."""
    return game.ask_each("strike_targets", side, wave, [*targets, None])


def gun_targets(
    game: Game, side: int, gunners: list[Ship], enemy: Force, shooting: list[Ship]
) -> list[Unit | None]:
    """A target for each gunner (7.42).

    Ships that hold their fire may be chosen only if every ship that fires has an attacker (7.422); landing
    forces, only if every ship has one (7.423); air units never (7.424).  So an option stays open as long as
    the gunners still to come can cover what it asks for.
    """
    aims: list[Unit | None] = []
    everything: list[Unit] = [*enemy.ships, *enemy.troops]
    free, free_shooting = list(enemy.ships), list(shooting)
    silent_chosen = landing_chosen = False
    left = len(gunners)
    for gunner in gunners:
        left -= 1
        options: Sequence[Unit]
        if len(free) <= left:
            options = everything
        elif landing_chosen:
            options = free
        elif len(free_shooting) <= left:
            options = enemy.ships
        elif silent_chosen:
            options = free_shooting
        else:
            options = shooting
        target = game.ask("gun_targets", side, gunner, options or (None,))
        aims.append(target)
        if isinstance(target, Ship):
            if target in free:
                free.remove(target)
            if target in free_shooting:
                free_shooting.remove(target)
            elif target not in shooting:
                silent_chosen = True
        elif target is not None:
            landing_chosen = True
    return aims


# ------------------------------------------------------------------------------ shots and effects


def shoot(game: Game, shots: int, target: Unit, circled: bool) -> None:
    """So many dice at one target, with a bonus for circled factors except against planes (7.5, 7.53)."""
    flies = target.flies
    bonus = 1 if circled and not flies else 0
    for _ in range(shots):
        roll = game.roll_attack() + bonus
        if roll >= HITS:
            hit(game, target, game.roll_damage())
        elif roll == DISABLES and not flies:
            disable(game, target)


def hit(game: Game, target: Unit, points: int) -> None:
    """Lay markers for so many points (7.55)."""
    target.marked += points
    if not target.struck:
        target.struck = True
        game.struck.append(target)


def disable(game: Game, target: Unit) -> None:
    """Lay a disabled marker (7.54)."""
    target.crossed = True
    if not target.struck:
        target.struck = True
        game.struck.append(target)


def sinks(unit: Unit, points: int) -> bool:
    """Whether so much damage sinks it (7.551, 7.552, 9.23)."""
    if unit.flies:
        return points >= unit.armor
    if isinstance(unit, Ship) and not isinstance(unit.place, Area):
        return points > 2 * unit.armor
    return points > unit.armor


def take_effect(game: Game, area: Area) -> None:
    """All markers count at once; disabled units go home (5.36, 7.6)."""
    if not game.struck:
        return
    struck, game.struck = game.struck, []
    for unit in struck:
        unit.struck = False
        points = unit.damage + unit.marked
        unit.marked = 0
        if sinks(unit, points):
            game.sink(unit)
        else:
            unit.set_damage(points)
    leaving = sorted((unit for unit in struck if unit.crossed), key=lambda unit: unit.number)
    for unit in leaving:
        unit.crossed = False
        unit.disabled = True
    for side in SIDES:
        game.return_to_port(side, [unit for unit in leaving if unit.side == side], area.bases)
