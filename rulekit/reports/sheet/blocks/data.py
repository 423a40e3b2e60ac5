"""Members of kinds with what the data say of them, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir.types import Member as MemberType
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.content.wording import plain
from rulekit.reports.sheet.model.document import Head, Runs, SheetLine, text
from rulekit.reports.sheet.model.settings import BlockSpec
from rulekit.reports.sheet.reachability.guess import number
from rulekit.ruleset.model import ON_TRUST, Confidence, PopulationData, RowData, TableData
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.types import NamedType, OptionalType


@frozen
class MemberRow:
    """A piece or a space; `values` are the data's, by field; `side` a place in the sheet's sides."""

    name: str
    title: str
    values: Mapping[str, Any]
    side: int | None
    confidence: Mapping[str, Confidence]

    def soft(self, field: str) -> bool:
        """True if a fact is unverified."""
        return self.confidence.get(field) in ON_TRUST and self.values.get(field) is not None

    def cell(self, ctx: Context, value: Any) -> Runs:
        """A value in words."""
        match value:
            case None | ():
                return text("–")
            case bool():
                return text(ctx.catalogue("yes" if value else "no"))
            case tuple():
                return text(", ".join(ctx.words.name(str(part)) for part in value))
            case str():
                return text(ctx.words.name(value))
            case dict():
                return text(", ".join(f"{key}: {part}" for key, part in value.items()))
            case _:
                return text(str(value).replace("-", "−"))


def members(ctx: Context, kind: str) -> tuple[MemberRow, ...]:
    """The members of a population that come from a data file; of pieces those that can be in play."""
    data = population(ctx, kind)
    if data is None:
        return ()
    rows = []
    owners = side_fields(ctx, kind)
    asked = {column: asked_keys(ctx, kind, column) for column in data.columns[1:]}
    in_play = ctx.applies.pieces if ctx.compiled.names.populations[kind].sort == "piece" else None
    for row in data.rows:
        cells = zip(data.columns, row.cells, strict=True)
        values = {column: _of_keys(cell.plain, asked.get(column, ())) for column, cell in cells}
        name = str(values[data.columns[0]])
        if in_play is not None and plain(name) not in in_play:
            continue
        side = ctx.side(next((values[f] for f in owners if values.get(f)), None))
        confidence = dict(zip(data.columns, row.confidence, strict=True))
        rows.append(MemberRow(name, ctx.words.of_data(name), values, side, confidence))
    return tuple(rows)


def fields_of(ctx: Context, kind: str) -> Mapping[str, i.FieldDecl]:
    """The fields of a kind, its own first, then those of the kinds that it belongs to."""
    names = ctx.compiled.names
    own = [*names.populations[kind].fields]
    waiting = [kind]
    while waiting:
        inner = waiting.pop()
        for union in names.unions.values():
            if any(part.text == inner for part in union.kinds):
                own += union.fields
                waiting.append(union.name.text)
    fields: dict[str, i.FieldDecl] = {}
    for field in own:
        fields.setdefault(field.name.text, field)
    return fields


def enum_fields(ctx: Context, kind: str, *, own: bool = False) -> tuple[tuple[str, str], ...]:
    """Fields of a kind that name a member of an enum, with the enum; `own`: declared for this kind alone."""
    fields = fields_of(ctx, kind)
    alone = {field.name.text for field in ctx.compiled.names.populations[kind].fields}
    with_enum = []
    for name, field in fields.items():
        inner = field.type.of if isinstance(field.type, OptionalType) else field.type
        if isinstance(inner, NamedType) and inner.name in ctx.compiled.names.enums and not field.params:
            if not own or name in alone:
                with_enum.append((name, inner.name))
    return tuple(with_enum)


def side_fields(ctx: Context, kind: str) -> tuple[str, ...]:
    """Fields of a kind that say whose a member is."""
    return tuple(name for name, enum in enum_fields(ctx, kind) if enum == ctx.side_kind)


def asked_keys(ctx: Context, kind: str, field: str) -> tuple[frozenset[str] | None, ...]:
    """For each key of a field the values that are ever asked in the sheet's scenario; None for any."""
    world = ctx.compiled.model.world
    info = world.field(kind, field)
    guesses = ctx.applies.keys.get(info.store) if info is not None and info.keys else None
    if guesses is None or info is None:
        return ()
    asked: list[frozenset[str] | None] = []
    for (_, type_), guess in zip(info.keys, guesses[1:], strict=False):
        if isinstance(guess, frozenset):
            keys = {world.text(type_, value) for value in guess}
            if isinstance(type_, MemberType):
                keys |= {world.domains[type_.domain].members[number(value)] for value in guess}
            asked.append(frozenset(keys))
        else:
            asked.append(None)
    return tuple(asked)


def _of_keys(value: Any, asked: Sequence[frozenset[str] | None]) -> Any:
    """A fact without the keys that are never asked; that for the only one that is."""
    if not asked or not isinstance(value, dict):
        return value
    wanted, rest = asked[0], asked[1:]
    kept = {k: _of_keys(inner, rest) for k, inner in value.items() if wanted is None or str(k) in wanted}
    if wanted is not None and len(wanted) == 1:
        return next(iter(kept.values()), None)
    return kept


def population(ctx: Context, kind: str) -> PopulationData | None:
    """Return the data of a kind from the data files."""
    for file in ctx.compiled.data.files.values():
        if file is not None and kind in file.populations:
            return file.populations[kind]
    return None


def data_table(ctx: Context, name: str) -> TableData | None:
    """Return a table of the data files."""
    files = (file for file in ctx.compiled.data.files.values() if file is not None)
    return next((file.tables[name] for file in files if name in file.tables), None)


def is_soft(row: RowData) -> bool:
    """True if a fact in a row is unverified."""
    return not set(row.confidence).isdisjoint(ON_TRUST)


def selected_members(ctx: Context, spec: BlockSpec, kind: str) -> tuple[MemberRow, ...]:
    """Return the members of a kind that have a value that the `where` of a specification lists."""
    wanted = spec.maps.get("where", {})
    return tuple(
        member
        for member in members(ctx, kind)
        if all(str(member.values.get(field)) in values for field, values in wanted.items())
    )


def wide_head(ctx: Context, id_: str, title: str, cites: Sequence[Cite | None], *, doubtful: bool) -> Head:
    """Return the head of a wide block: at most three printed rules, and a note if some fact is uncertain."""
    notes = (soft_note(ctx),) if doubtful else ()
    return Head(id_, title, ctx.words.numbers_cited(*cites)[:3], wide=True, notes=notes)


def soft_note(ctx: Context) -> SheetLine:
    """Return the note that explains the ring after a fact."""
    return SheetLine("°", text=text(ctx.catalogue("soft")))
