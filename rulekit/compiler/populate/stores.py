"""Fields and the stores they live in: one for all kinds of a domain whose fields of one name agree."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit import ir
from rulekit.compiler.names import Names
from rulekit.compiler.populate.members import WorldDraft
from rulekit.compiler.populate.type_reader import TypeReader
from rulekit.compiler.world import FieldInfo, StoreInfo
from rulekit.diagnostics.kinds import NO_PLACE
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i


def fields_by_kind(names: Names, draft: WorldDraft, reader: TypeReader) -> dict[tuple[str, str], FieldInfo]:
    found: dict[tuple[str, str], FieldInfo] = {}
    owners: list[i.Population | i.Group] = [*names.populations.values(), *names.groups.values()]
    for owner in owners:
        kind = owner.name.text
        for decl in fields_of(owner, names):
            if decl.name.text == "place":
                continue
            keys = tuple((param.name.text, reader.param(param)) for param in decl.params)
            changes = decl.changes or isinstance(owner, i.Group)
            type_ = reader.read(decl.type)
            found[kind, decl.name.text] = FieldInfo(kind, decl.name.text, keys, type_, changes, "", decl)
    return found


def place_types_of(names: Names, reader: TypeReader) -> dict[str, t.Type]:
    """Where the pieces of each kind may stand, by its field line `place: TYPE`."""
    found: dict[str, t.Type] = {}
    for population in names.populations.values():
        for decl in fields_of(population, names):
            if decl.name.text != "place":
                continue
            type_ = reader.read(decl.type)
            of = type_.of if isinstance(type_, t.Optional) else type_
            if population.sort != "piece" or not isinstance(of, t.Member) or of.domain != "space":
                hint = "write `place: KIND` or `place: KIND or none`, where KIND is a kind of space"
                reader.tell(NO_PLACE, "the place of a piece must be a space", decl.span, hint)
                continue
            found[population.name.text] = type_
    return found


def fields_of(owner: i.Population | i.Group, names: Names) -> tuple[i.FieldDecl, ...]:
    """The fields of a population or group: its own, and those of the unions it is part of."""
    found, kinds, grown = owner.fields, {owner.name.text}, True
    while grown:
        grown = False
        for union in names.unions.values():
            if union.name.text not in kinds and kinds & {name.text for name in union.kinds}:
                kinds.add(union.name.text)
                found, grown = (*found, *union.fields), True
    return found


def stores_of(
    fields: dict[tuple[str, str], FieldInfo], draft: WorldDraft
) -> tuple[dict[str, StoreInfo], dict[tuple[str, str], FieldInfo]]:
    """One store for all kinds of a domain whose fields of one name agree, else one a kind."""
    together: dict[tuple[str, str], list[FieldInfo]] = {}
    for info in fields.values():
        together.setdefault((draft.kinds[info.kind].domain, info.name), []).append(info)
    stores: dict[str, StoreInfo] = {}
    placed: dict[tuple[str, str], FieldInfo] = {}
    for (domain, name), infos in together.items():
        for group in _agreeing(infos):
            text = f"{group[0].kind}.{name}" if len(group) == 1 else f"{domain}.{name}"
            stored = tuple(_with_store(info, text) for info in group)
            type_ = group[0].type
            for info in group[1:]:
                type_ = _hull(type_, info.type)
            keys = (domain, *(key_of(type_) for _, type_ in group[0].keys))
            stores[text] = StoreInfo(text, keys, type_, group[0].changes, False, stored)
            for info in stored:
                placed[info.kind, name] = info
    return stores, placed


def _agreeing(infos: list[FieldInfo]) -> list[list[FieldInfo]]:
    """The infos in groups that can share a store."""
    groups: list[list[FieldInfo]] = []
    for info in infos:
        for group in groups:
            first = group[0]
            same_keys = [type_ for _, type_ in first.keys] == [type_ for _, type_ in info.keys]
            numbers = isinstance(first.type, t.Int) and isinstance(info.type, t.Int)
            if first.changes == info.changes and same_keys and (numbers or first.type == info.type):
                group.append(info)
                break
        else:
            groups.append([info])
    return groups


def _hull(one: t.Type, other: t.Type) -> t.Type:
    if isinstance(one, t.Int) and isinstance(other, t.Int):
        return t.Int(min(one.low, other.low), max(one.high, other.high))
    return one


def _with_store(info: FieldInfo, store: str) -> FieldInfo:
    return FieldInfo(info.kind, info.name, info.keys, info.type, info.changes, store, info.decl)


def key_of(type_: t.Type) -> str | tuple[int, int]:
    """How a parameter's type stands as a key of a table or state."""
    match type_:
        case t.Member():
            return type_.domain
        case t.Int() | t.Month():
            return (type_.low, type_.high)
        case t.Flag():
            return (0, 1)
        case t.Row():
            return type_.table
        case _:
            raise TypeError(type_)


def key_size(key: str | tuple[int, int], domains: Mapping[str, ir.Domain]) -> int:
    """How many values a key has."""
    return len(domains[key].members) if isinstance(key, str) else key[1] - key[0] + 1
