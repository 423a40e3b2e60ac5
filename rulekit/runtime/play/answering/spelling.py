"""How the answers to choices are spelt: as JSON in logs, saves and events, and as names."""

from __future__ import annotations

from typing import Any, Final

from rulekit.ir import Choice
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import DONE, NONE, Int, Record

SEVERAL: Final = ("pick_set", "assign_set")
"""Verbs of which an answer is one more, until done."""

_NUMBERS: Final = ("split", "share", "number")
"""Verbs of which an answer is a number."""

ARROW: Final = " -> "
"""Between the names of the values of a record."""


def shown_part(naming: Naming, choice: Choice, value: int) -> Any:
    """The answer to one part as JSON: a name, a number, a flag, a record; `done`, or null for none."""
    if value == NONE:
        return None
    if value == DONE:
        return "done"
    return naming.to_json(choice.part_type, value)


NEW_PART: Final = "new part"
_PART: Final = "part "
"""The names of the answers to `split`: `new part`, `part 2`."""


def part_number(name: str) -> int:
    """The number of the part that the name of an answer to `split` means; 0 for a new one."""
    return 0 if name == NEW_PART else int(name.removeprefix(_PART))


def part_name(naming: Naming, choice: Choice, value: int, parts: int = 0) -> str:
    """The name of an answer; for `split`, `parts` is how many parts there are."""
    shown = shown_part(naming, choice, value)
    if shown is None:
        return "none"
    if isinstance(shown, dict):
        return ARROW.join(map(str, shown.values()))
    if choice.verb == "split":
        return NEW_PART if value > parts else f"{_PART}{value}"
    if choice.verb == "decide":
        return "yes" if value else "no"
    return str(shown)


def read_part(naming: Naming, choice: Choice, shown: Any) -> int:
    """The value of an answer that `shown_part` showed.

    Raises:
        NamingError: It is not an answer to such a choice.
    """
    if shown is None:
        return NONE
    if shown == "done" and choice.verb in SEVERAL:
        return DONE
    value: int = naming.read(choice.part_type, shown)
    return value


def meant_part(naming: Naming, choice: Choice, given: Any) -> int:
    """The value of an answer as people and programs write it: as JSON, or by its name.

    Of a record, the names of its values with arrows between them, or a list of these.

    Raises:
        NamingError: It is not an answer to such a choice.
    """
    if given == "none":
        return NONE
    if choice.verb == "decide" and given in ("no", "yes"):
        return int(given == "yes")
    kind = choice.option.type
    if choice.verb in _NUMBERS:
        given = _number(given.removeprefix(_PART) if isinstance(given, str) else given)
    elif isinstance(kind, Int):
        given = _number(given)
    elif isinstance(kind, Record):
        given = _values_by_name(kind, given)
    return read_part(naming, choice, given)


def _values_by_name(kind: Record, given: Any) -> Any:
    """The values of a record by their names, where they are given in their order."""
    values = given.split(ARROW) if isinstance(given, str) else given
    if not isinstance(values, list | tuple) or len(values) != len(kind.names):
        return given
    numbers = (
        _number(value) if isinstance(of, Int) else value for of, value in zip(kind.types, values, strict=True)
    )
    return dict(zip(kind.names, numbers, strict=True))


def _number(given: Any) -> Any:
    """The number that a text stands for, if it does."""
    return int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 10 else given
