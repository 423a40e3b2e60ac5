"""The state in a save: its cells, and the changes that wait for the end of a `together` block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import Int, ListOf, Member, Optional, SetOf
from rulekit.runtime.play.saves import CHANGES, SaveError, short
from rulekit.runtime.support import together
from rulekit.runtime.support.layout import Layout, Slots
from rulekit.runtime.support.state_changes import span

ANY: Final = Int(-(2**40), 2**40)
"""A number before its state's range is looked at."""


class Contents:
    """Reads what a save that fits the schema says of one program's state.

    All methods raise `SaveError` or `NamingError` for what the program does not have.
    """

    def __init__(self, layout: Layout, naming: Naming) -> None:
        self.layout = layout
        self.naming = naming

    def fill(self, cells: list[Any], data: Mapping[str, Any]) -> None:
        """Write into cells, which are those of the start, what the save says of them."""
        for name, entries in data["state"].items():
            slots = self._slots(name)
            for keys, value in entries:
                cells[self._address(slots, keys)] = self._cell(slots, value)
        self.layout.derive(cells)
        for name, count in data["counters"].items():
            if name not in self.layout.counters:
                raise SaveError(f"unknown point `{short(name)}`")
            cells[self.layout.counters[name]] = int(count)
        cells[self.layout.reveals] = int(data["reveals"])
        for name, revealed in data["revealed"].items():
            if name not in self.layout.revealed:
                raise SaveError(f"`{short(name)}` is never revealed")
            cells[self.layout.revealed[name]] = self._revealed(self._slots(name), revealed)

    def _slots(self, name: str) -> Slots:
        if name not in self.layout.slots:
            raise SaveError(f"unknown state `{short(name)}`")
        return self.layout.slots[name]

    def _address(self, slots: Slots, keys: list[Any]) -> int:
        domains = slots.state.keys[: len(slots.keys)]
        if len(keys) != len(domains):
            raise SaveError(f"`{slots.state.name}` has {len(domains)} keys")
        return slots.address(tuple(map(self.naming.key, domains, keys)))

    def _cell(self, slots: Slots, value: Any) -> Any:
        if slots.bits is None:
            return self.naming.read(slots.state.type, value)
        if not isinstance(value, list):
            raise SaveError(f"`{slots.state.name}` must be saved as a list of its marked members")
        mask = 0
        for one in value:
            mask |= 1 << self.naming.key(slots.state.keys[-1], one) - slots.bits.low
        return mask

    def _revealed(self, slots: Slots, revealed: list[list[Any]]) -> int:
        mask = 0
        for keys in revealed:
            if len(keys) != len(slots.state.keys):
                raise SaveError(f"`{slots.state.name}` has {len(slots.state.keys)} keys")
            place = self._address(slots, keys[: len(slots.keys)]) - slots.base
            if slots.bits is not None:
                bit = self.naming.key(slots.state.keys[-1], keys[-1]) - slots.bits.low
                place = place * slots.bits.size + bit
            mask |= 1 << place
        return mask

    # ------------------------------------------------------------ together

    def late(self, data: Mapping[str, Any]) -> list[Any]:
        """The changes that wait, as the machine keeps them."""
        found: list[Any] = []
        for entry in data["together"]:
            found += [*self._late_change(entry), -1]
        return found

    def _late_change(self, entry: Mapping[str, Any]) -> tuple[int, int, Any]:
        what = CHANGES.index(entry["change"])
        value = entry["value"]
        if what == together.PLACE:
            if "place" not in self.layout.slots:
                raise SaveError("the save moves a piece, but the game has none")
            piece = self.naming.number("piece", entry.get("piece"))
            return what, piece, self.naming.read(Optional(Member("space", "")), value)
        slots = self._slots(entry.get("state", ""))
        if what == together.DISSOLVE:
            key = slots.state.keys[0] if slots.state.keys else ""
            if slots.state.name != f"exists:{key}" or not str(value).isdecimal() or len(str(value)) > 9:
                raise SaveError("the save dissolves an unknown group")
            if int(value) >= self.layout.sizes[str(key)]:
                raise SaveError("the save dissolves an unknown group")
            return what, slots.base, int(value)
        return what, self._address(slots, entry.get("keys", [])), self._late_value(slots, what, value)

    def _late_value(self, slots: Slots, what: int, value: Any) -> Any:
        kind = slots.state.type
        marks = isinstance(kind, SetOf) or slots.bits is not None
        if what in (together.MARK, together.UNMARK) and marks:
            return self._cell(slots, value)
        if isinstance(kind, ListOf):
            if what in (together.APPEND, together.DROP):
                return self.naming.read(kind.of, value)
            if what in (together.SET, together.TOP, together.UNDER):
                return self.naming.read(kind, value)
        elif what == together.SET and span(slots.state) is not None:
            # Ends of tracks and ranges are looked at when the change lands.
            return self.naming.read(Optional(ANY) if isinstance(kind, Optional) else ANY, value)
        elif what == together.SET and slots.bits is None:
            return self.naming.read(kind, value)
        elif what == together.ADD and isinstance(value, int) and not isinstance(value, bool) and not marks:
            return value
        raise SaveError(f"`{slots.state.name}` cannot be changed like this")
