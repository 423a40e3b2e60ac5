"""Changes inside a `together` block: noted beside the cells they are for, landed all at the end.

`rulekit.runtime.support.together` defines which changes agree. Each cell that a block may change has a
*note*: whether it is touched, set, added to, who changed it first, and its new value, sum, or members to
include and exclude. The first two changes that disagree leave their message at once; it is the fault when the
block ends. A list may have been drawn from when its block ends, so changes of lists are entries of a journal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir import Write, walk
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.types import ListOf, Optional
from rulekit.runtime.native import lir, messages
from rulekit.runtime.native.log import writing
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import changes, lowerer
from rulekit.runtime.native.lower.builder import LowBuilder, Words, gets
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.memory import CELL, MOST_NUMBER, is_ratio
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.together.list_journal import ListJournal
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.messages import Noted, Why
from rulekit.runtime.support.layout import Slots
from rulekit.runtime.support.state_changes import span

SETTLED, CONFLICT, BEYOND, NO_GROUP, NO_ROOM = range(5)
"""How the landing of a block ends; all but the first are faults."""

FAULTS = {
    CONFLICT: "simultaneous-conflict",
    BEYOND: "out-of-range",
    NO_GROUP: "no-value",
    NO_ROOM: "budget",
}
TOUCHED, IS_SET, ADDS, CAUSE, FIRST = range(5)
"""The words of a note: three flags, the text of the first cause and 1, then the value or sum, or two sets."""


MOST_CAUSES: Final = 1 << 20
"""Texts of causes; a number below it counts one."""


@frozen
class _Notes:
    """The notes of one state: its number among those with notes, where they begin, the words of a value."""

    number: int
    slots: Slots
    at: int
    words: int
    masks: bool
    journal: ListJournal | None
    """The changes of a list, except those that set it."""

    @property
    def size(self) -> int:
        """The words of one note."""
        return FIRST + self.words * (2 if self.masks else 1)

    def words_of(self, kind: str) -> int:
        """The words that a kind of change takes."""
        return self.words if self.journal is None else self.journal.words_of(kind)


def _keys_of(slots: Slots, cell: lir.Expr) -> list[lir.Expr]:
    """The keys of a cell by its number."""
    return [
        b.plus(b.binary("rem_s", b.binary("div_s", cell, lir.Num(key.stride)), lir.Num(key.size)), key.low)
        for key in slots.keys
    ]


def _noting(kind: str, state: str) -> str:
    """The name of the function that notes a kind of change of a state."""
    return f"note {kind} {state}"


class Landing:
    """The notes of one module, and the functions that take and land them."""

    def __init__(self, unit: ModuleUnit) -> None:
        self.unit = unit
        self.notes: dict[str, _Notes] = {}
        self.ended: dict[str, int] = {}
        """For each kind of group, where the set of those that end stands."""
        self.runs: set[str] = set()
        """The functions that blocks call."""
        self.count = unit.room_of_notes(3)
        self.conflict = self.count + CELL
        self.marks = self.conflict + CELL
        """How many changes of flags and sets were noted."""
        self._kinds: dict[tuple[str, str], None] = {}
        """The kinds of changes of each state that are noted."""
        self._marks_of: dict[str, int] = {}

    # ------------------------------------------------------------ noting

    def notes_of(self, state: str) -> _Notes:
        """The notes of a state, made when they are first asked for."""
        if state not in self.notes:
            unit, slots = self.unit, self.unit.layout.slots[state]
            count = unit.shapes.cell(slots)
            masks, kind = unit.cells.masks[slots.base], slots.state.type
            journal: ListJournal | None = None
            if isinstance(kind, ListOf):
                journal = ListJournal.of(unit, kind)
                count = unit.shapes.room(replace(kind, most=self._longest(state, kind)))
            notes = _Notes(len(self.notes), slots, 0, count, masks, journal)
            self.notes[state] = replace(notes, at=unit.room_of_notes(notes.size * slots.size))
        return self.notes[state]

    def _longest(self, state: str, kind: ListOf) -> int:
        """The most items of a list that a state may be set to: too many are a fault when the block ends."""
        values = (
            stmt.value
            for procedure in self.unit.facts.procedures.values()
            for stmt in walk.statements(procedure.body)
            if isinstance(stmt, Write) and stmt.state == state
        )
        lists = [value.type.most for value in values if value is not None and isinstance(value.type, ListOf)]
        return max([kind.most, *lists])

    def note(self, x: RoutineLowerer, kind: str, state: str, cell: lir.Expr, words: Words) -> None:
        """Note a change of a cell; see `changes.Notes`."""
        notes, site = self.notes_of(state), self.unit.program.sites[x.site]
        self._kinds.setdefault((kind, state))
        cause = self.unit.shapes.text(texts.cause(site.owner, site.rules))
        words = b.pad(words, notes.words_of(kind))
        x.build.emit(lir.LowRun(_noting(kind, state), (cell, lir.Num(cause), *words)))

    def _note(self, kind: str, state: str) -> lir.LowFunction:
        """The function that notes a change."""
        notes = self.notes[state]
        params = [f"word {number}" for number in range(notes.words_of(kind))]
        x = RoutineLowerer(self.unit, _noting(kind, state), (), None, -1)
        build = x.build
        build.params = ("cell", "cause", *params)
        at = build.bind(b.add(b.times(lir.Get("cell"), notes.size * CELL), b.address(notes.at)))
        values = gets(params)

        def word(number: int) -> lir.Expr:
            return lir.Load(number * CELL, at)

        def put(number: int, value: lir.Expr) -> None:
            build.emit(lir.Store(number * CELL, at, value))

        with build.when(b.zero(word(TOUCHED))):
            put(TOUCHED, lir.ONE)
            build.emit(lir.LowRun("touch", (lir.Num(notes.number), lir.Get("cell"))))
        first, second = FIRST, FIRST + notes.words
        if kind in ("mark", "unmark"):  # An empty change touches the cell, and disagrees with nothing.
            with build.when(b.zero(b.any_word(values))):
                build.emit(lir.LowReturn())
        with build.when(b.zero(word(CAUSE))):
            put(CAUSE, b.plus(lir.Get("cause"), 1))
        was_set = build.bind(word(IS_SET))
        what, keys = messages.cell(notes.slots.state, _keys_of(notes.slots, lir.Get("cell")))
        match kind:
            case "set":
                changed = word(ADDS)
                if notes.masks:
                    changed = b.any_word(tuple(word(FIRST + n) for n in range(2 * notes.words)))
                if notes.journal is not None:
                    differs = notes.journal.differs(x, b.plus(at, first * CELL), values[0])
                else:
                    pairs = ((word(first + n), value) for n, value in enumerate(values))
                    differs = b.any_word(tuple(b.binary("xor", *pair) for pair in pairs))
                twice = texts.two_places("{0}") if state == PLACE else texts.two_values(what)
                with build.when(b.both(was_set, b.zero(b.zero(differs)))):
                    self._disagree(x, twice, keys, word(CAUSE))
                with build.when(b.both(b.zero(was_set), b.zero(b.zero(changed)))):
                    self._disagree(x, texts.set_and_changed(what), keys, word(CAUSE))
                put(IS_SET, lir.ONE)
                x.keep((first * CELL, at), values, notes.slots.state.type)
            case _ if notes.journal is not None:
                with build.when(was_set):
                    self._disagree(x, texts.set_and_changed(what), keys, word(CAUSE))
                put(ADDS, lir.ONE)
                full = notes.journal.enter(x, kind, lir.Get("cell"), values)
                with build.when(b.both(full, b.zero(lir.Load(self.conflict)))):
                    build.emit(lir.Store(self.conflict, None, lir.Num(NO_ROOM)))
                    x.note_why(Why(texts.OVER_BUDGET))
            case "add":
                with build.when(was_set):
                    self._disagree(x, texts.set_and_changed(what), keys, word(CAUSE))
                put(ADDS, b.plus(word(ADDS), 1))
                put(first, b.add(word(first), values[0]))
            case _:
                with build.when(was_set):
                    self._disagree(x, texts.set_and_changed(what), keys, word(CAUSE))
                own, other = (first, second) if kind == "mark" else (second, first)
                if {("mark", state), ("unmark", state)} <= self._kinds.keys():
                    mine, theirs = (tuple(word(at + n) for n in range(notes.words)) for at in (own, other))
                    meets = build.bind_all(b.each("and", values, theirs))
                    with build.when(b.any_word(meets)):
                        self._contradict(x, notes, meets)
                    self._keep_causes(x, notes, b.without(values, mine))
                for number, value in enumerate(values):
                    put(own + number, b.binary("or", word(own + number), value))
        return build.finish()

    # ------------------------------------------------------------ conflicts

    def _disagree(self, x: RoutineLowerer, what: str, values: list[Noted], first: lir.Expr) -> None:
        """Note the first conflict of a block; `first` is the cause of the earlier change and 1."""
        build, last = x.build, lir.Get("cause")
        with build.when(b.zero(lir.Load(self.conflict))):
            build.emit(lir.Store(self.conflict, None, lir.Num(CONFLICT)))
            first = build.bind(b.plus(first, -1))
            with build.when(b.binary("eq", first, last)):
                x.note_why(messages.at_once(what, values, (last,)))
            with build.when(b.binary("ne", first, last)):
                x.note_why(messages.at_once(what, values, (first, last)))

    def _mark_of(self, notes: _Notes, bit: lir.Expr) -> tuple[int, lir.Expr]:
        """Where the first change of a flag or member is noted: which of all such changes, and its cause."""
        state, bits = notes.slots.state.name, 64 * notes.words
        if state not in self._marks_of:
            self._marks_of[state] = self.unit.room_of_notes(bits * notes.slots.size)
        return self._marks_of[state], b.times(b.add(b.times(lir.Get("cell"), bits), bit), CELL)

    def _keep_causes(self, x: RoutineLowerer, notes: _Notes, members: Words) -> None:
        """Note the cause of members that are changed for the first time."""
        x.build.emit(lir.Store(self.marks, None, b.plus(lir.Load(self.marks), 1)))
        mark = x.build.bind(b.add(b.times(lir.Load(self.marks), MOST_CAUSES), b.plus(lir.Get("cause"), 1)))
        with x.members(members) as (bit, _):
            x.store(self._mark_of(notes, bit), (mark,))

    def _contradict(self, x: RoutineLowerer, notes: _Notes, members: Words) -> None:
        """Note that members are both in and out: those of the earliest change that any of them had before."""
        build, slots = x.build, notes.slots
        oldest, lowest = build.variables((lir.Num(MOST_NUMBER), lir.ZERO), "oldest")
        with x.members(members) as (bit, _):
            mark = build.bind(lir.Load(*self._mark_of(notes, bit)))
            with build.when(b.binary("lt_s", mark, lir.Get(oldest))):
                build.set(oldest, mark)
                build.set(lowest, bit)
        cause = b.binary("rem_s", lir.Get(oldest), lir.Num(MOST_CAUSES))
        keys = _keys_of(slots, lir.Get("cell"))
        if slots.bits is not None:
            what, values = messages.cell(slots.state, (*keys, b.plus(lir.Get(lowest), slots.bits.low)))
            self._disagree(x, texts.on_and_off(what), values, cause)
            return
        both = build.variables(tuple(lir.ZERO for _ in members), "both")
        with x.members(members) as (bit, _):
            with build.when(b.binary("eq", lir.Load(*self._mark_of(notes, bit)), lir.Get(oldest))):
                build.unite(both, x.bit_words(bit, len(both)))
        what, values = messages.cell(slots.state, keys)
        what = texts.in_and_out(what, f"{{{len(keys)}:and}}")
        self._disagree(x, what, [*values, (slots.state.type, b.gets(both))], cause)

    def end_group(self, x: RoutineLowerer, domain: str, group: lir.Expr) -> None:
        """Note that a group ends."""
        slots = self.unit.layout.slots[f"exists:{domain}"]
        count = self.unit.shapes.cell(slots)
        if domain not in self.ended:
            self.ended[domain] = self.unit.room_of_notes(1 + count)
        at = self.ended[domain]
        none = b.binary("lt_s", group, lir.ZERO)
        x.build.emit(lir.Store(at, None, b.binary("or", lir.Load(at), none)))
        with x.build.when(b.zero(none)):
            changes.toggle(x, b.address(at + CELL), count, group, "or")

    # ------------------------------------------------------------ landing

    def land(self, x: RoutineLowerer) -> None:
        """End a block: make all changes that were noted."""
        site = () if x.unit.log is None else (lir.Num(x.site),)
        if x.unit.log is not None:
            x.unit.log.landing_sites.add(x.site)
        code = x.build.bind(lir.LowCall("land", site))
        with x.build.when(code):
            for number, fault in FAULTS.items():
                with x.build.when(b.binary("eq", code, lir.Num(number))):
                    x.build.emit(lir.LowFail(x.unit.fault(fault), x.site))

    def functions(self) -> list[lir.LowFunction]:
        """The functions that all notes share, once every note is known."""
        cells = sum(notes.slots.size for notes in self.notes.values())
        touched = self.unit.room_of_notes(max(2 * cells, 1))
        notes = [self._note(*kind) for kind in self._kinds]
        return [self._touch(touched), *notes, self._land(touched), self._forget()]

    def _touch(self, touched: int) -> lir.LowFunction:
        build = LowBuilder("touch", ("state", "cell"))
        at = build.bind(b.times(lir.Load(self.count), 2 * CELL))
        build.emit(lir.Store(touched, at, lir.Get("state")), lir.Store(touched + CELL, at, lir.Get("cell")))
        build.emit(lir.Store(self.count, None, b.plus(lir.Load(self.count), 1)))
        return build.finish()

    def _land(self, touched: int) -> lir.LowFunction:
        x = RoutineLowerer(self.unit, "land", (), None, -1)
        build = x.build
        build.params = () if self.unit.log is None else ("site",)
        with build.when(lir.Load(self.conflict)):
            build.emit(lir.LowReturn(lir.Load(self.conflict)))
        at, end = build.variables((lir.ZERO, b.times(lir.Load(self.count), 2 * CELL)), "at")
        with build.loop() as label:
            with build.when(b.binary("ge_s", lir.Get(at), lir.Get(end))):
                build.emit(lir.LowBreak(label))
            state = build.bind(lir.Load(touched, lir.Get(at)))
            cell = build.bind(lir.Load(touched + CELL, lir.Get(at)))
            build.set(at, b.plus(lir.Get(at), 2 * CELL))
            for notes in self.notes.values():
                with build.when(b.binary("eq", state, lir.Num(notes.number))):
                    self._land_cell(x, notes, cell)
        build.emit(lir.Store(self.count, None, lir.ZERO))
        build.emit(*self._no_entries())
        for domain, mask in self.ended.items():
            self._land_groups(x, domain, mask)
        build.emit(lir.LowReturn(lir.Num(SETTLED)))
        return build.finish(gives=True)

    def _land_cell(self, x: RoutineLowerer, notes: _Notes, cell: lir.Expr) -> None:
        """Give one cell its new value, and clear its note."""
        if notes.journal is not None:
            self._land_list(x, notes, notes.journal, cell)
            return
        build, slots = x.build, notes.slots
        note = build.bind(b.add(b.times(cell, notes.size * CELL), b.address(notes.at)))
        place = build.bind(b.times(cell, self.unit.cells.step(slots)))
        base = self.unit.cells.at[slots.base]
        old = build.bind_all(tuple(lir.Load(base + CELL * n, place) for n in range(notes.words)), "old")
        first = build.bind_all(tuple(lir.Load(CELL * (FIRST + n), note) for n in range(notes.words)))
        is_set = build.bind(lir.Load(CELL * IS_SET, note))
        adds: lir.Expr = lir.ZERO
        if notes.masks:
            excluded = tuple(lir.Load(CELL * (FIRST + notes.words + n), note) for n in range(notes.words))
            second = build.bind_all(excluded)
            if slots.state.name in self.unit.layout.revealed and slots.bits is not None:
                changes.hide_flags(x, slots, cell, b.each("or", first, second))
            changed = b.without(b.each("or", old, first), second)
            new = build.bind_all(tuple(b.pick(is_set, a, c) for a, c in zip(first, changed, strict=True)))
        elif is_ratio(slots.state.type):
            new = first  # it is only ever set
        else:
            adds = build.bind(lir.Load(CELL * ADDS, note))
            value = b.pick(is_set, first[0], b.pick(adds, b.add(old[0], first[0]), old[0]))
            new = (self._within_range(x, slots, cell, build.bind(value)),)
        build.emit(lir.LowRun("clear", (note, lir.Num(notes.size))))
        if slots.state.name == PLACE:
            changes.move_piece(x, cell, new[0])
            return
        if slots.state.name in self.unit.layout.revealed and slots.bits is None:
            changes.hide_bit(x, slots.state.name, cell)
        x.store((base, place), new)
        changes.keep_masks(x, slots, cell, old[0], new[0])
        if self.unit.log is not None and not notes.masks:
            with build.when(adds):
                writing.tell_landing(x, slots.state, lir.Get("site"), _keys_of(slots, cell), new)

    def _land_list(self, x: RoutineLowerer, notes: _Notes, journal: ListJournal, cell: lir.Expr) -> None:
        """The same of a list."""
        build, state, kind = x.build, notes.slots.state, journal.kind
        note = build.bind(b.add(b.times(cell, notes.size * CELL), b.address(notes.at)))
        place = build.bind(b.times(cell, self.unit.cells.step(notes.slots)))
        at = (self.unit.cells.at[notes.slots.base], place)
        value = build.variables((b.plus(note, FIRST * CELL),), "value")[0]
        with build.when(b.zero(lir.Load(IS_SET * CELL, note))):
            build.set(value, journal.change(x, cell, lowerer.address_of(at)))
        length = build.bind(lir.Load(0, lir.Get(value)))
        with build.when(b.binary("gt_s", length, lir.Num(kind.most))):
            x.note_why(messages.too_long(state.name, kind.most, length))
            build.emit(lir.LowReturn(lir.Num(BEYOND)))
        if state.name in self.unit.layout.revealed:
            changes.hide_bit(x, state.name, cell)
        x.keep(at, (lir.Get(value),), kind)
        build.emit(lir.LowRun("clear", (note, lir.Num(FIRST))))

    def _no_entries(self) -> list[lir.Stmt]:
        """Empty all journals."""
        journals = [notes.journal for notes in self.notes.values() if notes.journal is not None]
        return [lir.Store(journal.at, None, lir.ZERO) for journal in journals]

    def _within_range(self, x: RoutineLowerer, slots: Slots, cell: lir.Expr, value: lir.Expr) -> lir.Expr:
        """A number within its state's range, stopped at the ends of a track."""
        ends, state = span(slots.state), slots.state
        if ends is None:
            return value
        low, high = map(lir.Num, ends)
        below, above = b.binary("lt_s", value, low), b.binary("gt_s", value, high)
        if isinstance(state.type, Optional):
            below = b.both(below, b.binary("ne", value, NONE_WORD))
        if state.clamp:
            return x.build.bind(b.pick(below, low, b.pick(above, high, value)))
        with x.build.when(b.binary("or", below, above)):
            x.note_why(messages.beyond_state(state, _keys_of(slots, cell), value))
            x.build.emit(lir.LowReturn(lir.Num(BEYOND)))
        return value

    def _land_groups(self, x: RoutineLowerer, domain: str, at: int) -> None:
        """End the groups that were noted."""
        slots = self.unit.layout.slots[f"exists:{domain}"]
        count, base = self.unit.shapes.cell(slots), self.unit.cells.at[slots.base]
        with x.build.when(lir.Load(at)):
            x.note_why(Why(texts.NO_GROUP))
            x.build.emit(lir.LowReturn(lir.Num(NO_GROUP)))
        for number in range(count):
            kept = b.binary("xor", lir.Load(at + CELL * (1 + number)), lir.Num(-1))
            x.store((base + CELL * number, None), (b.binary("and", lir.Load(base + CELL * number), kept),))
            x.store((at + CELL * (1 + number), None), (lir.ZERO,))

    def _forget(self) -> lir.LowFunction:
        """Clear all notes, which a game that ended in a fault may have left."""
        build = LowBuilder("forget")
        build.emit(lir.LowRun("clear", (b.address(self.count), lir.Num(3))), *self._no_entries())
        for notes in self.notes.values():
            build.emit(lir.LowRun("clear", (b.address(notes.at), lir.Num(notes.size * notes.slots.size))))
        for domain, at in self.ended.items():
            count = self.unit.shapes.cell(self.unit.layout.slots[f"exists:{domain}"])
            build.emit(lir.LowRun("clear", (b.address(at), lir.Num(1 + count))))
        return build.finish()
