"""Dice and draws by name as the words of a module's tape (specification, chapter 15.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rulekit.base.spelling import suggestion
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.native.lower.memory import MOST_NUMBER
from rulekit.runtime.support.lots import given_words


def tape_of(
    names: Mapping[str, Any],
    room: int,
    dice: Mapping[str, Sequence[int]],
    draws: Mapping[str, Sequence[Any]],
    *,
    strict: bool,
) -> list[int]:
    """Return the words of a tape.

    Args:
        names: The content of the section of the module.
        room: How many values its tape holds.
        dice: The first faces of rolls.
        draws: The first things of draws; of shuffles, a list of all things in their order.
        strict: Whether nothing may come from the seed.

    Raises:
        NamingError: There is no such roll or draw, it has no such face or thing, or they are too many.
    """
    values: dict[str, Sequence[int]] = {}
    for name, faces in dice.items():
        point = _point(names, name, "low", "roll")
        low, high = point["low"], point["high"]
        for face in faces:
            if not low <= face <= high:
                raise NamingError(f"`{name}` has no face {face}: its faces are {low}..{high}")
        values[name] = faces
    for name, things in draws.items():
        point = _point(names, name, "things", "draw or shuffle")
        values[name] = given_words(things, partial(_number, names, point), orders=point["orders"])
    many = sum(map(len, values.values()))
    if many > room:
        raise NamingError(f"a module takes {room:,} dice and things, not {many:,}")
    head, rest = [int(strict)], list[int]()
    for point in names["points"]:
        own = values.get(point["name"], [])
        head += [len(rest), len(own)]
        rest += own
    return head + rest


def _point(names: Mapping[str, Any], name: str, key: str, kind: str) -> Mapping[str, Any]:
    points: dict[str, dict[str, Any]] = {point["name"]: point for point in names["points"] if key in point}
    if name not in points:
        hint = suggestion(name, sorted(points), "" if points else "the rules have none")
        raise NamingError(f"there is no {kind} `{name[:60]}`; {hint}")
    return points[name]


def _number(names: Mapping[str, Any], point: Mapping[str, Any], thing: Any) -> int:
    """The number of a thing; things without names are numbers."""
    domain = point["things"]
    if not domain and isinstance(thing, int) and abs(thing) < MOST_NUMBER:
        return thing
    members = names["domains"].get(domain, [])
    if thing not in members:
        hint = suggestion(str(thing), members, "" if members else "expected a number")
        raise NamingError(f"`{point['name']}` does not draw `{thing}`; {hint}")
    return int(members.index(thing))
