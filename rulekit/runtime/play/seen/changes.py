"""The difference between two moments of a session: events, changed cells, and what has become known.

Its cost follows from how much has happened, not from the length of the game or the size of its state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir.program import span_of
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.play.events import Event
from rulekit.runtime.play.moment import Moment
from rulekit.runtime.play.seen.seen_events import read_on
from rulekit.runtime.play.seen.seer import ReadTo
from rulekit.runtime.play.seen.sight import HIDDEN, Sight
from rulekit.runtime.support.layout import Slots


class SessionMark:
    """A moment of a session, to ask later what has changed since; made by `mark` of a session or view."""

    __slots__ = ("cells", "late", "owner", "read", "revision", "side")

    def __init__(
        self, owner: object, side: int | None, revision: int, read: ReadTo, cells: list[Any], late: list[Any]
    ) -> None:
        self.owner, self.side, self.revision = owner, side, revision
        self.read, self.cells, self.late = read, cells, late


@frozen
class CellChange:
    """A value that has changed, as JSON; of a flag state with keys, the flag of one member.

    A value that a side may not see is `HIDDEN`.
    """

    state: str
    keys: tuple[Any, ...]
    before: Any
    after: Any


@frozen
class SessionChange:
    """The difference between a mark and now.

    Attributes:
        mark: The present moment, for the next question.
        events: The events since; if some are `undone`, those that took their place.
        cells: Values that have changed, become known, or become hidden.
        shown: Of a view, events from before the mark that the side sees only now: secret answers.
        counts: Of a view, how many things hidden cups and stacks hold where that has changed.
        undone: How many of the last events up to the mark are no longer so, because answers were taken back.
    """

    mark: SessionMark
    events: tuple[Event, ...]
    cells: tuple[CellChange, ...]
    shown: tuple[Event, ...] = ()
    counts: tuple[tuple[str, tuple[Any, ...], int], ...] = ()
    undone: int = 0

    def __bool__(self) -> bool:
        return bool(self.events or self.cells or self.shown or self.counts or self.undone)


def mark(moment: Moment, side: int | None) -> SessionMark:
    """The present moment, for the host or for a side."""
    machine = moment.machine
    read = _read_to(moment, side)
    return SessionMark(moment, side, moment.revision, read, machine.M[:], machine.late[:])


def since(moment: Moment, before: SessionMark, side: int | None) -> SessionChange:
    """The difference between a mark and the present.

    Raises:
        ValueError: The mark is of another session, or another side.
    """
    if before.owner is not moment or before.side != side:
        raise ValueError("this mark is of another session, or of another side")
    low = moment.lowest_since(before.revision)
    read, undone = before.read, 0
    if low < read.position:
        read = _read_on(moment, side, _start(moment), low)
        if read.depth:  # some events looked otherwise once all answers were known: tell everything again
            read = _start(moment)
        undone = before.read.number - read.number
    now = mark(moment, side)
    difference = _Difference(moment, before, now)
    addresses = difference.unequal_cells() if undone or before.late else difference.written_cells()
    if side is None:
        events = tuple(map(moment.game.teller.event, moment.trace_from(read.position)))
        return SessionChange(now, events, tuple(difference.cells(addresses)), undone=undone)
    _, seen, shown = read_on(moment, side, read)
    cells = tuple(difference.cells_of_side(addresses))
    return SessionChange(now, tuple(seen), cells, tuple(shown), tuple(difference.counts()), undone)


def subscribe(
    moment: Moment, callback: Callable[[SessionChange], object], side: int | None
) -> Callable[[], None]:
    """Call with each change, as a side sees it; returns the function that ends this."""
    last = [mark(moment, side)]

    def tell() -> None:
        change = since(moment, last[0], side)
        if change or change.mark.revision != last[0].revision:
            last[0] = change.mark
            callback(change)

    def stop() -> None:
        if tell in moment.listeners:
            moment.listeners.remove(tell)

    moment.listeners.append(tell)
    return stop


def _read_to(moment: Moment, side: int | None) -> ReadTo:
    """The end of the trace, as a side has read it; None is the host, who reads everything."""
    read, length = moment.readers.get(side, _start(moment)), len(moment.trace)
    if read.position < length:
        read = moment.readers[side] = _read_on(moment, side, read, length)
    return read


def _start(moment: Moment) -> ReadTo:
    return ReadTo(depth=moment.secret_depth)


def _read_on(moment: Moment, side: int | None, read: ReadTo, end: int) -> ReadTo:
    if side is not None:
        return read_on(moment, side, read, end)[0]
    return ReadTo(end, read.number + sum(1 for _ in moment.trace_from(read.position, end)))


class _Difference:
    """Two states of one game."""

    def __init__(self, moment: Moment, before: SessionMark, now: SessionMark) -> None:
        self._moment, self._before, self._now = moment, before, now
        self._layout, self._naming = moment.game.module.layout, moment.game.naming
        self._old, self._new = before.cells, now.cells
        game, side = moment.game, before.side
        if side is not None:
            rules = game.hidden_from(side)
            self._then = Sight(game.module, rules, self._old)
            self._present = Sight(game.module, rules, self._new)
            self._hidden = rules.states

    def written_cells(self) -> list[int]:
        """The addresses of cells that events since may have changed."""
        tape = self._moment.trace.since(self._before.read.position)
        return sorted(set(self._moment.game.touched.addresses(tape)))

    def unequal_cells(self) -> list[int]:
        """The addresses of cells that differ."""
        first, end = self._layout.first_state, self._layout.first_derived
        return [at for at in range(first, end) if self._old[at] != self._new[at]]

    # ------------------------------------------------------------ for the host

    def cells(self, addresses: Iterable[int]) -> Iterator[CellChange]:
        """Yield the values that differ."""
        for at in addresses:
            if self._old[at] != self._new[at]:
                slots, keys = self._place(at)
                yield from self._cell(slots, keys, self._old[at], self._new[at])

    def _place(self, address: int) -> tuple[Slots, tuple[int, ...]]:
        return self._layout.owner(address), self._layout.keys_of(address)

    def _cell(self, slots: Slots, keys: tuple[int, ...], old: Any, new: Any) -> Iterator[CellChange]:
        naming, name, domains = self._naming, slots.state.name, slots.state.keys
        if slots.bits is None:
            shown = tuple(naming.keys(domains, keys))
            kind = slots.state.type
            yield CellChange(name, shown, naming.to_json(kind, old), naming.to_json(kind, new))
            return
        for bit in members(old ^ new):
            shown = tuple(naming.keys(domains, (*keys, bit + slots.bits.low)))
            yield CellChange(name, shown, bool(old >> bit & 1), bool(new >> bit & 1))

    # ------------------------------------------------------------ for a side

    def cells_of_side(self, addresses: Iterable[int]) -> Iterator[CellChange]:
        """Yield the values that differ for the side: changed, shown or hidden."""
        places = dict.fromkeys(addresses)
        for name in self._hidden:
            places |= dict.fromkeys(self._differently_known(self._layout.slots[name]))
        for at in sorted(places):
            slots, keys = self._place(at)
            old, new = self._old[at], self._new[at]
            if slots.state.name not in self._hidden:
                if old != new:
                    yield from self._cell(slots, keys, old, new)
            elif slots.bits is None:
                yield from self._hidden_value(slots, keys, old, new)
            else:
                yield from self._hidden_flags(slots, keys, old, new)

    def _differently_known(self, slots: Slots) -> Iterator[int]:
        """Yield the cells of a state that the side may have come to see, or no longer sees."""
        revealed = self._layout.revealed.get(slots.state.name)
        if self._may_vary(slots):
            yield from range(slots.base, slots.base + slots.size)
        elif revealed is not None:
            width = slots.bits.size if slots.bits is not None else 1
            changed = self._old[revealed.address] ^ self._new[revealed.address]
            for bit in members(changed):
                yield slots.base + bit % revealed.width // width

    def _may_vary(self, slots: Slots) -> bool:
        """True if who knows a state depends on others that have changed."""
        known = slots.state.known_to
        if known is None:
            return False
        return any(
            self._old[own.base : own.base + own.size] != self._new[own.base : own.base + own.size]
            for name in self._moment.game.module.facts.reads(known.sides)
            if (own := self._layout.slots.get(name)) is not None
        )

    def _hidden_value(self, slots: Slots, keys: tuple[int, ...], old: Any, new: Any) -> Iterator[CellChange]:
        naming, kind = self._naming, slots.state.type
        before = naming.to_json(kind, old) if self._then.sees(slots, keys) else HIDDEN
        after = naming.to_json(kind, new) if self._present.sees(slots, keys) else HIDDEN
        if before is not after and (HIDDEN in (before, after) or before != after):
            yield CellChange(slots.state.name, tuple(naming.keys(slots.state.keys, keys)), before, after)

    def _hidden_flags(self, slots: Slots, keys: tuple[int, ...], old: Any, new: Any) -> Iterator[CellChange]:
        assert slots.bits is not None
        first, _ = span_of(slots.bits.domain, self._layout.sizes)
        for bit in range(first - slots.bits.low, slots.bits.size):
            whole = (*keys, bit + slots.bits.low)
            before = bool(old >> bit & 1) if self._then.sees(slots, whole) else HIDDEN
            after = bool(new >> bit & 1) if self._present.sees(slots, whole) else HIDDEN
            if before is not after:
                shown = tuple(self._naming.keys(slots.state.keys, whole))
                yield CellChange(slots.state.name, shown, before, after)

    def counts(self) -> Iterator[tuple[str, tuple[Any, ...], int]]:
        """Yield how many things hidden cups and stacks hold, where that has changed (spec 13.5)."""
        for name in sorted(self._moment.game.hidden_from(self._present.side).counted):
            slots = self._layout.slots[name]
            for keys, at in slots.each():
                number = count_of(self._new[at])
                if not self._present.sees(slots, keys) and (
                    number != count_of(self._old[at]) or self._then.sees(slots, keys)
                ):
                    yield name, tuple(keys_of(self._naming, slots, keys)), number


def count_of(value: Any) -> int:
    """How many things a cup or stack holds."""
    return value.bit_count() if isinstance(value, int) else len(value)


def keys_of(naming: Naming, slots: Slots, keys: tuple[int, ...]) -> list[Any]:
    """Keys of a cell as names and numbers."""
    return naming.keys(slots.state.keys[: len(keys)], keys)
