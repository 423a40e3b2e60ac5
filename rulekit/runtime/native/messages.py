"""The messages of faults in modules, in which `{0}` is the first value that a module notes, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import Choice, State
from rulekit.ir.program import type_of_key
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_A_VALUE
from rulekit.ir.types import Int, Month, Optional, Text, Type
from rulekit.runtime.native import lir

Noted = tuple[Type, tuple[lir.Expr, ...]]
"""A value in a message."""


@frozen
class Why:
    """A message, and the values in it."""

    text: str
    values: tuple[Noted, ...] = ()


USUAL: Final = {
    NOT_A_VALUE: texts.NO_VALUE,
    "division-by-zero": texts.DIVISION_BY_ZERO,
    "budget": texts.OVER_BUDGET,
}
"""The messages of faults of which a place says no more."""


def _number(value: lir.Expr) -> Noted:
    return Int(0, 0), (value,)


def beyond(what: str, kind: Int | Month, value: lir.Expr) -> Why:
    """A number would leave the range of a thing."""
    return Why(texts.beyond(what, kind, "{0}"), ((kind, (value,)),))


def beyond_state(state: State, keys: Sequence[lir.Expr], value: lir.Expr) -> Why:
    """A number would leave the range of a state."""
    kind = state.type.of if isinstance(state.type, Optional) else state.type
    assert isinstance(kind, Int | Month)
    what, known = cell(state, keys)
    return Why(texts.beyond(what, kind, f"{{{len(keys)}}}"), (*known, (kind, (value,))))


def _places(count: int) -> list[str]:
    """The places of the first values."""
    return [f"{{{place}}}" for place in range(count)]


def cell(state: State, keys: Sequence[lir.Expr]) -> tuple[str, list[Noted]]:
    """A cell of a state in a message, and its keys, of which the last may be absent."""
    known = zip(state.keys, keys, strict=False)
    return texts.cell(state.name, _places(len(keys))), [(type_of_key(of), (key,)) for of, key in known]


def at_once(what: str, values: Sequence[Noted], causes: Sequence[lir.Expr]) -> Why:
    """Changes of a `together` block disagree; the causes are numbers of texts."""
    places = _places(len(values) + len(causes))[len(values) :]
    return Why(texts.at_once(what, places), (*values, *((Text(), (cause,)) for cause in causes)))


def die_not_given(point: str, die: lir.Expr) -> Why:
    """A die that a host should give is missing; dice count from 1."""
    return Why(texts.die_not_given(point, "{0}"), (_number(die),))


def things_not_given(point: str, count: lir.Expr, given: lir.Expr) -> Why:
    """Of the things that a host should give for a draw some are missing."""
    return Why(texts.things_not_given(point, "{0}", "{1}"), (_number(count), _number(given)))


def impossible_thing(point: str) -> Why:
    """A host gives a thing that cannot be drawn."""
    return Why(texts.impossible_thing(point))


def too_long(state: str, most: int, length: lir.Expr) -> Why:
    """A list would be longer than its state allows."""
    return Why(texts.too_long(state, most, "{0}"), (_number(length),))


def would_hold(what: str, most: lir.Expr, length: lir.Expr) -> Why:
    """A list is too long for the thing that gets it."""
    return Why(texts.would_hold(what, "{0}", "{1}"), (_number(most), _number(length)))


def no_row_for(table: str, domain: tuple[int, int], value: lir.Expr) -> Why:
    """A table has no row for a number."""
    return Why(texts.no_row_for(table, *domain, "{0}"), (_number(value),))


def no_answer(
    choice: Choice, given: Sequence[tuple[lir.Expr, ...]], item: tuple[lir.Expr, ...] | None
) -> Why:
    """A choice that must be answered cannot be."""
    values = [(param.type, words) for param, words in zip(choice.params, given, strict=True)]
    arguments, part = _places(len(values)), None
    if item is not None and choice.item is not None:
        part = f"{{{len(values)}}}"
        values.append((choice.item.type, item))
    return Why(texts.no_answer(choice, arguments, part), tuple(values))


def too_many(most: int, count: lir.Expr) -> Why:
    """A choice has too many legal answers."""
    return Why(texts.too_many(most, "{0:,}"), (_number(count),))


def endless(limit: lir.Expr) -> Why:
    """A loop has run as often as it may."""
    return Why(texts.endless("{0:,}"), (_number(limit),))


def not_one(count: lir.Expr) -> Why:
    """A set that should have one member has another number of them, or none."""
    return Why(texts.not_one("{0}"), ((Optional(Int(0, 0)), (count,)),))


def no_item(length: lir.Expr, number: lir.Expr) -> Why:
    """A list has no item of a number."""
    return Why(texts.no_item("{0}", "{1}"), (_number(length), _number(number)))
