"""The messages of faults, for both back ends; values come as texts, in modules as places for values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulekit.ir import Choice, StaticTable
from rulekit.ir.types import Int, Month, month_text

NO_VALUE: Final = "expected a value, found none"
NO_GROUP: Final = "expected a group to dissolve, found none"
NOT_IN_MAP: Final = "the map has no value for this one"
DIVISION_BY_ZERO: Final = "division by zero"
RATIO_TO_ZERO: Final = "a ratio to zero"
EMPTY_STACK: Final = "cannot draw from a stack: it is empty"
OVER_BUDGET: Final = "a step exceeded its budget of work"
TOO_MANY_EVENTS: Final = "the game has left more events than it may"


def die_not_given(point: str, number: str) -> str:
    """A die that should be given is not; dice count from 1."""
    return f"`{point}` rolls a die that is not given: number {number}"


def things_not_given(point: str, count: str, given: str) -> str:
    """Of the things that should be given for a draw some are not."""
    return f"`{point}` draws {count}, given: {given}"


def impossible_thing(point: str) -> str:
    """A thing is given that cannot be drawn."""
    return f"`{point}` cannot draw what is given"


def beyond(what: str, kind: Int | Month, value: str) -> str:
    """A number would leave the range of a thing."""
    ends = f"{kind.low}..{kind.high}"
    if isinstance(kind, Month):
        ends = f"{month_text(kind.low)} to {month_text(kind.high)}"
    return f"{what} would be {value}, outside {ends}"


def cell(state: str, keys: Sequence[str]) -> str:
    """A cell by its keys; a field is called without its kind, which the key tells."""
    return f"`{state.rpartition('.')[2]}` of {and_list(keys)}" if keys else f"`{state}`"


def and_list(names: Sequence[str]) -> str:
    """Names with `and` between them."""
    return " and ".join(f"`{name}`" for name in names)


def at_once(what: str, causes: Sequence[str]) -> str:
    """Two changes of one `together` block disagree, made by one cause or two."""
    return f"{what} at once, by {' and by '.join(causes)}"


def two_places(piece: str) -> str:
    """A piece is moved to two places."""
    return f"`{piece}` is moved to two places"


def two_values(what: str) -> str:
    """A cell is set to two values."""
    return f"{what} is set to two values"


def set_and_changed(what: str) -> str:
    """A cell is both set and changed."""
    return f"{what} is both set and changed"


def in_and_out(what: str, both: str) -> str:
    """Members of a set are both added and removed."""
    return f"{what} has {both} both added and removed"


def on_and_off(what: str) -> str:
    """A flag is both marked and unmarked."""
    return f"{what} is both marked and unmarked"


def cause(owner: str, rules: Sequence[str]) -> str:
    """The rule around a place: `` `landing` [TEXT.3.1] ``."""
    return f"`{owner}`" + (f" [{', '.join(rules)}]" if rules else "")


def too_long(state: str, most: int, length: str) -> str:
    """A list would be longer than its state allows."""
    return f"`{state}` cannot hold {length} things: at most {most}"


def would_hold(what: str, most: str, length: str) -> str:
    """A list is too long for the thing that gets it."""
    return f"{what} would hold {length}, more than {most}"


def no_row(table: str) -> str:
    """A table has no row for its keys."""
    return f"{_table(table)} has no row for these keys"


def no_row_for(table: str, low: int, high: int, value: str) -> str:
    """A table has no row for a number."""
    return f"{_table(table)} has no row for {value}: its keys are {low}..{high}"


def no_data(table: StaticTable) -> str:
    """A table is in a file that only owners have."""
    return f"{_table(table.name)} needs owner data: the file `{table.missing}` is missing"


def _table(name: str) -> str:
    """The name of a table in the rules."""
    return f"`{name.removeprefix('table:')}`"


def no_answer(choice: Choice, arguments: Sequence[str], item: str | None) -> str:
    """A choice that must be answered has no legal answer; `item` is the thing that it asks about."""
    norms = ", ".join(f"`{norm.name}`" for norm in choice.norms)
    rule = "rules" if len(choice.norms) == 1 else "rule"
    because = f"{norms} {rule} out every one" if norms else "there is nothing to choose from"
    part = "" if item is None else f" for `{item}`"
    called = f"`{choice.name}({', '.join(arguments)})`" if arguments else f"`{choice.name}`"
    return f"{called} has no legal answer{part}: {because}"


def search_limit(most: int) -> str:
    """A search for a legal answer has looked at as many partial answers as it may."""
    return f"could not find or rule out a legal answer (limit: {most:,} partial answers)"


def too_many(most: int, count: str) -> str:
    """A choice has too many legal answers."""
    return f"{count} legal answers: at most {most:,}"


def nothing_to_draw(point: str, *, is_state: bool) -> str:
    """A draw of one has nothing to draw from; the point of a cup has the cup's name."""
    if is_state:
        return f"cannot draw from `{point}`: it is empty"
    return f"cannot draw at random from an empty set (`{point}`)"


def no_group_left(domain: str, size: int) -> str:
    """All groups of a kind are in use."""
    return f"no `{domain}` left: all {size} are in use"


def not_one(count: str) -> str:
    """A set that should have one member has another number of them, or none."""
    return f"a set that should have one member has {count}"


def no_item(length: str, number: str) -> str:
    """A list has no item of a number."""
    return f"a list of {length} has no item {number}"


def endless(limit: str) -> str:
    """A loop has run as often as it may."""
    return f"loop limit reached: {limit} rounds"


def does_not_hold(invariant: str) -> str:
    """A promise does not hold."""
    return f"`{invariant}` does not hold"
