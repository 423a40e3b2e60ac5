"""Command links and supply."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.plain_month.war import ACTIVE, Headquarters, War
from benchmarks.plain_night.chart import ALLIES, JAPAN

LINK_REACH = 8
INTERDICTING_HITS = 3


def interdicted(war: War, spot: int) -> bool:
    """By hits on the port, or by active ships of the other side."""
    if war.port_hits[spot] >= INTERDICTING_HITS:
        return True
    holder = war.controller[spot]
    return holder is not None and any(
        ship.side != holder and ship.status == ACTIVE and ship.damage < ship.capacity
        for ship in war.ships_at[spot]
    )


def relays(war: War, spot: int, side: int) -> bool:
    """Whether a chain of links goes on from there."""
    if war.controller[spot] != side:
        return False
    return (
        war.board.city[spot]
        or spot in war.staging_bases
        or (war.has_port[spot] and not interdicted(war, spot))
    )


def closed(war: War, side: int) -> set[int]:
    """Land, troops, task forces and submarines of the other side."""
    other = 1 - side
    hexes = {spot for spot, holder in enumerate(war.controller) if holder == other}
    hexes |= war.footholds(other)
    hexes.update(f.hex for f in war.forces if f.side == other and (f.core or f.screen))
    hexes.update(
        u.place for u in war.boats if u.side == other and u.place is not None and u.hits < u.full_steps
    )
    return hexes


def reached_from(war: War, starts: Iterable[int], side: int) -> set[int]:
    """All hexes that chains of links come to.

    Hexes are looked at in the order of the points spent since the last relay, which a relay sets to nothing.
    """
    links, barred = war.board.links, closed(war, side)
    spent = dict.fromkeys(starts, 0)
    waiting: list[list[int]] = [list(spent), *([] for _ in range(LINK_REACH))]
    least_waiting = 0
    while least_waiting <= LINK_REACH:
        points = least_waiting
        if not waiting[points]:
            least_waiting += 1
            continue
        spot = waiting[points].pop()
        if spent[spot] < points:
            continue
        for way, cost in links[spot]:
            total = points + cost
            if total > LINK_REACH or way in barred:
                continue
            least = spent.get(way)
            if least is None:
                if relays(war, way, side):
                    total = 0
            elif least <= total:
                continue
            spent[way] = total
            waiting[total].append(way)
            least_waiting = min(least_waiting, total)
    return set(spent)


def span(war: War, hq: Headquarters) -> set[int]:
    """What a headquarters reaches."""
    if hq.place is None or interdicted(war, hq.place):
        return set()
    return reached_from(war, [hq.place], hq.side)


def find_supply(war: War) -> None:
    """Troops ashore that neither a source nor a headquarters reaches are cut off."""
    for side in (JAPAN, ALLIES):
        starts = [n for n, of in enumerate(war.board.sources) if of == side == war.controller[n]]
        starts += [hq.place for hq in war.headquarters if hq.side == side and hq.place is not None]
        lines = reached_from(war, starts, side)
        for unit in war.troops:
            if unit.side == side and unit.place is not None and unit.aboard is None:
                unit.cut_off = unit.place not in lines
