"""The types of the language, shared by the model and the IR.

Made by `typecheck` from what is written, read by everything after it.  Every type is finite: a
value of any of them is an `int`, a tuple of ints, a dict of ints, a `Fraction` (for `ratio`) or a
`TextValue`.

Encoding (spec 3.9): members of enums, pieces, spaces and groups are numbered from 0 in their
*domain*; a set is a bit mask over its domain; a month is `12 * year + month - 1`; a flag is a bool;
`none` is `NONE`, one number outside every range, whatever the type; a record is one number, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulekit.base.frozen import frozen

if TYPE_CHECKING:
    from fractions import Fraction

NONE: Final = -(2**31)
"""`none`, in every optional type: far outside all ranges, so that a slip is an error, not a wrong read."""

GAP: Final = NONE + 1
"""The value of a printed table where no row applies; looking it up is a fault."""

DONE: Final = NONE + 2
"""The option that ends a choice of several picks."""

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FULL: Final = "January February March April May June July August September October November December".split()
_WRITTEN: Final = {name: n for names in (MONTHS, _FULL) for n, name in enumerate(names)} | {"Sept": 8}


@frozen
class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "flag"


@frozen
class Int:
    """The whole numbers `low..high`, both inclusive."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@frozen
class Month:
    """A month of a year, as `12 * year + month - 1`; bounded by the calendar."""

    low: int
    high: int

    def __str__(self) -> str:
        return "month"


@frozen
class Ratio:
    """An exact fraction, such as odds of 3:1."""

    def __str__(self) -> str:
        return "ratio"


@frozen
class Text:
    """A text for readers, from data or the rules; play stores none."""

    def __str__(self) -> str:
        return "text"


@frozen
class TextValue:
    """A value of the type `Text`."""

    text: str

    def __str__(self) -> str:
        return self.text


@frozen
class Member:
    """One member of a domain, limited to the kind `name` (an enum, piece, space, group or union)."""

    domain: str
    name: str

    def __str__(self) -> str:
        return self.name


@frozen
class Optional:
    """A value of `of`, or none."""

    of: Scalar

    def __str__(self) -> str:
        return f"{self.of} or none"


@frozen
class SetOf:
    """Any subset of a kind (or of `0..n`): a bit mask over the domain."""

    of: Member | Int

    def __str__(self) -> str:
        return f"set of {self.of}"


@frozen
class ListOf:
    """At most `most` values in an order; the first is the top of a stack."""

    of: Scalar | SetOf
    most: int

    def __str__(self) -> str:
        return f"list of {self.of}, at most {self.most}"


@frozen
class MapOf:
    """A value for each of some keys; only locals, parameters and results have this type."""

    key: Member
    value: Type

    def __str__(self) -> str:
        return f"map {self.key} to {self.value}"


@frozen
class Row:
    """A row of the printed table `table`, which has several result columns."""

    table: str

    def __str__(self) -> str:
        return f"row of {self.table}"


@frozen
class Record:
    """A value under each of some names: the answer to a pick of several (see `ir.semantics.records`)."""

    names: tuple[str, ...]
    types: tuple[Member | Int, ...]

    def __str__(self) -> str:
        parts = (f"{name}: {kind}" for name, kind in zip(self.names, self.types, strict=True))
        return f"({', '.join(parts)})"


@frozen
class Nothing:
    """The type of a procedure without a result."""

    def __str__(self) -> str:
        return "nothing"


Scalar = Flag | Int | Month | Ratio | Text | Member | Row | Record
Type = Scalar | Optional | SetOf | ListOf | MapOf | Nothing


def month_number(text: str) -> int:
    """`Aug 1942` (or `August 1942`) as a number: `12 * year + month - 1`.

    Raises:
        ValueError: It is not a month.
    """
    words = text.split()
    name, year = words if len(words) == 2 else ("", "")
    if name not in _WRITTEN or len(year) != 4 or not (year.isdecimal() and year.isascii()):
        raise ValueError(f"invalid month `{text}`")
    return 12 * int(year) + _WRITTEN[name]


def month_text(number: int) -> str:
    """The month as it is written: `Aug 1942`."""
    return f"{MONTHS[number % 12]} {number // 12}"


def ratio_text(ratio: Fraction) -> str:
    """The ratio as it is written: `3:2`."""
    return f"{ratio.numerator}:{ratio.denominator}"
