"""The cells that events may have changed, from the trace alone: no list is compared, whatever its length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Final

from rulekit.base.bits import member_ids
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.types import SetOf
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.support import together
from rulekit.runtime.support.layout import Slots
from rulekit.runtime.support.trace import EventKind

Touch = Callable[[Sequence[Any], int], Iterable[int]]
"""Gives the addresses for an entry of a tape, whose operands begin at a place."""

Cells = tuple[int | None, Touch | None]
"""The cells of an event: that of its first operand, counted from an address, or those a function gives."""

NO_CELL: Final[Cells] = None, None

OF_STATE: Final = frozenset(
    (
        *("set", "add", "subtract", "land", "mark", "unmark", "mark_all", "unmark_all", "include", "exclude"),
        *("append", "drop", "put_top", "put_under", "take", "shuffle"),
    )
)
"""Kinds of events that change the one cell that their keys name."""


class TouchedCells:
    """Finds the cells of one build's events."""

    def __init__(self, module: GeneratedModule) -> None:
        self._module, self._layout = module, module.layout
        self._kinds: dict[int, tuple[int, int | None, Touch | None]] = {}
        self._groups: dict[tuple[str, int], tuple[int, ...]] = {}

    def addresses(self, tape: Sequence[Any]) -> list[int]:
        """The addresses of all cells that the events on a tape may have changed, some repeatedly."""
        kinds, at, end = self._kinds, 0, len(tape)
        addresses: list[int] = []
        append = addresses.append
        while at < end:
            number = tape[at]
            known = kinds.get(number)
            if known is None:
                kind = self._module.events[number]
                known = kinds[number] = (1 + len(kind.fields), *self._cells_of(kind))
            width, start, touch = known
            if start is not None:
                append(start + tape[at + 1])
            elif touch is not None:
                addresses += touch(tape, at + 1)
            at += width
        return addresses

    def waiting(self, late: Sequence[Any]) -> Iterator[int]:
        """Yield the addresses of the cells that the changes of an open `together` block will change."""
        for what, where, value, _ in together.entries(list(late)):
            if what == together.PLACE:
                yield self._layout.slots[PLACE].base + where
            elif what == together.DISSOLVE:
                yield from self._group(self._layout.owner(where).state.name.partition(":")[2], value)
            else:
                yield where

    def _cells_of(self, kind: EventKind) -> Cells:
        if kind.kind == "move":
            return self._pieces(kind)
        if kind.kind in ("form", "dissolve"):
            domain = kind.subject
            return None, lambda tape, at: self._group(domain, tape[at])
        slots = self._layout.slots.get(kind.subject)
        if kind.kind not in OF_STATE or slots is None:
            return NO_CELL
        return _of_keys(slots)

    def _pieces(self, kind: EventKind) -> Cells:
        base = self._layout.slots[PLACE].base
        if isinstance(kind.fields[0][1], SetOf):
            return None, lambda tape, at: _of_members(base, tape[at])
        return base, None

    def _group(self, domain: str, group: int) -> tuple[int, ...]:
        """The cells of everything that has a group for a key."""
        cells = self._groups.get((domain, group))
        if cells is None:
            cells = self._groups[domain, group] = tuple(self._of_group(domain, group))
        return cells

    def _of_group(self, domain: str, group: int) -> Iterator[int]:
        """Yield the cells of everything that has a group for a key: all begin anew."""
        for slots in self._layout.slots.values():
            if domain not in slots.state.keys:
                continue
            ranges = [(group - key.low,) if key.domain == domain else range(key.size) for key in slots.keys]
            for keys in product(*ranges):
                strides = (key.stride for key in slots.keys)
                yield slots.base + sum(k * stride for k, stride in zip(keys, strides, strict=True))


def _of_members(base: int, mask: int) -> Iterable[int]:
    """The cells of the members of a set, most often of one."""
    if mask & (mask - 1):
        return [base + member for member in member_ids(mask)]
    return (base + mask.bit_length() - 1,) if mask else ()


def _of_keys(slots: Slots) -> Cells:
    """The one cell of a state that an event's first operands name."""
    base, keys = slots.base, slots.keys
    if not keys:
        return None, lambda tape, at: (base,)
    if len(keys) == 1 and keys[0].stride == 1:
        return base - keys[0].low, None
    return None, lambda tape, at: (slots.address(tuple(tape[at : at + len(keys)])),)
