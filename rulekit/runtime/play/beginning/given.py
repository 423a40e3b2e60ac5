"""Values of states that a caller gives by name, put into the cells of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import NamingError
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.play.named_values import NamedValues, UnknownName
from rulekit.runtime.play.prepared import PreparedGame
from rulekit.runtime.play.saved.saves import address_of, cell_value
from rulekit.runtime.support.layout import Slots

Given = Mapping[str, Any]
"""For each state, or field by its own name, one of these:

- the value of a state without keys: `{"turn": 3}`
- values by key, or by a tuple of keys: `{"damage": {"Akagi": 2}, "hits": {("Red", 1): 4}}`; each member's
  flag is true or false
- cells as saves write them, pairs of keys and value: `{"damage": [(["Akagi"], 2)]}`; the cell of a flag
  state has no last key, and lists all members that have the flag
"""


def give(game: PreparedGame, machine: Machine, given: Given) -> None:
    """Set the cells of a machine to what is given, and check the invariants.

    Raises:
        NamingError: A state, key or value that is none.
        Fault: Invariants do not hold; the message names all of them.
    """
    set_cells(game.named_values, machine.M, given)
    machine.refuel(game.fuel)
    program = game.program
    broken = [
        item
        for item, holds in zip(program.invariants, game.module.invariants, strict=True)
        if not holds(machine.M)
    ]
    if broken:
        names = ", ".join(f"`{item.name}`" for item in broken)
        verb = "does" if len(broken) == 1 else "do"
        message = f"{names} {verb} not hold in this position"
        raise Fault("broken-invariant", message, program.sites[broken[0].site])


def set_cells(values: NamedValues, cells: list[Any], given: Given) -> None:
    """Set cells to what is given.

    Raises:
        NamingError: A state, key or value that is none.
    """
    for name, content in given.items():
        _set_state(values, cells, name, content)
    values.layout.derive(cells)


def _set_state(values: NamedValues, cells: list[Any], name: str, content: Any) -> None:
    naming = values.naming
    for keys, value in _entries(content):
        try:
            slots = values.state(name, keys)
        except UnknownName as unknown:
            raise NamingError(str(unknown)) from unknown
        if slots.bits is not None and len(keys) == len(slots.state.keys):
            _set_flag(values, cells, slots, keys, value)
        else:
            cells[address_of(slots, naming, keys)] = cell_value(slots, naming, value)


def _entries(content: Any) -> Iterator[tuple[Sequence[Any], Any]]:
    """Yield keys and value of each cell."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield (key if isinstance(key, tuple) else (key,)), value
    elif isinstance(content, list | tuple) and content and all(map(_is_cell, content)):
        yield from content
    else:
        yield (), content


def _is_cell(entry: Any) -> bool:
    return isinstance(entry, list | tuple) and len(entry) == 2 and isinstance(entry[0], list | tuple)


def _set_flag(values: NamedValues, cells: list[Any], slots: Slots, keys: Sequence[Any], value: Any) -> None:
    if not isinstance(value, bool):
        raise NamingError(f"`{slots.state.name}` of {keys[-1]} must be true or false")
    assert slots.bits is not None
    address = address_of(slots, values.naming, keys[:-1])
    bit = 1 << values.naming.key(slots.state.keys[-1], keys[-1]) - slots.bits.low
    cells[address] = cells[address] | bit if value else cells[address] & ~bit
