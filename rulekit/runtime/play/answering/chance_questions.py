"""Questions that chance answers, in sessions that ask for dice, draws and orders (spec 13.9).

The answer to a roll is the sum of its dice, to a draw of one its thing; a draw of several is answered by a
list of its things, an order by a list of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from rulekit.base.bits import mask_of, members
from rulekit.base.frozen import frozen
from rulekit.ir import Point
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.play.answering.answers import LegalAnswer
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.support import asked as a
from rulekit.runtime.support.asked import Question

CHANCE: Final = "chance"
"""The side of such decisions, and their verb."""

MOST_LISTED: Final = 1_000
"""Outcomes that a decision lists; of more it says only what there is to draw from."""

KINDS: Final = {a.ROLL: "roll", a.ONE: "draw", a.SET: "draw", a.ORDER: "order"}
"""Words for the kinds of questions."""


@frozen
class ChanceAsked:
    """A roll, a draw or an order that a session asks for.

    Attributes:
        kind: `roll`, `draw` or `order`.
        number: How many dice are rolled, things drawn, or things put in order.
        things: The names of the things that are drawn or put in order; none for a roll.
        weights: The weight of each legal answer, in their order.
        outcomes: How many answers there are, listed or not.
        total: The weight of all of them together.
    """

    kind: str
    number: int
    things: tuple[str, ...]
    weights: tuple[int, ...]
    outcomes: int
    total: int


def is_chance(asked: Question) -> bool:
    """True if a question is one for chance, not for a side."""
    return asked[0] < 0


def point_of(moment: Moment, asked: Question) -> Point:
    """The point of chance that is asked."""
    return moment.game.program.points[~asked[0]]


def chance_asked(moment: Moment, asked: Question) -> tuple[ChanceAsked, tuple[LegalAnswer, ...]]:
    """The question in words, and its answers if they are not too many to list."""
    _, kind, count, things = asked
    point = point_of(moment, asked)
    number = count if kind in (a.ROLL, a.SET) else 1 if kind == a.ONE else len(things)
    outcomes = a.outcome_count(point, asked)
    listed = list(a.outcomes(point, asked)) if outcomes <= MOST_LISTED else []
    answers = tuple(chance_answer(moment, asked, value) for value, _ in listed)
    names = tuple(_names(moment, asked, things))
    weights = tuple(weight for _, weight in listed)
    return ChanceAsked(KINDS[kind], number, names, weights, outcomes, a.total_weight(point, asked)), answers


def chance_answer(moment: Moment, asked: Question, value: Any) -> LegalAnswer:
    """An answer by its value."""
    parts = tuple(_names(moment, asked, _things(asked[1], value)))
    return LegalAnswer(value, ", ".join(parts), parts)


def domain_of_chance(moment: Moment, asked: Question) -> str:
    """The type of an answer, in words of the rules."""
    _, kind, count, _ = asked
    point = point_of(moment, asked)
    if kind == a.ROLL:
        return f"{count * point.lowest}..{count * (point.lowest + point.sides - 1)}"
    thing = moment.game.lots[point.name].thing
    return {a.ONE: str(thing), a.SET: f"set of {thing}", a.ORDER: f"list of {thing}"}[kind]


def read_outcome(moment: Moment, asked: Question, given: Any) -> Any:
    """The value of an answer that is given by value, name or JSON.

    Raises:
        NamingError: Chance cannot give this here; the message says why.
    """
    point = point_of(moment, asked)
    value = given.value if isinstance(given, LegalAnswer) else _value(moment, asked, given)
    if not a.may_answer(point, asked, value):
        raise NamingError(
            f"`{_short_name(given)}` cannot come of `{point.name}`: expected {_wanted_answer(moment, asked)}"
        )
    return value


def _value(moment: Moment, asked: Question, given: Any) -> Any:
    _, kind, _, _ = asked
    point = point_of(moment, asked)
    if kind == a.ROLL:
        number = str(given)
        if isinstance(given, bool) or not number.lstrip("-").isdecimal() or len(number) > 9:
            raise NamingError(
                f"`{_short_name(given)}` cannot come of dice: expected {_wanted_answer(moment, asked)}"
            )
        return int(number)
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    naming, thing = moment.game.naming, moment.game.lots[point.name].thing
    values = [naming.read(thing, one) for one in _one_by_one(given)]
    if kind == a.ONE:
        return values[0] if len(values) == 1 else None
    if len(set(values)) < len(values):
        raise NamingError(f"`{_short_name(given)}` has a thing twice")
    return mask_of(values) if kind == a.SET else tuple(values)


def _one_by_one(given: Any) -> Sequence[Any]:
    """Things one by one: as a list, or as names with commas between them."""
    if isinstance(given, str):
        return [int(name) if name.isdecimal() else name for name in map(str.strip, given.split(","))]
    return given if isinstance(given, list | tuple) else [given]


def _wanted_answer(moment: Moment, asked: Question) -> str:
    """The possible answers, for a refusal; it names no thing, which might be a secret."""
    _, kind, count, things = asked
    match kind:
        case a.ROLL:
            low, _, high = domain_of_chance(moment, asked).partition("..")
            return f"a result from {low} to {high}"
        case a.ONE:
            return f"one of {len(things)} things"
        case a.SET:
            return f"{count} of {len(things)} things"
        case _:
            return f"all of {len(things)} things in an order"


def _things(kind: int, value: Any) -> Iterable[int]:
    """The things, or the sum, of an outcome, one by one."""
    if kind == a.SET:
        return members(value)
    return value if kind == a.ORDER else (value,)


def _names(moment: Moment, asked: Question, values: Iterable[int]) -> Iterator[str]:
    if asked[1] == a.ROLL:
        yield from map(str, values)
        return
    naming, thing = moment.game.naming, moment.game.lots[point_of(moment, asked).name].thing
    yield from (str(naming.to_json(thing, value)) for value in values)


def _short_name(given: Any) -> str:
    return str(given.name if isinstance(given, LegalAnswer) else given)[:60]
