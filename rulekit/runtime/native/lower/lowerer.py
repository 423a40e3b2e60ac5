"""The interface between the parts that lower expressions: values, faults, loops, addresses of cells.

The families (`operations`, `loops`) lower one kind of expression each, and hand the expressions inside it
back to the lowerer; `expressions` implements it and knows all families.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rulekit.ir import Const, Expr
from rulekit.ir.semantics.faults import NOT_A_VALUE
from rulekit.ir.types import NONE, Int, ListOf, MapOf, Optional, SetOf, Type
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.builder import LowBuilder, Words
from rulekit.runtime.native.lower.memory import CELL, MESSAGE_AT, is_ratio, mask_words
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.messages import USUAL, Why
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.support.layout import Key, Slots

NONE_WORD = lir.Num(NONE)
Place = tuple[int, lir.Expr | None]
"""An address: its constant part and its variable part, in bytes."""


class Lowerer(ABC):
    """Lowers expressions within one function.

    `names` gives the words of each local in sight. `site` is the place in the rules to blame.
    """

    def __init__(self, unit: ModuleUnit, build: LowBuilder, names: Mapping[str, Words], site: int) -> None:
        self.unit = unit
        self.build = build
        self.names = dict(names)
        self.site = site

    @abstractmethod
    def words(self, e: Expr) -> Words:
        """The value of an expression."""

    def one(self, e: Expr) -> lir.Expr:
        """A value of one word; of a list or map its address."""
        words = self.words(e)
        if len(words) != 1:
            raise CannotLower(f"a {e.type} here", self.site)
        return words[0]

    def once(self, e: Expr) -> lir.Expr:
        """A value of one word that may be used more than once."""
        return self.build.bind(self.one(e))

    def some(self, e: Expr) -> lir.Expr:
        """A value of one word that is not none; a fault, if it is."""
        value = self.one(e)
        return self.not_none(value) if isinstance(e.type, Optional) else value

    def words_as(self, e: Expr, kind: Type) -> Words:
        """A value in the words of a type that it fits: a smaller set, or a number as a ratio to 1."""
        words = self.words(e)
        if len(words) == 1:
            return self.number_as(words[0], kind)
        return b.pad(words, self.unit.shapes.words(kind))

    def number_as(self, number: lir.Expr, kind: Type) -> Words:
        """A value of one word in the words of a type that it fits."""
        return (number, lir.ONE) if is_ratio(kind) else b.pad((number,), self.unit.shapes.words(kind))

    def set_words(self, e: Expr, kind: SetOf) -> Words:
        """A set in as many words as another type takes."""
        return b.pad(self.words(e), self.unit.shapes.words(kind))

    # ------------------------------------------------------------ faults

    def fail(self, fault: str, about: lir.Expr | None = None, why: Why | None = None) -> None:
        """End everything with a fault, and note the message and its values."""
        self.note_why(why or Why(USUAL.get(fault, "")))
        self.build.emit(lir.LowFail(self.unit.fault(fault), self.site, about))

    def note_why(self, why: Why) -> None:
        """Note a message and its values."""
        number = self.unit.message(why.text, tuple(kind for kind, _ in why.values)) if why.text else 0
        self.build.emit(lir.Store(MESSAGE_AT, None, lir.Num(number)))
        place: Place = (self.unit.noted, None)
        for kind, words in why.values:
            words = b.pad(self.build.bind_all(words), self.unit.shapes.words(kind))
            self.keep(place, words, kind)
            room: lir.Expr = lir.Num(self.unit.shapes.room(kind))
            if isinstance(kind, ListOf):
                room = self.length_in_words(words[0], kind)
            place = move_by(place, b.times(room, CELL))

    def fail_if(
        self, condition: lir.Expr, fault: str, about: lir.Expr | None = None, why: Why | None = None
    ) -> None:
        """The same, if a condition holds."""
        with self.build.when(condition):
            self.fail(fault, about, why)

    def not_none(self, value: lir.Expr) -> lir.Expr:
        """A value; a fault if it is none."""
        value = self.build.bind(value)
        self.fail_if(b.binary("eq", value, NONE_WORD), NOT_A_VALUE)
        return value

    def within(
        self, value: lir.Expr, low: int, high: int, fault: str, why: Callable[[lir.Expr], Why]
    ) -> lir.Expr:
        """A number; a fault if it is outside a range, with what `why` says of the number."""
        value = self.build.bind(value)
        below = b.binary("lt_s", value, lir.Num(low))
        above = b.binary("gt_s", value, lir.Num(high))
        self.fail_if(b.binary("or", below, above), fault, value, why(value))
        return value

    def pay(self, runs: lir.Expr, price: int) -> None:
        """Take runs at a price each from the budget, before they begin."""
        cell, paid = self.unit.cells.at[0], self.build.bind(b.times(runs, price))
        left = b.binary("sub", lir.Load(cell), paid)
        self.build.emit(lir.Store(cell, None, left))
        self.fail_if(b.binary("lt_s", lir.Load(cell), lir.ZERO), "budget")

    # ------------------------------------------------------------ addresses

    def slots(self, state: str) -> Slots:
        """The cells of a state, or of a mask that is derived from one."""
        layout = self.unit.layout
        return layout.derived[state] if state in layout.derived else layout.slots[state]

    def cell_number(self, state: str, keys: tuple[Expr, ...]) -> lir.Expr:
        """The number of a cell among those of its state; `keys` lacks the last key of a flag state."""
        index: lir.Expr = lir.ZERO
        for key, place in zip(keys, self.slots(state).keys, strict=True):
            index = b.add(index, b.times(b.plus(self.key(key, place, state), -place.low), place.stride))
        return index

    def cell(self, state: str, keys: tuple[Expr, ...]) -> Place:
        """The address of a cell; see `cell_number`."""
        slots, cells = self.slots(state), self.unit.cells
        return _place(cells.at[slots.base], b.times(self.cell_number(state, keys), cells.step(slots)))

    def key(self, key: Expr, place: Key, state: str) -> lir.Expr:
        """A key as a value, checked where its type allows too much."""
        if isinstance(key, Const) and isinstance(key.value, int) and not isinstance(key.type, Optional):
            return lir.Num(int(key.value))
        domain = place.domain
        if isinstance(domain, str):
            return self.some(key)
        value = self.one(key)
        if self.unit.facts.fits(key, domain):
            return value
        low, high = domain

        def why(number: lir.Expr) -> Why:
            return messages.beyond(f"a key of `{state}`", Int(low, high), number)

        return self.within(value, low, high, "out-of-range", why)

    def flag(self, state: str, keys: tuple[Expr, ...]) -> tuple[Place, lir.Expr]:
        """The address of the word with a flag, and the flag's bit in it (modulo 64)."""
        slots = self.slots(state)
        place = self.cell(state, keys[:-1])
        return self.word_of_bit(place, slots, self.bit(slots, keys[-1]))

    def bit(self, slots: Slots, key: Expr) -> lir.Expr:
        """The bit that stands for the last key of a flag state."""
        assert slots.bits is not None
        return b.plus(self.key(key, slots.bits, slots.state.name), -slots.bits.low)

    def word_of_bit(self, place: Place, slots: Slots, bit: lir.Expr) -> tuple[Place, lir.Expr]:
        """The address of the word of a cell that has a bit, and the bit."""
        if self.unit.shapes.cell(slots) == 1:
            return place, bit
        return move_by(place, word_offset(bit := self.build.bind(bit))), bit

    def load(self, place: Place, kind: Type) -> Words:
        """The value at an address; of a list or map the address itself."""
        if isinstance(kind, ListOf | MapOf):
            return (address_of(place),)
        offset, index = place
        count = self.unit.shapes.words(kind)
        if index is not None and count > 1:
            index = self.build.bind(index)
        return tuple(lir.Load(offset + CELL * n, index) for n in range(count))

    def store(self, place: Place, words: Words) -> None:
        """Put the words of a value at an address."""
        offset, index = place
        if index is not None and len(words) > 1:
            index = self.build.bind(index)
        for number, word in enumerate(words):
            self.build.emit(lir.Store(offset + CELL * number, index, word))

    def keep(self, place: Place, words: Words, kind: Type) -> None:
        """Put a value at an address, with all items of a list or map."""
        if not isinstance(kind, ListOf | MapOf):
            self.store(place, words)
            return
        source, shapes = self.build.bind(words[0]), self.unit.shapes
        if isinstance(kind, ListOf):
            room = self.length_in_words(source, kind)
            self.build.emit(lir.LowRun("copy", (address_of(place), source, room)))
            return
        sizes = lir.Num(shapes.key_words(kind)), lir.Num(shapes.room(kind.value))
        self.build.emit(lir.LowRun("copy_map", (address_of(place), source, *sizes)))

    def length_in_words(self, address: lir.Expr, kind: ListOf) -> lir.Expr:
        """The words that a list takes as it is."""
        return b.plus(b.times(lir.Load(0, address), self.unit.shapes.words(kind.of)), 1)

    def temporary(self, kind: Type, name: str = "temporary") -> int:
        """A buffer for one value, of which no other part of the function knows."""
        return self.unit.buffer(self.build.name, self.build.fresh(name), self.unit.shapes.room(kind))

    # ------------------------------------------------------------ sets

    def known_set(self, mask: int, kind: Type) -> Words:
        """A set that is known now."""
        return tuple(lir.Num(word) for word in mask_words(max(mask, 0), self.unit.shapes.words(kind)))

    def bit_words(self, number: lir.Expr, count: int) -> Words:
        """The set of one member, in so many words."""
        if isinstance(number, lir.Num):
            return tuple(map(lir.Num, mask_words(1 << number.value, count)))
        bit = b.binary("shl", lir.ONE, number)
        if count == 1:
            return (bit,)
        bit, place = self.build.bind(bit), self.build.bind(b.binary("shr_u", number, lir.Num(6)))
        return tuple(b.pick(b.binary("eq", place, lir.Num(number)), bit, lir.ZERO) for number in range(count))

    @contextmanager
    def members(self, words: Words, name: str = "member") -> Iterator[tuple[lir.Expr, str]]:
        """Write the body of a loop over the members of a set, in their order.

        The set is taken once, when the loop begins. Given are the member and the label of the loop, which
        `Next` and `Break` may name.
        """
        build = self.build
        member = build.fresh(name)
        if len(words) == 1:
            rest = build.variables(words, "rest")[0]
            with build.loop() as label:
                with build.when(b.zero(lir.Get(rest))):
                    build.emit(lir.LowBreak(label))
                build.set(member, lir.LowUnary("ctz", lir.Get(rest)))
                build.set(rest, _without_lowest(rest))
                yield lir.Get(member), label
            return
        at = _fixed_row(words)
        if at is None:
            at = self.unit.buffer(build.name, build.fresh("set"), len(words)), None
            self.store(at, words)
        elif at[1] is not None:  # The local may change in the loop.
            at = at[0], lir.Get(build.variables((at[1],), "row")[0])
        with self.members_at(at, len(words), name) as each_member:
            yield each_member

    @contextmanager
    def members_at(self, at: Place, count: int, name: str = "member") -> Iterator[tuple[lir.Expr, str]]:
        """The same over a set of so many words in memory, which does not change while the loop runs."""
        build = self.build
        member = build.fresh(name)
        offset, index = at
        place = build.variables((lir.Num(-CELL),), "place")[0]
        rest = build.variables((lir.ZERO,), "rest")[0]
        with build.loop() as label:
            with build.loop("word") as inner:
                with build.when(lir.Get(rest)):
                    build.emit(lir.LowBreak(inner))
                build.set(place, b.plus(lir.Get(place), CELL))
                with build.when(b.binary("ge_s", lir.Get(place), lir.Num(CELL * count))):
                    build.emit(lir.LowBreak(label))
                here = lir.Get(place) if index is None else b.add(lir.Get(place), index)
                build.set(rest, lir.Load(offset, here))
            build.set(member, b.add(lir.LowUnary("ctz", lir.Get(rest)), b.times(lir.Get(place), 8)))
            build.set(rest, _without_lowest(rest))
            yield lir.Get(member), label

    @contextmanager
    def items(self, address: lir.Expr, kind: ListOf) -> Iterator[tuple[Words, str]]:
        """Write the body of a loop over the items of a list, in their order; see `members`."""
        build = self.build
        stride = self.unit.shapes.words(kind.of) * CELL
        at = build.variables((b.plus(address, CELL),), "at")[0]
        end = build.bind(b.add(lir.Get(at), b.times(lir.Load(0, address), stride)))
        with build.loop() as label:
            with build.when(b.binary("eq", lir.Get(at), end)):
                build.emit(lir.LowBreak(label))
            item = build.bind_all(self.load((0, lir.Get(at)), kind.of), "item")
            build.set(at, b.plus(lir.Get(at), stride))
            yield item, label


def _fixed_row(words: Words) -> Place | None:
    """The address of words that follow one another in the fixed part of memory."""
    match words[0]:
        case lir.Load(offset=offset, index=lir.Get() | None as index) if lir.FIXED <= offset < lir.LOG:
            row = tuple(lir.Load(offset + CELL * number, index) for number in range(len(words)))
            return (offset, index) if words == row else None
    return None


def _without_lowest(local: str) -> lir.Expr:
    return lir.LowBinary("and", lir.Get(local), b.plus(lir.Get(local), -1))


def word_offset(bit: lir.Expr) -> lir.Expr:
    """The bytes from the first word of a set to the word with a member."""
    return b.times(b.binary("shr_u", bit, lir.Num(6)), CELL)


def move_by(place: Place, by: lir.Expr) -> Place:
    """An address so many bytes further on."""
    offset, index = place
    return _place(offset, by if index is None else b.add(index, by))


def _place(offset: int, index: lir.Expr) -> Place:
    if isinstance(index, lir.Num):
        return offset + index.value, None
    return offset, index


def address_of(place: Place) -> lir.Expr:
    """An address as a value."""
    offset, index = place
    return b.address(offset) if index is None else b.add(index, b.address(offset))
