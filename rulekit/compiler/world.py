"""What a rule set is about: its domains, kinds and members, and the fields they have.

Made by `populate`, read by `typecheck`.  Ids are final here: pieces in one domain, spaces in one, each enum
and each group in its own, in the order of declaration and of the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulekit import ir
from rulekit.base.bits import member_ids, members
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.grid import Grid
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i


@frozen
class FieldInfo:
    """A field of one kind.

    `store` names the static table or state that holds it; several kinds of a domain share one where their
    fields agree.  `keys` are the types of its own parameters, after the member itself.
    """

    kind: str
    name: str
    keys: tuple[tuple[str, t.Type], ...]
    type: t.Type
    changes: bool
    store: str
    decl: i.FieldDecl


@frozen
class StoreInfo:
    """Where fields live: the keys (a domain's name, or a range) and the widest type of what is kept."""

    name: str
    keys: tuple[str | tuple[int, int], ...]
    type: t.Type
    changes: bool
    clamp: bool
    fields: tuple[FieldInfo, ...]


def homes_of(kinds: Mapping[str, ir.NamedSet], sorts: Mapping[str, str]) -> dict[tuple[str, int], str]:
    """Where each member was declared; see `World.homes`."""
    homes: dict[tuple[str, int], str] = {}
    for name, kind in kinds.items():
        if sorts[name] != "union":
            for number in members(kind.members):
                homes.setdefault((kind.domain, number), name)
    return homes


def made_of(kinds: Mapping[str, ir.NamedSet], sorts: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What each kind is made of; see `World.made_of`."""
    parts = {name: kind for name, kind in kinds.items() if sorts[name] == "population" and kind.members}
    return {
        whole: tuple(
            name
            for name, part in parts.items()
            if part.domain == kind.domain and part.members & ~kind.members == 0
        )
        for whole, kind in kinds.items()
    }


class Sizes(Mapping[str, int]):
    """How many members each domain has; reads no domain but those that are asked for."""

    def __init__(self, domains: Mapping[str, ir.Domain]) -> None:
        self._domains = domains

    def __getitem__(self, name: str) -> int:
        return len(self._domains[name].members)

    def __iter__(self) -> Iterator[str]:
        return iter(self._domains)

    def __len__(self) -> int:
        return len(self._domains)


@frozen
class World:
    """The components of a rule set.

    `values` holds, by store and member, what the data say, dense over the store's keys; None where they say
    nothing.  `members` finds all that a name can mean in rules, as (domain, id) pairs, `data_members` in
    data: also those that an owner's file may have or not.  `homes`: the population, enum or group that each
    of them was declared in.  `made_of`: the declared populations that make up each kind; itself, unless it
    is a union.
    """

    domains: Mapping[str, ir.Domain]
    kinds: Mapping[str, ir.NamedSet]
    sorts: Mapping[str, str]
    members: Mapping[str, tuple[tuple[str, int], ...]]
    data_members: Mapping[str, tuple[tuple[str, int], ...]]
    fields: Mapping[tuple[str, str], FieldInfo]
    stores: Mapping[str, StoreInfo]
    values: Mapping[str, tuple[ir.expr.Value | None, ...]]
    places: tuple[int | None, ...]
    place_types: Mapping[str, t.Type]
    months: tuple[int, int]
    spans: Mapping[str, Span]
    homes: Mapping[tuple[str, int], str]
    made_of: Mapping[str, tuple[str, ...]]
    boards: Mapping[str, Grid]

    def kind_members(self, kind: str) -> tuple[int, ...]:
        """The ids of a kind's members, ascending."""
        return member_ids(self.kinds[kind].members)

    def field(self, kind: str, name: str) -> FieldInfo | None:
        """A field that every population of a kind has in the same store; None if there is none."""
        direct = self.fields.get((kind, name))
        if direct is not None:
            return direct
        infos = [self.fields.get((part, name)) for part in self.made_of[kind]]
        first = infos[0] if infos else None
        if first is None or any(f is None or f.store != first.store for f in infos):
            return None
        return first

    def whole(self, domain: str) -> t.Member:
        """The kind of all members of a domain."""
        return t.Member(domain, domain.capitalize() if domain in ("piece", "space") else domain)

    def place_type(self, kind: str) -> t.Type:
        """Where pieces of a kind may stand: as declared, or any space or none."""
        anywhere: t.Type = t.Optional(t.Member("space", "Space"))
        types = {self.place_types.get(part, anywhere) for part in self.made_of[kind]}
        return types.pop() if len(types) == 1 else anywhere

    def text(self, type_: t.Type, value: object) -> str:
        """A value in the rules' own words."""
        if value == t.NONE and not isinstance(value, bool):
            return "none"
        match type_:
            case t.Optional():
                return self.text(type_.of, value)
            case t.Member():
                return self.domains[type_.domain].titles[int(value)]  # type: ignore[call-overload]
            case t.Month():
                return t.month_text(int(value))  # type: ignore[call-overload]
            case t.SetOf(of=t.Member() as of):
                names = self.domains[of.domain].titles
                return "{" + ", ".join(names[k] for k in members(int(value))) + "}"  # type: ignore[call-overload]
            case (
                t.Int() | t.Flag() | t.Ratio() | t.Text() | t.Row() | t.Record() | t.SetOf() | t.ListOf()
                | t.MapOf() | t.Nothing()
            ):  # fmt: skip
                return str(value).lower() if isinstance(value, bool) else str(value)
