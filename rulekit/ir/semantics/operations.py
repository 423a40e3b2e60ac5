"""What the operations of the IR do to plain values.

The folding pass runs these on constants; generated code calls those that are no single expression of
Python.  Each takes values as the types module encodes them.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial, reduce
from operator import or_
from typing import Any, Final, NoReturn

from rulekit.ir.semantics.faults import NOT_A_VALUE, Fault
from rulekit.ir.types import NONE

Number = int | Fraction


class Bits(dict[int, tuple[int, ...]]):
    """Members of a mask in id order, remembered; bounded, so that hostile games cannot fill memory."""

    __slots__ = ()
    MOST = 1 << 16

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= self.MOST:
            self.clear()
        found = self[mask] = listed(mask)
        return found


SPARSE: Final = 8
"""Up to so many members are taken one by one; of more, those of a byte at once."""

_ROWS: list[list[tuple[int, ...]]] = []
"""For each byte of a mask, and each value of it, the members it stands for."""


def listed(mask: int) -> tuple[int, ...]:
    """The members of a mask in id order, as fast as can be: small masks from the top, others by bytes."""
    found: list[int] = []
    if mask.bit_count() <= SPARSE:
        while mask:
            high = mask.bit_length() - 1
            found.append(high)
            mask ^= 1 << high
        found.reverse()
        return tuple(found)
    values = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    while len(_ROWS) < len(values):
        low = 8 * len(_ROWS)
        _ROWS.append([tuple(low + bit for bit in range(8) if value >> bit & 1) for value in range(256)])
    for row, value in zip(_ROWS, values, strict=False):
        if value:
            found += row[value]
    return tuple(found)


def members(mask: int) -> Iterable[int]:
    """The bits of a mask, from the low one."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(values: Iterable[int]) -> int:
    """The set of these values."""
    mask = 0
    for value in values:
        mask |= 1 << value
    return mask


joined = partial(reduce, or_)
"""The union of some sets, at least one."""


def no_value(message: str) -> NoReturn:
    """Fault: something was asked for that is not there."""
    raise Fault(NOT_A_VALUE, message)


def contains(value: int, mask: int) -> bool:
    """Whether a set has a value; none is in no set."""
    return value >= 0 and bool(mask >> value & 1)


def only(mask: int) -> int:
    """The one member of a set."""
    if mask <= 0 or mask & mask - 1:
        count = max(mask, 0).bit_count()
        no_value(f"a set that should have one member has {count or 'none'}")
    return mask.bit_length() - 1


def item(values: tuple[Any, ...], number: int) -> Any:
    """An item of a list, counted from 1."""
    if not 1 <= number <= len(values):
        no_value(f"a list of {len(values)} has no item {number}")
    return values[number - 1]


def at_most(values: tuple[Any, ...], most: int, what: str) -> tuple[Any, ...]:
    """A list that is not too long for what it is given to."""
    if len(values) > most:
        raise Fault("out-of-range", f"{what} would hold {len(values)}, more than {most}")
    return values


def without(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    """A list without the first item that equals a value, if there is one."""
    if value not in values:
        return values
    place = values.index(value)
    return values[:place] + values[place + 1 :]


def index_of(value: Any, values: tuple[Any, ...]) -> int:
    """The place of a value in a list, counted from 1; none if it is not there."""
    return values.index(value) + 1 if value in values else NONE


def divide(a: Number, b: Number, way: str) -> int:
    """A quotient rounded to a whole number; halves go up."""
    if b == 0:
        raise Fault("division-by-zero", "a number is divided by zero")
    match way:
        case "down":
            return a // b
        case "up":
            return -(-a // b)
        case _:
            return (2 * a + b) // (2 * b)


def modulo(a: int, b: int) -> int:
    """The remainder with the sign of `b`."""
    if b == 0:
        raise Fault("division-by-zero", "a number is divided by zero")
    return a % b


def ratio(a: Number, b: Number) -> Fraction:
    """An exact fraction."""
    if b == 0:
        raise Fault("division-by-zero", "a ratio to zero")
    return Fraction(a) / Fraction(b)


def ratio_column(value: Number, columns: tuple[Number, ...], way: str) -> int:
    """Which column (from 0) a value falls in; beyond the ends the end column, halfway the higher."""
    above = bisect_left(columns, value)
    below = bisect_right(columns, value) - 1
    if below < 0 or above >= len(columns):
        return 0 if below < 0 else len(columns) - 1
    match way:
        case "down":
            return below
        case "up":
            return above
        case _:
            return below if value - columns[below] < columns[above] - value else above


def rounded(value: Number, way: str) -> int:
    """A number made whole, as `divide` rounds."""
    return math.floor(value) if way == "down" else divide(Fraction(value), 1, way)


def beside(value: int, step: int, size: int, optional: bool) -> int:
    """The member after or before this one; beyond the ends none, where none is allowed."""
    found = value + step
    if 0 <= found < size and value >= 0:
        return found
    return NONE if optional else no_value("there is no member beyond the last")


PURE: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "abs": abs,
    "smaller": min,
    "larger": max,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "single": lambda a: 1 << a,
    "union": lambda a, b: a | b,
    "inter": lambda a, b: a & b,
    "diff": lambda a, b: a & ~b,
    "has": contains,
    "count": lambda a: a.bit_count(),
    "is_empty": lambda a: not a,
    "within": lambda a, b: not a & ~b,
    "length": len,
    "list_has": lambda a, b: a in b,
    "rest": lambda a: a[1:],
    "joined": lambda a, b: a + b,
    "to_set": mask_of,
    "to_list": lambda a: tuple(members(a)),
    "is_none": lambda a: a == NONE,
}
"""Operations that cannot fault on values of their types, for folding constants."""
