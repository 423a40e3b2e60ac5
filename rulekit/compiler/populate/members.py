"""Members: enums, populations from data or named in the rules, groups, unions; each with its id."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rulekit import ir
from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.compiler.grid import Grid
from rulekit.compiler.names import Names
from rulekit.compiler.populate.coordinates import coordinates
from rulekit.compiler.world import FieldInfo, StoreInfo
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.diagnostics.kinds import MEMBER_TWICE, MIXED_KINDS, NO_MEMBERS, OWNER_GAP, UNKNOWN_KIND
from rulekit.ir import types as t
from rulekit.ruleset import CellValue, DataFile, PopulationData, RowData
from rulekit.syntax.tree import items as i

_PARTED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
Load = Callable[[str, Span], DataFile | None]


@dataclass(slots=True)
class WorldDraft:
    """A world in the making; `values` and `places` are dense, None where data say nothing; `placed` are
    the kinds whose line says where their pieces begin.

    `unnamed` are the members of extern populations that rules may not name; `unread` the domains with a
    population that could not be read; `unlocated` what is wrong with members of extern boards whose own
    coordinate is empty, which `add_values` reports with the other empty cells.
    """

    domains: dict[str, ir.Domain] = field(default_factory=dict)
    kinds: dict[str, ir.NamedSet] = field(default_factory=dict)
    sorts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[tuple[int, RowData]]] = field(default_factory=dict)
    data: dict[str, PopulationData] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    simple: dict[tuple[str, int], str] = field(default_factory=dict)
    unnamed: set[tuple[str, int]] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    place_types: dict[str, t.Type] = field(default_factory=dict)
    fields: dict[tuple[str, str], FieldInfo] = field(default_factory=dict)
    stores: dict[str, StoreInfo] = field(default_factory=dict)
    values: dict[str, list[ir.expr.Value | None]] = field(default_factory=dict)
    places: list[int | None] = field(default_factory=list)
    placed: set[str] = field(default_factory=set)
    boards: dict[str, Grid] = field(default_factory=dict)
    lines: dict[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    unlocated: dict[str, list[Diagnostic]] = field(default_factory=dict)


def add_domain(
    draft: WorldDraft,
    name: str,
    sort: str,
    members: tuple[str, ...],
    titles: tuple[str, ...],
    is_a: str,
    span: Span,
) -> None:
    draft.domains[name] = ir.Domain(name, sort, members, titles)  # type: ignore[arg-type]
    _add_kind(draft, name, name, (1 << len(members)) - 1, is_a, span)


def _add_kind(
    draft: WorldDraft, name: str, domain: str, members: int, is_a: str, span: Span | None = None, *owner: str
) -> None:
    draft.kinds[name] = ir.NamedSet(name, domain, members, *owner)
    draft.sorts[name] = is_a
    if span is not None:
        draft.spans[name] = span


def enums(names: Names, draft: WorldDraft, report: Report) -> None:
    for enum in names.enums.values():
        if enum.lines is not None:  # these need the spaces first
            continue
        name = enum.name.text
        members = list(_listed_members(name, enum.members, report))
        names_, titles = tuple(text for text, _ in members), tuple(title for _, title in members)
        add_domain(draft, name, "enum", names_, titles, "enum", enum.span)


def _listed_members(kind: str, members: Iterable[i.Member], report: Report) -> Iterator[tuple[str, str]]:
    """Yield the name and title of each member that the rules list; a repeated name is reported."""
    seen: dict[str, Span] = {}
    for member in members:
        name = member.name.text
        if name in seen:
            _report_twice(name, kind, member.span, seen[name], report)
        seen[name] = member.span
        yield name, member.title or name.replace("_", " ")


def _report_twice(name: str, kind: str, span: Span, first: Span, report: Report) -> None:
    message = f"`{name}` is named twice among the members of `{kind}`"
    label = Label(first, "named here first")
    report.add(Diagnostic(MEMBER_TWICE, message, span, (label,), "rename or remove one"))


# ---------------------------------------------------------------- members


def domain_of(sort: str, names: Names, draft: WorldDraft, load: Load, report: Report) -> None:
    """All populations of one sort, numbered one after another."""
    entries: list[tuple[str, str, str]] = []  # kind, name, title
    for population in names.populations.values():
        if population.sort != sort:
            continue
        kind = population.name.text
        start, rows = len(entries), list(_rows(population, draft, load, report))
        draft.rows[kind] = [(start + at, row) for at, (_, _, row) in enumerate(rows) if row is not None]
        entries += [(kind, name, title) for name, title, _ in rows]
        mask = ((1 << len(rows)) - 1) << start
        _add_kind(draft, kind, sort, mask, "population", population.span, *_owner(population, draft))
        if population.owner:
            needed = {name.text for name in population.needed}
            draft.unnamed |= {(sort, start + at) for at, row in enumerate(rows) if row[0] not in needed}
            _report_not_there(population, {name for name, _, _ in rows}, draft, report)
    count = Counter(name for _, name, _ in entries)
    members = tuple(name if count[name] == 1 else f"{kind}.{name}" for kind, name, _ in entries)
    draft.simple.update({(sort, number): name for number, (_, name, _) in enumerate(entries)})
    draft.domains[sort] = ir.Domain(sort, sort, members, tuple(title for _, _, title in entries))  # type: ignore[arg-type]
    whole = sort.capitalize()
    _add_kind(draft, whole, sort, (1 << len(entries)) - 1, "union")


def _owner(population: i.Population, draft: WorldDraft) -> tuple[str, ...]:
    """The file with the members of an extern kind and, while they are made up, the owner's missing file."""
    data = draft.data.get(population.name.text)
    if not population.owner or data is None or population.source is None:
        return ()
    if data.sampler:
        return population.source, population.owner
    return (data.span.file.rpartition("/")[2] if data.span.file.startswith("/") else data.span.file,)


def _report_not_there(population: i.Population, there: set[str], draft: WorldDraft, report: Report) -> None:
    """Report members that an extern population needs and that its data do not have."""
    kind, data = population.name.text, draft.data.get(population.name.text)
    for name in population.needed if data is not None else ():
        if name.text not in there:
            assert data is not None
            message = f"`{kind}` has no row for `{name.text.replace('_', ' ')}`, which the rules need"
            label = Label(name.span, "needed here")
            hint = meant(name.text, sorted(there)) or "add the row, or correct the name in the file"
            report.add(Diagnostic(OWNER_GAP, message, data.span, (label,), hint))


def _rows(
    population: i.Population, draft: WorldDraft, load: Load, report: Report
) -> Iterable[tuple[str, str, RowData | None]]:
    """Name, title and row of each member of one population."""
    kind = population.name.text
    if population.source is not None:
        yield from _data_rows(population, draft, load, report)
        return
    if population.count is not None:
        for number in range(population.count):
            yield f"{kind}_{number + 1}", f"{in_words(kind)} {number + 1}", None
        return
    for name, title in _listed_members(kind, population.members, report):
        yield name, title, None
    if population.board is not None and not population.members:
        for name, _, _ in coordinates(population.board):
            yield name, name, None
    elif not population.members:
        hint = 'add `from "data/FILE.yaml"`, or a line `members A, B`'
        report.add(Diagnostic(NO_MEMBERS, f"`{kind}` has no members", population.span, hint=hint))


def in_words(kind: str) -> str:
    """A kind's name as people read it: `JapaneseBattalion` is two words, and `USBattalion` too."""
    return _PARTED.sub(" ", kind).replace("_", " ")


def _data_rows(
    population: i.Population, draft: WorldDraft, load: Load, report: Report
) -> Iterable[tuple[str, str, RowData | None]]:
    kind = population.name.text
    assert population.source is not None and population.source_span is not None
    file = load(population.source, population.source_span)
    if file is None:
        return
    data = file.populations.get(kind)
    if data is None:
        hint = f"it has {', '.join(f'`{name}`' for name in file.populations) or 'no populations'}"
        message = f"`{population.source}` has no population `{kind}`"
        report.add(Diagnostic(NO_MEMBERS, message, population.source_span, hint=hint))
        return
    if data.unread:
        draft.unread.add(population.sort)
        return
    draft.data[kind] = data
    if population.owner and not data.rows:
        hint = "add a row for each member"
        report.add(Diagnostic(NO_MEMBERS, f"`{kind}` has no members", data.span, hint=hint))
    seen: dict[str, Span] = {}
    for row in data.rows:
        cell = named_cell(data, row, "name")
        printed = str(cell.value) if cell else ""
        name = "_".join(printed.split())
        if name in seen:
            _report_twice(printed, kind, name_span(data, row), seen[name], report)
            continue
        seen[name] = name_span(data, row)
        title = named_cell(data, row, "title")
        yield name, str(title.value) if title and title.value else printed, row


def name_span(data: PopulationData, row: RowData) -> Span:
    """Where the name of a row's member is; without a name, the row."""
    cell = named_cell(data, row, "name")
    return cell.span if cell else row.span


def named_cell(data: PopulationData, row: RowData, column: str) -> CellValue | None:
    """The cell of a row in the column of that name, if the data have one."""
    return row.cells[data.columns.index(column)] if column in data.columns else None


def unions(names: Names, draft: WorldDraft, report: Report) -> None:
    for union in names.unions.values():
        parts = [(name, draft.kinds.get(name.text)) for name in union.kinds]
        for name, part in parts:
            if part is None:
                if name.text in names.unions:
                    message, hint = f"`{name.text}` is declared below", "declare it above this union"
                else:
                    message = f"`{name.text}` is not a kind"
                    hint = "kinds are declared with `piece`, `space`, `enum` or `group`"
                report.add(Diagnostic(UNKNOWN_KIND, message, name.span, hint=hint))
        known = [(name, part) for name, part in parts if part is not None]
        if not known:
            continue
        domain, mask = known[0][1].domain, 0
        for name, part in known:
            if part.domain != domain:
                message = f"`{name.text}` and `{known[0][0].text}` have no domain in common"
                hint = "unite pieces with pieces, spaces with spaces"
                report.add(Diagnostic(MIXED_KINDS, message, name.span, hint=hint))
                continue
            mask |= part.members
        text = union.name.text
        _add_kind(draft, text, domain, mask, "union", union.span)


def members_by_name(draft: WorldDraft) -> dict[str, tuple[tuple[str, int], ...]]:
    """Everything a name can mean in data; a member that shares its name goes by `Kind.name` too."""
    meanings: dict[str, list[tuple[str, int]]] = {}
    for domain in draft.domains.values():
        for number, name in enumerate(domain.members):
            simple = draft.simple.get((domain.name, number), name)
            meanings.setdefault(simple, []).append((domain.name, number))
    return {name: tuple(members) for name, members in meanings.items()}


def named_members(
    draft: WorldDraft, members: Mapping[str, tuple[tuple[str, int], ...]]
) -> Mapping[str, tuple[tuple[str, int], ...]]:
    """The same without the members that only data name."""
    if not draft.unnamed:
        return members
    named = ((name, tuple(n for n in ids if n not in draft.unnamed)) for name, ids in members.items())
    return {name: ids for name, ids in named if ids}
