"""An operation up to its battles: who has it, with what, and how both sides close in."""

from __future__ import annotations

from benchmarks.plain_month.fleet import may_sail, organize_forces, sail
from benchmarks.plain_month.links import find_supply, span
from benchmarks.plain_month.shore import (
    land_again,
    march_all,
    marches,
    may_march,
    movable_aircraft,
    search_seas,
    transfer_aircraft,
)
from benchmarks.plain_month.war import ACTIVE, READY, Headquarters, Mobile, Ship, Troops, War, month_of
from benchmarks.plain_night.chart import ALLIES, JAPAN

SURPRISE, INTERCEPT, AMBUSH, AMBUSH_BY_CARRIERS = range(4)
LIMITS = (10, 20, 40, 80)
LEVEL_OF_REACTION = 2
HIGHEST_STAKE, POINTS_A_STAKE = 4, 3
DAYS_OF_CONTACT = 4
FIRST_MONTH, GIANTS_COME_OUT = month_of(1941, 12), month_of(1944, 5)
GIANTS_NEED = 80
NATIONS_SERVED = {
    "American": {"American", "ANZAC", "Dutch"},
    "ANZAC": {"American", "ANZAC", "Dutch"},
    "British": {"British", "ANZAC", "Dutch"},
    "Dutch": {"Dutch"},
    "Nationalist": {"Nationalist", "Communist"},
    "Communist": set[str](),
}


def open_operation(war: War) -> None:
    """Supply, bids, plan, activation and contact of both sides."""
    find_supply(war)
    if not bid(war):
        return
    operator = war.operator
    plan(war)
    activate(war, operator)
    organize_forces(war, operator)
    contact(war, operator)
    find_condition(war)
    react(war)
    organize_forces(war, 1 - operator)
    contact(war, 1 - operator)


# ------------------------------------------------------------------------------ the plan


def own_headquarters(war: War, side: int) -> list[Headquarters]:
    """Those on the map."""
    return [hq for hq in war.headquarters if hq.side == side and hq.place is not None]


def bid(war: War) -> bool:
    """Both sides stake in secret; false if nobody wants the operation."""
    stakes = []
    for side in (JAPAN, ALLIES):
        war.callers[side] = find_callers(war, side, 1, LIMITS[-1])
        bids = [
            bid for bid in range(1, HIGHEST_STAKE + 1)
            if any(can_lead(war, hq, bid) for hq in war.callers[side])
        ]  # fmt: skip
        stakes.append(war.ask("stake", side, [0, *bids]))
    ours, theirs = stakes
    if ours == theirs == 0:
        return False
    if ours != theirs:
        war.operator = JAPAN if ours > theirs else ALLIES
    elif war.initiative != 6:
        war.operator = JAPAN if war.initiative > 6 else ALLIES
    else:
        war.operator = JAPAN if war.last_operator is None else 1 - war.last_operator
    war.bids[war.operator] = max(stakes)
    return True


def plan(war: War) -> None:
    """Headquarters, size and weeks."""
    side = war.operator
    staked = war.bids[side]
    war.operations += 1
    war.last_operator = side
    war.operating = [None, None]
    hq = war.ask("headquarters", side, [hq for hq in war.callers[side] if can_lead(war, hq, staked)])
    war.operating[side] = hq
    hq.points -= staked - 1
    highest, weeks_left = LIMITS[staked - 1], max(1, (29 - war.day) // 7)
    durations = [
        weeks for weeks in range(1, weeks_left + 1)
        if calls_somebody(war, hq, weeks, hq.points, highest)
    ]  # fmt: skip
    war.weeks = war.ask("duration", side, durations)
    sizes = [
        size for size in range(staked)
        if calls_somebody(war, hq, war.weeks, hq.points, LIMITS[size])
    ]  # fmt: skip
    war.levels[side] = war.ask("size", side, sizes)
    war.base_used = 0
    for unit in war.troops:
        unit.moved_in = unit.attacked_in = 0


# ------------------------------------------------------------------------------ activation


def price(war: War, unit: Mobile, weeks: int) -> int:
    """For the weeks that the operation lasts; Japanese troops in China cost three times as much."""
    cost: int = unit.cost * weeks
    return 3 * cost if of_the_china_army(war, unit) else cost


def of_the_china_army(war: War, unit: Mobile) -> bool:
    """Japanese troops in China."""
    return (
        isinstance(unit, Troops)
        and unit.side == JAPAN
        and unit.place is not None
        and war.board.china[unit.place]
    )


def callable_by(war: War, hq: Headquarters) -> list[Mobile]:
    """Units that it could call if they were in its net."""
    served = NATIONS_SERVED.get(hq.nation)
    return [
        unit for unit in war.mobile[hq.side]
        if unit.status == READY and unit.place is not None
        and (served is None or unit.nation in served)
        and (hq.name == "China_Command" or not of_the_china_army(war, unit))
    ]  # fmt: skip


def kept_back(war: War, unit: Mobile, limit: int) -> bool:
    """Whether a giant is kept for a larger operation."""
    if limit >= GIANTS_NEED or war.month >= GIANTS_COME_OUT:
        return False
    return isinstance(unit, Ship) and unit.giant


def may_be_called(war: War, unit: Mobile, weeks: int, purse: int, limit: int) -> bool:
    """Whether the points and the limit of an operation are enough for a unit."""
    return price(war, unit, weeks) <= min(purse, limit) and not kept_back(war, unit, limit)


def calls_somebody(war: War, hq: Headquarters, weeks: int, purse: int, limit: int) -> bool:
    """Whether there is such a unit in the net of a headquarters."""
    return any(
        unit.place in hq.net and may_be_called(war, unit, weeks, purse, limit)
        for unit in callable_by(war, hq)
    )


def can_lead(war: War, hq: Headquarters, bid: int) -> bool:
    """Whether it can pay the bid, and then call somebody."""
    return POINTS_A_STAKE * (bid - 1) <= hq.points and calls_somebody(
        war, hq, 1, hq.points - (bid - 1), LIMITS[bid - 1]
    )


def find_callers(war: War, side: int, weeks: int, limit: int) -> list[Headquarters]:
    """Headquarters of a side that can call somebody; their nets are found on the way."""
    callers = []
    for hq in own_headquarters(war, side):
        units = [u for u in callable_by(war, hq) if may_be_called(war, u, weeks, hq.points, limit)]
        if units:
            reached = span(war, hq)
            hq.net = {unit.place for unit in war.mobile[side] if unit.place in reached}
            if any(unit.place in hq.net for unit in units):
                callers.append(hq)
    return callers


def activate(war: War, side: int) -> None:
    """As many units in the net of a side's headquarters as it can pay, within the limit of the operation."""
    hq = war.operating[side]
    if hq is None:
        return
    reached = span(war, hq)
    hq.net = {unit.place for unit in war.mobile[side] if unit.place in reached}
    limit = LIMITS[war.levels[side] if side == war.operator else LEVEL_OF_REACTION]
    left = [(unit, price(war, unit, war.weeks)) for unit in callable_by(war, hq) if unit.place in hq.net]
    left = [(unit, cost) for unit, cost in left if not kept_back(war, unit, limit)]
    room = min(limit, hq.points)
    while left := [(unit, cost) for unit, cost in left if cost <= room]:
        pick = war.choose("activation", side, None, [*left, None])
        if pick is None:
            break
        unit, cost = pick
        left.remove(pick)
        room -= cost
        hq.points -= cost
        unit.status = ACTIVE


def react(war: War) -> None:
    """One of the headquarters that can call somebody may do so."""
    side = 1 - war.operator
    callers = find_callers(war, side, war.weeks, LIMITS[LEVEL_OF_REACTION])
    war.operating[side] = war.ask("reacts", side, [*callers, None])
    activate(war, side)


# ------------------------------------------------------------------------------ contact and intelligence


def contact(war: War, side: int) -> None:
    """Days in which a side closes in while the other one looks for its ships."""
    if not war.active(side):
        return
    for day in range(1, DAYS_OF_CONTACT + 1):
        war.contact_day = day
        for force in [f for f in war.forces if f.side == side and may_sail(war, f)]:
            sail(war, force)
        march_all(war, side)
        transfer_aircraft(war, side)
        search_seas(war, 1 - side)
        land_again(war, side)
        if side == war.operator and any(
            f.side == side and f.detected and may_sail(war, f) for f in war.forces
        ):
            if war.ask("breaks_off", 1 - side, (False, True)):
                break
        if day < DAYS_OF_CONTACT:
            if not closes_in(war, side) or not war.ask("goes_on", side, (False, True)):
                break
    war.contact_day = 0


def closes_in(war: War, side: int) -> bool:
    """Whether a side has anybody to move on a further day."""
    return (
        any(force.side == side and may_sail(war, force) for force in war.forces)
        or any(may_march(unit, side) and marches(war, unit) for unit in war.troops)
        or bool(movable_aircraft(war, side))
    )


def find_condition(war: War) -> None:
    """How much the other side knows."""
    die = war.intelligence_die() + sum(
        f.side == war.operator and f.detected and any(ship.status == ACTIVE for ship in f.ships())
        for f in war.forces
    )
    if war.operations <= 1 and war.month == FIRST_MONTH:
        die -= 2
    if die <= 2:
        war.intelligence = SURPRISE
    elif die <= 6:
        war.intelligence = INTERCEPT
    elif die <= 8 or not has_carrier(war, 1 - war.operator):
        war.intelligence = AMBUSH
    else:
        war.intelligence = AMBUSH_BY_CARRIERS


def has_carrier(war: War, side: int) -> bool:
    """Whether a carrier of a side is afloat."""
    return any(
        ship.carrier and ship.side == side and ship.place is not None and ship.damage < ship.capacity
        for ship in war.ships
    )
