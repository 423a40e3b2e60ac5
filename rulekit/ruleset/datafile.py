"""A data file to a `model.DataFile`: checked against the format of data files, not against any rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Label, Report, kinds
from rulekit.ruleset import yaml
from rulekit.ruleset.confidence import Provenance, ProvenanceReader
from rulekit.ruleset.files import read_text
from rulekit.ruleset.findings import beyond, short, wrong_shape
from rulekit.ruleset.model import (
    CellValue,
    Confidence,
    DataFile,
    PopulationData,
    RowData,
    TableData,
    ValueData,
)
from rulekit.ruleset.reading import NOTHING, Entries, Items, Node, Reading, Scalar, what_is

FORMAT = 1
P = TypeVar("P")

_FILE_KEYS = ("format", "about", "source", "confidence", "populations", "tables", "values")
_POPULATION_KEYS = ("about", "columns", "confidence", "note", "source", "rows")
_TABLE_KEYS = (*_POPULATION_KEYS, "keys")
_ROW_KEYS = ("row", "confidence", "note", "source")
_VALUE_KEYS = ("value", "confidence", "note", "source")
MAX_DIGITS = 18
"""Digits of a whole number, so that it fits a signed word of 64 bits."""

_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_LIKE_A_NUMBER = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_NUMBER_STARTS = frozenset("+-.0123456789")


def read_data_file(folder: Path, name: str, report: Report, *, at: Span | None = None) -> DataFile | None:
    """Read one data file of a rule set.

    Args:
        folder: The folder that no file may leave.
        name: Path inside it.
        at: The place that names the file, for findings about a file that cannot be had.
    Returns:
        What could be understood, or None if that is nothing; in doubt ask `report`.
    """
    source = read_text(folder, name, report, at=at)
    return None if source is None else parse_data_file(source, report)


def parse_data_file(source: Source, report: Report) -> DataFile | None:
    """The same, from text in hand."""
    reading = Reading(report, source.file)
    tree = yaml.parse(source, reading)
    if tree is None:
        return None
    if not isinstance(tree, Entries) or all(key.text != "format" for key, _ in tree.pairs):
        hint = f"start the file with `format: {FORMAT}`"
        message = f"{short(source.file)} is not a data file: missing `format`"
        reading.add(Diagnostic(kinds.NOT_A_DATA_FILE, message, source.whole(), hint=hint))
        return None
    return _FileReader(reading, ProvenanceReader(reading)).file(tree)


class _Block(NamedTuple):
    """The part that populations and tables have in common."""

    columns: tuple[str, ...]
    column_spans: tuple[Span, ...]
    rows: tuple[RowData, ...]
    unread: bool = False


@dataclass(slots=True)
class _FileReader:
    """Reads one file."""

    reading: Reading
    provenance: ProvenanceReader
    confidence: Confidence = Confidence.UNSAID

    def file(self, tree: Entries) -> DataFile | None:
        keys = self.reading.keys(tree, "a data file", _FILE_KEYS)
        if not self._format(keys["format"]):
            return None
        if "source" in keys:
            self.provenance.sources = self.reading.named_texts(keys["source"], "`source`")
        self.confidence = self.provenance.word(keys.get("confidence"), self.confidence)
        return DataFile(
            self.reading.file,
            self.reading.text(keys.get("about"), "`about`"),
            self.provenance.sources or {},
            self._part("populations", keys, self._population),
            self._part("tables", keys, self._table),
            self._part("values", keys, self._value),
        )

    def _part(self, part: str, keys: Mapping[str, Node], read: Callable[[Scalar, Node], P]) -> dict[str, P]:
        pairs = self.reading.mapping(keys[part], f"`{part}`") if part in keys else ()
        return {key.text: read(key, node) for key, node in pairs}

    def _format(self, node: Node) -> bool:
        if isinstance(node, Scalar) and node.text == str(FORMAT):
            return True
        hint = f"write `format: {FORMAT}`"
        message = "unsupported format of data files"
        self.reading.add(Diagnostic(kinds.NOT_A_DATA_FILE, message, node.span, hint=hint))
        return False

    def _population(self, name: Scalar, node: Node) -> PopulationData:
        where = f"population {short(name.text)}"
        keys = self.reading.keys(node, where, _POPULATION_KEYS, ("columns", "rows"))
        block = self._block(keys, where)
        for row in block.rows:
            text = row.cells[0].value
            if not isinstance(text, str | int):
                self.reading.add(wrong_shape("the first cell of a row must be a name", row.cells[0].span))
            elif isinstance(text, str) and "\n" in text:
                self.reading.add(wrong_shape("a name must be on one line", row.cells[0].span))
        rows = self._distinct(block.rows, 1)
        places, unread = block.column_spans, block.unread
        return PopulationData(name.text, block.columns, rows, name.span, places, unread=unread)

    def _table(self, name: Scalar, node: Node) -> TableData:
        where = f"table {short(name.text)}"
        keys = self.reading.keys(node, where, _TABLE_KEYS, ("columns", "rows"))
        block = self._block(keys, where)
        usual = max(len(block.columns) - 1, 0)
        count = usual if block.unread else self.reading.whole(keys.get("keys"), "`keys`", usual)
        if block.columns and not block.unread and not 0 < count < len(block.columns):
            place = keys["keys" if "keys" in keys else "columns"].span
            hint = "`keys` is the number of columns, from the first, that identify a row"
            self.reading.add(wrong_shape(f"{where} must have a key and a result", place, hint))
            count = usual
        rows = self._distinct(block.rows, count)
        return TableData(name.text, block.columns, rows, name.span, block.column_spans, count)

    def _value(self, name: Scalar, node: Node) -> ValueData:
        provenance = Provenance((self.confidence,), "", "")
        inner = node
        if isinstance(node, Entries) and any(key.text == "value" for key, _ in node.pairs):
            keys = self.reading.keys(node, f"value {short(name.text)}", _VALUE_KEYS)
            provenance = self.provenance.read(keys, ("value",), provenance)
            inner = keys["value"]
        return ValueData(
            name.text, cell(inner, self.reading), provenance.confidence[0], *provenance[1:], name.span
        )

    def _block(self, keys: Mapping[str, Node], where: str) -> _Block:
        self.reading.text(keys.get("about"), f"`about` of {where}")
        before = self.reading.count
        columns = self.reading.texts(keys.get("columns"), "`columns`")
        if "columns" in keys and not columns and self.reading.count == before:
            self.reading.add(wrong_shape(f"{where} must have a column", keys["columns"].span))
        names = tuple(columns)
        provenance = self.provenance.read(keys, names, Provenance((self.confidence,) * len(names), "", ""))
        listed = list(self.reading.items(keys.get("rows"), "`rows`"))
        if names and (many := _alike(listed)) and many != len(names):
            self.reading.add(_column_count(keys["columns"].span, names, many, len(listed)))
            return _Block(names, tuple(columns.values()), (), unread=True)
        rows = [self._row(node, names, provenance) for node in listed]
        return _Block(names, tuple(columns.values()), tuple([row for row in rows if row and names]))

    def _row(self, node: Node, columns: Sequence[str], provenance: Provenance) -> RowData | None:
        cells = node
        if isinstance(node, Entries):
            keys = self.reading.keys(node, "a row", _ROW_KEYS, ("row",))
            provenance = self.provenance.read(keys, columns, provenance)
            if "row" not in keys:
                return None
            cells = keys["row"]
        if not isinstance(cells, Items):
            hint = "write `[cell, cell, ...]`, or `{row: [...], note: ...}`"
            message = f"a row must be a list of cells, but this is {what_is(cells)}"
            self.reading.add(wrong_shape(message, cells.span, hint))
            return None
        if len(cells.nodes) != len(columns):
            if columns:
                self.reading.add(_cell_count(cells, columns))
            return None
        values = tuple([cell(item, self.reading) for item in cells.nodes])
        return RowData(values, provenance.confidence, provenance.note, provenance.source, node.span)

    def _distinct(self, rows: Sequence[RowData], keys: int) -> tuple[RowData, ...]:
        """The rows whose keys were not given before."""
        first: dict[str, RowData] = {}
        for row in rows:
            kept = first.setdefault(row_key(row.cells, keys), row)
            if kept is not row:
                self.reading.add(_duplicate_row(row, kept, keys))
        return tuple(first.values())


def row_key(cells: Sequence[CellValue], keys: int) -> str:
    """Equal for rows whose first `keys` cells are equal."""
    return repr([cell.plain for cell in cells[:keys]])


def _alike(rows: Sequence[Node]) -> int:
    """How many cells all rows have, if there are several rows and all have as many; else 0."""
    pairs = [row.pairs if isinstance(row, Entries) else () for row in rows]
    lists = [
        next((value for key, value in entries if key.text == "row"), row)
        for row, entries in zip(rows, pairs, strict=True)
    ]
    counts = {len(cells.nodes) if isinstance(cells, Items) else 0 for cells in lists}
    return counts.pop() if len(rows) > 1 and len(counts) == 1 else 0


def _column_count(span: Span, columns: Sequence[str], cells: int, rows: int) -> Diagnostic:
    """A name that is missing among the columns is one mistake, not one a row."""
    lacking = cells > len(columns)
    hint = (
        "name the missing column, or put several values in their own `[...]`"
        if lacking
        else f"remove a column that no row has; the last one is `{columns[-1]}`"
    )
    return Diagnostic(
        kinds.CELL_COUNT,
        f"`columns` has {_number_of(len(columns), 'name')}, but each of the {rows:,} rows has "
        f"{_number_of(cells, 'cell')}",
        span,
        hint=hint,
        under="too few" if lacking else "too many",
    )


def _number_of(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _cell_count(cells: Items, columns: Sequence[str]) -> Diagnostic:
    have, want = len(cells.nodes), len(columns)
    if have < want:
        hint = f"the first column without a cell is `{columns[have]}`; write `~` for an empty cell"
        span = cells.span
    else:
        hint = f"the last column is `{columns[-1]}`; put several values in their own `[...]`"
        span = cells.nodes[want].span
    return Diagnostic(
        kinds.CELL_COUNT,
        f"{_number_of(have, 'cell')} for {_number_of(want, 'column')}",
        span,
        hint=hint,
        under="too few" if have < want else "too many",
    )


def _duplicate_row(row: RowData, first: RowData, keys: int) -> Diagnostic:
    name = ", ".join(str(cell.plain) for cell in row.cells[:keys])
    again, before = row.cells[0].span.to(row.cells[keys - 1].span), first.cells[0].span
    return Diagnostic(
        kinds.DUPLICATE_ROW,
        f"{short(name)} has two rows",
        again,
        (Label(before.to(first.cells[keys - 1].span), "its first row"),),
        hint="keep one of them",
        under="its second row",
    )


# ---------------------------------------------------------------- cells


def cell(node: Node, reading: Reading) -> CellValue:
    """The node's value, and that of everything in it."""
    match node:
        case Scalar(text, plain, span):
            if not plain:
                return CellValue(text, span)
            if text[:1] in _NUMBER_STARTS:
                return CellValue(_number(node, reading), span)
            return CellValue(None if text in NOTHING else _TRUTH.get(text, text), span)
        case Items(nodes, span):
            return CellValue(tuple([cell(item, reading) for item in nodes]), span)
        case Entries(pairs, span):
            return CellValue({key.text: cell(value, reading) for key, value in pairs}, span)


def _number(node: Scalar, reading: Reading) -> int | str:
    text = node.text
    if _WHOLE.fullmatch(text):
        if len(text.lstrip("+-")) <= MAX_DIGITS:
            return int(text)
        reading.add(beyond("digits in a number", MAX_DIGITS, node.span))
    elif _LIKE_A_NUMBER.fullmatch(text):
        message = f"{short(text)} is neither a whole number nor clearly a name"
        hint = f"write `'{text}'` if it is a name; a number has no decimal point and no leading zero"
        reading.add(Diagnostic(kinds.AMBIGUOUS_NUMBER, message, node.span, hint=hint))
    return text
