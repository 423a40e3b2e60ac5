"""Records as numbers: the values are digits, the last one the lowest; so records sort by their first value.

A digit counts from the lowest value of its type, and has as many values as the domain or range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from rulekit.base.frozen import frozen
from rulekit.ir.types import Member, Record


@frozen
class Digit:
    """One value of a record: its place value, how many values there are, and the lowest of them."""

    weight: int
    count: int
    low: int

    def value(self, number: int) -> int:
        """The value in a record."""
        return number // self.weight % self.count + self.low


def digits_of(kind: Record, sizes: Mapping[str, int]) -> tuple[Digit, ...]:
    """The digits of a type of records; `sizes` has how many members each domain has."""
    spans = [
        (sizes[of.domain], 0) if isinstance(of, Member) else (of.high - of.low + 1, of.low)
        for of in kind.types
    ]
    counts = [count for count, _ in spans]
    return tuple(Digit(prod(counts[place + 1 :]), count, low) for place, (count, low) in enumerate(spans))


def number_of(digits: Sequence[Digit], values: Sequence[int]) -> int:
    """The record with some values, each of which its digit has."""
    return sum((value - digit.low) * digit.weight for digit, value in zip(digits, values, strict=True))


def field_of(kind: Record, name: str, sizes: Mapping[str, int]) -> Digit:
    """The digit of the value under a name."""
    return digits_of(kind, sizes)[kind.names.index(name)]
