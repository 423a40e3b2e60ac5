"""An owner's data laid over a rule set's: facts are replaced by name, never added, never silently ignored.

A sampler is the exception: the owner's members, or rows of a table, replace all of it together.

The owner's file has the same shape and may leave out whatever stays.  Its facts count as printed (the owner
has looked) unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TypeVar

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Report, kinds
from rulekit.ruleset.datafile import row_key
from rulekit.ruleset.findings import did_you_mean, missing_column, short, unknown_key
from rulekit.ruleset.model import (
    CellValue,
    Confidence,
    DataFile,
    PopulationData,
    RowData,
    TableData,
    ValueData,
)

Rows = TypeVar("Rows", PopulationData, TableData)
Named = TypeVar("Named", PopulationData, TableData, ValueData)

Parts = Mapping[str, PopulationData] | Mapping[str, TableData] | Mapping[str, ValueData]

_PARTS: tuple[tuple[str, Callable[[DataFile], Parts]], ...] = (
    ("population", attrgetter("populations")),
    ("table", attrgetter("tables")),
    ("value", attrgetter("values")),
)


def overlay(base: DataFile, owner: DataFile, report: Report) -> DataFile:
    """`base` with what `owner` says instead; what `base` does not have is a finding."""
    return overlay_all((base,), owner, report)[0]


def overlay_all(
    bases: Sequence[DataFile], owner: DataFile, report: Report, wanted: Collection[str] = ()
) -> tuple[DataFile, ...]:
    """Each base with what `owner` says of its names; a name that none of them has is a finding.

    Args:
        wanted: Tables that no base has and that an owner's file may hold.
    """
    _unknown_names(bases, owner, report, wanted)
    laid = _Overlay(report)
    return tuple([laid.file(base, owner) for base in bases])


def _unknown_names(
    bases: Sequence[DataFile], owner: DataFile, report: Report, wanted: Collection[str]
) -> None:
    for what, parts in _PARTS:
        known = [name for base in bases for name in parts(base)]
        known += wanted if what == "table" else ()
        for name, part in parts(owner).items():
            if name not in known:
                report.add(_nothing(f"{what} {short(name)}", name, part.span, known))


def _nothing(what: str, name: str, span: Span, known: Sequence[str]) -> Diagnostic:
    hint = did_you_mean(name, known)
    return Diagnostic(kinds.OVERLAY_UNKNOWN_NAME, f"unknown {what}", span, hint=hint)


@frozen
class _Overlay:
    """Lays files over files."""

    report: Report

    def file(self, base: DataFile, owner: DataFile) -> DataFile:
        return replace(
            base,
            sources={**base.sources, **owner.sources},
            populations=_merge(base.populations, owner.populations, self._rows),
            tables=_merge(base.tables, owner.tables, self._rows),
            values=_merge(base.values, owner.values, lambda _, new: _vouched_value(new)),
        )

    def _rows(self, base: Rows, owner: Rows) -> Rows:
        """The base's rows, in its order, with the cells the owner gives; a sampler gives way as a whole."""
        if base.sampler:
            if isinstance(base, PopulationData) and not self._has_keys(base, owner):
                return base
            return replace(owner, rows=tuple([_with_owners_word(row) for row in owner.rows]))
        columns = self._columns(base, owner)
        if columns is None:
            return base
        theirs = {row_key(row.cells, base.keys): row for row in owner.rows}
        if not base.rows and columns == list(range(len(base.columns))):
            return replace(base, rows=tuple([_with_owners_word(row) for row in owner.rows]))
        known = {row_key(row.cells, base.keys): row for row in base.rows}
        for key, row in theirs.items():
            if key not in known:
                self.report.add(_no_row(base, row))
        rows = [_lay_cells(row, theirs.get(key), columns) for key, row in known.items()]
        return replace(base, rows=tuple(rows))

    def _columns(self, base: Rows, owner: Rows) -> list[int] | None:
        """Where each of the owner's columns is in the base; None if the two cannot be compared."""
        usable = True
        for column, span in zip(owner.columns, owner.column_spans, strict=True):
            if column not in base.columns:
                self.report.add(unknown_key(column, span, base.columns, short(base.name)))
                usable = False
        usable &= self._has_keys(base, owner)
        return [base.columns.index(column) for column in owner.columns] if usable else None

    def _has_keys(self, base: Rows, owner: Rows) -> bool:
        """Whether the owner's first columns are the base's; a missing one is reported."""
        missing = [
            column
            for key, column in enumerate(base.columns[: base.keys])
            if owner.columns[key : key + 1] != (column,)
        ]
        for column in missing:
            self.report.add(missing_column(column, owner.span, owner.name))
        return not missing


def _merge(
    base: Mapping[str, Named], owner: Mapping[str, Named], lay: Callable[[Named, Named], Named]
) -> dict[str, Named]:
    return {name: lay(part, owner[name]) if name in owner else part for name, part in base.items()}


def _no_row(base: PopulationData | TableData, row: RowData) -> Diagnostic:
    name = ", ".join(str(cell.plain) for cell in row.cells[: base.keys])
    known = [", ".join(str(cell.plain) for cell in known.cells[: base.keys]) for known in base.rows]
    return _nothing(f"row {short(name)} in {short(base.name)}", name, row.cells[0].span, known)


def _lay_cells(row: RowData, owner: RowData | None, columns: Sequence[int]) -> RowData:
    """One row with the owner's cells in it, and with the owner's word on each of them."""
    if owner is None:
        return row
    given = _with_owners_word(owner)
    cells: list[CellValue] = list(row.cells)
    confidence = list(row.confidence)
    for place, new, word in zip(columns, given.cells, given.confidence, strict=True):
        cells[place], confidence[place] = new, word
    return RowData(
        tuple(cells), tuple(confidence), owner.note or row.note, owner.source or row.source, owner.span
    )


def _with_owners_word(row: RowData) -> RowData:
    return replace(row, confidence=tuple(map(_word, row.confidence)))


def _vouched_value(value: ValueData) -> ValueData:
    return replace(value, confidence=_word(value.confidence))


def _word(word: Confidence) -> Confidence:
    return Confidence.PRINTED if word is Confidence.UNSAID else word
