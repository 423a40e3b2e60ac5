"""Names and data to a world: members numbered, fields laid out in stores, cells read as their types.

Before: amended `Names`.  After: a `World` in which every member has its id and every fixed field its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rulekit import ir
from rulekit import types as t
from rulekit.annotations import TypeReader
from rulekit.cells import CellReader
from rulekit.data import Cell, DataFile, PopulationData, RowData
from rulekit.diagnostics import Diagnostic, Label, Report, Severity, declare
from rulekit.names import Names
from rulekit.source import Span
from rulekit.syntax import items as i
from rulekit.world import FieldInfo, StoreInfo, World

UNKNOWN_KIND = declare(
    "RK204", "unknown-kind", "a union of something that is no kind", Severity.ERROR, since="0.1.0"
)
MIXED = declare(
    "RK302", "mixed-kinds", "a union of kinds from different domains", Severity.ERROR, since="0.1.0"
)
TWICE = declare(
    "RK205", "member-twice", "two members of one kind with the same name", Severity.ERROR, since="0.1.0"
)
NO_MEMBERS = declare(
    "RK206", "no-members", "a kind that no data and no line gives members", Severity.ERROR, since="0.1.0"
)
UNDECLARED = declare(
    "RK601", "undeclared-column", "a column of data that no field takes", Severity.ERROR, since="0.1.0"
)
MISSING = declare("RK602", "missing-field", "a fixed field without data", Severity.ERROR, since="0.1.0")

PLACE_TYPE = declare("RK303", "no-place", "a place where no piece can stand", Severity.ERROR, since="0.1.0")
HOMELESS = declare(
    "RK608", "nowhere", "a piece that is always somewhere and begins nowhere", Severity.ERROR, since="0.1.0"
)

ANY_MONTH = (1800 * 12, 2200 * 12 - 1)
"""Months without a calendar."""
BUILT_IN_COLUMNS = ("name", "title", "place")

Load = Callable[[str, Span], DataFile | None]


@dataclass(slots=True)
class _Draft:
    """A world in the making."""

    domains: dict[str, ir.Domain] = field(default_factory=dict)
    kinds: dict[str, ir.Kind] = field(default_factory=dict)
    sorts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[tuple[int, RowData]]] = field(default_factory=dict)
    data: dict[str, PopulationData] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    simple: dict[tuple[str, int], str] = field(default_factory=dict)


def populate(names: Names, load: Load, report: Report) -> World:
    """The world of a rule set; `load` gives a data file by its path, or None after reporting."""
    draft = _Draft()
    _enums(names, draft, report)
    for sort in ("piece", "space"):
        _domain(sort, names, draft, load, report)
    for group in names.groups.values():
        name = group.name.text
        titles = tuple(f"{name} {number + 1}" for number in range(group.most))
        _add_domain(
            draft,
            name,
            "group",
            tuple(text.replace(" ", "_") for text in titles),
            titles,
            "population",
            group.span,
        )
    _unions(names, draft, report)
    calendar = next(iter(names.calendars.values()), None)
    months = (calendar.first, calendar.last) if calendar else ANY_MONTH
    reader = TypeReader(draft.kinds, months, report)
    place_types = _place_types(names, reader)
    fields = _fields(names, draft, reader)
    stores, fields = _stores(fields, draft)
    members = _members(draft)
    cells = CellReader(draft.domains, draft.kinds, members, report)
    values, places = _values(names, draft, fields, stores, place_types, cells, report)
    return World(
        draft.domains,
        draft.kinds,
        draft.sorts,
        members,
        fields,
        stores,
        values,
        places,
        place_types,
        months,
        draft.spans,
    )


def _add_domain(
    draft: _Draft,
    name: str,
    sort: str,
    members: tuple[str, ...],
    titles: tuple[str, ...],
    is_a: str,
    span: Span,
) -> None:
    draft.domains[name] = ir.Domain(name, sort, members, titles)  # type: ignore[arg-type]
    draft.kinds[name] = ir.Kind(name, name, (1 << len(members)) - 1)
    draft.sorts[name] = is_a
    draft.spans[name] = span


def _enums(names: Names, draft: _Draft, report: Report) -> None:
    for enum in names.enums.values():
        seen: dict[str, Span] = {}
        for member in enum.members:
            if member.name.text in seen:
                _twice(member.name.text, enum.name.text, member.span, seen[member.name.text], report)
            seen[member.name.text] = member.span
        titles = tuple(m.title or m.name.text.replace("_", " ") for m in enum.members)
        _add_domain(
            draft, enum.name.text, "enum", tuple(m.name.text for m in enum.members), titles, "enum", enum.span
        )


def _twice(name: str, kind: str, span: Span, first: Span, report: Report) -> None:
    message = f"`{name}` is named twice among the members of `{kind}`"
    report.add(Diagnostic(TWICE, message, span, (Label(first, "named here first"),), "rename or remove one"))


# ---------------------------------------------------------------- members


def _domain(sort: str, names: Names, draft: _Draft, load: Load, report: Report) -> None:
    """All populations of one sort, numbered one after another."""
    found: list[tuple[str, str, str]] = []  # kind, name, title
    for population in names.populations.values():
        if population.sort != sort:
            continue
        kind = population.name.text
        start, rows = len(found), list(_rows(population, draft, load, report))
        draft.rows[kind] = [(start + at, row) for at, (_, _, row) in enumerate(rows) if row is not None]
        found += [(kind, name, title) for name, title, _ in rows]
        draft.kinds[kind] = ir.Kind(kind, sort, ((1 << len(rows)) - 1) << start)
        draft.sorts[kind] = "population"
        draft.spans[kind] = population.span
    count: dict[str, int] = {}
    for _, name, _ in found:
        count[name] = count.get(name, 0) + 1
    members = tuple(name if count[name] == 1 else f"{kind}.{name}" for kind, name, _ in found)
    draft.simple.update({(sort, number): name for number, (_, name, _) in enumerate(found)})
    draft.domains[sort] = ir.Domain(sort, sort, members, tuple(title for _, _, title in found))  # type: ignore[arg-type]
    whole = sort.capitalize()
    draft.kinds[whole] = ir.Kind(whole, sort, (1 << len(found)) - 1)
    draft.sorts[whole] = "union"


def _rows(
    population: i.Population, draft: _Draft, load: Load, report: Report
) -> Iterable[tuple[str, str, RowData | None]]:
    """Name, title and row of each member of one population."""
    kind = population.name.text
    if population.source is not None:
        yield from _data_rows(population, draft, load, report)
        return
    if population.count:
        for number in range(population.count):
            yield f"{kind}_{number + 1}", f"{kind} {number + 1}", None
        return
    seen: dict[str, Span] = {}
    for member in population.members:
        if member.name.text in seen:
            _twice(member.name.text, kind, member.span, seen[member.name.text], report)
        seen[member.name.text] = member.span
        yield member.name.text, member.title or member.name.text.replace("_", " "), None
    if not population.members:
        hint = 'add `from "data/FILE.yaml"`, or a line `members A, B`'
        report.add(Diagnostic(NO_MEMBERS, f"`{kind}` has no members", population.span, hint=hint))


def _data_rows(
    population: i.Population, draft: _Draft, load: Load, report: Report
) -> Iterable[tuple[str, str, RowData | None]]:
    kind = population.name.text
    assert population.source is not None and population.source_span is not None
    file = load(population.source, population.source_span)
    if file is None:
        return
    data = file.populations.get(kind)
    if data is None:
        hint = f"it holds {', '.join(f'`{name}`' for name in file.populations) or 'no populations'}"
        message = f"`{population.source}` holds no population `{kind}`"
        report.add(Diagnostic(NO_MEMBERS, message, population.source_span, hint=hint))
        return
    draft.data[kind] = data
    seen: dict[str, Span] = {}
    for row in data.rows:
        cell = _named_cell(data, row, "name")
        printed = str(cell.value) if cell else ""
        name = "_".join(printed.split())
        if name in seen:
            _twice(printed, kind, cell.span if cell else row.span, seen[name], report)
            continue
        seen[name] = cell.span if cell else row.span
        title = _named_cell(data, row, "title")
        yield name, str(title.value) if title and title.value else printed, row


def _named_cell(data: PopulationData, row: RowData, column: str) -> Cell | None:
    return row.cells[data.columns.index(column)] if column in data.columns else None


def _unions(names: Names, draft: _Draft, report: Report) -> None:
    for union in names.unions.values():
        parts = [(name, draft.kinds.get(name.text)) for name in union.kinds]
        for name, part in parts:
            if part is None:
                hint = (
                    "declare it above the union"
                    if name.text in names.unions
                    else "kinds are declared with `piece`, `space`, `enum` or `group`"
                )
                report.add(Diagnostic(UNKNOWN_KIND, f"`{name.text}` is no kind", name.span, hint=hint))
        known = [(name, part) for name, part in parts if part is not None]
        if not known:
            continue
        domain, mask = known[0][1].domain, 0
        for name, part in known:
            if part.domain != domain:
                message = f"`{name.text}` and `{known[0][0].text}` have no domain in common"
                report.add(
                    Diagnostic(MIXED, message, name.span, hint="unite pieces with pieces, spaces with spaces")
                )
                continue
            mask |= part.members
        text = union.name.text
        draft.kinds[text] = ir.Kind(text, domain, mask)
        draft.sorts[text] = "union"
        draft.spans[text] = union.span


def _members(draft: _Draft) -> dict[str, tuple[tuple[str, int], ...]]:
    """Everything a name can mean; a member that shares its name goes by `Kind.name` too."""
    found: dict[str, list[tuple[str, int]]] = {}
    for domain in draft.domains.values():
        for number, name in enumerate(domain.members):
            simple = draft.simple.get((domain.name, number), name)
            found.setdefault(simple, []).append((domain.name, number))
    return {name: tuple(all_) for name, all_ in found.items()}


# ---------------------------------------------------------------- fields and stores


def _fields(names: Names, draft: _Draft, reader: TypeReader) -> dict[tuple[str, str], FieldInfo]:
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


def _place_types(names: Names, reader: TypeReader) -> dict[str, t.Type]:
    """Where the pieces of each kind may stand, by its field line `place: TYPE`."""
    found: dict[str, t.Type] = {}
    for population in names.populations.values():
        for decl in fields_of(population, names):
            if decl.name.text != "place":
                continue
            type_ = reader.read(decl.type)
            of = type_.of if isinstance(type_, t.Optional) else type_
            if population.sort != "piece" or not isinstance(of, t.Member) or of.domain != "space":
                hint = "write `place: KIND` or `place: KIND or none`, KIND a kind of space"
                reader.tell(PLACE_TYPE, "pieces stand at spaces", decl.span, hint)
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


def _stores(
    fields: dict[tuple[str, str], FieldInfo], draft: _Draft
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


def key_size(key: str | tuple[int, int], domains: dict[str, ir.Domain]) -> int:
    """How many values a key has."""
    return len(domains[key].members) if isinstance(key, str) else key[1] - key[0] + 1


# ---------------------------------------------------------------- values


def _values(
    names: Names,
    draft: _Draft,
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
    draft: _Draft, place_types: dict[str, t.Type], places: list[int], report: Report
) -> None:
    for kind, type_ in place_types.items():
        if isinstance(type_, t.Optional):
            continue
        members = draft.kinds[kind].members
        for number, place in enumerate(places):
            if members >> number & 1 and place == t.NONE:
                title = draft.domains["piece"].titles[number]
                message = f"`{title}` is always somewhere, and nothing says where it begins"
                hint = "add a column `place` to its data, or declare `place: ... or none`"
                report.add(Diagnostic(HOMELESS, message, draft.spans[kind], hint=hint))
                break


def _columns_known(
    kind: str, data: PopulationData, fields: dict[tuple[str, str], FieldInfo], report: Report
) -> None:
    for column in data.columns:
        if column not in BUILT_IN_COLUMNS and (kind, column) not in fields:
            message = f"`{kind}` has no field `{column}`"
            hint = f"declare it (`{column}: TYPE`), or take the column out"
            report.add(Diagnostic(UNDECLARED, message, data.span, hint=hint))


def _fill(
    kind: str,
    data: PopulationData,
    draft: _Draft,
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
                for offset, value in cells.keyed(info, cell, sizes):
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
            and decl.initial is None
            and not has_column
            and (data or population.source is None)
        ):
            where = data.span if data else decl.span
            message = f"nothing says what `{decl.name.text}` of each `{kind}` is"
            hint = "add the column to the data, or give the field a value (`= ...`)"
            report.add(
                Diagnostic(
                    MISSING, message, where, (Label(decl.span, "declared here"),) if data else (), hint
                )
            )
