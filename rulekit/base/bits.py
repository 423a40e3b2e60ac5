"""Sets as bit masks: member n is in the set if bit n is set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

SPARSE: Final = 8
"""Masks of at most so many members are read bit by bit, larger ones a byte at a time."""


class _Byte(dict[int, tuple[int, ...]]):
    """The members for each value of one byte of a mask, worked out when they are first asked for."""

    __slots__ = ("_low",)

    def __init__(self, low: int) -> None:
        super().__init__()
        self._low = low

    def __missing__(self, value: int) -> tuple[int, ...]:
        numbers = self[value] = tuple(self._low + bit for bit in range(8) if value >> bit & 1)
        return numbers


_BYTES: list[_Byte] = []
"""For each byte of a mask, from the lowest."""


class Bits(dict[int, tuple[int, ...]]):
    """The members of each mask in id order, cached; bounded, so that hostile games cannot fill memory."""

    __slots__ = ()
    MOST = 1 << 16

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= self.MOST:
            self.clear()
        numbers = self[mask] = member_ids(mask)
        return numbers


def member_ids(mask: int) -> tuple[int, ...]:
    """Return the members of a mask in id order, at once: the fastest way if all of them are needed."""
    numbers: list[int] = []
    if mask.bit_count() <= SPARSE:
        while mask:
            high = mask.bit_length() - 1
            numbers.append(high)
            mask ^= 1 << high
        numbers.reverse()
        return tuple(numbers)
    values = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    while len(_BYTES) < len(values):
        _BYTES.append(_Byte(8 * len(_BYTES)))
    for row, value in zip(_BYTES, values, strict=False):
        if value:
            numbers += row[value]
    return tuple(numbers)


def members(mask: int) -> Iterator[int]:
    """Yield the members of a mask in id order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(numbers: Iterable[int]) -> int:
    """Return the mask of some members."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
