"""The room that values take in memory, and the addresses of header, state, buffers and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.ir import Program
from rulekit.ir.types import (
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
    Text,
    TextValue,
    Type,
)
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower.builder import WORD
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.support.layout import Layout, Slots

CELL: Final = 8
"""Bytes of a word."""

HEADER: Final = 192
"""Bytes of the header; chapter 15 of the specification says what it holds."""

MAGIC_AT, VERSION_AT, STATUS_AT, FAULT_AT, SITE_AT, ABOUT_AT, ENDED_AT, RESULT_AT = range(0, 64, CELL)
STATE_AT, STATE_SIZE_AT, RESULTS_AT, ROOM_AT, PLAYED_AT, CHANGING_AT, FUEL_AT, QUESTION_AT = range(
    64, 128, CELL
)
DECISIONS_AT, PLACED_AT, LOG_AT, LOG_ROOM_AT, MESSAGE_AT, VALUES_AT, TAPE_AT, TAPE_ROOM_AT = range(
    128, 192, CELL
)

IDLE, RUNNING, OVER, FAULTY, ASKING, RESUMING = range(6)
"""The states of a module; the last one only while it goes back to its question."""

CHOICE, SIDE, ITEM, OPTIONS = range(0, 32, CELL)
"""A question: its choice, who decides, the item, and its options as a list."""

MOST_WORDS: Final = 64
"""Words of the largest set: 4096 members."""
MOST_BUFFER: Final = 1 << 16
"""Words of the largest list or map."""
MOST_NUMBER: Final = 1 << 61
"""Numbers of a type are nearer to 0 than this, so that no sum or product of what is lowered wraps."""
MOST_ENTRIES: Final = 1 << 20
"""Entries of a table that is worked out when a module is built."""


class Shapes:
    """How many words values take; `sizes` has the members of each domain."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self._texts: dict[str, int] = {}

    def text(self, text: str) -> int:
        """The number that stands for a text: equal texts have one."""
        return self._texts.setdefault(text, len(self._texts))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts by number."""
        return tuple(self._texts)

    def words(self, kind: Type) -> int:
        """The words of a value at work: one, or several for a set; of a list or map its address."""
        match kind:
            case SetOf(of=Int(high=high)):
                count = high // 64 + 1
            case SetOf(of=Member(domain=domain)):
                count = max(-(-self.sizes[domain] // 64), 1)
            case Int(low=low, high=high) | Month(low=low, high=high):
                if max(abs(low), abs(high)) >= MOST_NUMBER:
                    raise CannotLower(f"a number beyond 61 bits ({kind})")
                count = 1
            case Optional(of=of):
                return self.words(of)
            case Flag() | Member() | Row() | Record() | Nothing() | ListOf() | MapOf():
                count = 1
            case Ratio():
                return 2  # a fraction: above and below, which is more than 0
            case Text():
                count = 1  # the number of the text among those that are known
        if count > MOST_WORDS:
            raise CannotLower(f"a {kind}, of more than {64 * MOST_WORDS} members,")
        return count

    def room(self, kind: Type) -> int:
        """The words of a value where it is kept, with all items of a list and all values of a map."""
        if isinstance(kind, ListOf):
            count = 1 + kind.most * self.words(kind.of)
        elif isinstance(kind, MapOf):
            count = self.key_words(kind) + self.sizes[kind.key.domain] * self.room(kind.value)
        else:
            return self.words(kind)
        if count > MOST_BUFFER:
            raise CannotLower(f"a {kind}")
        return count

    def key_words(self, kind: MapOf) -> int:
        """The words of the set of a map's keys."""
        return self.words(SetOf(kind.key))

    def cell(self, slots: Slots) -> int:
        """The words of one cell of a state."""
        return self.room(slots.state.type) if slots.bits is None else max(-(-slots.bits.size // 64), 1)


def mask_words(mask: int, count: int) -> tuple[int, ...]:
    """The words of a set, the lowest first."""
    return tuple(mask >> 64 * place & WORD for place in range(count))


def mask_of_words(words: Iterable[int]) -> int:
    """The set of such words, which may have signs."""
    return sum((word & WORD) << 64 * place for place, word in enumerate(words))


NOTES: Final = ""
"""The owner of the notes of `together` blocks."""


@frozen
class Buffer:
    """Room for what a function works with while it runs; its address is one of `lir.BUFFERS`."""

    owner: str
    address: int
    words: int


class ModuleMemory:
    """The two parts of a module's memory while it is built."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.changing = HEADER
        self.copied = 0
        """The bytes that a copy of a game takes, if they are fewer than those that change."""
        self.buffers: list[Buffer] = []
        """The buffers whose place depends on which functions call each other."""
        self.fixed = bytearray()
        self._known: dict[bytes, int] = {}

    def reserve(self, words: int) -> int:
        """Room that may change; its address."""
        address, self.changing = self.changing, self.changing + words * CELL
        return address

    def set_aside(self, owner: str, words: int) -> int:
        """Room for a function while it runs; an address whose place will be known later."""
        last = self.buffers[-1] if self.buffers else Buffer("", lir.BUFFERS, 0)
        address = last.address + (last.words + 2) * CELL  # an address may be at the end, or a word before
        self.buffers.append(Buffer(owner, address, words))
        return address

    def keep(self, content: bytes) -> int:
        """Put bytes into the fixed part, equal ones once; their address."""
        if content not in self._known:
            self.fixed += bytes(-len(self.fixed) % CELL)
            self._known[content] = lir.FIXED + len(self.fixed)
            self.fixed += content
        return self._known[content]

    def keep_words(self, words: Sequence[int]) -> int:
        """The same for words."""
        return self.keep(b"".join((word & WORD).to_bytes(CELL, "little") for word in words))


def is_ratio(kind: Type) -> bool:
    """Whether values of a type are ratios, or none."""
    return isinstance(kind.of if isinstance(kind, Optional) else kind, Ratio)


def value_words(shapes: Shapes, kind: Type, value: Any) -> tuple[int, ...]:
    """The words of a value as it is kept, without room for more."""
    if isinstance(value, TextValue):
        return (shapes.text(value.text),)
    if is_ratio(kind):
        return Fraction(value).as_integer_ratio() if value != NONE else (NONE, 1)
    if isinstance(kind, ListOf):
        items = (word for item in value for word in value_words(shapes, kind.of, item))
        return (len(value), *items)
    if isinstance(kind, SetOf):
        return mask_words(max(value, 0), shapes.words(kind))
    shapes.words(kind)
    return (int(value),)


class StateCells:
    """Where each cell of the state stands, in the order of the shared layout, and what it begins with."""

    def __init__(self, program: Program, layout: Layout, memory: ModuleMemory) -> None:
        self.layout = layout
        self.memory = memory
        self.base = memory.changing
        shapes = memory.shapes
        self.at: list[int] = []
        self.words: list[int] = []
        self.kinds: list[Type | None] = []
        """The type of each cell that holds a list, which has its length first, or a ratio."""
        self.masks: list[bool] = []
        """Whether a cell holds a set or flags, each word without a sign."""
        pieces = max(-(-layout.sizes.get("piece", 0) // 64), 1)
        masks = {revealed.address: revealed for revealed in layout.revealed.values()}
        for cell in range(layout.first_state):
            wide = masks[cell].width * masks[cell].sides if cell in masks else 1
            self._add(max(-(-wide // 64), 1), 1, mask=cell in masks)
        for slots in layout.slots.values():
            kind = slots.state.type if slots.bits is None else None
            self._add(
                shapes.cell(slots), slots.size, kind, mask=slots.bits is not None or isinstance(kind, SetOf)
            )
        if "place" in layout.slots:
            self._add(pieces, layout.spaces + 1, mask=True)
        derived = sorted(layout.derived.values(), key=lambda slots: slots.base)
        for slots in derived:
            self._add(shapes.cell(slots), slots.size, mask=True)
        assert len(self.at) == layout.size
        self.size = memory.changing - self.base

    def _add(self, words: int, count: int, kind: Type | None = None, *, mask: bool) -> None:
        for _ in range(count):
            self.at.append(self.memory.reserve(words))
            self.words.append(words)
            several = kind is not None and (isinstance(kind, ListOf) or is_ratio(kind))
            self.kinds.append(kind if several else None)
            self.masks.append(mask)

    def step(self, slots: Slots) -> int:
        """The bytes from one cell of a state to the next."""
        return self.words[slots.base] * CELL if slots.size else CELL

    def image(self, values: Sequence[Any]) -> list[int]:
        """All words of the state with these values."""
        words: list[int] = []
        for cell, value in enumerate(values):
            own = self.image_of(cell, value)
            words += (*own, *(0 for _ in range(self.words[cell] - len(own))))
        return words

    def image_of(self, cell: int, value: Any) -> tuple[int, ...]:
        """The words of one cell; of a list those that it takes as it is."""
        kind = self.kinds[cell]
        if kind is not None:
            return value_words(self.memory.shapes, kind, value)
        return mask_words(value, self.words[cell]) if self.masks[cell] else (int(value),)

    def runs(self) -> list[tuple[int, int, str, int]]:
        """How the state is read: for cells that follow one another and are alike, how many there are, the
        words of each, its sort as chapter 15 of the specification names it, and the words of a list's item.
        """
        runs: list[tuple[int, int, str, int]] = []
        for words, kind, mask in zip(self.words, self.kinds, self.masks, strict=True):
            stride = self.memory.shapes.words(kind.of) if isinstance(kind, ListOf) else 0
            sort = _sort(kind) if kind is not None else "set" if mask else "number"
            if runs and runs[-1][1:] == (words, sort, stride):
                runs[-1] = (runs[-1][0] + 1, words, sort, stride)
            else:
                runs.append((1, words, sort, stride))
        return runs


def _sort(kind: Type) -> str:
    """How a cell with a list or a ratio is read."""
    if not isinstance(kind, ListOf):
        return "ratio"
    return "ratios" if is_ratio(kind.of) else "sets" if isinstance(kind.of, SetOf) else "list"
