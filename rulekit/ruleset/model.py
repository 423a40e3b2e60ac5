"""The content of a data file, each fact with its place and confidence; not yet compared with any rules.

Made by `datafile` and `overlay`; read by the compiler, which knows what type a cell must have.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.source import Span


class Confidence(enum.StrEnum):
    """How well a fact is known."""

    PRINTED = "printed"
    """Read in the booklet, or from the owner's own copy."""
    CORROBORATED = "corroborated"
    """Stated elsewhere by an owner of the components."""
    RECONSTRUCTED = "reconstructed"
    """Worked out; a placeholder until an owner looks."""
    MISSING = "missing"
    """Not known at all."""
    UNSAID = "unsaid"
    """The file does not say; no file can write this word."""


CONFIDENCE_WORDS = tuple(word for word in Confidence if word is not Confidence.UNSAID)
ON_TRUST = frozenset((Confidence.RECONSTRUCTED, Confidence.MISSING, Confidence.UNSAID))
"""Confidence of unverified facts."""


@frozen
class CellValue:
    """One value: a whole number, a text, yes or no, nothing, a list or a mapping of cells."""

    value: int | str | bool | None | tuple[CellValue, ...] | Mapping[str, CellValue]
    span: Span

    @property
    def plain(self) -> Any:
        """The value without places: tuples and dicts of plain values."""
        match self.value:
            case tuple():
                return tuple(cell.plain for cell in self.value)
            case Mapping():
                return {name: cell.plain for name, cell in self.value.items()}
            case _:
                return self.value


@frozen
class RowData:
    """A row: a cell and a confidence for each column; `note` and `source` may be empty."""

    cells: tuple[CellValue, ...]
    confidence: tuple[Confidence, ...]
    note: str
    source: str
    span: Span


@frozen
class PopulationData:
    """Pieces or spaces of one kind; the first column is their name, and no name occurs twice.

    Every row has as many cells as there are columns; `column_spans` are the columns' places.  `sampler`: the
    members are made up, until an owner's file has this population.  `unread`: its rows do not fit its
    columns, which is reported, so that nobody knows its members.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[RowData, ...]
    span: Span
    column_spans: tuple[Span, ...]
    sampler: bool = False
    unread: bool = False

    @property
    def keys(self) -> int:
        """The columns that tell rows apart."""
        return 1


@frozen
class TableData:
    """Numbers of a table; the first `keys` columns are its keys, and no combination occurs twice.

    `sampler`: the numbers are made up, until an owner's file has this table.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[RowData, ...]
    span: Span
    column_spans: tuple[Span, ...]
    keys: int
    sampler: bool = False


@frozen
class ValueData:
    """A single named value; `span` is its name's place."""

    name: str
    cell: CellValue
    confidence: Confidence
    note: str
    source: str
    span: Span


@frozen
class DataFile:
    """One data file; mappings are in the order written."""

    file: str
    about: str
    sources: Mapping[str, str]
    populations: Mapping[str, PopulationData]
    tables: Mapping[str, TableData]
    values: Mapping[str, ValueData]
