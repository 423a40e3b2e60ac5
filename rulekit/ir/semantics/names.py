"""Values of the IR as names, and names as values: for events, saves, options and the command line.

The JSON form is plain: members by name, months and ratios as text, sets and lists as lists, maps
and records as objects, none as null.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NoReturn

from rulekit.base.bits import members
from rulekit.base.spelling import meant
from rulekit.diagnostics.render_text import printable
from rulekit.ir import Program
from rulekit.ir.semantics.records import digits_of, number_of
from rulekit.ir.types import (
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
    Text,
    TextValue,
    Type,
    month_number,
    month_text,
    ratio_text,
)

MOST_ROWS = 1 << 20

MOST_LIKE: Final = 2000
"""Members of a domain among which an unknown name is looked for."""


class NamingError(ValueError):
    """A name or value is not one of its type; the message says which."""


class UnknownMember(NamingError):
    """A name that no member of a domain has; the message, made when it is read, has the one most like it."""

    def __init__(self, name: object, domain: str, known: Sequence[str]) -> None:
        super().__init__(name, domain, known)
        self._name, self._domain, self._known = name, domain, known

    def __str__(self) -> str:
        few = isinstance(self._name, str) and len(self._known) <= MOST_LIKE
        hint = meant(str(self._name), self._known) if few else None
        return f"{_quoted_value(self._name)} is none of `{self._domain}`{'; ' if hint else ''}{hint or ''}"


class Naming:
    """Names of one program's things."""

    def __init__(self, program: Program) -> None:
        self.domains = program.by_name.domains
        self.kinds = program.by_name.kinds
        self._sizes = program.by_name.sizes
        self._numbers = {
            domain.name: {name: number for number, name in enumerate(domain.members)}
            for domain in program.domains
        }

    def member(self, domain: str, number: int) -> str:
        """Return the name of a member."""
        return self.domains[domain].members[number]

    def side(self, domain: str, number: int) -> str:
        """The name of a side; empty for a number beyond all sides, which is a watcher's."""
        sides = self.domains.get(domain)
        return sides.members[number] if sides is not None and number < len(sides.members) else ""

    def title(self, domain: str, number: int) -> str:
        """Return the printed title of a member."""
        titles = self.domains[domain].titles
        return titles[number] if number < len(titles) and titles[number] else self.member(domain, number)

    def number(self, domain: str, name: object) -> int:
        """Return the number of a member."""
        number = self._numbers[domain].get(name) if isinstance(name, str) else None
        if number is None:
            raise UnknownMember(name, domain, self.domains[domain].members)
        return number

    def to_json(self, kind: Type, value: Any) -> Any:
        """Return a value of a type as JSON."""
        match kind:
            case Optional(of=of):
                return None if value == NONE else self.to_json(of, value)
            case Flag():
                return bool(value)
            case Int() | Row():
                return int(value)
            case Month():
                return month_text(value)
            case Text():
                return str(value)
            case Ratio():
                return ratio_text(Fraction(value))
            case Member(domain=domain):
                return None if value == NONE else self.member(domain, value)
            case SetOf(of=of):
                return [self.to_json(of, one) for one in members(value)]
            case ListOf(of=of):
                return [self.to_json(of, one) for one in value]
            case MapOf(key=key, value=of):
                return {self.member(key.domain, one): self.to_json(of, value[one]) for one in sorted(value)}
            case Record(names=names):
                return dict(zip(names, self._fields(kind, value), strict=True))
            case Nothing():
                return None

    def read(self, kind: Type, shown: Any) -> Any:
        """Return a value from JSON, checked against its type.

        Raises:
            NamingError: It is not a value of the type.
        """
        match kind:
            case Optional(of=of):
                return NONE if shown is None else self.read(of, shown)
            case Flag():
                return int(shown) if isinstance(shown, bool) else _wrong(shown, kind)
            case Int(low=low, high=high):
                return self._whole(shown, low, high, kind)
            case Row():
                return self._whole(shown, 0, MOST_ROWS, kind)
            case Month(low=low, high=high):
                return self._month(shown, low, high)
            case Ratio():
                return _ratio(shown)
            case Text():
                return TextValue(shown) if isinstance(shown, str) else _wrong(shown, kind)
            case Member():
                return self._one(kind, shown)
            case SetOf(of=of):
                return self._set(of, shown)
            case ListOf(of=of, most=most):
                if not isinstance(shown, list) or len(shown) > most:
                    _wrong(shown, kind)
                return tuple(self.read(of, one) for one in shown)
            case MapOf(key=key, value=of):
                if not isinstance(shown, dict):
                    _wrong(shown, kind)
                return {self._one(key, name): self.read(of, value) for name, value in shown.items()}
            case Record():
                return self._record(kind, shown)
            case Nothing():
                return None if shown is None else _wrong(shown, kind)

    def _whole(self, shown: Any, low: int, high: int, kind: Type) -> int:
        if isinstance(shown, int) and not isinstance(shown, bool) and low <= shown <= high:
            return shown
        _wrong(shown, kind)

    def _month(self, shown: Any, low: int, high: int) -> int:
        try:
            number = month_number(shown)
        except (ValueError, AttributeError, TypeError):
            _wrong(shown, Month(low, high))
        return number if low <= number <= high else _wrong(shown, Month(low, high))

    def _one(self, kind: Member, shown: Any) -> int:
        number = self.number(kind.domain, shown)
        group = self.kinds.get(kind.name)
        if group is not None and group.domain == kind.domain and not group.members >> number & 1:
            raise NamingError(f"{_quoted_value(shown)} is no `{kind.name}`")
        return number

    def _set(self, of: Member | Int, shown: Any) -> int:
        if not isinstance(shown, list):
            _wrong(shown, SetOf(of))
        mask = 0
        for one in shown:
            bit = self.read(of, one)
            if bit < 0 or mask >> bit & 1:
                _wrong(shown, SetOf(of))
            mask |= 1 << bit
        return mask

    def _fields(self, kind: Record, number: int) -> Iterator[Any]:
        """The values of a record as JSON."""
        digits = digits_of(kind, self._sizes)
        return (self.to_json(of, digit.value(number)) for of, digit in zip(kind.types, digits, strict=True))

    def _record(self, kind: Record, shown: Any) -> int:
        if not isinstance(shown, dict) or sorted(shown) != sorted(kind.names):
            _wrong(shown, kind)
        values = [self.read(of, shown[name]) for of, name in zip(kind.types, kind.names, strict=True)]
        return number_of(digits_of(kind, self._sizes), values)

    def keys(self, domains: tuple[str | tuple[int, int], ...], values: tuple[int, ...]) -> list[Any]:
        """Keys of a state as names and numbers."""
        return [
            self.member(domain, value) if isinstance(domain, str) else value
            for domain, value in zip(domains, values, strict=True)
        ]

    def key(self, domain: str | tuple[int, int], shown: Any) -> int:
        """One key from its name or number."""
        if isinstance(domain, str):
            return self.number(domain, shown)
        return self._whole(shown, domain[0], domain[1], Int(*domain))


def in_plain_text(shown: Any) -> str:
    """Return a value, given as JSON, as messages have it; it may not be a map or record."""
    if isinstance(shown, list):
        return f"{{{', '.join(map(in_plain_text, shown))}}}"
    return str(shown).lower() if isinstance(shown, bool) else "none" if shown is None else str(shown)


def _ratio(shown: Any) -> Fraction:
    try:
        above, below = str(shown).split(":")
        return Fraction(int(above), int(below))
    except (ValueError, ZeroDivisionError):
        _wrong(shown, Ratio())


def _quoted_value(shown: object) -> str:
    text = repr(shown) if not isinstance(shown, str) else f"`{printable(shown[:60])}`"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _wrong(shown: object, kind: Type) -> NoReturn:
    raise NamingError(f"{_quoted_value(shown)} is no `{kind}`")
