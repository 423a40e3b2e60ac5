"""What data say: cells read as values, dense over each store; and what they fail to say."""

from __future__ import annotations

from rulekit import ir
from rulekit.compiler.names import Names
from rulekit.compiler.populate.cells import CellReader
from rulekit.compiler.populate.members import WorldDraft
from rulekit.compiler.populate.stores import fields_of, key_size
from rulekit.compiler.world import FieldInfo, StoreInfo
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.ir import types as t
from rulekit.ruleset import PopulationData
from rulekit.syntax.tree import items as i

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
