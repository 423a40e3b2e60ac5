"""A surface action: up to three rounds of guns and torpedoes."""

from __future__ import annotations

from benchmarks.plain_night.chart import ALLIES, JAPAN, Hex
from benchmarks.plain_night.sea import (
    LONG,
    MEDIUM,
    SHORT,
    TORPEDO_HITS,
    Combatant,
    Force,
    Fort,
    Sea,
    Ship,
    column,
)

WITHDRAW = 3
BIDS = (LONG, MEDIUM, SHORT, WITHDRAW)
ROUNDS = 3
LEAST = 4
FIRST_AT_NIGHT = {"open": MEDIUM, "coastal": SHORT, "restricted": SHORT, "inland": SHORT}
NAVAL_FIRE = (
    (0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3),
    (0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4),
    (0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 5, 7),
)
BOMBARDMENT = (0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 9)

Aims = list[tuple[Combatant, Combatant]]
Salvoes = list[tuple[Ship, Ship]]


class Action:
    """A combat that goes on; `engaged` are those who have joined it."""

    __slots__ = ("broken_off", "engaged", "range", "rounds", "spot", "withdrawn")

    def __init__(self, spot: Hex) -> None:
        self.spot = spot
        self.range = FIRST_AT_NIGHT[spot.water]
        self.engaged: set[Combatant] = set()
        self.rounds = 0
        self.broken_off = False
        self.withdrawn: int | None = None


def fight_out(sea: Sea, spot: Hex) -> None:
    """Rounds until a side leaves or is gone, three at most."""
    action = Action(spot)
    while action.rounds < ROUNDS and not action.broken_off and (not action.rounds or opposed(sea, action)):
        fight_round(sea, action)
    loser = action.withdrawn
    if loser is not None:
        for force in [f for f in forces_at(sea, spot) if f.side == loser]:
            ways = [way for way in spot.ways if not sea.ships_at(way, 1 - loser)]
            if ways:
                sea.bring(force, sea.ask("retires_to", loser, force, ways))


def forces_at(sea: Sea, spot: Hex) -> list[Force]:
    """Forces in a hex, in their order."""
    return [force for force in sea.forces if force.hex is spot]


def fighting(sea: Sea, action: Action, side: int) -> list[Combatant]:
    """Who is engaged and still there."""
    return [unit for unit in sea.present(action.spot, side) if unit in action.engaged]


def opposed(sea: Sea, action: Action) -> bool:
    """Whether both sides still fight."""
    return bool(fighting(sea, action, JAPAN)) and bool(fighting(sea, action, ALLIES))


def fight_round(sea: Sea, action: Action) -> None:
    """Bids from the second round on, units that join, guns, torpedoes."""
    action.rounds += 1
    if action.rounds > 1:
        bid(sea, action)
        if action.broken_off:
            return
    joining: list[Combatant] = []
    for side in (JAPAN, ALLIES):
        ready = [unit for unit in sea.present(action.spot, side) if unit not in action.engaged]
        least = min(LEAST, len(ready)) if action.rounds == 1 else 0
        joining += sea.ask_at_least("commit", side, ready, least)
    action.engaged.update(joining)
    if not opposed(sea, action):
        return
    fire_guns(sea, action)
    sea.sink_all(action.spot)
    if action.range != LONG and opposed(sea, action):
        launch_torpedoes(sea, action)
        sea.sink_all(action.spot)


# ------------------------------------------------------------------------------ range


def bid(sea: Sea, action: Action) -> None:
    """Both sides name a range, or would leave; before guns ashore alone, which come last, only the ships."""
    defenders = fighting(sea, action, ALLIES)
    if defenders and type(defenders[0]) is Fort:
        wish = sea.ask("bid", JAPAN, action, BIDS)
        if wish == WITHDRAW:
            flee(action, JAPAN, LONG)
        else:
            action.range = next_range(action.range, wish, wish)
        return
    wishes = [sea.ask("bid", side, action, BIDS) for side in (JAPAN, ALLIES)]
    ours, theirs = wishes
    if ours == theirs == WITHDRAW:
        action.broken_off = True
    elif ours == WITHDRAW:
        flee(action, JAPAN, theirs)
    elif theirs == WITHDRAW:
        flee(action, ALLIES, ours)
    else:
        action.range = next_range(action.range, ours, theirs)


def flee(action: Action, side: int, other_bid: int) -> None:
    """A side gets away if the other one does not close."""
    if other_bid == LONG or (other_bid == MEDIUM and action.range == LONG):
        action.broken_off = True
        action.withdrawn = side
    else:
        action.range = next_range(action.range, LONG, other_bid)


def next_range(before: int, one: int, another: int) -> int:
    """The range at which two sides fight that want these."""
    nearer, farther = max(one, another), min(one, another)
    if farther == LONG:
        if nearer == SHORT:
            return MEDIUM if before == LONG else SHORT
        return MEDIUM if before == SHORT else LONG
    return nearer


# ------------------------------------------------------------------------------ fire


def fire_guns(sea: Sea, action: Action) -> None:
    """Both sides fire at once: all hits count after the last shot."""
    at = action.range
    aims: Aims = []
    units = [fighting(sea, action, side) for side in (JAPAN, ALLIES)]
    for side in (JAPAN, ALLIES):
        targets = [*units[1 - side], None]
        for shooter in units[side]:
            if shooter.guns[at] is not None:
                target = sea.ask("gun_targets", side, shooter, targets)
                if target is not None:
                    aims.append((shooter, target))
    hits: list[tuple[Combatant, int]] = []
    for shooter, target in aims:
        rating = shooter.guns[at]
        assert rating is not None
        die = sea.gunfire()
        strength = max(-1, rating - shooter.damage) if type(shooter) is Ship else rating
        found = column_of(sea, strength, die)
        wanted = BOMBARDMENT[found] if type(target) is Fort else NAVAL_FIRE[at][found]
        hits.append((target, sea.strike(die, wanted)))
    for target, number in hits:
        target.damage += number


def launch_torpedoes(sea: Sea, action: Action) -> None:
    """The same with torpedoes, which only ships have."""
    at = action.range
    salvoes: Salvoes = []
    units = [[u for u in fighting(sea, action, side) if type(u) is Ship] for side in (JAPAN, ALLIES)]
    for side in (JAPAN, ALLIES):
        targets = [*units[1 - side], None]
        for shooter in units[side]:
            if shooter.torpedoes[at] is not None:
                target = sea.ask("torpedo_targets", side, shooter, targets)
                if target is not None:
                    salvoes.append((shooter, target))
    hits: list[tuple[Ship, int]] = []
    for shooter, target in salvoes:
        rating = shooter.torpedoes[at]
        assert rating is not None
        die = sea.torpedo()
        found = column_of(sea, max(-1, rating - shooter.damage), die)
        hits.append((target, sea.strike(die, TORPEDO_HITS[found])))
    for target, number in hits:
        target.damage += number


def column_of(sea: Sea, strength: int, die: int) -> int:
    """The column of a shot; with no strength left a die of 0 needs a second of 0 to 4."""
    if strength < 0 and die == 0:
        return int(sea.confirming() <= 4)
    return column(strength, die)
