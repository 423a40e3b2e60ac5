"""Cells of data files read as values of the language's types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import assert_never

from rulekit import ir
from rulekit.base.bits import member_ids
from rulekit.base.frozen import frozen
from rulekit.base.spelling import meant
from rulekit.compiler.world import FieldInfo
from rulekit.diagnostics import Diagnostic, Report
from rulekit.diagnostics.kinds import DANGLING_NAME, WRONG_CELL
from rulekit.ir import types as t
from rulekit.ruleset import CellValue

_NUMBERED = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")

WORTH_NAMING = 8
"""Members that a hint names where none is near to what is written."""


@frozen
class CellReader:
    """Reads cells; what cannot be read is reported once and left out.

    `sampler`: the extern kind whose cells are read, if its members are made up.  `unread`: domains with a
    population that could not be read, so that a name without a member may be right.
    """

    domains: Mapping[str, ir.Domain]
    kinds: Mapping[str, ir.NamedSet]
    members: Mapping[str, tuple[tuple[str, int], ...]]
    report: Report
    sampler: str = ""
    unread: frozenset[str] = frozenset()

    def entries(
        self, info: FieldInfo, cell: CellValue, sizes: list[int]
    ) -> Iterator[tuple[int, ir.expr.Value]]:
        """Offsets and values of a field's cell: one, or with keys one for each entry of a mapping."""
        return self._entries(info, [type_ for _, type_ in info.keys], cell, sizes, 0)

    def _entries(
        self, info: FieldInfo, keys: list[t.Type], cell: CellValue, sizes: list[int], base: int
    ) -> Iterator[tuple[int, ir.expr.Value]]:
        if not keys:
            value = self.read(info.type, cell)
            if value is not None:
                yield base, value
            return
        if not isinstance(cell.value, dict):
            self._wrong(cell, f"a mapping from {keys[0]}")
            return
        for name, inner in cell.value.items():
            number = self.read(keys[0], CellValue(_plain(name), inner.span))
            if isinstance(number, int):
                low = keys[0].low if isinstance(keys[0], t.Int | t.Month) else 0
                at = base * sizes[0] + number - low
                yield from self._entries(info, keys[1:], inner, sizes[1:], at)

    def read(self, type_: t.Type, cell: CellValue) -> ir.expr.Value | None:
        """A cell's value; None, reported, where it is not of the type."""
        value = cell.value
        match type_:
            case t.Optional():
                return t.NONE if value is None else self.read(type_.of, cell)
            case t.Flag() if isinstance(value, bool):
                return value
            case t.Int() if isinstance(value, int) and not isinstance(value, bool):
                if type_.low <= value <= type_.high:
                    return value
            case t.Month() if isinstance(value, str):
                return self._month(type_, value, cell)
            case t.Member() if isinstance(value, str | int) and not isinstance(value, bool):
                return self.member(type_, str(value), cell)
            case t.SetOf() if isinstance(value, tuple):
                mask = 0
                for item in value:
                    number = self.read(type_.of, item)
                    mask |= 1 << number if isinstance(number, int) else 0
                return mask
            case t.ListOf() if isinstance(value, tuple):
                items = [self.read(type_.of, item) for item in value]
                if len(items) <= type_.most:
                    return tuple(item for item in items if isinstance(item, int))
            case t.Text() if isinstance(value, str | int | None):
                return t.TextValue("" if value is None else str(cell.plain))
            case (
                t.Flag() | t.Int() | t.Month() | t.Text() | t.Member() | t.SetOf() | t.ListOf()
                | t.Ratio() | t.Row() | t.Record() | t.MapOf() | t.Nothing()
            ):  # fmt: skip
                pass
            case _:
                assert_never(type_)
        self._wrong(cell, str(type_))
        return None

    def member(self, type_: t.Member, written: str, cell: CellValue) -> int | None:
        """The id of a member by its printed name, within its kind."""
        name = "_".join(written.split())
        kind, _, rest = name.partition(".")
        for text, within in ((name, type_.name), (rest, kind)):
            for domain, number in self.members.get(text, ()) if within in self.kinds else ():
                inside = self.kinds[type_.name].members & self.kinds[within].members
                if domain == type_.domain and inside >> number & 1:
                    return number
        if type_.domain in self.unread:
            return None
        names = [
            title
            for number, title in enumerate(self.domains[type_.domain].titles)
            if self.kinds[type_.name].members >> number & 1
        ]
        hint = meant(written, names)
        if hint is None and names:
            shown, more = names[:WORTH_NAMING], len(names) - WORTH_NAMING
            hint = f"there {'is' if len(names) == 1 else 'are'} {', '.join(f'`{title}`' for title in shown)}"
            hint += f" and {more} more" if more > 0 else ""
        if self.sampler and self._is_owners(type_):
            hint = f"the owner's data for `{type_.name}` need the owner's `{self.sampler}` too"
        message = f"`{type_.name}` has no member `{written}`"
        self.report.add(Diagnostic(DANGLING_NAME, message, cell.span, hint=hint))
        return None

    def _is_owners(self, type_: t.Member) -> bool:
        """True if some members of a type come from an owner's file."""
        kinds = (kind for kind in self.kinds.values() if kind.data and not kind.missing)
        return any(kind.domain == type_.domain for kind in kinds)

    def _month(self, type_: t.Month, text: str, cell: CellValue) -> int | None:
        iso = _NUMBERED.fullmatch(text.strip())
        try:
            number = 12 * int(iso.group(1)) + int(iso.group(2)) - 1 if iso else t.month_number(text.strip())
        except ValueError:
            self._wrong(cell, "a month such as `Aug 1942`")
            return None
        if not type_.low <= number <= type_.high:
            low, high = t.month_text(type_.low), t.month_text(type_.high)
            self._wrong(cell, f"a month of the calendar ({low} to {high})")
            return None
        return number

    def _wrong(self, cell: CellValue, wanted: str) -> None:
        shown = repr(cell.value) if isinstance(cell.value, str | int | bool) else "this"
        if cell.value is None:
            shown = "an empty cell"
        self.report.add(Diagnostic(WRONG_CELL, f"expected {wanted}, found {shown}", cell.span))


def cell_words(
    info: FieldInfo, domains: Mapping[str, ir.Domain], kinds: Mapping[str, ir.NamedSet], most: int
) -> str:
    """The cells that a field allows, in words; up to `most` members by their names."""
    words = [
        type_words(type_, domains, kinds, most) for type_ in (*(type_ for _, type_ in info.keys), info.type)
    ]
    return "".join(f"a mapping from ({word}) to " for word in words[:-1]) + words[-1]


def type_words(
    type_: t.Type, domains: Mapping[str, ir.Domain], kinds: Mapping[str, ir.NamedSet], most: int
) -> str:
    """The same for a type without arguments."""
    match type_:
        case t.Flag():
            return "true or false"
        case t.Month():
            low, high = t.month_text(type_.low), t.month_text(type_.high)
            return f"a month from {low} to {high}, such as `{low}`"
        case t.Optional():
            return f"{type_words(type_.of, domains, kinds, most)}, or `~` for none"
        case t.Member():
            ids = member_ids(kinds[type_.name].members)
            if len(ids) > most or kinds[type_.name].data:
                return f"the name of a `{type_.name}`"
            members = domains[type_.domain].members
            return "one of " + ", ".join(f"`{members[number].replace('_', ' ')}`" for number in ids)
        case t.SetOf() | t.ListOf():
            return f"a list `[...]`, each {type_words(type_.of, domains, kinds, most)}"
        case t.Text():
            return "a text, in quotes if it has a `:` or `#`, or `~` for none"
        case t.Int() | t.Ratio() | t.Row() | t.Record() | t.MapOf() | t.Nothing():
            return str(type_)
        case _:
            assert_never(type_)


def _plain(key: str) -> int | str:
    """A mapping's key as the plain cell it would be elsewhere: keys of YAML mappings arrive as text."""
    return int(key) if key.lstrip("-").isdigit() else key
