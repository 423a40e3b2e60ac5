"""Calls that only add are put off: their chances are worked out once, and combined when a rule looks.

Until then a number or some flags are *unknown*.  An unknown number knows its bounds, so that tests which all
its values pass, or none, need no look.  Adding unknown numbers up gives another.  Any other use raises
`Unresolved`, which says how finely the rule looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NoReturn

from rulekit.base.frozen import frozen

Element = tuple[int, int]
"""A cell, and which flag of it, or `NUMBER`; the cell as `~cell` for a change that waits in a `together`."""

NUMBER: Final = -1

Deltas = tuple[tuple[Element, int], ...]
"""The changes of one call, in order: sums for numbers, 1 for flags; no zeros."""

Terms = tuple[tuple[Element, int], ...]
"""Elements, each with a factor."""


class Unresolved(BaseException):
    """A rule looks at something that is not known yet.

    Attributes:
        element: The number or flag.
        cuts: The sums of what is added to it, in order, from each of which on the rule may go on differently;
            None if it asks for the sum itself.
    """

    def __init__(self, element: Element, cuts: tuple[int, ...] | None = None) -> None:
        super().__init__()
        self.element, self.cuts = element, cuts


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


@lru_cache(maxsize=4096)
def own_terms(cell: int) -> Terms:
    """Return the terms of a number that is in its own cell."""
    return (((cell, NUMBER), 1),)


class UnknownNumber:
    """A number of which only bounds are known: `base`, and each element of `terms` by its factor."""

    __slots__ = ("base", "high", "low", "terms")

    def __init__(self, terms: Terms, base: int, low: int, high: int) -> None:
        self.terms, self.base, self.low, self.high = terms, base, low, high

    def _look(self, *others: Any) -> NoReturn:
        raise Unresolved(self.terms[0][0])

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            return UnknownNumber(self.terms, self.base + other, self.low + other, self.high + other)
        if type(other) is not UnknownNumber:
            self._look()
        factors = dict(self.terms)
        for element, factor in other.terms:
            factors[element] = factors.get(element, 0) + factor
        terms = tuple(sorted([term for term in factors.items() if term[1]]))
        base = self.base + other.base
        return UnknownNumber(terms, base, self.low + other.low, self.high + other.high) if terms else base

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        if type(other) is not int:
            self._look()
        if not other:
            return 0
        low, high = sorted((self.low * other, self.high * other))
        terms = tuple([(element, factor * other) for element, factor in self.terms])
        return UnknownNumber(terms, self.base * other, low, high)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other if type(other) in (int, UnknownNumber) else self._look()

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __lt__(self, other: Any) -> bool:
        if type(other) is int:
            if self.high < other:
                return True
            if self.low >= other:
                return False
            self._look_for(other)
        if type(other) is not UnknownNumber:
            self._look()
        return bool(self - other < 0)

    def _look_for(self, *limits: int) -> NoReturn:
        """Look whether the number reaches limits."""
        if len(self.terms) > 1:
            self._look()
        ((element, factor),) = self.terms
        cuts = {
            -((self.base - limit) // factor) if factor > 0 else (self.base - limit) // -factor + 1
            for limit in limits
        }
        raise Unresolved(element, tuple(sorted(cuts)))

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return bool(self < other + 1)

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        if type(other) is UnknownNumber:
            return bool(self - other == 0)
        if type(other) is not int:
            self._look()
        if not self.low <= other <= self.high:
            return False
        if self.low == self.high:
            return True
        self._look_for(other, other + 1)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    __hash__ = __index__ = __int__ = __floordiv__ = __mod__ = __truediv__ = __abs__ = __and__ = _look
    __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = _look
    __rrshift__ = __rfloordiv__ = __rmod__ = __rtruediv__ = __str__ = __iter__ = __len__ = _look
    __getitem__ = _look


class UnknownFlags:
    """Flags in a cell, some of which are unknown: `known` are those that are set for sure.

    `base` are the flags as they were before, so that those of `base & ~known` are hidden.  `owner` gives the
    look at what decides an unknown flag.  A part of the flags (not `whole`), or moved ones, can be tested,
    but not stored.
    """

    __slots__ = ("base", "known", "owner", "shift", "unknown", "whole")

    def __init__(
        self,
        known: int,
        unknown: int,
        base: int,
        owner: Callable[[int], Unresolved],
        shift: int = 0,
        *,
        whole: bool = True,
    ) -> None:
        self.known, self.unknown, self.base, self.owner = known, unknown, base, owner
        self.shift, self.whole = shift, whole

    def _look(self, *others: Any) -> NoReturn:
        flags = self.unknown or self.base ^ self.known  # what is sure was not before: by its bounds alone
        raise self.owner((flags & -flags).bit_length() - 1 + self.shift)

    def _with(self, known: int, unknown: int, base: int, *, whole: bool, shift: int = 0) -> Any:
        if not unknown and (known == base or not whole):
            return known
        return UnknownFlags(known, unknown, base, self.owner, self.shift + shift, whole=whole)

    def __and__(self, other: Any) -> Any:
        if type(other) is not int:
            self._look()
        whole = self.whole and not (self.unknown | self.base & ~self.known) & ~other
        return self._with(self.known & other, self.unknown & other, self.base & other, whole=whole)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if type(other) is not int or other & self.base & ~self.known:
            self._look()
        return self._with(self.known | other, self.unknown & ~other, self.base | other, whole=self.whole)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        if type(other) is not int or other & (self.unknown | self.base & ~self.known):
            self._look()
        return self._with(self.known ^ other, self.unknown, self.base ^ other, whole=self.whole)

    __rxor__ = __xor__

    def __invert__(self) -> int:
        return self._look() if self.unknown else ~self.known

    def __rshift__(self, other: Any) -> Any:
        if type(other) is not int:
            self._look()
        return self._with(
            self.known >> other, self.unknown >> other, self.base >> other, whole=False, shift=other
        )

    def __bool__(self) -> bool:
        return bool(self.known) or bool(self.unknown) and self._look()

    def __eq__(self, other: object) -> bool:
        if type(other) is not int:
            self._look()
        if self.known & ~other or other & ~(self.known | self.unknown):
            return False
        return not self.unknown or self._look()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def bit_count(self) -> Any:
        """How many flags are set."""
        terms, sure = self._terms(), self.known.bit_count()
        if not terms:
            return sure
        return UnknownNumber(tuple([(element, 1) for element, _ in terms]), sure, sure, sure + len(terms))

    def number(self) -> Any:
        """The flags as one number, the sum of their powers of two."""
        terms = self._terms()
        if not terms:
            return self.known
        return UnknownNumber(terms, self.known, self.known, self.known | self.unknown)

    def _terms(self) -> Terms:
        bits = [bit for bit in range(self.unknown.bit_length()) if self.unknown >> bit & 1]
        terms = tuple(sorted([(self.owner(bit + self.shift).element, 1 << bit) for bit in bits]))
        if any(element[1] == NUMBER for element, _ in terms):
            self._look()
        return terms

    __hash__ = __index__ = __int__ = __add__ = __radd__ = __sub__ = __rsub__ = bit_length = _look
    __mul__ = __rmul__ = __neg__ = __lshift__ = __rlshift__ = __rrshift__ = _look
    __floordiv__ = __mod__ = __lt__ = __le__ = __gt__ = __ge__ = _look
    __str__ = __iter__ = __len__ = __getitem__ = _look


def as_sum(value: Any) -> Any:
    """Return a value with unknown flags as a sum of elements; others as they are.

    Raises:
        Unresolved: It is not such a sum.
    """
    return value.number() if type(value) is UnknownFlags else value
