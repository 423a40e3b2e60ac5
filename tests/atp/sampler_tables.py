"""The sampler's tables: a terrain chart and combat tables, each by a formula that its `about` states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

Row = tuple[object, ...]

ODDS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
BANDS = ("1..2", "3..4", "5..7", "8..11", "12..17", "18..30")
DICE = range(-4, 11)
ARMS = ("infantry", "motorized", "armor", "parachute", "glider", "irregular")


class Made(NamedTuple):
    """A table: what says how it is made, the number of its keys, its columns and rows."""

    about: str
    keys: int
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def tables() -> dict[str, Made]:
    """All tables by their names."""
    return {
        "terrain_cost": _terrain(),
        "hexside_cost": _hexsides(),
        "air_to_air": _by_odds("(roll + column - 5) / 3", ("lost",), lambda s: (_third(s - 5),)),
        "flak": _by_odds("(roll + column - 6) / 3", ("lost",), lambda s: (_third(s - 6),)),
        "strafing": _by_factors("(roll + 2 x column - 3) / 3", ("lost",), lambda s: (_third(s - 3),)),
        "torpedo": _bombing(sunk=11, damaged=7),
        "dive_bombing": _bombing(sunk=12, damaged=8),
        "level_bombing": _bombing(sunk=13, damaged=9),
        "asw": Made(
            "sunk from 6, damaged from 4", 1, ("roll", "effect", "deck_lost"),
            tuple((roll, _effect(roll, 6, 4), 0) for roll in DICE),
        ),
        "gunfire": _by_odds(
            "hits = (roll + column - 4) / 2, half of them sink", ("damaged", "sunk", "deck_lost"), _gunfire
        ),
        "ground_attack": _by_odds(
            "n = roll + column: (n - 5) / 2 units lost, retreat from 7, all lost from 11",
            ("lost", "all_lost", "retreats"), lambda s: _ground(s, 5, 7, 11),
        ),
        "ground_defence": _by_odds(
            "n = roll - column + 6: (n - 5) / 2 units lost, retreat from 8, all lost from 12",
            ("lost", "all_lost", "retreats"), lambda s: _ground(s, 5, 8, 12), slope=-1, start=6,
        ),
        "kamikaze": Made(
            "n = roll + units: sunk from 8, damaged from 5, 1 unit lost on a damaged deck", 2,
            ("units", "roll", "effect", "deck_lost"),
            tuple(
                (units, roll, _effect(roll + units, 8, 5), int(5 <= roll + units < 8))
                for units in range(1, 10)
                for roll in range(1, 7)
            ),
        ),
        "groupings": _groupings(),
    }  # fmt: skip


def _third(number: int) -> int:
    return min(max(number // 3, 0), 9)


def _effect(score: int, sunk: int, damaged: int) -> str:
    return "sunk" if score >= sunk else "damaged" if score >= damaged else "no_effect"


def _bombing(sunk: int, damaged: int) -> Made:
    def results(score: int) -> Row:
        hurt = damaged <= score < sunk
        return _effect(score, sunk, damaged), (score - damaged) // 2 + 1 if hurt else 0

    about = f"n = roll + 2 x column: sunk from {sunk}, damaged from {damaged}"
    return _by_factors(
        f"{about}, then (n - {damaged}) / 2 + 1 air units lost", ("effect", "deck_lost"), results
    )


def _gunfire(score: int) -> Row:
    hits = min(max((score - 4) // 2, 0), 9)
    return hits - hits // 2, hits // 2, hits // 2


def _ground(score: int, from_: int, retreat: int, all_: int) -> Row:
    return min(max((score - from_) // 2, 0), 9), score >= all_, score >= retreat


def _by_odds(
    about: str, columns: tuple[str, ...], results: Callable[[int], Row], slope: int = 1, start: int = 0
) -> Made:
    rows = [
        (odds, roll, *results(start + slope * column + roll))
        for column, odds in enumerate(ODDS)
        for roll in DICE
    ]
    return Made(f"{about}; the columns of odds count from 0", 2, ("odds", "roll", *columns), tuple(rows))


def _by_factors(about: str, columns: tuple[str, ...], results: Callable[[int], Row]) -> Made:
    rows = [(band, roll, *results(2 * n + roll)) for n, band in enumerate(BANDS) for roll in DICE]
    return Made(
        f"{about}; the columns of factors count from 0", 2, ("factors", "roll", *columns), tuple(rows)
    )


def _terrain() -> Made:
    costs = {"sea": (None, None, None), "clear": (1, 1, 1), "forest": (2, 2, 3), "rough": (2, 3, None)}
    rows = [
        (terrain, arm, cost[ARMS.index(arm) if arm in ("motorized", "armor") else 0])
        for terrain, cost in costs.items()
        for arm in ARMS
    ]
    about = "on foot 2 in forest and rough; motorized 2 and 3; armor 3, and never in rough; nobody at sea"
    return Made(about, 2, ("terrain", "arm", "cost"), tuple(rows))


def _hexsides() -> Made:
    on_wheels = ("motorized", "armor")
    rows = [(side, arm, int(arm in on_wheels)) for side in ("river", "wall") for arm in ARMS]
    return Made("one point more for motorized units and armor", 2, ("hexside", "arm", "cost"), tuple(rows))


def _groupings() -> Made:
    groups = ("A_screen", "A_core", "B_screen", "B_core", "C_screen", "C_core", "task_group")
    rows = tuple(_grouping(attacker, defender) for attacker in groups for defender in groups)
    about = "a core fires at all, and only a core fires at one"
    return Made(about, 2, ("attacker", "defender", "fires", "is_fired_at"), rows)


def _grouping(attacker: str, defender: str) -> Row:
    first, second = attacker.endswith("core"), defender.endswith("core")
    return attacker, defender, first or not second, second or not first


def trends(made: Made) -> Iterator[tuple[object, ...]]:
    """The results of a table without its keys, in the order of its rows."""
    for row in made.rows:
        yield row[made.keys :]
