"""What Japan draws, and what it does to the battle turn."""

from __future__ import annotations

from benchmarks.plain_battle.counters import BATTALIONS, JAPAN, US, Soldiers
from benchmarks.plain_battle.sheet import (
    ASSAULT,
    BOMBS,
    BY_NUMBER,
    DEPTH_CHARGE,
    DOGFIGHT,
    FLAK,
    GUNS,
    TORPEDO,
    ZONES,
    Sheet,
)

# What a plan adds to the value of Japan's attacks, and to the superior value.
EFFECTS = {
    "Air Combat": ((DOGFIGHT, BOMBS), 3, 2),
    "Infantry Combat": ((ASSAULT,), 3, 2),
    "Ship Combat": ((FLAK, GUNS), 3, 2),
    "Submarine Warfare": ((TORPEDO, DEPTH_CHARGE), 4, 2),
    "Attack Plan": (range(7), 1, 0),
}
FIRST_KAMIKAZE_YEAR = 44


def draw_plans(sheet: Sheet) -> None:
    """Draw, count what is in play, and add up what it does."""
    for _ in range(sheet.plan_quantity):
        if not sheet.cup:
            sheet.cup, sheet.drawn_before = sorted(sheet.drawn_before, key=sheet.counters.plans.index), []
        if not sheet.cup:
            break
        plan = sheet.lots.draw(sheet.cup)
        sheet.cup.remove(plan)
        sheet.shown.append(plan)
    in_play: dict[str, int] = {}
    for plan in sheet.shown:
        in_play[plan["plan"]] = in_play.get(plan["plan"], 0) + 1
    sheet.in_play = in_play
    _judge(sheet)
    for name, number in in_play.items():
        if name in EFFECTS:
            attacks, value, superior = EFFECTS[name]
            for attack in attacks:
                sheet.bonus[attack] += number * value
                sheet.superior_bonus[attack] += number * superior
    sheet.stops_left = in_play.get("Damage Control", 0)
    for _ in range(in_play.get("Battalion", 0)):
        _land_battalion(sheet)


def _judge(sheet: Sheet) -> None:
    in_play = sheet.in_play
    if sheet.year < FIRST_KAMIKAZE_YEAR or not any(
        sheet.surface[zone][US] or sheet.boats[zone][US] for zone in ZONES
    ):
        in_play.pop("Kamikaze Attacks", None)
    if not sheet.carriers[JAPAN]:
        in_play.pop("Screening Ship", None)
    else:
        sheet.screens += [plan for plan in sheet.shown if plan["plan"] == "Screening Ship"]
    if in_play.get("First Light") and "First Light" in sheet.us_plans:
        in_play["First Light"] -= 1
        sheet.us_plans.remove("First Light")


def _land_battalion(sheet: Sheet) -> None:
    if sheet.battalions:
        number = 3_000 + BATTALIONS - sheet.battalions
        sheet.battalions -= 1
        row = {
            "number": number,
            "name": f"JapaneseBattalion_{number - 2999}",
            "side": JAPAN,
            "cost": 0,
            "ground": 1,
        }
        battalion = Soldiers(row | {"hurt_ground": 1, "marine": False}, False)
        sheet.everything.append(battalion)
        sheet.foxholes[JAPAN].append(battalion)
        sheet.foxholes[JAPAN].sort(key=BY_NUMBER)


def put_plans_away(sheet: Sheet) -> None:
    """All but a screening ship that stopped nothing."""
    sheet.drawn_before += [plan for plan in sheet.shown if plan not in sheet.screens]
    sheet.shown = []
    sheet.in_play = {}
    sheet.bonus = [0] * 7
    sheet.superior_bonus = [0] * 7
    sheet.stops_left = 0


def change_duration(sheet: Sheet) -> None:
    """By the plans of both sides."""
    number = [0, 0]
    for target in sheet.everything:
        if not target.lost:
            number[target.side] += 1
    for _ in range(sheet.in_play.get("Duration", 0)):
        if number[JAPAN] > number[US]:
            sheet.turns_left = min(5, sheet.turns_left + 1)
        elif number[JAPAN] < number[US]:
            sheet.turns_left = max(0, sheet.turns_left - 1)
    if "Engaged" in sheet.us_plans:
        change = sheet.choose("battle_changed", None, (1, -1, None))
        if change is not None:
            sheet.us_plans.remove("Engaged")
            sheet.turns_left = max(0, min(5, sheet.turns_left + change))
