"""Where aircraft go and come down."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.plain_battle.combat import bombs, flak
from benchmarks.plain_battle.counters import JAPAN, SIDES, US, Plane
from benchmarks.plain_battle.sheet import BY_NUMBER, ISLAND, US_OCEAN, WORTH, ZONES, Sheet

LOCATION = (None, 0, 0, 1, 1, 1, 2, 3, 3, 3, 3)


def move_us_aircraft(sheet: Sheet) -> None:
    """Each that is down and has not flown goes where the player likes."""
    ready = [*sheet.down[US], *(plane for ship in sheet.carriers[US] for plane in ship.planes)]
    fly(sheet, sorted((plane for plane in ready if not plane.flown), key=BY_NUMBER))


def fly(sheet: Sheet, wing: Sequence[Plane]) -> None:
    """Ask for each aircraft, then move all."""
    if not wing:
        return
    zones = (*ZONES[1:], None) if sheet.in_play.get("No Contact") else (*ZONES, None)
    choose = sheet.choose
    goals = [choose("flight", plane, zones) for plane in wing]
    for plane, goal in zip(wing, goals, strict=True):
        if goal is not None:
            send(sheet, [plane], goal)


def send(sheet: Sheet, group: Sequence[Plane], zone: int) -> None:
    """Off the ground, into the air of an area."""
    for plane in group:
        home = sheet.down[plane.side] if plane.deck is None else plane.deck.planes
        home.remove(plane)
        plane.zone = zone
        sheet.air[zone][plane.side].append(plane)
    sheet.air[zone][group[0].side].sort(key=BY_NUMBER)


# ------------------------------------------------------------------------------ Japan


def move_bombers(sheet: Sheet) -> None:
    """The bombers of each carrier, then those on land."""
    forced = bool(sheet.in_play.get("Carrier Attack") or sheet.in_play.get("Kamikaze Attacks"))
    for ship in sheet.carriers[JAPAN]:
        group = [plane for plane in ship.planes if plane.is_bomber and not plane.flown]
        _send_group(sheet, group, bomber_zones(sheet), forced)
    group = [plane for plane in sheet.down[JAPAN] if plane.is_bomber]
    _send_group(sheet, group, bomber_zones(sheet), forced)


def move_fighters(sheet: Sheet) -> None:
    """The same for fighters."""
    for ship in sheet.carriers[JAPAN]:
        group = [p for p in ship.planes if not p.is_bomber and p.dogfight > 0 and not p.flown]
        _send_group(sheet, group, _fighter_zones(sheet), False)
    group = [p for p in sheet.down[JAPAN] if not p.is_bomber and p.row["dogfight"] > 0]
    _send_group(sheet, group, _fighter_zones(sheet), False)


def _send_group(sheet: Sheet, group: Sequence[Plane], zones: Sequence[int], forced: bool) -> None:
    if group and zones:
        send(sheet, group, _settled(US_OCEAN if forced else LOCATION[sheet.locate()], zones))


def _settled(rolled: int | None, zones: Sequence[int]) -> int:
    assert rolled is not None
    return next((zone for zone in zones if zone >= rolled), zones[-1])


def bomber_zones(sheet: Sheet) -> list[int]:
    """Areas with something for bombers."""
    found = [zone for zone in ZONES if sheet.surface[zone][US]]
    infantry = (sheet.foxholes[US] or sheet.beach[US]) and sheet.has_footing(JAPAN)
    if sheet.based[US] or infantry:
        found.append(ISLAND)
        found.sort()
    return found


def _fighter_zones(sheet: Sheet) -> list[int]:
    return [zone for zone in ZONES if sheet.air[zone][US] or sheet.air[zone][JAPAN]]


# ------------------------------------------------------------------------------ first light


def japanese_first_light(sheet: Sheet) -> None:
    """The fullest carrier strikes."""
    if not sheet.in_play.get("First Light"):
        return
    manned = [ship for ship in sheet.carriers[JAPAN] if ship.planes]
    if not manned:
        return
    most = max(len(ship.planes) for ship in manned)
    ship = sheet.ask("dawn_group", None, [ship for ship in manned if len(ship.planes) == most])
    zones = bomber_zones(sheet)
    group = list(ship.planes)
    if zones and any(plane.is_bomber for plane in group):
        send(sheet, group, _settled(US_OCEAN, zones))
        _strike_at_dawn(sheet, group)
        lose_aircraft(sheet, US)


def us_first_light(sheet: Sheet) -> None:
    """A carrier of the player's choice strikes, on a seven or more."""
    if "First Light" not in sheet.us_plans:
        return
    manned = [ship for ship in sheet.carriers[US] if ship.planes]
    if not manned or sheet.dawn() < 7:
        return
    sheet.us_plans.remove("First Light")
    ship = sheet.choose("dawn_carrier", None, [*manned, None])
    if ship is not None:
        group = list(ship.planes)
        fly(sheet, group)
        _strike_at_dawn(sheet, group)
        lose_aircraft(sheet, JAPAN)


def _strike_at_dawn(sheet: Sheet, group: Sequence[Plane]) -> None:
    for zone in ZONES:
        flak(sheet, zone)
    for zone in ZONES:
        bombs(sheet, zone)
    for plane in group:
        if not plane.lost:
            if plane.zone is not None:
                _touch_down(sheet, plane)
            plane.flown = True


# ------------------------------------------------------------------------------ coming down


def return_aircraft(sheet: Sheet) -> None:
    """To airfields and decks."""
    for side in SIDES:
        aloft: list[Plane] = []
        for zone in ZONES:
            for plane in list(sheet.air[zone][side]):
                if plane.deck is None:
                    _touch_down(sheet, plane)
                else:
                    aloft.append(plane)
        sheet.down[side].sort(key=BY_NUMBER)
        _land_on_carriers(sheet, side, sorted(aloft, key=BY_NUMBER))
    for plane in sheet.everything:
        if isinstance(plane, Plane):
            plane.flown = False


def _land_on_carriers(sheet: Sheet, side: int, aloft: list[Plane]) -> None:
    carriers = [ship for ship in sheet.carriers[side] if not ship.damaged]
    too_many = len(aloft) - sum(ship.berths - len(ship.planes) for ship in carriers)
    if too_many > 0 and side == US:
        for plane in sheet.ask_some("lost_at_sea", aloft, too_many):
            sheet.destroy(plane)
            aloft.remove(plane)
    else:
        for _ in range(too_many):
            plane = sheet.ask("doomed", None, first_to_go(aloft))
            sheet.destroy(plane)
            aloft.remove(plane)
    homeless: list[Plane] = []
    for plane in aloft:
        assert plane.deck is not None
        if plane.deck.damaged or plane.deck.lost:
            homeless.append(plane)
        else:
            _touch_down(sheet, plane)
    for plane in homeless:
        plane.deck = sheet.ask("berth", plane, [ship for ship in carriers if ship.berths > len(ship.planes)])
        _touch_down(sheet, plane)


def _touch_down(sheet: Sheet, plane: Plane) -> None:
    sheet.ground(plane)
    if plane.deck is None:
        sheet.down[plane.side].append(plane)
    else:
        plane.deck.planes.append(plane)
        plane.deck.planes.sort(key=BY_NUMBER)


def first_to_go(planes: Sequence[Plane]) -> list[Plane]:
    """The damaged ones first, of those the cheapest."""
    hurt = [plane for plane in planes if plane.damaged] or planes
    least = min(map(WORTH, hurt))
    return [plane for plane in hurt if plane.worth == least]


def lose_aircraft(sheet: Sheet, side: int) -> None:
    """Those that have no airfield."""
    based = sheet.based[side]
    too_many = len(based) - sheet.airfields[side].strength
    if too_many > 0 and side == US:
        for plane in sheet.ask_some("lost_on_land", list(based), too_many):
            sheet.destroy(plane)
    else:
        for _ in range(too_many):
            sheet.destroy(sheet.ask("doomed", None, first_to_go(based)))
