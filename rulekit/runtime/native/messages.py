"""The messages of faults in modules: texts in which `{0}` is the first value that a module notes, and so on.

Their words are those of the Python back end: of `ir.semantics.faults`, `runtime.support.fault_words` and
`runtime.machine.fault_reports`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import Choice, State, StaticTable
from rulekit.ir.program import type_of_key
from rulekit.ir.semantics.faults import NOT_A_VALUE
from rulekit.ir.types import Int, Month, Optional, Type, month_text
from rulekit.runtime.native import lir

MOST_WORDS: Final = 16
"""Words that a module can note for a message."""


@frozen
class Why:
    """A message, and the values in it."""

    text: str
    values: tuple[tuple[Type, tuple[lir.Expr, ...]], ...] = ()


USUAL: Final = {
    NOT_A_VALUE: "expected a value, found none",
    "division-by-zero": "division by zero",
    "budget": "a step exceeded its budget of work",
}
"""The messages of faults of which a place says no more."""


def beyond(what: str, kind: Int | Month, value: lir.Expr, *keys: tuple[Type, tuple[lir.Expr, ...]]) -> Why:
    """A number would leave the range of a thing; `what` may name the keys."""
    ends = f"{kind.low}..{kind.high}"
    if isinstance(kind, Month):
        ends = f"{month_text(kind.low)} to {month_text(kind.high)}"
    return Why(f"{what} would be {{{len(keys)}}}, outside {ends}", (*keys, (kind, (value,))))


def beyond_state(state: State, keys: Sequence[lir.Expr], value: lir.Expr) -> Why:
    """A number would leave the range of a state."""
    kind = state.type.of if isinstance(state.type, Optional) else state.type
    assert isinstance(kind, Int | Month)
    name = f"`{state.name.rpartition('.')[2]}`" if keys else f"`{state.name}`"
    if keys:
        name += " of " + " and ".join(f"`{{{place}}}`" for place in range(len(keys)))
    pairs = zip(state.keys, keys, strict=False)
    return beyond(name, kind, value, *((type_of_key(domain), (key,)) for domain, key in pairs))


def key_beyond(state: str, domain: tuple[int, int], value: lir.Expr) -> Why:
    """A number is not a key of a state."""
    return beyond(f"a key of `{state}`", Int(*domain), value)


def too_long(state: str, most: int, length: lir.Expr) -> Why:
    """A list would be longer than its state allows."""
    return Why(f"`{state}` cannot hold {{0}} things: at most {most}", ((Int(0, 0), (length,)),))


def would_hold(what: str, most: lir.Expr, length: lir.Expr) -> Why:
    """A list is too long for the thing that gets it."""
    number = Int(0, 0)
    return Why(f"{what} would hold {{0}}, more than {{1}}", ((number, (length,)), (number, (most,))))


def no_row(table: str) -> Why:
    """A table has no row for its keys."""
    return Why(f"`{_name(table)}` has no row for these keys")


def no_row_for(table: str, domain: tuple[int, int], value: lir.Expr) -> Why:
    """A table has no row for a number."""
    low, high = domain
    text = f"`{_name(table)}` has no row for {{0}}: its keys are {low}..{high}"
    return Why(text, ((Int(low, high), (value,)),))


def no_data(table: StaticTable) -> Why:
    """A table is in a file that only owners have."""
    return Why(f"`{_name(table.name)}` needs owner data: the file `{table.missing}` is missing")


def _name(table: str) -> str:
    return table.removeprefix("table:")


def no_answer(
    choice: Choice, given: Sequence[tuple[lir.Expr, ...]], item: tuple[lir.Expr, ...] | None
) -> Why:
    """A choice that must be answered cannot be."""
    norms = ", ".join(f"`{norm.name}`" for norm in choice.norms)
    rule = "rules" if len(choice.norms) == 1 else "rule"
    because = f"{norms} {rule} out every one" if norms else "there is nothing to choose from"
    values = [(param.type, words) for param, words in zip(choice.params, given, strict=True)]
    shown = ", ".join(f"{{{place}}}" for place in range(len(values)))
    part = ""
    if item is not None and choice.item is not None:
        part = f" for `{{{len(values)}}}`"
        values.append((choice.item.type, item))
    called = f"`{choice.name}({shown})`" if shown else f"`{choice.name}`"
    return Why(f"{called} has no legal answer{part}: {because}", tuple(values))


def nothing_to_draw(point: str, *, is_state: bool) -> Why:
    """A draw of one has nothing to draw from."""
    if is_state:
        return Why(f"cannot draw from `{point}`: it is empty")
    return Why(f"cannot draw at random from an empty set (`{point}`)")


def too_many(most: int, count: lir.Expr) -> Why:
    """A choice has too many legal answers."""
    return Why(f"{{0:,}} legal answers: at most {most:,}", ((Int(0, 0), (count,)),))


def not_one(count: lir.Expr) -> Why:
    """A set that should have one member has another number of them, or none."""
    return Why("a set that should have one member has {0}", ((Optional(Int(0, 0)), (count,)),))


def no_item(length: lir.Expr, number: lir.Expr) -> Why:
    """A list has no item of a number."""
    kind = Int(0, 0)
    return Why("a list of {0} has no item {1}", ((kind, (length,)), (kind, (number,))))
