"""The common ground of writing and reading saves.

A save names everything: cells by state and keys, as differences from the start; frames by the choice or
call at which they wait; locals by name.  `saving` writes it.  `restoring` trusts nothing in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from rulekit.base.bits import members
from rulekit.base.resources import schema
from rulekit.diagnostics.render_text import printable
from rulekit.ir.semantics.names import Naming, NamingError
from rulekit.runtime import chance
from rulekit.runtime.codegen.routines.frames import Cut, StopPoint
from rulekit.runtime.play.saved.schema_predicate import Predicate, predicate
from rulekit.runtime.support.layout import Slots

FORMAT: Final = 1
CHANGES: Final = ("set", "add", "mark", "unmark", "append", "drop", "top", "under", "place", "dissolve")
"""Names of late changes, by number."""


class SaveError(Exception):
    """A save that cannot be restored; the message says why."""


def shape(cut: Cut, label: StopPoint) -> str:
    """A digest of what a frame at this label holds: equal where the same code waits there."""
    kept = ", ".join(f"{variable.name}: {variable.type}" for _, variable in label.kept)
    return f"{chance.name_key(f'{cut.key} {label.name} {label.calls} ({kept})'):016x}"


def short(text: object) -> str:
    """Something of the save's, fit for a message: one line."""
    shown = printable(str(text)[:81])
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def address_of(slots: Slots, naming: Naming, keys: Sequence[str | int]) -> int:
    """The cell for keys given by name (without the last key of a flag state)."""
    domains = slots.state.keys[: len(slots.keys)]
    if len(keys) != len(domains):
        raise NamingError(f"`{slots.state.name}` is saved under {len(domains)} keys")
    return slots.address(tuple(map(naming.key, domains, keys)))


def cell_value(slots: Slots, naming: Naming, value: Any) -> Any:
    """The value of a cell, from JSON."""
    if slots.bits is None:
        return naming.read(slots.state.type, value)
    if not isinstance(value, list):
        raise NamingError(f"`{slots.state.name}` must be a list of its marked members")
    mask = 0
    for one in value:
        mask |= 1 << naming.key(slots.state.keys[-1], one) - slots.bits.low
    return mask


def shown_cell(naming: Naming, slots: Slots, value: Any) -> Any:
    """The value of a cell as JSON."""
    if slots.bits is None:
        return naming.to_json(slots.state.type, value)
    low, domain = slots.bits.low, slots.state.keys[-1]
    return [naming.keys((domain,), (bit + low,))[0] for bit in members(value)]


def check(data: Any) -> None:
    """Hold a save against its schema.

    Raises:
        SaveError: It does not fit.
    """
    try:
        if not _fits()(data):
            raise SaveError(_misfit(data))
    except RecursionError:
        raise SaveError("the save is nested too deeply") from None


@cache
def _fits() -> Predicate:
    return predicate(schema("save"))


def _misfit(data: Any) -> str:
    """The first error by the schema; jsonschema is loaded only here, because that takes a while."""
    import jsonschema

    error = next(iter(jsonschema.Draft202012Validator(schema("save")).iter_errors(data)), None)
    if error is None:
        return "not a save"
    place = "/".join(map(str, error.absolute_path)) or "the top"
    return f"not a save: at {place}: {short(error.message)}"
