"""Changes of state that take more than one line of Python, for generated code to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.base.bits import Bits
from rulekit.ir import State
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import NOT_A_VALUE, Fault, out_of_range
from rulekit.ir.types import NONE, Int, ListOf, Month, Optional
from rulekit.runtime.support.fault_words import FaultWords
from rulekit.runtime.support.layout import Index, Layout, Slots

Journal = Callable[[Any], None] | None
"""Takes address and old value, one after the other; None where nothing is noted."""

Move = Callable[[list[Any], int, int], None]

Lander = Callable[[list[Any], Any], None]
"""Writes a cell as `store_indexed` does, in range and hidden again, where nothing is noted."""


def store(cells: list[Any], journal: Journal, address: int, value: Any) -> None:
    """Write one cell."""
    if journal is not None:
        journal(address)
        journal(cells[address])
    cells[address] = value


def hide(layout: Layout, slots: Slots, cells: list[Any], journal: Journal, address: int, flags: int) -> None:
    """End the reveal of a cell that is written; of a cell of flags, of those in a mask."""
    revealed = layout.revealed.get(slots.state.name)
    if revealed is not None:
        row, width = address - slots.base, 1 if slots.bits is None else slots.bits.size
        bits = ((1 if slots.bits is None else flags) << row * width) * revealed.everyone
        store(cells, journal, revealed.address, cells[revealed.address] & ~bits)


def store_indexed(
    layout: Layout, slots: Slots, cells: list[Any], journal: Journal, address: int, value: Any
) -> None:
    """Write one cell of a state, and keep the masks of members by value, if it has any."""
    index = layout.indexes.get(slots.state.name)
    member = address - slots.base
    if index is not None:
        reindex(index, cells, journal, member, cells[address], value)
    classes = layout.classes.get(slots.state.name)
    if classes is not None:
        row = classes.rows[member]
        classes.flip(cells, journal, member, row[cells[address]] ^ row[value])
    store(cells, journal, address, value)


class Landers(dict[int, Lander]):
    """For each cell the function that writes it, made when first asked for."""

    def __init__(self, layout: Layout, words: FaultWords) -> None:
        super().__init__()
        self.layout, self.words = layout, words

    def __missing__(self, address: int) -> Lander:
        layout, words = self.layout, self.words
        slots = layout.owner(address)
        state, member = slots.state, address - slots.base
        index, classes = layout.indexes.get(state.name), layout.classes.get(state.name)
        listed, hidden, ends = isinstance(state.type, ListOf), state.name in layout.revealed, span(state)
        low, high = ends or (0, 0)
        bit = 1 << member

        def write(cells: list[Any], value: Any) -> None:
            if listed or ends is not None and not low <= value <= high:
                value = bounds(state, words, value, address)
            if hidden:
                hide(layout, slots, cells, None, address, 0)
            if index is not None:
                cells[index.cell(cells[address])] &= ~bit
                cells[index.cell(value)] |= bit
            if classes is not None:
                row = classes.rows[member]
                for cell in classes.touched[row[cells[address]] ^ row[value]]:
                    cells[cell] ^= bit
            cells[address] = value

        self[address] = write
        return write


def reindex(index: Index, cells: list[Any], journal: Journal, member: int, old: Any, new: Any) -> None:
    """Move a member from the mask of one value to that of another."""
    bit = 1 << member
    for mask, change in ((index.cell(old), 0), (index.cell(new), bit)):
        store(cells, journal, mask, cells[mask] & ~bit | change)


def span(state: State) -> tuple[int, int] | None:
    """The ends of a state of numbers."""
    kind = state.type.of if isinstance(state.type, Optional) else state.type
    return (kind.low, kind.high) if isinstance(kind, Int | Month) else None


def bounds(state: State, words: FaultWords, value: Any, address: int) -> Any:
    """A new value within a state's range: stopped at its ends if it is a track, else a fault beyond them."""
    kind = state.type.of if isinstance(state.type, Optional) else state.type
    if isinstance(kind, ListOf):
        return no_longer(state, value)
    if not isinstance(kind, Int | Month) or value == NONE and isinstance(state.type, Optional):
        return value
    low, high = kind.low, kind.high
    if low <= value <= high:
        return value
    if state.clamp:
        return min(max(value, low), high)
    raise out_of_range(words.cell(address), kind, value)


def no_longer(state: State, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list, if it is no longer than its state allows."""
    if isinstance(state.type, ListOf) and len(values) > state.type.most:
        raise Fault("out-of-range", texts.too_long(state.name, state.type.most, str(len(values))))
    return values


def movers(
    layout: Layout, bits: Bits
) -> tuple[Move, Callable[[list[Any], Callable[[Any], None], int, int], None]]:
    """Functions that put a set of pieces at a space or off the board, plain and with a journal.

    They keep the masks of pieces by space.  Without pieces there is nothing that they could be called with.
    """
    first, off = layout.first_derived, layout.off_board
    places = layout.slots["place"].base if "place" in layout.slots else 0

    def plain(cells: list[Any], pieces: int, space: int) -> None:
        numbers = bits[pieces]
        if not numbers:
            return
        old = cells[places + numbers[0]]
        here = first + old if old >= 0 else off
        if pieces & ~cells[here]:
            for piece in numbers:
                old = cells[places + piece]
                cells[first + old if old >= 0 else off] ^= 1 << piece
                cells[places + piece] = space
        else:  # all are at one place, as usual
            cells[here] ^= pieces
            for piece in numbers:
                cells[places + piece] = space
        cells[first + space if space >= 0 else off] |= pieces

    def move_with_journal(cells: list[Any], journal: Callable[[Any], None], pieces: int, space: int) -> None:
        for piece in bits[pieces]:
            address = places + piece
            old = cells[address]
            journal(address)
            journal(old)
            cells[address] = space
            address = first + old if old >= 0 else off
            journal(address)
            journal(cells[address])
            cells[address] &= ~(1 << piece)
        address = first + space if space >= 0 else off
        journal(address)
        journal(cells[address])
        cells[address] |= pieces

    return plain, move_with_journal


def dissolve(cells: list[Any], journal: Journal, address: int, group: int) -> None:
    """Make a group's number free."""
    if group < 0:
        raise Fault(NOT_A_VALUE, texts.NO_GROUP)
    store(cells, journal, address, cells[address] & ~(1 << group))


def former(layout: Layout, domain: str) -> Callable[[list[Any], Journal], int]:
    """A function that brings a group into being, its state as declared, and gives its number."""
    exists = layout.slots[f"exists:{domain}"].base
    size = layout.sizes[domain]
    resets: list[list[tuple[int, int | None, Any]]] = [[] for _ in range(size)]
    for slots in layout.slots.values():
        if domain in slots.state.keys and slots.base != exists:
            _reset(layout, slots, domain, resets)

    def form(cells: list[Any], journal: Journal) -> int:
        used = cells[exists]
        group = (~used & used + 1).bit_length() - 1
        if group >= size:
            raise Fault("no-group-left", texts.no_group_left(domain, size))
        if journal is None:
            cells[exists] = used | 1 << group
            for address, keep, value in resets[group]:
                cells[address] = value if keep is None else cells[address] & keep | value
            return int(group)
        store(cells, journal, exists, used | 1 << group)
        for address, keep, value in resets[group]:
            store(cells, journal, address, value if keep is None else cells[address] & keep | value)
        return int(group)

    return form


def _reset(
    layout: Layout, slots: Slots, domain: str, resets: list[list[tuple[int, int | None, Any]]]
) -> None:
    """Add for each group what to write so that a state is as declared: address, mask to keep, value."""
    declared = layout.declared_cells(slots)
    by_bit = slots.bits is not None and slots.bits.domain == domain
    revealed = layout.revealed.get(slots.state.name)
    index = layout.indexes.get(slots.state.name)
    width = 1 if slots.bits is None else slots.bits.size
    for keys, address in slots.each():
        value = declared[address - slots.base]
        own = {one for key, one in zip(slots.keys, keys, strict=True) if key.domain == domain}
        for group in own:
            resets[group].append((address, None, value))
            if index is not None:
                for mask in range(index.slots.base, index.slots.base + index.slots.size):
                    resets[group].append((mask, ~(1 << group), (mask == index.cell(value)) << group))
            if revealed is not None:
                row = ((1 << width) - 1 << (address - slots.base) * width) * revealed.everyone
                resets[group].append((revealed.address, ~row, 0))
        if by_bit:
            for group in range(len(resets)):
                if group not in own:
                    resets[group].append((address, ~(1 << group), value & 1 << group))
                    if revealed is not None:
                        bit = (1 << (address - slots.base) * width + group) * revealed.everyone
                        resets[group].append((revealed.address, ~bit, 0))
