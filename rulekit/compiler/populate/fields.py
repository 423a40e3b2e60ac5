"""Fields: the stores they live in, what data say of them and fail to say, and how large they may be."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.compiler.populate.cells import CellReader
from rulekit.compiler.populate.members import WorldDraft
from rulekit.compiler.populate.type_reader import MAX_CELLS, MAX_MEMBERS, TypeReader
from rulekit.compiler.world import FieldInfo, StoreInfo
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.diagnostics.kinds import NO_PLACE
from rulekit.ir import types as t
from rulekit.ruleset import PopulationData
from rulekit.syntax.tree import items as i


def fields_by_kind(names: Names, draft: WorldDraft, reader: TypeReader) -> dict[tuple[str, str], FieldInfo]:
    infos: dict[tuple[str, str], FieldInfo] = {}
    owners: list[i.Population | i.Group] = [*names.populations.values(), *names.groups.values()]
    for owner in owners:
        kind = owner.name.text
        for decl in fields_of(owner, names):
            if decl.name.text == "place":
                continue
            keys = tuple((param.name.text, reader.param(param)) for param in decl.params)
            changes = decl.changes or isinstance(owner, i.Group)
            type_ = reader.read(decl.type)
            infos[kind, decl.name.text] = FieldInfo(kind, decl.name.text, keys, type_, changes, "", decl)
    return infos


def place_types_of(names: Names, reader: TypeReader) -> dict[str, t.Type]:
    """Where the pieces of each kind may stand, by its field line `place: TYPE`."""
    types: dict[str, t.Type] = {}
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
            types[population.name.text] = type_
    return types


def fields_of(owner: i.Population | i.Group, names: Names) -> tuple[i.FieldDecl, ...]:
    """The fields of a population or group: its own, and those of the unions it is part of."""
    fields, kinds, grown = owner.fields, {owner.name.text}, True
    while grown:
        grown = False
        for union in names.unions.values():
            if union.name.text not in kinds and kinds & {name.text for name in union.kinds}:
                kinds.add(union.name.text)
                fields, grown = (*fields, *union.fields), True
    return fields


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
        case t.Ratio() | t.Optional() | t.SetOf() | t.ListOf() | t.MapOf() | t.Nothing():
            raise TypeError(type_)


def key_size(key: str | tuple[int, int], domains: Mapping[str, ir.Domain]) -> int:
    """How many values a key has."""
    return len(domains[key].members) if isinstance(key, str) else key[1] - key[0] + 1


BUILT_IN_COLUMNS = ("name", "title", "place")


def values_of(
    names: Names,
    draft: WorldDraft,
    fields: dict[tuple[str, str], FieldInfo],
    stores: dict[str, StoreInfo],
    place_types: dict[str, t.Type],
    cells: CellReader,
    report: Report,
) -> tuple[dict[str, tuple[ir.expr.Value | None, ...]], tuple[int, ...]]:
    """What data say, dense over each store's keys; None where they say nothing."""
    dense: dict[str, list[ir.expr.Value | None]] = {}
    for store in stores.values():
        size = 1
        for key in store.keys:
            size *= key_size(key, draft.domains)
        dense[store.name] = [None] * size
    places = [t.NONE] * len(draft.domains["piece"].members)
    for population in names.populations.values():
        kind = population.name.text
        data = draft.data.get(kind)
        if data is not None:
            _columns_known(kind, data, fields, report)
            _fill(kind, data, draft, fields, stores, place_types, dense, places, cells)
        _complain_missing(population, names, data, fields, report)
    _complain_homeless(draft, place_types, places, report)
    return {name: tuple(values) for name, values in dense.items()}, tuple(places)


def _complain_homeless(
    draft: WorldDraft, place_types: dict[str, t.Type], places: list[int], report: Report
) -> None:
    for kind, type_ in place_types.items():
        if isinstance(type_, t.Optional):
            continue
        members = draft.kinds[kind].members
        for number, place in enumerate(places):
            if members >> number & 1 and place == t.NONE:
                title = draft.domains["piece"].titles[number]
                message = f"`{title}` always has a place, but its starting place is missing"
                hint = "add a column `place` to its data, or declare `place: ... or none`"
                report.add(Diagnostic(kinds.NOWHERE, message, draft.spans[kind], hint=hint))
                break


def _columns_known(
    kind: str, data: PopulationData, fields: dict[tuple[str, str], FieldInfo], report: Report
) -> None:
    for column in data.columns:
        if column not in BUILT_IN_COLUMNS and (kind, column) not in fields:
            message = f"`{kind}` has no field `{column}`"
            hint = f"declare it (`{column}: TYPE`), or remove the column"
            report.add(Diagnostic(kinds.UNDECLARED_COLUMN, message, data.span, hint=hint))


def _fill(
    kind: str,
    data: PopulationData,
    draft: WorldDraft,
    fields: dict[tuple[str, str], FieldInfo],
    stores: dict[str, StoreInfo],
    place_types: dict[str, t.Type],
    dense: dict[str, list[ir.expr.Value | None]],
    places: list[int],
    cells: CellReader,
) -> None:
    space = t.Optional(t.Member("space", "Space"))
    for member, row in draft.rows[kind]:
        for column, cell in zip(data.columns, row.cells, strict=False):
            info = fields.get((kind, column))
            if column == "place" and draft.kinds[kind].domain == "piece":
                value = cells.read(place_types.get(kind, space), cell)
                places[member] = value if isinstance(value, int) else t.NONE
            elif info is not None:
                sizes = [key_size(key, draft.domains) for key in stores[info.store].keys[1:]]
                base = member
                for size in sizes:
                    base *= size
                for offset, value in cells.entries(info, cell, sizes):
                    dense[info.store][base + offset] = value


def _complain_missing(
    population: i.Population,
    names: Names,
    data: PopulationData | None,
    fields: dict[tuple[str, str], FieldInfo],
    report: Report,
) -> None:
    kind = population.name.text
    for decl in fields_of(population, names):
        if decl.name.text == "place":
            continue
        info = fields[kind, decl.name.text]
        has_column = data is not None and decl.name.text in data.columns
        if (
            not info.changes
            and not isinstance(info.type, t.Nothing)  # a type that could not be read is told already
            and decl.initial is None
            and not has_column
            and (data or population.source is None)
        ):
            where = data.span if data else decl.span
            message = f"missing values for `{decl.name.text}` of `{kind}`"
            hint = "add the column to the data, or give the field a value (`= ...`)"
            report.add(
                Diagnostic(
                    kinds.MISSING_FIELD,
                    message,
                    where,
                    (Label(decl.span, "declared here"),) if data else (),
                    hint,
                )
            )


def few_members(names: Names, report: Report) -> bool:
    """Whether the members that the rules count out, and the groups, are few enough."""
    sound = True
    for population in names.populations.values():
        if population.count is not None and not 1 <= population.count <= MAX_MEMBERS:
            sound = _refuse(f"a kind has 1 to {MAX_MEMBERS:,} members", population.span, report)
    for group in names.groups.values():
        if not 1 <= group.most <= MAX_MEMBERS:
            sound = _refuse(f"the number of groups must be 1 to {MAX_MEMBERS:,}", group.span, report)
    return sound


def small_domains(
    domains: dict[str, ir.Domain], spans: dict[str, Span], names: Names, report: Report
) -> bool:
    """Whether each domain has at most `MAX_MEMBERS`, whatever gives them."""
    sound = True
    for domain in domains.values():
        if len(domain.members) > MAX_MEMBERS:
            sorts = [p.span for p in names.populations.values() if p.sort == domain.name]
            span = spans.get(domain.name) or sorts[-1]
            sound = _refuse(f"`{domain.name}` has more than {MAX_MEMBERS:,} members", span, report)
    return sound


def small_stores(stores: dict[str, StoreInfo], domains: dict[str, ir.Domain], report: Report) -> bool:
    """Whether each field has at most `MAX_CELLS` values over its members and keys."""
    sound = True
    for store in stores.values():
        cells = math.prod(key_size(key, domains) for key in store.keys)
        if cells > MAX_CELLS:
            field = store.fields[0]
            message = f"`{field.name}` has {cells:,} values (limit: {MAX_CELLS:,})"
            sound = _refuse(message, field.decl.span, report)
    return sound


def _refuse(message: str, span: Span, report: Report) -> bool:
    report.add(Diagnostic(kinds.IMPOSSIBLE_TYPE, message, span))
    return False
