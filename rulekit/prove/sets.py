"""Sets as conditions meet them: whether one member belongs is asked without asking it of all.

Every set knows `has(member)` and `members()`, in id order; members of a set of the state are read as they
are asked for, so that a search need not try what nobody looks at.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rulekit.interpret.operations import listed


class Members(ABC):
    """A set of numbers."""

    @abstractmethod
    def has(self, member: int) -> bool:
        """Whether a number belongs to it."""

    @abstractmethod
    def members(self) -> Iterator[int]:
        """Those that belong, in id order."""

    def mask(self) -> int:
        """All of it, as a mask."""
        return sum(1 << member for member in self.members())


@dataclass(frozen=True, slots=True)
class Fixed(Members):
    """A set that is known."""

    bits: int

    def has(self, member: int) -> bool:
        return member >= 0 and bool(self.bits >> member & 1)

    def members(self) -> Iterator[int]:
        return iter(listed(self.bits))

    def mask(self) -> int:
        return self.bits


@dataclass(frozen=True, slots=True)
class Tested(Members):
    """Those of some candidates that pass a test."""

    candidates: Members
    test: Callable[[int], bool]

    def has(self, member: int) -> bool:
        return self.candidates.has(member) and self.test(member)

    def members(self) -> Iterator[int]:
        return (member for member in self.candidates.members() if self.test(member))


@dataclass(frozen=True, slots=True)
class Union(Members):
    """What belongs to any of some sets."""

    parts: Sequence[Members]

    def has(self, member: int) -> bool:
        return any(part.has(member) for part in self.parts)

    def members(self) -> Iterator[int]:
        whole = {member for part in self.parts for member in part.members()}
        return iter(sorted(whole))


@dataclass(frozen=True, slots=True)
class Less(Members):
    """What belongs to one set and not to another (`without`), or to both."""

    part: Members
    other: Members
    without: bool

    def has(self, member: int) -> bool:
        return self.part.has(member) and self.other.has(member) is not self.without

    def members(self) -> Iterator[int]:
        return (member for member in self.part.members() if self.other.has(member) is not self.without)
