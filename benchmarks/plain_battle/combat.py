"""The seven combat steps."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.plain_battle.counters import JAPAN, SIDES, US, Plane, Ship
from benchmarks.plain_battle.sheet import (
    ASSAULT,
    BOMBS,
    COASTAL,
    DEPTH_CHARGE,
    DOGFIGHT,
    FLAK,
    GUNS,
    ISLAND,
    JAPANESE_OCEAN,
    TORPEDO,
    US_OCEAN,
    ZONES,
    Sheet,
)


def combat(sheet: Sheet) -> None:
    """All steps in order."""
    for zone in ZONES:
        dogfight(sheet, zone)
    for zone in ZONES:
        flak(sheet, zone)
    for zone in ZONES:
        bombs(sheet, zone)
    early = _early_depth_charges(sheet)
    for zone in ZONES:
        torpedoes(sheet, zone)
    for zone in ZONES:
        depth_charges(sheet, zone, (JAPAN,) if early else SIDES)
    guns(sheet)
    infantry(sheet)


# ------------------------------------------------------------------------------ in the air


def dogfight(sheet: Sheet, zone: int) -> None:
    """Both sides roll, then both take losses."""
    american, japanese = sheet.air[zone]
    if not american or not japanese:
        return
    by_us = _dogfight_hits(sheet, american, 0, 0)
    by_japan = _dogfight_hits(sheet, japanese, sheet.bonus[DOGFIGHT], sheet.superior_bonus[DOGFIGHT])
    by_us = sheet.with_extra(by_us, "Furball", zone)
    sheet.inflict(by_us, JAPAN, DOGFIGHT, lambda: japanese)
    sheet.inflict(by_japan, US, DOGFIGHT, lambda: american)


def _dogfight_hits(sheet: Sheet, planes: Sequence[Plane], bonus: int, superior: int) -> int:
    strike = sheet.strike
    return sum(strike(p.dogfight + bonus, p.superior + superior) for p in planes if p.dogfight)


def flak(sheet: Sheet, zone: int) -> None:
    """Escorts fire first, then carriers."""
    if zone == ISLAND:
        return
    for side in SIDES:
        aims = sheet.air[zone][1 - side]
        if aims:
            ships = sheet.surface[zone][side]
            _flak_row(sheet, zone, side, [ship for ship in ships if not ship.is_carrier], aims)
            _flak_row(sheet, zone, side, [ship for ship in ships if ship.is_carrier], aims)
            if side == US and aims:
                _extra_flak(sheet, zone, ships, aims)


def _flak_row(sheet: Sheet, zone: int, side: int, row: list[Ship], aims: list[Plane]) -> None:
    bonus, superior = (sheet.bonus[FLAK], sheet.superior_bonus[FLAK]) if side == JAPAN else (0, 0)
    hits = 0
    for ship in sorted(row, key=_aaa)[: len(aims)]:
        if ship.aaa:
            hits += sheet.strike(ship.aaa + bonus, ship.superior + superior)
    if side == US:
        hits = sheet.with_extra(hits, "AAA", zone)
    sheet.inflict(hits, 1 - side, FLAK, lambda: aims)


def _extra_flak(sheet: Sheet, zone: int, ships: Sequence[Ship], aims: list[Plane]) -> None:
    if "Anti-Aircraft" in sheet.us_plans:
        ship = sheet.ask("extra_gunner", zone, [*(ship for ship in ships if ship.aaa), None])
        if ship is not None:
            sheet.us_plans.remove("Anti-Aircraft")
            hits = sheet.with_extra(sheet.strike(ship.aaa, ship.superior), "AAA", zone)
            sheet.inflict(hits, JAPAN, FLAK, lambda: aims)


def bombs(sheet: Sheet, zone: int) -> None:
    """Of both sides, on ships or on the island."""
    american, japanese = sheet.air[zone]
    if not american and not japanese:
        return
    find, where = (sheet.on_island, ()) if zone == ISLAND else (sheet.waterborne, (zone,))
    if zone == ISLAND:
        sheet.open_fire()
    if american and find(*where, JAPAN):
        hits = 0
        for plane in american:
            value = plane.ground if zone == ISLAND else plane.ship
            if value:
                hits += sheet.strike(value, 0)
        hits = sheet.with_extra(hits, "Diving Attack", zone)
        sheet.inflict(hits, JAPAN, BOMBS, find, *where, JAPAN)
    if japanese and find(*where, US):
        _japanese_bombs(sheet, zone, list(japanese), find, where)
    if zone == ISLAND:
        sheet.cease_fire()


def _japanese_bombs(sheet: Sheet, zone: int, planes: list[Plane], find, where) -> None:  # type: ignore[no-untyped-def]
    divers = 0 if zone == ISLAND else sheet.in_play.get("Kamikaze Attacks", 0)
    bonus, superior = sheet.bonus[BOMBS], sheet.superior_bonus[BOMBS]
    hits = 0
    for plane in planes:
        value = plane.ground if zone == ISLAND else plane.ship
        if value:
            hits += sheet.strike(value + bonus, superior) + divers
    sheet.inflict(hits, US, BOMBS, find, *where, US)
    if divers:
        for plane in planes:
            if plane.ship:
                sheet.destroy(plane)


# ------------------------------------------------------------------------------ under water


def torpedoes(sheet: Sheet, zone: int) -> None:
    """Of submarines, on what floats."""
    american, japanese = sheet.boats[zone]
    screened = zone == JAPANESE_OCEAN and sheet.in_play.get("Screening Ship")
    if american and not screened and sheet.waterborne(zone, JAPAN):
        hits = 0
        for boat in american:
            if boat.surface:
                hits += sheet.strike_again(boat.surface, "Sonar", zone)
        hits = sheet.with_extra(hits, "Ranging Shots", zone)
        sheet.inflict(hits, JAPAN, TORPEDO, sheet.waterborne, zone, JAPAN)
    if japanese and sheet.waterborne(zone, US):
        bonus, superior = sheet.bonus[TORPEDO], sheet.superior_bonus[TORPEDO]
        hits = 0
        for boat in japanese:
            if boat.surface:
                hits += sheet.strike(boat.surface + bonus, superior)
        sheet.inflict(hits, US, TORPEDO, sheet.waterborne, zone, US)


def _early_depth_charges(sheet: Sheet) -> bool:
    if not any(sheet.boats[zone][JAPAN] for zone in ZONES) or not sheet.use("ASW", US_OCEAN):
        return False
    for zone in ZONES:
        depth_charges(sheet, zone, (US,))
    return True


def depth_charges(sheet: Sheet, zone: int, sides: Sequence[int]) -> None:
    """One attack for each submarine of the enemy."""
    hits = [_depth_charge_hits(sheet, zone, side) if side in sides else 0 for side in SIDES]
    for side in SIDES:
        prey = sheet.boats[zone][1 - side]
        sheet.inflict(hits[side], 1 - side, DEPTH_CHARGE, lambda prey=prey: prey)


def _depth_charge_hits(sheet: Sheet, zone: int, side: int) -> int:
    prey = len(sheet.boats[zone][1 - side])
    if not prey:
        return 0
    hunters = sorted([*sheet.surface[zone][side], *sheet.boats[zone][side]], key=_depth)[:prey]
    hits = 0
    for ship in hunters:
        if ship.depth:
            if side == US:
                hits += sheet.strike_again(ship.depth, "Sonar", zone)
            else:
                bonus, superior = sheet.bonus[DEPTH_CHARGE], sheet.superior_bonus[DEPTH_CHARGE]
                hits += sheet.strike(ship.depth + bonus, superior)
    return hits


def _aaa(ship: Ship) -> tuple[int, int]:
    return -ship.aaa, ship.number


def _depth(ship: Ship) -> tuple[int, int]:
    return -ship.depth, ship.number


# ------------------------------------------------------------------------------ off the coast and ashore


def guns(sheet: Sheet) -> None:
    """Of the ships off the coast."""
    sheet.open_fire()
    by_us, by_japan = (_gun_hits(sheet, side) for side in SIDES)
    by_us = sheet.with_extra(by_us, "Ranging Shots", COASTAL)
    sheet.inflict(by_us, JAPAN, GUNS, sheet.off_the_coast, JAPAN)
    sheet.inflict(by_japan, US, GUNS, sheet.off_the_coast, US)
    sheet.cease_fire()


def _gun_hits(sheet: Sheet, side: int) -> int:
    ships = sheet.surface[COASTAL][side]
    if not ships or not sheet.off_the_coast(1 - side):
        return 0
    bonus, superior = (sheet.bonus[GUNS], sheet.superior_bonus[GUNS]) if side == JAPAN else (0, 0)
    return sum(sheet.strike(ship.surface + bonus, superior) for ship in ships if ship.surface)


def infantry(sheet: Sheet) -> None:
    """Of the infantry in foxholes."""
    sheet.open_fire()
    by_us, by_japan = _us_infantry_hits(sheet), _japanese_infantry_hits(sheet)
    sheet.inflict(by_us, JAPAN, ASSAULT, sheet.on_island, JAPAN)
    sheet.inflict(by_japan, US, ASSAULT, sheet.on_island, US)
    sheet.cease_fire()


def _us_infantry_hits(sheet: Sheet) -> int:
    if not sheet.on_island(JAPAN):
        return 0
    foxholes = sheet.foxholes[US]
    hits = sum(sheet.strike_again(each.ground, "Envelop", ISLAND) for each in foxholes if each.ground)
    if "Charge" in sheet.us_plans and foxholes:
        soldiers = sheet.choose("charging", None, [*foxholes, None])
        if soldiers is not None:
            sheet.us_plans.remove("Charge")
            hits += sheet.strike_again(soldiers.ground, "Envelop", ISLAND)
    if foxholes or sheet.beach[US]:
        hits += sheet.use("Artillery", ISLAND)
    return hits


def _japanese_infantry_hits(sheet: Sheet) -> int:
    if not sheet.on_island(US):
        return 0
    bonus, superior = sheet.bonus[ASSAULT], sheet.superior_bonus[ASSAULT]
    foxholes = sheet.foxholes[JAPAN]
    hits = sum(sheet.strike(each.ground + bonus, superior) for each in foxholes if each.ground)
    if foxholes or sheet.beach[JAPAN]:
        hits += sheet.in_play.get("Artillery", 0)
    return hits
