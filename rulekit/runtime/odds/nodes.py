"""Situations: everything at a stop that may decide what happens next, as plain data that compares equal.

A node holds the cells that the question may change, the frames, the changes that wait in a `together`
block, and what is asked.  Left out is only what no rule reads: the fuel, the counters of chance and reveals,
and how often a loop without a limit of its own has run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulekit.ir.types import MapOf, Nothing
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.codegen.routines.frames import Frame
from rulekit.runtime.odds.deferring import UNKNOWN, OddsMachine, base_of, pending_of
from rulekit.runtime.odds.pending import Pending
from rulekit.runtime.support.asked import Question
from rulekit.runtime.support.layout import Layout
from rulekit.runtime.support.together import ADD, DISSOLVE, MARK, PLACE, SET, UNMARK, entries

Span = tuple[int, int]
"""Cells from the first address to before the second."""

NEAR = 8
"""Spans with at most so many cells between them are kept as one, which is faster than two."""


class Node:
    """A stop, with where it leads once that is known.

    Attributes:
        pending: Calls that were put off.
        memory: The memory of the policy there.
        edges: The situations and outcomes that follow, by number, each with its weight; None before they
            are worked out.
        total: The sum of the weights.
    """

    __slots__ = ("asked", "cells", "choosing", "edges", "late", "memory", "pending", "stack", "total")

    def __init__(
        self,
        cells: tuple[Any, ...],
        stack: tuple[Frame, ...],
        late: tuple[Any, ...],
        asked: Question,
        choosing: tuple[Any, ...],
        pending: Pending,
        memory: Any,
    ) -> None:
        self.cells, self.stack, self.late = cells, stack, late
        self.asked, self.choosing, self.pending, self.memory = asked, choosing, pending, memory
        self.edges: list[tuple[int, int]] | None = None
        self.total = 0


class Keeper:
    """Takes situations from a machine, and puts a machine into them."""

    def __init__(self, module: GeneratedModule, written: Iterable[str]) -> None:
        """`written` are the states that may change."""
        self.spans = spans_of(module.layout, written)
        self._addresses = tuple(cell for first, end in self.spans for cell in range(first, end))
        self._single = self.spans[0] if len(self.spans) == 1 else None
        kept = (v for cut in module.cuts for label in cut.labels if label is not None for _, v in label.kept)
        self._has_maps = any(isinstance(variable.type, MapOf | Nothing) for variable in kept)
        self._budgets = {
            (number, label): tuple(slot for slot, variable in point.kept if variable.counts_budget)
            for number, cut in enumerate(module.cuts)
            for label, point in enumerate(cut.labels)
            if point is not None and any(variable.counts_budget for _, variable in point.kept)
        }

    def take(self, machine: OddsMachine, memory: Any, later: Pending = ()) -> tuple[Any, Node]:
        """The key and the node of a machine that has stopped.

        Args:
            later: The calls that are pending, if the machine is in the situation without them; nothing in it
                is unknown then.

        Raises:
            Unresolved: Something unknown is held where it cannot stay.
        """
        asked = machine.asked
        assert asked is not None
        stack = machine.stack
        if self._budgets:
            stack[:] = [self._without_budget(frame) for frame in stack]
        if machine.late:
            machine.late[:] = in_normal_form(machine.late)
        cells, pending = self.cells(machine), pending_of(machine) if machine.pending else later
        if machine.pending:
            _expect_known(stack)
            _expect_known((machine.late, asked, machine.choosing))
        choosing = machine.choosing if asked[0] >= 0 else ()
        node = Node(cells, tuple(stack), tuple(machine.late), asked, choosing, pending, memory)
        frames: tuple[Any, ...] = node.stack
        if self._has_maps:
            frames = tuple([hashable(frame) for frame in frames])
        return (cells, frames, node.late, asked, choosing, pending, memory), node

    def cells(self, machine: OddsMachine) -> tuple[Any, ...]:
        """The cells that may change, without what is pending.

        Raises:
            Unresolved: Something unknown is in another's cell, or was overwritten.
        """
        M = machine.M
        if self._single is not None and not machine.pending:
            return tuple(M[self._single[0] : self._single[1]])
        flat: list[Any] = []
        for first, end in self.spans:
            flat += M[first:end]
        if machine.pending:
            machine.expect_unknown()
            places = [place for place, kind in enumerate(map(type, flat)) if kind is not int]
            for place in places:
                flat[place] = base_of(flat[place], self._addresses[place])
        return tuple(flat)

    def put_cells(self, machine: OddsMachine, cells: tuple[Any, ...]) -> None:
        """Put back the cells that may change."""
        M = machine.M
        if self._single is not None:
            M[self._single[0] : self._single[1]] = cells
        else:
            at = 0
            for first, end in self.spans:
                M[first:end] = cells[at : (at := at + end - first)]

    def put(self, machine: OddsMachine, node: Node) -> None:
        """Put a machine into a node."""
        self.put_cells(machine, node.cells)
        machine.stack[:] = node.stack
        machine.late[:] = node.late
        machine.put_off(node.pending)

    def _without_budget(self, frame: Frame) -> Frame:
        """A frame without how often a loop has run that has no limit of its own, but whether it has run."""
        slots = self._budgets.get(frame[:2])
        if slots is None:
            return frame
        values = list(frame)
        for slot in slots:
            values[slot] = min(values[slot], 1)
        return tuple(values)


def spans_of(layout: Layout, states: Iterable[str], *, derived: bool = True) -> list[Span]:
    """The cells of some states, with the masks that are derived from them."""
    spans: list[Span] = []
    for name in states:
        slots = layout.slots[name]
        spans.append((slots.base, slots.base + slots.size))
        if not derived:
            continue
        if name == "place":
            spans.append((layout.first_derived, layout.first_derived + layout.spaces + 1))
        if name in layout.indexes:
            index = layout.indexes[name].slots
            spans.append((index.base, index.base + index.size))
        if name in layout.classes:
            spans += [(cell, cell + 1) for cell in layout.classes[name].cells]
    joined: list[Span] = []
    for first, end in sorted(spans):
        if joined and first - joined[-1][1] <= NEAR:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((first, end))
    return joined


def in_normal_form(late: list[Any]) -> list[Any]:
    """The changes that wait for the end of a `together` block, such that equal ones compare equal.

    Numbers added to one cell are summed, flags joined, equal changes merged, and changes of different cells
    put in the order of cells: `together` lands all of these alike.  Changes of one list keep their order.
    """
    joined: dict[tuple[int, int], list[Any]] = {}
    others: list[tuple[Any, ...]] = []
    for entry in entries(late):
        what, where, value, event = entry
        if what in (MARK, UNMARK) and not value:
            continue
        known = joined.get((where, what))
        if what in (ADD, MARK, UNMARK) or what in (SET, PLACE) and known is None:
            if known is None:
                joined[where, what] = [value, event]
            else:
                known[0] = known[0] + value if what == ADD else known[0] | value
                known[1] = min(known[1], event)
        elif what not in (SET, PLACE) or known is None or known[0] != value:
            others.append(entry)
    others.sort(key=lambda entry: (entry[0] == DISSOLVE, entry[1]))
    sums = [(what, where, *joined[where, what]) for where, what in sorted(joined)]
    return [part for entry in (*sums, *others) for part in entry]


def _expect_known(values: Iterable[Any]) -> None:
    """Look at whatever is unknown among values, in tuples and maps too.

    Raises:
        Unresolved: Something is.
    """
    for value in values:
        if type(value) in UNKNOWN:
            value._look()
        elif type(value) in (tuple, list):
            _expect_known(value)
        elif type(value) is dict:
            _expect_known(value.values())


def hashable(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Values as part of a key: maps, which routines never change, by what is in them."""
    if dict not in map(type, values):
        return values
    return tuple([_content(part) if type(part) is dict else part for part in values])


def _content(answers: dict[Any, Any]) -> frozenset[Any]:
    return frozenset([(key, _content(part) if type(part) is dict else part) for key, part in answers.items()])
