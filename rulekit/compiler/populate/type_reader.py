"""Types as written to types as meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.base.spelling import suggestion
from rulekit.diagnostics import Diagnostic, Kind, Report
from rulekit.diagnostics.kinds import IMPOSSIBLE_TYPE, UNKNOWN_TYPE
from rulekit.ir import types as t
from rulekit.syntax.tree import types as s
from rulekit.syntax.tree.items import Param

MAX_RANGE = 1_000_000_000
"""Largest number, either way (spec 3.2)."""
MAX_MEMBERS = 10_000
"""Of one domain, of one list, and groups of a kind at a time (spec 4.8)."""
MAX_CELLS = 1_000_000
"""Of one field or state over all its keys, and of all together (spec 4.8)."""
MAX_VALUES = 10_000_000
"""Of all fields together, and of all tables together (spec 4.8, 6.9)."""
MAX_SET = 64
"""Largest number in a set of numbers; members of domains have no such bound."""


@frozen
class TypeReader:
    """Reads types over the kinds of a world; one that cannot be read is reported, and is `Nothing`."""

    kinds: Mapping[str, ir.NamedSet]
    months: tuple[int, int]
    report: Report

    def read(self, type_: s.TypeExpr) -> t.Type:
        """The type that is meant."""
        match type_:
            case s.PlainType(word="flag"):
                return t.Flag()
            case s.PlainType(word="month"):
                return t.Month(*self.months)
            case s.PlainType(word="text"):
                return t.Text()
            case s.PlainType():
                return t.Ratio()
            case s.RangeType():
                return self._range(type_)
            case s.NamedType():
                return self.member_type(type_.name, type_.span)
            case s.SetType():
                return self._set(type_)
            case s.ListType():
                return self._list(type_)
            case s.MapType():
                key = self.member_type(type_.key, type_.span)
                value = self.read(type_.value)
                if isinstance(key, t.Nothing) or isinstance(value, t.Nothing):
                    return t.Nothing()
                if not isinstance(key, t.Member):
                    return self.refuse(
                        "the keys of a map must be members of a kind", type_.span, "write `map KIND to TYPE`"
                    )
                return t.MapOf(key, value)
            case s.OptionalType(of=s.MapType() as map_):
                return self.read(replace(map_, value=s.OptionalType(type_.span, map_.value)))
            case s.OptionalType():
                of = self.read(type_.of)
                if isinstance(of, t.Nothing):
                    return of
                if isinstance(
                    of, t.Flag | t.Text | t.SetOf | t.ListOf | t.MapOf | t.Optional | t.Nothing | t.Row
                ):
                    hint = "remove `or none`"
                    return self.refuse(f"`{of}` cannot be none: it can be false or empty", type_.span, hint)
                return t.Optional(of)

    def read_stored(self, type_: s.TypeExpr, *, changes: bool = True) -> t.Type:
        """Return the type of a state or a field, which cannot be a map, nor a text if it changes."""
        kind = self.read(type_)
        if isinstance(kind, t.Text) and changes:
            hint = "write a fixed field, `NAME: text`, and keep the piece whose text it is"
            return self.refuse("a text cannot change in play", type_.span, hint)
        if not isinstance(kind, t.MapOf):
            return kind
        hint = "use a field of the kind, or a state with a key"
        return self.refuse("states and fields cannot be maps", type_.span, hint)

    def param(self, param: Param) -> t.Type:
        """A parameter's type; without one written, the kind of its own name (`side` is a `Side`)."""
        if param.type is not None:
            return self.read(param.type)
        name = param.name.text
        for kind in (name, name[:1].upper() + name[1:]):
            if kind in self.kinds:
                return t.Member(self.kinds[kind].domain, kind)
        hint = f"write `{name}: TYPE`"
        message = f"the parameter `{name}` has no type, and there is no kind `{name[:1].upper() + name[1:]}`"
        self.report.add(Diagnostic(UNKNOWN_TYPE, message, param.span, hint=hint))
        return t.Nothing()

    def member_type(self, name: str, span: Span) -> t.Type:
        """A kind by its name."""
        kind = self.kinds.get(name)
        if kind is not None:
            return t.Member(kind.domain, name)
        declare = "declare it with `enum`, `piece`, `space`, `group` or `kind`"
        hint = suggestion(name, [*self.kinds, "flag", "month", "ratio"], declare)
        self.report.add(Diagnostic(UNKNOWN_TYPE, f"unknown type `{name}`", span, hint=hint))
        return t.Nothing()

    def _range(self, type_: s.RangeType) -> t.Type:
        if type_.low > type_.high:
            hint = f"put the lower number first: `{type_.high}..{type_.low}`"
            return self.refuse(f"the range `{type_.low}..{type_.high}` is empty", type_.span, hint)
        if max(abs(type_.low), abs(type_.high)) > MAX_RANGE:
            return self.refuse(
                f"numbers must be between -{MAX_RANGE:,} and {MAX_RANGE:,}", type_.span, "use a smaller range"
            )
        return t.Int(type_.low, type_.high)

    def _set(self, type_: s.SetType) -> t.Type:
        of = self.read(type_.of)
        if isinstance(of, t.Nothing):
            return of
        if isinstance(of, t.Member) or (isinstance(of, t.Int) and 0 <= of.low and of.high <= MAX_SET):
            return t.SetOf(of)
        hint = "for several values in order, use `list of TYPE, at most N`"
        return self.refuse(
            f"a set can only hold members of a kind, or numbers in 0..{MAX_SET}", type_.span, hint
        )

    def _list(self, type_: s.ListType) -> t.Type:
        of = self.read(type_.of)
        if isinstance(of, t.Nothing):
            return of
        if isinstance(of, t.ListOf | t.MapOf | t.Optional | t.Text):
            return self.refuse(
                f"a list cannot hold `{of}`", type_.span, "use a parameter to keep one list for each"
            )
        if type_.most is not None and not 1 <= type_.most <= MAX_MEMBERS:
            hint = f"write a number from 1 to {MAX_MEMBERS:,} after `at most`"
            return self.refuse(f"the size of a list must be 1 to {MAX_MEMBERS:,}", type_.span, hint)
        if type_.most is not None:
            return t.ListOf(of, type_.most)
        assert isinstance(of, t.Member)  # a stack's items
        return t.ListOf(of, max(1, self.kinds[of.name].members.bit_count()))

    def refuse(self, message: str, span: Span, hint: str, kind: Kind = IMPOSSIBLE_TYPE) -> t.Type:
        """Report a type that cannot be; it is `Nothing`."""
        self.report.add(Diagnostic(kind, message, span, hint=hint))
        return t.Nothing()
