"""A machine that puts off calls which only add, and knows what is unknown because of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, Protocol

from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.machine.streams import Streams
from rulekit.runtime.odds.pending import (
    NUMBER,
    Deltas,
    Element,
    Kernel,
    Pending,
    UnknownFlags,
    UnknownNumber,
    Unresolved,
    own_terms,
)
from rulekit.runtime.support.layout import Layout, Slots
from rulekit.runtime.support.masks import TestMasks
from rulekit.runtime.support.state_changes import span, store_indexed
from rulekit.runtime.support.together import ADD, MARK, entries

Cells = list[Any]
UNKNOWN = (UnknownNumber, UnknownFlags)


class KernelSource(Protocol):
    """Works out what calls add."""

    def added_by(self, machine: OddsMachine, call: int, arguments: tuple[Any, ...]) -> Pending | None:
        """Return what a call adds, in a machine's situation; None if it cannot be put off."""

    def kernel(self, number: int) -> Kernel:
        """A kernel by its number."""

    def after_landing(self, kernel: Kernel) -> Kernel:
        """A kernel that waits for the end of a `together` block, as it is after that end."""

    def intern(self, weights: dict[Deltas, int], *, late: bool) -> int:
        """Return the number of the kernel with these weights."""

    def part(self, number: int, wanted: frozenset[Element]) -> Kernel:
        """Return what a kernel adds to some elements, whatever it adds to others."""


class OddsMachine(Machine):
    """A machine for odds.

    Attributes:
        source: Works out what calls add.
        pending: How often each kernel is pending, by number.
        deferred: How many calls were put off since a stop.
        cut_at: After how many of them the game is to stop; 0 for never.
    """

    __slots__ = ("cut_at", "deferred", "pending", "source")

    def __init__(self, module: GeneratedModule, source: KernelSource | None) -> None:
        super().__init__(module, _no_streams(module), [])
        self.source = source
        self.pending: dict[int, int] = {}
        self.deferred = self.cut_at = 0

    def defer(self, call: int, arguments: tuple[Any, ...]) -> int:
        """Put a call off: 1 if that is done, 2 if the game is to stop then; 0 if it must be run now."""
        if self.source is None:
            return 0
        added = self.source.added_by(self, call, arguments)
        if added is None or not self._has_room(added):
            return 0
        for number, count in added:
            kernel = self.source.kernel(number)
            if not kernel.late:
                self._expect_untouched(kernel)
                self.obscure(kernel, count)
            self.pending[number] = self.pending.get(number, 0) + count
        self.deferred += 1
        return 2 if self.deferred == self.cut_at else 1

    def _has_room(self, added: Pending) -> bool:
        """Whether no number can leave its range by what is added, whatever is pending."""
        M, layout = self.M, self.module.layout
        more: dict[int, tuple[int, int]] = {}
        assert self.source is not None
        for number, count in added:
            kernel = self.source.kernel(number)
            for cell, least, most in () if kernel.late else kernel.numbers:
                low, high = more.get(cell, (0, 0))
                more[cell] = low + count * least, high + count * most
        for cell, (least, most) in more.items():
            value, (first, last) = M[cell], range_of(layout, cell)
            low, high = (value.low, value.high) if type(value) is UnknownNumber else (value, value)
            if low < first or low + least < first or high + most > last:
                return False
        return True

    def obscure(self, kernel: Kernel, count: int) -> None:
        """Make unknown what so many calls may change."""
        M, layout = self.M, self.module.layout
        for cell, least, most in kernel.numbers:
            value = M[cell]
            base, low, high = (
                (value.base, value.low, value.high) if type(value) is UnknownNumber else (value, value, value)
            )
            low, high = low + count * least, high + count * most
            M[cell] = UnknownNumber(own_terms(cell), base, low, high)
            if has_masks(layout, cell):
                hide_flags(layout, M, cell, low, high)
        for cell, flags in kernel.flags:
            value = M[cell]
            if type(value) is UnknownFlags:
                unknown = value.unknown | flags & ~value.known
                M[cell] = UnknownFlags(value.known, unknown, value.base, value.owner)
            elif flags & ~value:
                M[cell] = UnknownFlags(value, flags & ~value, value, _flag_of(cell))

    def put_off(self, pending: Pending) -> None:
        """Take over what is pending, in cells without it."""
        self.pending = dict(pending)
        self.deferred = 0
        for number, count in pending:
            assert self.source is not None
            kernel = self.source.kernel(number)
            if not kernel.late:
                self.obscure(kernel, count)

    def change(self, changes: Deltas) -> None:
        """Make changes that were put off."""
        M, layout = self.M, self.module.layout
        for (cell, bit), value in changes:
            if cell < 0:
                self.late += (ADD, ~cell, value, -1) if bit == NUMBER else (MARK, ~cell, 1 << bit, -1)
            elif bit == NUMBER:
                store_indexed(layout, layout.owner(cell), M, None, cell, M[cell] + value)
            else:
                M[cell] |= 1 << bit

    def expect_unknown(self) -> None:
        """Look at numbers that were overwritten, and flags that were taken away, while they were pending.

        Raises:
            Unresolved: There is one.
        """
        for kernel in self._pending_kernels():
            for cell, _, _ in kernel.numbers:
                if type(self.M[cell]) is not UnknownNumber:
                    raise Unresolved((cell, NUMBER))
            for cell, flags in kernel.flags:
                self._expect_not_taken(cell, flags)

    def _expect_untouched(self, kernel: Kernel) -> None:
        """Look at cells that a kernel changes, and that hold something else than what is pending for them.

        Raises:
            Unresolved: There is one.
        """
        M = self.M
        numbers = {cell for cell, _, _ in kernel.numbers}
        flags = {cell for cell, _ in kernel.flags}
        for cell in (*numbers, *flags):
            base_of(M[cell], cell)
        for other in self._pending_kernels():
            for cell, _, _ in other.numbers:
                if cell in numbers and type(M[cell]) is not UnknownNumber:
                    raise Unresolved((cell, NUMBER))
            for cell, set_ in other.flags:
                if cell in flags:
                    self._expect_not_taken(cell, set_)

    def _expect_not_taken(self, cell: int, flags: int) -> None:
        """Look at flags of a cell that may be set, and are known not to be.

        Raises:
            Unresolved: There is one.
        """
        value = self.M[cell]
        if type(value) is not UnknownFlags and (taken := flags & ~value):
            raise Unresolved((cell, (taken & -taken).bit_length() - 1))

    def _pending_kernels(self) -> Iterator[Kernel]:
        """The kernels that are pending, without those that wait for the end of a `together` block."""
        for number in self.pending:
            assert self.source is not None
            kernel = self.source.kernel(number)
            if not kernel.late:
                yield kernel

    def land(self, site: int) -> None:
        late = [
            (self.source.kernel(n), count) for n, count in self.pending.items() if self.source is not None
        ]
        late = [(kernel, count) for kernel, count in late if kernel.late]
        if not late:
            super().land(site)
            return
        self._expect_room(late)
        super().land(site)
        assert self.source is not None
        for kernel, _ in late:
            del self.pending[kernel.number]
        for kernel, count in late:
            landed = self.source.after_landing(kernel)
            self._expect_untouched(landed)
            self.pending[landed.number] = self.pending.get(landed.number, 0) + count
            self.obscure(landed, count)

    def _expect_room(self, late: Iterable[tuple[Kernel, int]]) -> None:
        """Look at what waits, unless all that it may be agrees with the other changes and the ranges.

        The other changes land first, and so must stay in the ranges without it.

        Raises:
            Unresolved: Something of it does not.
        """
        M, layout = self.M, self.module.layout
        added: dict[int, int] = {}
        other: set[int] = set()
        for what, where, value, _ in entries(self.late):
            if what == ADD:
                added[where] = added.get(where, 0) + value
            elif what != MARK:
                other.add(where)
        lows: dict[int, int] = {}
        highs: dict[int, int] = {}
        for kernel, count in late:
            for place, least, most in kernel.numbers:
                lows[~place] = lows.get(~place, 0) + count * least
                highs[~place] = highs.get(~place, 0) + count * most
            for place, flags in kernel.flags:
                if ~place in other:
                    raise Unresolved((place, (flags & -flags).bit_length() - 1))
        for cell in lows:
            value, ends = M[cell], range_of(layout, cell)
            low, high = (value.low, value.high) if type(value) is UnknownNumber else (value, value)
            more = added.get(cell, 0)
            if (
                cell in other
                or low < ends[0]
                or low + more + min(lows[cell], 0) < ends[0]
                or high + more + max(highs[cell], 0) > ends[1]
            ):
                raise Unresolved((~cell, NUMBER))


@lru_cache(maxsize=8)
def _no_streams(module: GeneratedModule) -> Streams:
    """Streams for a machine that asks for chance, and never reads them."""
    return Streams(module, 0)


def range_of(layout: Layout, cell: int) -> tuple[int, int]:
    """The ends of the range of a number."""
    ends = span(layout.owner(cell).state)
    assert ends is not None
    return ends


def has_masks(layout: Layout, cell: int) -> bool:
    """Whether masks are kept of a number's values."""
    name = layout.owner(cell).state.name
    return name in layout.indexes or name in layout.classes


def hide_flags(layout: Layout, M: Cells, cell: int, low: int, high: int) -> None:
    """Make the flags of a number unknown in the masks that are kept of its values, unless its bounds tell."""
    slots = layout.owner(cell)
    bit = 1 << cell - slots.base
    for mask, holds in _tests(layout, slots):
        results = [holds(cell - slots.base, value) for value in range(low, high + 1)]
        value, always = M[mask], all(results)
        known, unknown, before = (
            (value.known, value.unknown, value.base) if type(value) is UnknownFlags else (value, 0, value)
        )
        known = known & ~bit | bit * always
        unknown = unknown & ~bit | bit * (any(results) and not always)
        is_as_before = not unknown and known == before
        M[mask] = (
            before if is_as_before else UnknownFlags(known, unknown, before, _number_of(M, slots.base, holds))
        )


def _tests(layout: Layout, slots: Slots) -> Iterator[tuple[int, Callable[[int, int], bool]]]:
    """The masks of a state's members by value, and which member has the flag at which value."""
    index, classes = layout.indexes.get(slots.state.name), layout.classes.get(slots.state.name)
    for value in () if index is None else range(index.low, index.none):
        assert index is not None
        yield index.cell(value), partial(_equals, value)
    for test, mask in () if classes is None else enumerate(classes.cells):
        assert classes is not None
        yield mask, partial(_passes, classes, test)


def _equals(value: int, member: int, number: int) -> bool:
    return number == value


def _passes(classes: TestMasks, test: int, member: int, number: int) -> bool:
    return bool(classes.tests_at(member, number) >> test & 1)


def _number_of(M: Cells, first: int, holds: Callable[[int, int], bool]) -> Callable[[int], Unresolved]:
    """The look at the number that decides a flag of a mask."""

    def look(member: int) -> Unresolved:
        number, element = M[first + member], (first + member, NUMBER)
        if type(number) is not UnknownNumber:
            return Unresolved(element)
        results = [holds(member, value) for value in range(number.low, number.high + 1)]
        turns = (n for n in range(1, len(results)) if results[n] != results[n - 1])
        return Unresolved(element, tuple(number.low + turn - number.base for turn in turns))

    return look


def _flag_of(cell: int) -> Callable[[int], Unresolved]:
    return lambda bit: Unresolved((cell, bit))


def base_of(value: Any, cell: int) -> Any:
    """Return the value that a cell had before the pending calls.

    Raises:
        Unresolved: It holds something unknown that is not its own, or a part of it.
    """
    if (
        type(value) is UnknownNumber
        and value.terms != own_terms(cell)
        or (type(value) is UnknownFlags and not value.whole)
    ):
        value._look()
    return value.base if type(value) in UNKNOWN else value


def pending_of(machine: OddsMachine) -> Pending:
    """Return the pending calls, as part of a situation."""
    return tuple(sorted(machine.pending.items()))
