"""Fields: the stores they live in, what data say of them and fail to say, and how large they may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from rulekit import ir
from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.names import Names
from rulekit.compiler.populate.cells import WORTH_NAMING, CellReader, cell_words
from rulekit.compiler.populate.coordinates import COORDINATE
from rulekit.compiler.populate.members import WorldDraft
from rulekit.compiler.populate.type_reader import MAX_CELLS, MAX_MEMBERS, MAX_VALUES, TypeReader
from rulekit.compiler.world import FieldInfo, StoreInfo
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.diagnostics.kinds import NO_PLACE, WRONG_TYPE
from rulekit.ir import types as t
from rulekit.ruleset import CellValue, PopulationData, RowData
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.walk import same

FEW_EMPTY: Final = 8
"""Empty cells of one population that are reported one by one."""
MOST_COLUMNS: Final = 6
"""Columns that a finding about empty cells names."""


def add_fields(names: Names, draft: WorldDraft, reader: TypeReader, of_boards: Iterable[FieldInfo]) -> None:
    """Add the fields of every kind, each with the store it lives in, and the stores."""
    infos = {(info.kind, info.name): info for info in of_boards}
    owners: list[i.Population | i.Group] = [*names.populations.values(), *names.groups.values()]
    for owner in owners:
        for decl in fields_of(owner, names):
            if decl.name.text == "place":
                continue
            keys = tuple((param.name.text, _key_type(param, reader)) for param in decl.params)
            if any(isinstance(type_, t.Nothing) for _, type_ in keys):
                continue
            changes = decl.changes or isinstance(owner, i.Group)
            kind, name = owner.name.text, decl.name.text
            type_ = reader.read_stored(decl.type, changes=changes)
            infos[kind, name] = FieldInfo(kind, name, keys, type_, changes, "", decl)
    _add_stores(infos.values(), draft)


def _key_type(param: i.Param, reader: TypeReader) -> t.Type:
    """The type of a field's key; `Nothing`, with a finding, if it cannot be one."""
    type_ = reader.param(param)
    if isinstance(type_, t.Member | t.Int | t.Month | t.Flag | t.Nothing):
        return type_
    hint = "use a kind, a range of numbers, `month` or `flag`"
    return reader.refuse(f"a field's key cannot be `{type_}`", param.span, hint, WRONG_TYPE)


def add_place_types(names: Names, draft: WorldDraft, reader: TypeReader) -> None:
    """Add where the pieces of each kind may be, by its field line `place: TYPE`."""
    owners: list[i.Population | i.Group] = [*names.populations.values(), *names.groups.values()]
    for owner in owners:
        for decl in fields_of(owner, names):
            if decl.name.text != "place":
                continue
            type_ = reader.read(decl.type)
            of = type_.of if isinstance(type_, t.Optional) else type_
            is_piece = isinstance(owner, i.Population) and owner.sort == "piece" and not decl.params
            if not is_piece or not isinstance(of, t.Member) or of.domain != "space":
                hint = "write `place: KIND` or `place: KIND or none`, where KIND is a kind of space"
                message = "the place of a piece must be a space" if is_piece else "only pieces have a place"
                reader.refuse(message, decl.span, hint, NO_PLACE)
                continue
            draft.place_types[owner.name.text] = type_
            draft.placed |= {owner.name.text} if decl.initial is not None else set()


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


def _add_stores(infos: Iterable[FieldInfo], draft: WorldDraft) -> None:
    """Add one store for all kinds of a domain whose fields of one name agree, else one a kind."""
    together: dict[tuple[str, str], list[FieldInfo]] = {}
    for info in infos:
        together.setdefault((draft.kinds[info.kind].domain, info.name), []).append(info)
    for (domain, name), namesakes in together.items():
        for group in _agreeing(namesakes):
            text = f"{group[0].kind}.{name}" if len(group) == 1 else f"{domain}.{name}"
            stored = tuple(replace(info, store=text) for info in group)
            type_ = reduce(_hull, [info.type for info in group])
            keys = (domain, *(key_of(type_) for _, type_ in group[0].keys))
            draft.stores[text] = StoreInfo(text, keys, type_, group[0].changes, False, stored)
            draft.fields |= {(info.kind, name): info for info in stored}


def _agreeing(infos: list[FieldInfo]) -> list[list[FieldInfo]]:
    """The infos in groups that can share a store."""
    groups: list[list[FieldInfo]] = []
    for info in infos:
        for group in groups:
            first = group[0]
            same_keys = [type_ for _, type_ in first.keys] == [type_ for _, type_ in info.keys]
            numbers = isinstance(first.type, t.Int) and isinstance(info.type, t.Int)
            alike = same_keys and first.changes == info.changes and _is_seen_alike(first.decl, info.decl)
            if alike and (numbers or first.type == info.type):
                group.append(info)
                break
        else:
            groups.append([info])
    return groups


def _is_seen_alike(one: i.FieldDecl, other: i.FieldDecl) -> bool:
    """True if the lines of two fields say the same of who sees them."""
    return same(one.known_to, other.known_to) and one.counted == other.counted


def _hull(one: t.Type, other: t.Type) -> t.Type:
    if isinstance(one, t.Int) and isinstance(other, t.Int):
        return t.Int(min(one.low, other.low), max(one.high, other.high))
    return one


def key_of(type_: t.Type) -> str | tuple[int, int]:
    """The key of a table or state that has a parameter's type."""
    match type_:
        case t.Member():
            return type_.domain
        case t.Int() | t.Month():
            return (type_.low, type_.high)
        case t.Flag():
            return (0, 1)
        case t.Row():
            return type_.table
        case (
            t.Ratio()
            | t.Text()
            | t.Optional()
            | t.SetOf()
            | t.ListOf()
            | t.MapOf()
            | t.Record()
            | t.Nothing()
        ):
            raise TypeError(type_)


def key_size(key: str | tuple[int, int], domains: Mapping[str, ir.Domain]) -> int:
    """How many values a key has."""
    return len(domains[key].members) if isinstance(key, str) else key[1] - key[0] + 1


BUILT_IN_COLUMNS = ("name", "title", "place")


def add_values(names: Names, draft: WorldDraft, cells: CellReader, report: Report) -> None:
    """Add what data say, dense over each store's keys; report what they fail to say."""
    for store in draft.stores.values():
        draft.values[store.name] = [None] * math.prod(key_size(key, draft.domains) for key in store.keys)
    draft.places = [None] * len(draft.domains["piece"].members)
    for population in names.populations.values():
        data = draft.data.get(population.name.text)
        if data is not None:
            _report_unknown_columns(population.name.text, data, draft, report)
            own = replace(cells, sampler=population.name.text) if data.sampler else cells
            _fill(population.name.text, data, draft, own)
        _report_missing(population, names, data, draft, report)
    _report_homeless(draft, report)


def _report_homeless(draft: WorldDraft, report: Report) -> None:
    for kind, type_ in draft.place_types.items():
        if isinstance(type_, t.Optional) or kind in draft.placed:
            continue
        homeless = [n for n in members(draft.kinds[kind].members) if draft.places[n] is None]
        if homeless:
            title = draft.domains["piece"].titles[homeless[0]]
            message = f"`{title}` always has a place, but its starting place is missing"
            hint = "add a column `place` to its data, or declare `place: ... = PLACE` or `place: ... or none`"
            report.add(Diagnostic(kinds.NOWHERE, message, draft.spans[kind], hint=hint))


def _report_unknown_columns(kind: str, data: PopulationData, draft: WorldDraft, report: Report) -> None:
    for column in data.columns:
        located = column == COORDINATE and kind in draft.boards
        if column not in BUILT_IN_COLUMNS and not located and (kind, column) not in draft.fields:
            message = f"`{kind}` has no field `{column}`"
            hint = f"declare it (`{column}: TYPE`), or remove the column"
            report.add(Diagnostic(kinds.UNDECLARED_COLUMN, message, data.span, hint=hint))


def _fill(kind: str, data: PopulationData, draft: WorldDraft, cells: CellReader) -> None:
    """Read the cells of a population, and report those that must not be empty."""
    empty: list[_EmptyCell] = []
    space = t.Optional(t.Member("space", "Space"))
    for member, row in draft.rows[kind]:
        for column, cell in zip(data.columns, row.cells, strict=False):
            info = draft.fields.get((kind, column))
            if column == "place" and draft.kinds[kind].domain == "piece":
                type_ = draft.place_types.get(kind, space)
                may_be_empty = kind in draft.placed and draft.kinds[kind].data
                if cell.value is None and may_be_empty and not isinstance(type_, t.Optional):
                    continue
                if cell.value is None and draft.kinds[kind].data and isinstance(type_, t.Member):
                    empty.append(_EmptyCell("place", row, cell, f"the name of a `{type_}`"))
                    draft.places[member] = t.NONE
                    continue
                value = cells.read(type_, cell)
                draft.places[member] = value if isinstance(value, int) else t.NONE
            elif info is not None and draft.kinds[kind].data and cell.value is None and _is_filled(info):
                if info.decl.initial is None:
                    words = cell_words(info, draft.domains, draft.kinds, WORTH_NAMING)
                    empty.append(_EmptyCell(info.name, row, cell, words))
            elif info is not None:
                sizes = [key_size(key, draft.domains) for key in draft.stores[info.store].keys[1:]]
                base = member * math.prod(sizes)
                for offset, value in cells.entries(info, cell, sizes):
                    draft.values[info.store][base + offset] = value
    _report_empty(data, empty, draft.unlocated.get(kind, ()), cells.report)


def _is_filled(info: FieldInfo) -> bool:
    """True if a field cannot have an empty cell."""
    return bool(info.keys) or not isinstance(info.type, t.Optional | t.Nothing)


@frozen
class _EmptyCell:
    """An empty cell of an extern population that must have something in it; `words` are what may be there."""

    column: str
    row: RowData
    cell: CellValue
    words: str


def _report_empty(
    data: PopulationData, empty: Sequence[_EmptyCell], unlocated: Sequence[Diagnostic], report: Report
) -> None:
    """Report empty cells: a few one by one, more of them as one finding, at the first.

    Args:
        unlocated: The findings of members that need a coordinate, and whose cell for it is empty.
    """
    many = len(empty) + len(unlocated)
    if many <= FEW_EMPTY:
        for one in empty:
            message = f"`{one.column}` of `{one.row.cells[0].plain}` is empty"
            report.add(Diagnostic(kinds.OWNER_GAP, message, one.cell.span, hint=f"write {one.words}"))
        for finding in unlocated:
            report.add(finding)
        return
    missing = {one.column for one in empty} | ({COORDINATE} if unlocated else set())
    columns = [f"`{column}`" for column in data.columns if column in missing]
    listed = ", ".join(columns[:MOST_COLUMNS])
    listed += f" and {len(columns) - MOST_COLUMNS} more" if len(columns) > MOST_COLUMNS else ""
    span = min([*(one.cell.span for one in empty[:1]), *(finding.span for finding in unlocated[:1])])
    message = f"{many:,} cells of `{data.name}` are empty"
    hint = f"fill in {listed}; `rulekit show owner` says what may be in each"
    report.add(Diagnostic(kinds.OWNER_GAP, message, span, hint=hint, key=(data.name,)))


def _report_missing(
    population: i.Population, names: Names, data: PopulationData | None, draft: WorldDraft, report: Report
) -> None:
    """Report fixed fields that have a value neither in the data nor in their declaration."""
    kind = population.name.text
    if data is None and population.source is not None:
        return
    for decl in fields_of(population, names):
        info = draft.fields.get((kind, decl.name.text))
        has_value = decl.initial is not None or (data is not None and decl.name.text in data.columns)
        if info is None or info.changes or has_value or isinstance(info.type, t.Nothing):
            continue
        message = f"missing values for `{decl.name.text}` of `{kind}`"
        hint = "add the column to the data, or give the field a value (`= ...`)"
        labels = (Label(decl.span, "declared here"),) if data else ()
        where = data.span if data else decl.span
        report.add(Diagnostic(kinds.MISSING_FIELD, message, where, labels, hint))


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


def small_domains(draft: WorldDraft, names: Names, report: Report) -> bool:
    """Whether each domain has at most `MAX_MEMBERS`, whatever gives them."""
    sound = True
    for domain in draft.domains.values():
        if len(domain.members) > MAX_MEMBERS:
            sorts = [p.span for p in names.populations.values() if p.sort == domain.name]
            span = draft.spans.get(domain.name) or sorts[-1]
            sound = _refuse(f"`{domain.name}` has more than {MAX_MEMBERS:,} members", span, report)
    return sound


def small_stores(draft: WorldDraft, report: Report) -> bool:
    """Whether each field has at most `MAX_CELLS` values over its members and keys, all `MAX_VALUES`."""
    sound, total = True, 0
    for store in draft.stores.values():
        cells, field = math.prod(key_size(key, draft.domains) for key in store.keys), store.fields[0]
        if cells > MAX_CELLS:
            message = f"`{field.name}` has {cells:,} values (limit: {MAX_CELLS:,})"
            sound = _refuse(message, field.decl.span, report)
        if total <= MAX_VALUES < total + cells:
            message = f"all fields up to `{field.name}` have more than {MAX_VALUES:,} values"
            sound = _refuse(message, field.decl.span, report)
        total += cells
    return sound


def _refuse(message: str, span: Span, report: Report) -> bool:
    report.add(Diagnostic(kinds.IMPOSSIBLE_TYPE, message, span))
    return False
