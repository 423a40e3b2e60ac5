"""Statements that change state: within ranges, with the masks that are kept beside states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rulekit.ir import Dissolve, Expr, Form, MarkAll, Place, Put, Reveal, State, Write
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.types import NONE, ListOf, Optional, SetOf
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import lists, lowerer, operations
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.lowerer import NONE_WORD, address_of, move_by, word_offset
from rulekit.runtime.native.lower.memory import CELL, is_ratio
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.messages import Why
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.support.layout import Slots
from rulekit.runtime.support.state_changes import span


class Notes(Protocol):
    """Takes changes that wait for the end of a `together` block."""

    def note(self, x: RoutineLowerer, kind: str, state: str, cell: lir.Expr, words: Words) -> None:
        """Note a change of a cell: `set`, `add`, `mark` or `unmark`.

        Of a list `set`, `append`, `drop`, `top` or `under`; the last two put a whole list there.
        """

    def end_group(self, x: RoutineLowerer, domain: str, group: lir.Expr) -> None:
        """Note that a group ends."""


def note(x: RoutineLowerer, notes: Notes, stmt: Write) -> None:
    """Note the change of one cell."""
    slots = x.unit.layout.slots[stmt.state]
    kind = x.unit.facts.states[stmt.state].type
    keys = stmt.keys if slots.bits is None else stmt.keys[:-1]
    cell = x.build.bind(x.cell_number(stmt.state, keys))
    if slots.bits is not None:
        bit = x.build.bind(x.bit(slots, stmt.keys[-1]))
        members = x.bit_words(bit, x.unit.shapes.cell(slots))
        value = lir.Num(int(stmt.op == "mark")) if stmt.value is None else x.once(stmt.value)
        with x.build.when(value):
            notes.note(x, "mark", stmt.state, cell, members)
        with x.build.when(b.zero(value)):
            notes.note(x, "unmark", stmt.state, cell, members)
    elif stmt.value is None:
        notes.note(x, "set", stmt.state, cell, (lir.Num(int(stmt.op == "mark")),))
    elif isinstance(kind, SetOf):
        op = {"include": "mark", "exclude": "unmark"}.get(stmt.op, "set")
        notes.note(x, op, stmt.state, cell, x.set_words(stmt.value, kind))
    elif stmt.op in ("add", "subtract"):
        value = x.one(stmt.value)
        value = b.binary("sub", lir.ZERO, value) if stmt.op == "subtract" else value
        notes.note(x, "add", stmt.state, cell, (value,))
    elif stmt.op in ("append", "drop"):
        assert isinstance(kind, ListOf)
        notes.note(x, stmt.op, stmt.state, cell, x.words_as(stmt.value, kind.of))
    else:
        notes.note(x, "set", stmt.state, cell, x.words_as(stmt.value, kind))


def note_all(x: RoutineLowerer, notes: Notes, stmt: MarkAll) -> None:
    """Note that a whole set is marked or unmarked."""
    cell = x.build.bind(x.cell_number(stmt.state, stmt.keys))
    notes.note(x, "mark" if stmt.on else "unmark", stmt.state, cell, x.words(stmt.members))


def note_put(x: RoutineLowerer, notes: Notes, stmt: Put) -> None:
    """Note that things are put on top of, or under, a stack."""
    cell = x.build.bind(x.cell_number(stmt.state, stmt.keys))
    notes.note(x, "top" if stmt.top else "under", stmt.state, cell, (as_list(x, stmt),))


def note_place(x: RoutineLowerer, notes: Notes, stmt: Place) -> None:
    """Note that one piece moves, or several."""
    if not stmt.many:
        one = x.build.bind(x.some(stmt.pieces))
        notes.note(x, "set", PLACE, one, (x.one(stmt.space),))
        return
    words = x.build.bind_all(x.words(stmt.pieces))
    space = x.once(stmt.space)
    with x.members(words, "piece") as (piece, _):
        notes.note(x, "set", PLACE, piece, (space,))


def write(x: RoutineLowerer, stmt: Write) -> None:
    """Change one cell."""
    slots = x.unit.layout.slots[stmt.state]
    if stmt.state == PLACE and stmt.op == "set" and stmt.value is not None:
        place(x, Place(stmt.keys[0], False, stmt.value, stmt.site))
    elif slots.bits is not None:
        _write_flag(x, stmt)
    elif stmt.op in ("mark", "unmark"):
        _store(x, stmt, (lir.Num(int(stmt.op == "mark")),))
    elif stmt.state in x.unit.layout.indexes or stmt.state in x.unit.layout.classes:
        _write_with_masks(x, stmt)
    else:
        _write_cell(x, stmt)


# ------------------------------------------------------------ flags


def _write_flag(x: RoutineLowerer, stmt: Write) -> None:
    """Set or clear a flag among those in a mask."""
    at, bit = x.flag(stmt.state, stmt.keys)
    bit = x.build.bind(bit)
    value: lir.Expr = lir.Num(int(stmt.op == "mark"))
    if stmt.op == "set":
        assert stmt.value is not None
        value = x.once(stmt.value)
    hide(x, stmt.state, stmt.keys)
    mask = b.binary("shl", lir.ONE, bit)
    cleared = b.binary("and", lir.Load(*at), b.binary("xor", mask, lir.Num(-1)))
    if isinstance(value, lir.Num):
        x.store(at, (b.binary("or", lir.Load(*at), mask) if value.value else cleared,))
    else:
        x.store(at, (b.binary("or", cleared, b.binary("shl", value, bit)),))


def mark_all(x: RoutineLowerer, stmt: MarkAll) -> None:
    """Mark or unmark a whole set."""
    slots = x.unit.layout.slots[stmt.state]
    if slots.bits is None or slots.bits.low:
        raise CannotLower(f"marking a set of `{stmt.state}`", stmt.site)
    count = x.unit.shapes.cell(slots)
    at = x.cell(stmt.state, stmt.keys)
    members = b.pad(x.words(stmt.members), count)
    if stmt.state in x.unit.layout.revealed:
        members = x.build.bind_all(members)
        hide_flags(x, slots, x.build.bind(x.cell_number(stmt.state, stmt.keys)), members)
    _change_mask(x, at, members, stmt.on)


def _change_mask(x: RoutineLowerer, at: lowerer.Place, members: Words, on: bool) -> None:
    """Put members into a mask, or take them out."""
    offset, index = at
    index = index if index is None else x.build.bind(index)
    old = tuple(lir.Load(offset + CELL * number, index) for number in range(len(members)))
    new = b.each("or", old, members) if on else b.without(old, members)
    x.store((offset, index), new)


# ------------------------------------------------------------ what is revealed


def _revealed_bits(x: RoutineLowerer, state: str, keys: tuple[Expr, ...]) -> lir.Expr:
    """Which bit of a state's mask of revealed cells stands for these keys, for the first side."""
    slots = x.unit.layout.slots[state]
    cell: lir.Expr = lir.ZERO
    for key, at in zip(keys, slots.keys, strict=False):
        cell = b.add(cell, b.times(b.plus(x.key(key, at, state), -at.low), at.stride))
    if slots.bits is not None:
        last = b.plus(x.key(keys[-1], slots.bits, state), -slots.bits.low)
        cell = b.add(b.times(cell, slots.bits.size), last)
    return x.build.bind(cell)


def _revealed_word(x: RoutineLowerer, state: str, bit: lir.Expr, side: int) -> tuple[lowerer.Place, lir.Expr]:
    """The address of the word with a value's bit for a side, and that bit as a mask."""
    revealed = x.unit.layout.revealed[state]
    bit = x.build.bind(b.plus(bit, side * revealed.width if revealed.sides > 1 else 0))
    at: lowerer.Place = (x.unit.cells.at[revealed.address], None)
    if x.unit.cells.words[revealed.address] > 1:
        at = move_by(at, x.build.bind(word_offset(bit)))
    return at, b.binary("shl", lir.ONE, bit)


def hide(x: RoutineLowerer, state: str, keys: tuple[Expr, ...]) -> None:
    """End the reveal of a value that is written."""
    if state not in x.unit.layout.revealed:
        return
    hide_bit(x, state, _revealed_bits(x, state, keys))


def hide_flags(x: RoutineLowerer, slots: Slots, cell: lir.Expr, members: Words) -> None:
    """End the reveal of some flags of a cell."""
    assert slots.bits is not None
    row = x.build.bind(b.times(cell, slots.bits.size))
    with x.members(members, "flag") as (flag, _):
        hide_bit(x, slots.state.name, b.add(row, flag))


def hide_bit(x: RoutineLowerer, state: str, bit: lir.Expr) -> None:
    """End the reveal of the value with a bit."""
    bit = x.build.bind(bit)
    for side in range(x.unit.layout.revealed[state].sides):
        at, mask = _revealed_word(x, state, bit, side)
        x.store(at, (b.binary("and", lir.Load(*at), b.binary("xor", mask, lir.Num(-1))),))


def reveal(x: RoutineLowerer, stmt: Reveal) -> None:
    """Show one cell to all sides or to some."""
    revealed = x.unit.layout.revealed[stmt.state]
    bit = _revealed_bits(x, stmt.state, stmt.keys)
    sides: lir.Expr = lir.Num(-1)
    if stmt.known is not None:
        sides = x.once(stmt.known)
        if not isinstance(stmt.known.type, SetOf):
            one = b.binary("shl", lir.ONE, sides)
            sides = x.build.bind(b.pick(b.binary("lt_s", sides, lir.ZERO), lir.ZERO, one))
    for side in range(revealed.sides):
        at, mask = _revealed_word(x, stmt.state, bit, side)
        shown = b.binary("and", lir.LowBinary("shr_u", sides, lir.Num(side)), lir.ONE)
        mask = mask if sides == lir.Num(-1) else b.pick(shown, mask, lir.ZERO)
        x.store(at, (b.binary("or", lir.Load(*at), mask),))
    learn(x)


def learn(x: RoutineLowerer) -> None:
    """Count that something became known."""
    at = x.unit.cells.at[x.unit.layout.reveals]
    x.store((at, None), (b.plus(lir.Load(at), 1),))


# ------------------------------------------------------------ numbers, members, sets, lists


def _stays_in_range(state: State, stmt: Write) -> bool:
    return span(state) is None or not (stmt.check or stmt.clamp or state.clamp and stmt.op != "set")


def _within_range(x: RoutineLowerer, stmt: Write, value: lir.Expr) -> lir.Expr:
    """A number within its state's range: stopped at the ends of a track, a fault elsewhere."""
    state = x.unit.facts.states[stmt.state]
    ends = span(state)
    if ends is None or _stays_in_range(state, stmt):
        return value
    value = x.build.bind(value)
    low, high = map(lir.Num, ends)
    below, above = b.binary("lt_s", value, low), b.binary("gt_s", value, high)
    if isinstance(state.type, Optional):
        below = b.both(below, b.binary("ne", value, NONE_WORD))
    if stmt.clamp or state.clamp:
        return x.build.bind(b.pick(below, low, b.pick(above, high, value)))
    with x.build.when(b.binary("or", below, above)):
        x.fail("out-of-range", value, messages.beyond_state(state, _keys(x, stmt), value))
    return value


def _keys(x: RoutineLowerer, stmt: Write) -> list[lir.Expr]:
    """The keys of a change, worked out again for the message of a fault: they are the same, and legal."""
    slots = x.unit.layout.slots[stmt.state]
    return [x.key(key, place, stmt.state) for key, place in zip(stmt.keys, slots.keys, strict=False)]


def _new_value(x: RoutineLowerer, stmt: Write, old: lir.Expr) -> lir.Expr:
    """The new number or member."""
    assert stmt.value is not None
    value = x.one(stmt.value)
    match stmt.op:
        case "add":
            value = b.add(old, value)
        case "subtract":
            value = b.binary("sub", old, value)
    return _within_range(x, stmt, value)


def _store(x: RoutineLowerer, stmt: Write, words: Words) -> None:
    at = x.cell(stmt.state, stmt.keys)
    hide(x, stmt.state, stmt.keys)
    x.store(at, words)


def _write_cell(x: RoutineLowerer, stmt: Write) -> None:
    assert stmt.value is not None
    state = x.unit.facts.states[stmt.state]
    offset, index = x.cell(stmt.state, stmt.keys)
    at = (offset, index if index is None else x.build.bind(index))
    if isinstance(state.type, ListOf):
        _write_list(x, stmt, state.type, at)
    elif isinstance(state.type, SetOf) and stmt.op != "set":
        members = x.build.bind_all(x.set_words(stmt.value, state.type))
        hide(x, stmt.state, stmt.keys)
        _change_mask(x, at, members, stmt.op == "include")
    elif isinstance(state.type, SetOf):
        words = x.build.bind_all(x.set_words(stmt.value, state.type))
        hide(x, stmt.state, stmt.keys)
        x.store(at, words)
    elif is_ratio(state.type):
        words = x.build.bind_all(x.words_as(stmt.value, state.type))
        hide(x, stmt.state, stmt.keys)
        x.store(at, words)
    else:
        value = x.build.bind(_new_value(x, stmt, lir.Load(*at)))
        hide(x, stmt.state, stmt.keys)
        x.store(at, (value,))


def _write_list(x: RoutineLowerer, stmt: Write, kind: ListOf, at: lowerer.Place) -> None:
    assert stmt.value is not None
    match stmt.op:
        case "append":
            words = x.build.bind_all(x.words_as(stmt.value, kind.of))
            hide(x, stmt.state, stmt.keys)
            length = x.build.bind(lir.Load(*at))
            why = messages.too_long(stmt.state, kind.most, b.plus(length, 1))
            x.fail_if(b.binary("ge_s", length, lir.Num(kind.most)), "out-of-range", None, why)
            add_last(x, kind, at, words)
        case "drop":
            wanted = x.build.bind_all(x.words_as(stmt.value, kind.of))
            hide(x, stmt.state, stmt.keys)
            take_out(x, kind, at, wanted)
        case _:
            value = x.once(stmt.value)
            hide(x, stmt.state, stmt.keys)
            length = lir.Load(0, value)
            why = messages.too_long(stmt.state, kind.most, length)
            x.fail_if(b.binary("gt_s", length, lir.Num(kind.most)), "out-of-range", None, why)
            x.keep(at, (value,), kind)


def add_last(x: RoutineLowerer, kind: ListOf, at: lowerer.Place, item: Words) -> None:
    """Put an item after those of a list, which has room."""
    length = x.build.bind(lir.Load(*at))
    stride = x.unit.shapes.words(kind.of)
    x.store(move_by((at[0] + CELL, at[1]), b.times(length, stride * CELL)), item)
    x.store(at, (b.plus(length, 1),))


def take_out(x: RoutineLowerer, kind: ListOf, at: lowerer.Place, wanted: Words) -> None:
    """Take the first item that equals a value out of a list."""
    stride = x.unit.shapes.words(kind.of) * CELL
    whole = x.build.bind(address_of(at))
    place = x.build.variables((lir.ZERO,), "place")[0]
    with x.items(whole, kind) as (item, label):
        with x.build.when(b.zero(b.any_word(b.each("xor", item, wanted)))):
            length = x.build.bind(b.plus(lir.Load(0, whole), -1))
            target = x.build.bind(b.add(whole, b.plus(b.times(lir.Get(place), stride), CELL)))
            room = b.times(b.binary("sub", length, lir.Get(place)), stride // CELL)
            x.build.emit(lir.LowRun("copy", (target, b.plus(target, stride), room)))
            x.store((0, whole), (length,))
            x.build.emit(lir.LowBreak(label))
        x.build.set(place, b.plus(lir.Get(place), 1))


def put(x: RoutineLowerer, stmt: Put) -> None:
    """Put things on top of, or under, a stack."""
    kind = x.unit.facts.states[stmt.state].type
    assert isinstance(kind, ListOf)
    stride = x.unit.shapes.words(kind.of)
    offset, index = x.cell(stmt.state, stmt.keys)
    at = (offset, index if index is None else x.build.bind(index))
    added = as_list(x, stmt)
    _hold(x, stmt, kind, lir.Load(0, added), at)
    joined = x.temporary(kind, "stack")
    x.store((joined, None), (lir.ZERO,))
    old = x.build.bind(address_of(at))
    for part in (added, old) if stmt.top else (old, added):
        lists.append_all(x, joined, part, stride, kind.most)
    hide(x, stmt.state, stmt.keys)
    x.keep(at, (b.address(joined),), kind)


def as_list(x: RoutineLowerer, stmt: Put) -> lir.Expr:
    """The address of a list of the things that go on top of a stack, or under it."""
    if stmt.many and isinstance(stmt.value.type, ListOf):
        return x.once(stmt.value)
    kind = x.unit.facts.states[stmt.state].type
    assert isinstance(kind, ListOf)
    words = x.build.bind_all(x.words(stmt.value) if stmt.many else x.words_as(stmt.value, kind.of))
    room = 64 * len(words) if stmt.many else len(words)
    own = x.unit.buffer(x.build.name, x.build.fresh("put"), 1 + room)
    if stmt.many:
        lists.list_members(x, words, own)
    else:
        x.store((own, None), (lir.ONE, *words))
    return b.address(own)


def _hold(x: RoutineLowerer, stmt: Put, kind: ListOf, added: lir.Expr, at: lowerer.Place) -> None:
    """End the game if a stack lacks room for so many things more."""
    length = x.build.bind(b.add(added, lir.Load(*at)))
    why = messages.too_long(stmt.state, kind.most, length)
    x.fail_if(b.binary("gt_s", length, lir.Num(kind.most)), "out-of-range", None, why)


# ------------------------------------------------------------ masks beside states


def _write_with_masks(x: RoutineLowerer, stmt: Write) -> None:
    """Change a state that keeps masks of its members by value, or by tests."""
    unit = x.unit
    slots = unit.layout.slots[stmt.state]
    member = x.build.bind(x.key(stmt.keys[0], slots.keys[0], stmt.state))
    at = (unit.cells.at[slots.base], b.times(member, CELL))
    hide(x, stmt.state, stmt.keys)
    old = x.build.bind(lir.Load(*at), "old")
    new = x.build.bind(_new_value(x, stmt, old), "new")
    x.store(at, (new,))
    keep_masks(x, slots, member, old, new)


def keep_masks(x: RoutineLowerer, slots: Slots, member: lir.Expr, old: lir.Expr, new: lir.Expr) -> None:
    """Keep the masks of a state's members, by value and by tests, when the value of one changes."""
    unit = x.unit
    classes = unit.layout.classes.get(slots.state.name)
    if classes is not None:
        table = _Tests(unit, slots.state.name)
        changed = x.build.bind(b.binary("xor", table(member, old), table(member, new)))
        with x.build.when(changed):
            for number, cell in enumerate(classes.cells):
                test = b.binary("and", changed, lir.Num(1 << number))
                with x.build.when(test):
                    toggle(x, lir.Num(unit.cells.at[cell]), unit.cells.words[cell], member, "xor")
    index = unit.layout.indexes.get(slots.state.name)
    if index is not None:
        count = unit.cells.words[index.slots.base]
        optional = isinstance(slots.state.type, Optional)
        for value, op in ((old, "xor"), (new, "or")):
            row = b.plus(value, -index.low)
            if optional:
                none = (
                    b.binary("lt_s", value, lir.ZERO) if index.low >= 0 else b.binary("eq", value, NONE_WORD)
                )
                row = b.pick(none, lir.Num(index.none - index.low), row)
            mask = b.plus(b.times(row, count * CELL), unit.cells.at[index.slots.base])
            toggle(x, mask, count, member, "xor" if op == "xor" else "or")


def toggle(x: RoutineLowerer, mask: lir.Expr, count: int, member: lir.Expr, op: lir.BinaryName) -> None:
    """Change one member of a mask, of which the address is given."""
    at = mask if count == 1 else b.add(mask, word_offset(member))
    place_: lowerer.Place = (at.value, None) if isinstance(at, lir.Num) else (0, x.build.bind(at))
    x.store(place_, (b.binary(op, lir.Load(*place_), b.binary("shl", lir.ONE, member)),))


class _Tests:
    """The tests of a state that hold, by member and value; members that pass the same ones share a row."""

    def __init__(self, unit: ModuleUnit, state: str) -> None:
        classes = unit.layout.classes[state]
        self.values = list(classes.values)
        self.none = self.values[-1:] == [NONE]
        rows = [tuple(row[value] for value in self.values) for row in classes.rows]
        places = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        self.address = unit.memory.keep(_words(number for row in places for number in row))
        starts = (places[row] * len(self.values) for row in rows)
        self.starts = None if len(places) == len(rows) else unit.memory.keep(_words(starts))

    def __call__(self, member: lir.Expr, value: lir.Expr) -> lir.Expr:
        count, low = len(self.values), self.values[0]
        place_ = b.plus(value, -low)
        if self.none:
            place_ = b.pick(b.binary("eq", value, NONE_WORD), lir.Num(count - 1), place_)
        start = b.times(member, count)
        if self.starts is not None:
            start = lir.Load(self.starts, b.times(member, 4), 4)
        return lir.Load(self.address, b.times(b.add(start, place_), 4), 4)


def _words(numbers: Iterable[int]) -> bytes:
    """Numbers of four bytes each."""
    return b"".join(number.to_bytes(4, "little") for number in numbers)


# ------------------------------------------------------------ pieces


def place(x: RoutineLowerer, stmt: Place) -> None:
    """Move one piece or several."""
    if stmt.many:
        words = x.build.bind_all(x.words(stmt.pieces))
        space = x.once(stmt.space)
        with x.members(words, "piece") as (piece, _):
            move_piece(x, piece, space)
        return
    one = x.build.bind(x.some(stmt.pieces))
    move_piece(x, one, x.one(stmt.space))


def move_piece(x: RoutineLowerer, piece: lir.Expr, space: lir.Expr) -> None:
    """Move one piece, whose place is hidden again if it was revealed."""
    x.build.emit(lir.LowRun("move", (piece, space)))
    if PLACE in x.unit.layout.revealed:
        hide_bit(x, PLACE, piece)


def move(unit: ModuleUnit) -> lir.LowFunction:
    """The function that moves a piece to a space, or off the board, and keeps the masks of both."""
    x = RoutineLowerer(unit, "move", (), None, -1)
    x.build.params = ("piece", "space")
    piece, space = lir.Get("piece"), lir.Get("space")
    cells, layout = unit.cells, unit.layout
    at = (cells.at[layout.slots[PLACE].base], b.times(piece, CELL))
    count = cells.words[layout.off_board]
    old = x.build.bind(lir.Load(*at))
    x.store(at, (space,))
    for where, op in ((old, "xor"), (space, "or")):
        none = b.binary("lt_s", where, lir.ZERO)
        row = b.pick(none, lir.Num(layout.spaces), where)
        mask = b.plus(b.times(row, count * CELL), cells.at[layout.first_derived])
        toggle(x, mask, count, piece, "xor" if op == "xor" else "or")
    return x.finish()


# ------------------------------------------------------------ groups


def form(x: RoutineLowerer, stmt: Form) -> None:
    """Bring a group into being: the lowest free number, its state as declared."""
    unit = x.unit
    exists = unit.layout.slots[f"exists:{stmt.domain}"]
    size = unit.shapes.sizes[stmt.domain]
    count = unit.shapes.cell(exists)
    at = unit.cells.at[exists.base]
    every = tuple(map(lir.Num, unit_mask(size, count)))
    used = x.load((at, None), SetOf(stmt.local.type))  # type: ignore[arg-type]
    free = x.build.bind_all(b.without(every, b.pad(used, count)))
    why = Why(texts.no_group_left(stmt.domain, size))
    x.fail_if(b.zero(b.any_word(free)), "no-group-left", None, why)
    group = x.build.bind(operations.lowest(free), "group")
    toggle(x, lir.Num(at), count, group, "or")
    for slots in unit.layout.slots.values():
        if stmt.domain in slots.state.keys and slots is not exists:
            _as_declared(x, slots, stmt.domain, group)
    x.bind_local(stmt.local, (group,))


def unit_mask(size: int, count: int) -> list[int]:
    """The words of a set of everything."""
    return [((1 << size) - 1 >> 64 * number) & b.WORD for number in range(count)]


def _as_declared(x: RoutineLowerer, slots: Slots, domain: str, group: lir.Expr) -> None:
    """Give all cells of a group their declared value, which must be the same for each."""
    unit, state = x.unit, slots.state
    declared = unit.layout.declared_cells(slots)
    own = [key for key in slots.keys if key.domain == domain]
    by_bit = slots.bits is not None and slots.bits.domain == domain
    if len(own) + by_bit != 1 or len(set(declared)) > 1 or state.name in unit.layout.revealed:
        raise CannotLower(f"a new `{domain}` with `{state.name}`", x.site)
    value, step = declared[0], unit.cells.step(slots)
    base = unit.cells.at[slots.base]
    if by_bit:
        size = unit.shapes.sizes[domain]
        if value not in (0, (1 << size) - 1):
            raise CannotLower(f"a new `{domain}` with `{state.name}`", x.site)
        mask = b.binary("shl", lir.ONE, group)
        with _counted(x, slots.size) as number:
            at = move_by((base, b.times(number, step)), word_offset(group) if step > CELL else lir.ZERO)
            at = (at[0], x.build.bind(at[1]) if at[1] is not None else None)
            old = lir.Load(*at)
            new = b.binary("or", old, mask)
            x.store(at, (new if value else b.binary("and", old, b.binary("xor", mask, lir.Num(-1))),))
        return
    (key,) = own
    if state.name in unit.layout.indexes:
        at = (base, b.times(group, step))
        keep_masks(x, slots, group, x.build.bind(lir.Load(*at), "old"), lir.Num(value))
    words = tuple(map(lir.Num, unit.cells.image_of(slots.base, value)))
    with _counted(x, slots.size // (key.stride * key.size)) as outer, _counted(x, key.stride) as inner:
        cell = b.add(b.times(outer, key.stride * key.size), b.add(b.times(group, key.stride), inner))
        x.store((base, x.build.bind(b.times(cell, step))), words)


@contextmanager
def _counted(x: RoutineLowerer, count: int) -> Iterator[lir.Expr]:
    """Write the body of a loop that runs so many times, with its number from 0."""
    if count == 1:
        yield lir.ZERO
        return
    number = x.build.variables((lir.Num(-1),), "number")[0]
    with x.build.loop() as label:
        x.build.set(number, b.plus(lir.Get(number), 1))
        with x.build.when(b.binary("ge_s", lir.Get(number), lir.Num(count))):
            x.build.emit(lir.LowBreak(label))
        yield lir.Get(number)


def dissolve(x: RoutineLowerer, stmt: Dissolve) -> None:
    """End a group: its number is free again."""
    unit = x.unit
    exists = unit.layout.slots[f"exists:{stmt.domain}"]
    group = x.build.bind(x.some(stmt.group))
    at = unit.cells.at[exists.base]
    count = unit.shapes.cell(exists)
    members = x.bit_words(group, count)
    _change_mask(x, (at, None), members, on=False)
