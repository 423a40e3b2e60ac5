"""Sets as conditions meet them: whether one member belongs is asked without asking it of all.

Every set knows `has(member)` and `members()`, in id order; members of a set of the state are read as they
are asked for, so that a search need not try what nobody looks at.  `why` is the search's: what an answer
depends on is left there (see `search`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from rulekit.analysis.prove.search import Cell
from rulekit.base.bits import Bits
from rulekit.base.frozen import frozen

_IDS: Final = Bits()


class LazySet:
    """A set of numbers.  (No `ABC`: whether something is a set is asked too often for its slower test.)"""

    @abstractmethod
    def has(self, member: int) -> bool:
        """Whether a number belongs to it."""

    @abstractmethod
    def superset(self) -> Iterable[int]:
        """Numbers, in order, among which are all that belong; nothing is read to tell them."""

    def within_superset(self) -> Callable[[int], bool]:
        """Return a test of whether a number of `superset` belongs to it."""
        return self.has

    def members(self) -> Iterator[int]:
        """Those that belong, in id order."""
        return filter(self.within_superset(), self.superset())

    def mask(self) -> int:
        """All of it, as a mask."""
        return sum(1 << member for member in self.members())


@frozen
class KnownSet(LazySet):
    """A set that is known."""

    bits: int

    def has(self, member: int) -> bool:
        return member >= 0 and bool(self.bits >> member & 1)

    def superset(self) -> Iterable[int]:
        return _IDS[self.bits]

    def mask(self) -> int:
        return self.bits


@frozen
class FilteredSet(LazySet):
    """Those of some candidates that pass a test."""

    candidates: LazySet
    test: Callable[[int], bool]
    why: list[Cell]

    def has(self, member: int) -> bool:
        if isinstance(self.candidates, KnownSet):
            return self.candidates.has(member) and bool(self.test(member))
        start = len(self.why)
        if not self.candidates.has(member):
            return False
        middle = len(self.why)
        if self.test(member):
            return True
        del self.why[start:middle]
        return False

    def superset(self) -> Iterable[int]:
        return self.candidates.superset()

    def within_superset(self) -> Callable[[int], bool]:
        return self.test if isinstance(self.candidates, KnownSet) else self.has


@frozen
class UnionSet(LazySet):
    """What belongs to any of some sets."""

    parts: Sequence[LazySet]
    why: list[Cell]

    def has(self, member: int) -> bool:
        start = len(self.why)
        for part in self.parts:
            middle = len(self.why)
            if part.has(member):
                del self.why[start:middle]
                return True
        return False

    def superset(self) -> Iterable[int]:
        return sorted({member for part in self.parts for member in part.superset()})


@frozen
class DifferenceSet(LazySet):
    """What belongs to one set and not to another (`without`), or to both."""

    part: LazySet
    other: LazySet
    without: bool
    why: list[Cell]

    def has(self, member: int) -> bool:
        start = len(self.why)
        if not self.part.has(member):
            return False
        middle = len(self.why)
        if self.other.has(member) is not self.without:
            return True
        del self.why[start:middle]
        return False

    def superset(self) -> Iterable[int]:
        return self.part.superset()
