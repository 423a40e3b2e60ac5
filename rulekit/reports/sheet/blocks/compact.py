"""Shorter forms of printed tables: without spare rows and columns of dashes, or with results as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.reports.sheet.model.document import SheetLine, TableBlock, text
from rulekit.syntax.tree.tables import Cell, TableRow

_OPEN = ("nothing", "otherwise")
"""Cells that any value of a key fits."""
LONG = 8
"""Rows from which on a column that is the same in all of them becomes a note."""


def spare_rows(rows: Sequence[TableRow], keys: int) -> frozenset[Span]:
    """The rows that a table does not need, as its last row, for everything else, gives their result too.

    Only rows of several keys, all of them names: a row of numbers is looked for even where it has no effect.
    """
    if keys < 2 or not rows or any(cell.kind not in _OPEN for cell in rows[-1].cells[:keys]):
        return frozenset()
    last = _results(rows[-1], keys)
    named = (row for row in rows[:-1] if all(cell.names or cell.kind in _OPEN for cell in row.cells[:keys]))
    return frozenset(row.span for row in named if _results(row, keys) == last)


def _results(row: TableRow, keys: int) -> tuple[object, ...]:
    """The results of a row, to compare; a computed cell, or one with a note, equals no other."""
    return tuple(
        (cell.kind, cell.low, cell.high, *(name.text for name in cell.names))
        if cell.expr is None and not cell.mark and not cell.parts
        else cell.span
        for cell in row.cells[keys:]
    )


@frozen
class ResultGrid:
    """A table of two keys with its results as rows and the first key's values as columns.

    Attributes:
        columns: The cells of the first key that head the columns.
        rows: Each result, and the cell of the second key in each column.
    """

    columns: tuple[Cell, ...]
    rows: tuple[tuple[Cell, tuple[Cell, ...]], ...]


def result_grid(rows: Sequence[TableRow], keys: int) -> ResultGrid | None:
    """Return a table as a grid; None unless each value of the first key leads once to each result."""
    if keys != 2 or any(len(row.cells) != 3 or not _is_plain(row.cells) for row in rows):
        return None
    places = {(_key(row.cells[0]), _key(row.cells[2])): row for row in rows}
    columns = {_key(row.cells[0]): row.cells[0] for row in rows}
    results = {_key(row.cells[2]): row.cells[2] for row in rows}
    if len(places) != len(rows) or len(rows) != len(columns) * len(results):
        return None
    if len(columns) < 2 or len(results) < 2:
        return None
    grid = (
        (cell, tuple(places[column, key].cells[1] for column in columns)) for key, cell in results.items()
    )
    return ResultGrid(tuple(columns.values()), tuple(grid))


def _is_plain(cells: Sequence[Cell]) -> bool:
    """Return whether a row is one value, a stretch of numbers, and one name as its result."""
    first, second, result = cells
    single = first.kind == "int" or (first.kind == "names" and len(first.names) == 1)
    stretch = second.kind in ("int", "range")
    named = result.kind == "names" and len(result.names) == 1
    return single and stretch and named and not any(cell.mark or cell.parts for cell in cells)


def _key(cell: Cell) -> tuple[int | None, ...] | tuple[str, ...]:
    return tuple(name.text for name in cell.names) or (cell.low,)


def dash_columns(rows: Sequence[TableRow], keys: int) -> Iterator[int]:
    """The key columns in which every row has a dash, as its value does not matter."""
    for key in range(keys):
        if rows and all(row.cells[key].kind == "nothing" for row in rows):
            yield key


def without_empty_references(block: TableBlock) -> TableBlock:
    """The table without its column of printed numbers, if no row has any."""
    if block.columns[-1].kind != "ref" or any(row.cells and row.cells[-1] for row in block.rows):
        return block
    rows = tuple(replace(row, cells=row.cells[:-1]) for row in block.rows)
    return replace(block, columns=block.columns[:-1], rows=rows)


def without_constant_columns(block: TableBlock, always: str) -> TableBlock:
    """The table without columns of results that are the same in every row; notes have them.

    At least two columns of results stay, for a table is not a list of notes.

    Args:
        always: The word between the head of such a column and its result.
    """
    results = [place for place, column in enumerate(block.columns) if column.kind in ("number", "text")]
    same = [place for place in results if len({row.cells[place] for row in block.rows}) == 1]
    if len(block.rows) < LONG or not same or len(results) - len(same) < 2:
        return block
    notes = (
        SheetLine(text=(*block.columns[place].title, *text(f": {always} "), *block.rows[0].cells[place]))
        for place in same
    )
    kept = [place for place in range(len(block.columns)) if place not in same]
    rows = (replace(row, cells=tuple(row.cells[place] for place in kept)) for row in block.rows)
    columns = tuple(block.columns[place] for place in kept)
    return replace(
        block, head=replace(block.head, notes=(*notes, *block.head.notes)), columns=columns, rows=tuple(rows)
    )
