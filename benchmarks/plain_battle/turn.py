"""One battle turn."""

from __future__ import annotations

from benchmarks.plain_battle.aircraft import (
    japanese_first_light,
    lose_aircraft,
    move_bombers,
    move_fighters,
    move_us_aircraft,
    return_aircraft,
    us_first_light,
)
from benchmarks.plain_battle.combat import combat
from benchmarks.plain_battle.counters import JAPAN, SIDES, US
from benchmarks.plain_battle.plans import change_duration, draw_plans, put_plans_away
from benchmarks.plain_battle.sheet import BY_NUMBER, Sheet


def battle_turn(sheet: Sheet) -> None:
    """From the draw of plans to the turn counter."""
    draw_plans(sheet)
    japanese_first_light(sheet)
    us_first_light(sheet)
    move_us_aircraft(sheet)
    move_bombers(sheet)
    move_fighters(sheet)
    combat(sheet)
    advance_infantry(sheet)
    return_aircraft(sheet)
    lose_aircraft(sheet, US)
    lose_aircraft(sheet, JAPAN)
    change_duration(sheet)
    sheet.turns_left = max(0, sheet.turns_left - 1)
    put_plans_away(sheet)


def advance_infantry(sheet: Sheet) -> None:
    """Beach to foxholes, transport to beach; Marines straight to the foxholes."""
    for side in SIDES:
        foxholes, beach, landing = sheet.foxholes[side], sheet.beach[side], sheet.aboard[side]
        foxholes += beach
        beach.clear()
        for soldiers in landing:
            soldiers.land()
            (foxholes if soldiers.is_marine else beach).append(soldiers)
        landing.clear()
        foxholes.sort(key=BY_NUMBER)
