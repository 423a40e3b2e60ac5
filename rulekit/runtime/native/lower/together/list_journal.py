"""Changes of lists that wait for the end of a `together` block: entries, made in their order then.

A block that draws from a list takes things out at once, so that the list is known only at the end. A list
that is put on another is an entry for each item.
"""

from __future__ import annotations

from typing import Final

from rulekit.base.frozen import frozen
from rulekit.ir.types import ListOf
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import changes
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.memory import CELL
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit

LAST, FIRST, GONE = range(3)
"""The work of an entry: to put its item after the others, or before them, or to remove it."""

KINDS: Final = {"append": LAST, "under": LAST, "top": FIRST, "drop": GONE}
"""The kinds of changes that are entries."""

MOST_ENTRIES: Final = 1024
"""Entries of one journal, besides as many as the list may have items."""

WHAT_AT, CELL_AT, ITEM_AT = range(0, 3 * CELL, CELL)
"""An entry."""


@frozen
class ListJournal:
    """The entries for all cells of one state; `room` counts those that fit."""

    kind: ListOf
    stride: int
    room: int
    at: int
    work: int
    """Where a list is changed, with room for all entries on both sides."""

    @staticmethod
    def of(unit: ModuleUnit, kind: ListOf) -> ListJournal:
        """An empty journal for a state of lists."""
        stride, room = unit.shapes.words(kind.of), MOST_ENTRIES + kind.most
        at = unit.room_of_notes(1 + room * (ITEM_AT // CELL + stride))
        work = unit.room_of_notes(1 + (room + kind.most + room) * stride)
        return ListJournal(kind, stride, room, at, work)

    @property
    def step(self) -> int:
        """The bytes of an entry."""
        return ITEM_AT + self.stride * CELL

    def words_of(self, change: str) -> int:
        """The words of the value of a change: an item, or the address of a list."""
        return self.stride if change in ("append", "drop") else 1

    def differs(self, x: RoutineLowerer, one: lir.Expr, other: lir.Expr) -> lir.Expr:
        """Whether two lists, given by their addresses, are not equal."""
        return b.zero(lir.LowCall("same", (one, other, x.length_in_words(other, self.kind))))

    def enter(self, x: RoutineLowerer, change: str, cell: lir.Expr, value: Words) -> lir.Expr:
        """Enter a change of a cell; whether there was no room for it."""
        build = x.build
        full = build.variables((lir.ZERO,), "full")[0]
        if change in ("append", "drop"):
            self._enter(x, KINDS[change], cell, value, full)
        elif change == "under":
            with x.items(value[0], self.kind) as (item, _):
                self._enter(x, KINDS[change], cell, item, full)
        else:
            left = build.variables((lir.Load(0, value[0]),), "left")[0]
            with build.loop() as label:
                with build.when(b.zero(lir.Get(left))):
                    build.emit(lir.LowBreak(label))
                build.set(left, b.plus(lir.Get(left), -1))
                place = b.add(value[0], b.times(lir.Get(left), self.stride * CELL))
                self._enter(x, KINDS[change], cell, x.load((CELL, place), self.kind.of), full)
        return lir.Get(full)

    def _enter(self, x: RoutineLowerer, what: int, cell: lir.Expr, item: Words, full: str) -> None:
        build, count = x.build, lir.Load(self.at)
        build.set(full, b.binary("ge_s", count, lir.Num(self.room)))
        with build.when(b.zero(lir.Get(full))):
            place = (self.at + CELL, build.bind(b.times(count, self.step)))
            x.store(place, (lir.Num(what), cell, *item))
            x.store((self.at, None), (b.plus(count, 1),))

    def change(self, x: RoutineLowerer, cell: lir.Expr, old: lir.Expr) -> lir.Expr:
        """The address of a cell's list after all its changes; `old` is that of the list before."""
        build = x.build
        start = self.work + self.room * self.stride * CELL
        x.keep((start, None), (old,), self.kind)
        whole, entry = build.variables((b.address(start), b.address(self.at + CELL)), "whole")
        end = build.bind(b.add(b.times(lir.Load(self.at), self.step), b.address(self.at + CELL)))
        with build.loop() as label:
            with build.when(b.binary("eq", lir.Get(entry), end)):
                build.emit(lir.LowBreak(label))
            build.set(entry, b.plus(lir.Get(entry), self.step))
            this = build.bind(b.plus(lir.Get(entry), -self.step))
            with build.when(b.binary("ne", lir.Load(CELL_AT, this), cell)):
                build.emit(lir.LowNext(label))
            self._make(x, whole, lir.Load(WHAT_AT, this), x.load((ITEM_AT, this), self.kind.of))
        return lir.Get(whole)

    def _make(self, x: RoutineLowerer, whole: str, what: lir.Expr, item: Words) -> None:
        """Make one change of the list at an address."""
        build, at = x.build, (0, lir.Get(whole))
        what, item = build.bind(what), build.bind_all(item)
        with build.when(b.binary("eq", what, lir.Num(LAST))):
            changes.add_last(x, self.kind, at, item)
        with build.when(b.binary("eq", what, lir.Num(FIRST))):
            length = build.bind(b.plus(lir.Load(*at), 1))
            build.set(whole, b.plus(lir.Get(whole), -self.stride * CELL))
            x.store(at, (length, *item))
        with build.when(b.binary("eq", what, lir.Num(GONE))):
            changes.take_out(x, self.kind, at, item)
