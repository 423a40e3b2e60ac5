"""The addresses of everything that can change, in the one flat list `M`.

In order: the fuel; a counter for each point of chance; the counter of reveals; a mask of revealed
cells for each state that is ever revealed (see `Revealed`); the cells of every state; the derived
masks of pieces by space, and of members by value for the states that keep them (see `indexes`).  A change
between `first_counter` and `first_state` is chance or a reveal, at which undo stops.  Flag states keep a
mask over their last key in each cell; all others a value a cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Program, Reveal, State, walk
from rulekit.ir.program import span_of
from rulekit.ir.types import NONE, Flag
from rulekit.runtime.support import masks
from rulekit.runtime.support.build import MOST_CELLS, TooLarge
from rulekit.runtime.support.masks import Test, TestMasks, classes_of

FUEL: Final = 0

Cells = list[Any]


@frozen
class Key:
    """One key of a state: its values `low..low + size - 1`, a step of `stride` cells each."""

    domain: str | tuple[int, int]
    low: int
    size: int
    stride: int


@frozen
class Slots:
    """A state's cells: `size` of them from `base`.

    For a flag state with keys, `keys` lacks the last one, which `bits` describes: the bit of a value is the
    value less `bits.low`, which is 0 unless the key reaches below zero.
    """

    state: State
    base: int
    size: int
    keys: tuple[Key, ...]
    bits: Key | None

    def address(self, keys: tuple[int, ...]) -> int:
        """The cell for these keys (without the last one of a flag state)."""
        return self.base + sum(
            (value - key.low) * key.stride for value, key in zip(keys, self.keys, strict=True)
        )

    def revealed_bit(self, keys: tuple[int, ...]) -> int:
        """Which bit of the mask of revealed cells stands for these keys."""
        cell = self.address(keys[: len(self.keys)]) - self.base
        return cell if self.bits is None else cell * self.bits.size + keys[-1] - self.bits.low

    def each(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Keys and address of every cell, in order."""
        ranges = (range(key.low, key.low + key.size) for key in self.keys)
        return zip(product(*ranges), range(self.base, self.base + self.size), strict=True)


@frozen
class Revealed:
    """The mask of a state's cells (or flags) that are revealed: `width` bits for all sides together.

    If some reveals are to some sides alone, `sides` is the number of sides, and each has as many bits
    of its own, in their order.
    """

    address: int
    width: int
    sides: int

    @property
    def everyone(self) -> int:
        """The number that makes the bits of all sides of the bits of one, by multiplication."""
        return self.to((1 << self.sides) - 1)

    def to(self, sides: int) -> int:
        """The same for some sides, as a mask."""
        return sum(1 << side * self.width for side in range(self.sides) if sides >> side & 1)

    def shows(self, mask: int, slots: Slots, keys: tuple[int, ...], side: int) -> bool:
        """True if a value is revealed to a side; to a watcher, if it is revealed to all."""
        place = slots.revealed_bit(keys)
        if self.sides == 1:
            return bool(mask >> place & 1)
        sides = (side,) if side < self.sides else range(self.sides)
        return all(mask >> place + one * self.width & 1 for one in sides)


@frozen
class Index:
    """The masks of a state's members by value: one a value from `base` on, for `low` first, for none last.

    `slots` describes them as a flag state, whose keys are value and member.
    """

    slots: Slots
    low: int
    none: int

    @property
    def base(self) -> int:
        """Where the mask for the value 0 stands, or would."""
        return self.slots.base - self.low

    def cell(self, value: int) -> int:
        """Where the mask for a value stands."""
        return self.base + (self.none if value == NONE else value)


class Layout:
    """Addresses of a program's state, and its state before anything happened."""

    def __init__(self, program: Program) -> None:
        self.sizes = program.by_name.sizes
        self.first_counter = FUEL + 1
        self.counters = {point.name: self.first_counter + i for i, point in enumerate(program.points)}
        self.reveals = self.first_counter + len(self.counters)
        apart = _revealed_states(program)
        self.first_state = self.reveals + 1 + len(apart)
        self.slots: dict[str, Slots] = {}
        end = self.first_state
        for state in program.states:
            self.slots[state.name] = self._slots(state, end)
            end += self.slots[state.name].size
            if end > MOST_CELLS:
                raise TooLarge(f"the state takes more than {MOST_CELLS} cells")
        self.revealed = {
            name: self._mask_of(name, self.reveals + 1 + i, sides) for i, (name, sides) in enumerate(apart)
        }
        self.first_derived = end
        self.spaces = self.sizes.get("space", 0)
        end += self.spaces + 1 if "place" in self.slots else 0
        self.indexes: dict[str, Index] = {}
        self.derived: dict[str, Slots] = {}
        for state in masks.indexed_states(program):
            index = self._index(program, state, end)
            self.indexes[state.name] = index
            self.derived[index.slots.state.name] = index.slots
            end += index.slots.size
        self.size = end
        self.classes: dict[str, TestMasks] = {}
        self._bases = [slots.base for slots in self.slots.values()]
        self._in_order = list(self.slots.values())

    def _slots(self, state: State, base: int) -> Slots:
        keys: list[Key] = []
        stride = 1
        flags = isinstance(state.type, Flag) and bool(state.keys)
        for place, domain in reversed(list(enumerate(state.keys))):
            low, high = span_of(domain, self.sizes)
            size = high - low + 1
            if flags and place == len(state.keys) - 1:
                bits = Key(domain, min(low, 0), low + size - min(low, 0), 0)
                continue
            keys.insert(0, Key(domain, low, size, stride))
            stride *= size
        return Slots(state, base, stride, tuple(keys), bits if flags else None)

    def _mask_of(self, name: str, address: int, sides: int) -> Revealed:
        slots = self.slots[name]
        return Revealed(address, slots.size * (1 if slots.bits is None else slots.bits.size), sides)

    def _index(self, program: Program, state: State, base: int) -> Index:
        ends = masks.span(program, state)
        assert ends is not None
        low, none = ends[0], ends[1] + 1
        values, key = (low, none), state.keys[0]
        flags = State(
            masks.name(state.name), (values, key), Flag(), False, None, False, state.known_to, state.site
        )
        size = none - low + 1
        bits = Key(key, 0, self.sizes[str(key)], 0)
        return Index(Slots(flags, base, size, (Key(values, low, size, 1),), bits), low, none)

    def add_class(self, state: State, values: Sequence[int], test: Test) -> str:
        """Make room for the mask of a test of a state; the name of the flag state that it is."""
        members = self.sizes[str(state.keys[0])]
        classes = self.classes.setdefault(state.name, classes_of(values, members))
        name = f"? {state.name} {len(classes.cells)}"
        flags = replace(state, name=name, type=Flag(), initial=False, initial_each=None)
        self.derived[name] = Slots(flags, self.size, 1, (), Key(state.keys[0], 0, members, 0))
        classes.add(self.size, test)
        self.size += 1
        self.__dict__.pop("_initial", None)
        return name

    @property
    def off_board(self) -> int:
        """The cell with the mask of the pieces that are at no space."""
        return self.first_derived + self.spaces

    def initial(self) -> Cells:
        """All cells as declared, before any set-up."""
        return self._initial.copy()

    @cached_property
    def _initial(self) -> Cells:
        cells: Cells = [0] * self.size
        for slots in self._in_order:
            values = self.declared_cells(slots)
            cells[slots.base : slots.base + slots.size] = values
        self.derive(cells)
        return cells

    def declared_cells(self, slots: Slots) -> Cells:
        """A state's cells as declared."""
        state = slots.state
        if slots.bits is None:
            values = (state.initial,) * slots.size if state.initial_each is None else state.initial_each
            return [int(value) if isinstance(value, bool) else value for value in values]
        first, _ = span_of(slots.bits.domain, self.sizes)
        width = slots.bits.size - (first - slots.bits.low)
        flags = state.initial_each or (state.initial,) * (width * slots.size)
        return [
            sum(1 << bit + first - slots.bits.low for bit in range(width) if flags[row * width + bit])
            for row in range(slots.size)
        ]

    def derive(self, cells: Cells) -> None:
        """Make the masks of pieces by space, and of members by value, anew."""
        masks = [0] * (self.size - self.first_derived)
        places = self.slots.get("place")
        if places is not None:
            for piece, space in enumerate(cells[places.base : places.base + places.size]):
                masks[self.spaces if space == NONE else space] |= 1 << piece
        cells[self.first_derived :] = masks
        for name in {**self.indexes, **self.classes}:
            self.derive_state(self.slots[name], cells)

    def derive_state(self, slots: Slots, cells: Cells) -> None:
        """Make the masks of members by the value of one state anew."""
        values = cells[slots.base : slots.base + slots.size]
        index = self.indexes.get(slots.state.name)
        if index is not None:
            masks = [0] * index.slots.size
            for member, value in enumerate(values):
                # A member that does not have the field at all holds something that is no value.
                if index.low <= value < index.none or value == NONE:
                    masks[index.cell(value) - index.slots.base] |= 1 << member
            cells[index.slots.base : index.slots.base + index.slots.size] = masks
        classes = self.classes.get(slots.state.name)
        if classes is not None:
            for cell, mask in zip(classes.cells, classes.masks(values), strict=True):
                cells[cell] = mask

    def owner(self, address: int) -> Slots:
        """The state whose cell this is."""
        return self._in_order[bisect_right(self._bases, address) - 1]

    def keys_of(self, address: int) -> tuple[int, ...]:
        """The keys of a cell (without the last one of a flag state)."""
        slots = self.owner(address)
        rest, keys = address - slots.base, []
        for key in slots.keys:
            step, rest = divmod(rest, key.stride)
            keys.append(key.low + step)
        return tuple(keys)


def _revealed_states(program: Program) -> list[tuple[str, int]]:
    """States that some statement reveals, in the order of declaration; and to how many sides apart, or 1."""
    apart: dict[str, bool] = {}
    for procedure in program.procedures:
        for stmt in walk.statements(procedure.body):
            if isinstance(stmt, Reveal):
                apart[stmt.state] = apart.get(stmt.state, False) or stmt.known is not None
    sides = program.by_name.sizes.get(program.sides, 1)
    return [
        (state.name, sides if apart[state.name] else 1) for state in program.states if state.name in apart
    ]
