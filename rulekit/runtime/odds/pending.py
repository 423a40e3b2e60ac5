"""Calls that only add are put off: their chances are worked out once, and combined when a rule looks.

Until then a number or some flags are *unknown*.  An unknown number knows its bounds, so that tests which all
its values pass, or none, need no look.  Any other use raises `Unresolved`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from rulekit.base.frozen import frozen

Element = tuple[int, int]
"""A cell, and which flag of it, or `NUMBER`."""

NUMBER: Final = -1

Deltas = tuple[tuple[Element, int], ...]
"""The changes of one call, in order: sums for numbers, 1 for flags; no zeros."""


class Unresolved(BaseException):
    """A value is needed that is not known yet."""

    def __init__(self, element: Element) -> None:
        super().__init__()
        self.element = element


@frozen
class Kernel:
    """All that a call may add, each with its weight.

    Attributes:
        number: Equal kernels have the same.
        weights: By what is added; together `total`.
        numbers: The cells whose numbers it may change, with the least and the most that it adds.
        flags: The cells whose flags it may set, with these flags.
        late: Whether the changes wait for the end of a `together` block.
        elements: Everything that it may change.
    """

    number: int
    weights: Mapping[Deltas, int]
    total: int
    numbers: tuple[tuple[int, int, int], ...]
    flags: tuple[tuple[int, int], ...]
    late: bool
    elements: frozenset[Element]


Pending = tuple[tuple[int, int], ...]
"""Kernels by number, in order, each with how often it is pending."""


class UnknownNumber:
    """A number in a cell, of which only bounds are known; `base` is what it was before."""

    __slots__ = ("base", "cell", "high", "low")

    def __init__(self, cell: int, base: int, low: int, high: int) -> None:
        self.cell, self.base, self.low, self.high = cell, base, low, high

    def _look(self, *others: Any) -> NoReturn:
        raise Unresolved((self.cell, NUMBER))

    def __add__(self, other: Any) -> UnknownNumber:
        if type(other) is not int:
            self._look()
        return UnknownNumber(self.cell, self.base + other, self.low + other, self.high + other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> UnknownNumber:
        return self + -other if type(other) is int else self._look()

    def __lt__(self, other: Any) -> bool:
        return self._is_below(other, self.high, self.low)

    def _is_below(self, other: Any, all_below: int, some_below: int) -> bool:
        """Whether it is less than a number, if all that it may be agrees on that."""
        if type(other) is int and all_below < other:
            return True
        if type(other) is int and some_below >= other:
            return False
        self._look()

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return self < other + 1 if type(other) is int else self._look()

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        if type(other) is int and not self.low <= other <= self.high:
            return False
        if self.low == self.high == other:
            return True
        self._look()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    __hash__ = __index__ = __int__ = __mul__ = __rmul__ = __rsub__ = __neg__ = _look
    __floordiv__ = __mod__ = __truediv__ = __abs__ = __and__ = __rand__ = __or__ = __ror__ = _look
    __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __rfloordiv__ = _look
    __rmod__ = __rtruediv__ = __str__ = __iter__ = __len__ = __getitem__ = _look


class UnknownFlags:
    """Flags in a cell, some of which are unknown: `known` are those that are set for sure.

    `hidden` are those unknown ones that were set before; `owner` gives what decides an unknown flag.
    A part of the flags, or moved ones, can be tested, but not stored.
    """

    __slots__ = ("hidden", "known", "owner", "shift", "unknown", "whole")

    def __init__(
        self,
        known: int,
        unknown: int,
        hidden: int,
        owner: Callable[[int], Element],
        shift: int = 0,
        *,
        whole: bool = True,
    ) -> None:
        self.known, self.unknown, self.hidden, self.owner = known, unknown, hidden, owner
        self.shift, self.whole = shift, whole

    @property
    def base(self) -> int:
        """The flags as they were before."""
        return self.known | self.hidden

    def element(self, bit: int) -> Element:
        """Return the element that decides a flag."""
        return self.owner(bit + self.shift)

    def _look(self, *others: Any) -> NoReturn:
        lowest = self.unknown & -self.unknown
        raise Unresolved(self.element(lowest.bit_length() - 1))

    def __and__(self, other: Any) -> Any:
        if type(other) is not int:
            self._look()
        unknown = self.unknown & other
        if not unknown:
            return self.known & other
        whole = self.whole and unknown == self.unknown
        return UnknownFlags(
            self.known & other, unknown, self.hidden & other, self.owner, self.shift, whole=whole
        )

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if type(other) is not int or other & self.hidden:
            self._look()
        unknown = self.unknown & ~other
        if not unknown:
            return self.known | other
        return UnknownFlags(
            self.known | other, unknown, self.hidden, self.owner, self.shift, whole=self.whole
        )

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        if type(other) is not int or other & self.unknown:
            self._look()
        return UnknownFlags(
            self.known ^ other, self.unknown, self.hidden, self.owner, self.shift, whole=self.whole
        )

    __rxor__ = __xor__

    def __rshift__(self, other: Any) -> Any:
        if type(other) is not int:
            self._look()
        unknown = self.unknown >> other
        if not unknown:
            return self.known >> other
        shift = self.shift + other
        return UnknownFlags(
            self.known >> other, unknown, self.hidden >> other, self.owner, shift, whole=False
        )

    def __bool__(self) -> bool:
        return True if self.known else self._look()

    def __eq__(self, other: object) -> bool:
        if type(other) is int and (self.known & ~other or other & ~(self.known | self.unknown)):
            return False
        self._look()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def bit_count(self) -> int:
        """How many flags are set."""
        self._look()

    bit_length = bit_count
    __hash__ = __index__ = __int__ = __add__ = __radd__ = __sub__ = __rsub__ = _look
    __mul__ = __rmul__ = __neg__ = __invert__ = __lshift__ = __rlshift__ = __rrshift__ = _look
    __floordiv__ = __mod__ = __lt__ = __le__ = __gt__ = __ge__ = _look
    __str__ = __iter__ = __len__ = __getitem__ = _look


def decided_by(value: Any) -> tuple[Element, int, int] | None:
    """Return what decides a value: the element, the number it is added to, the bits it is moved by.

    None for a value that is known.

    Raises:
        Unresolved: More than one element decides it.
    """
    if type(value) is UnknownNumber:
        return (value.cell, NUMBER), value.base, 0
    if type(value) is not UnknownFlags:
        return None
    bit = value.unknown.bit_length() - 1
    if value.known or value.unknown != 1 << bit:
        value.bit_count()
    return value.element(bit), 0, bit
