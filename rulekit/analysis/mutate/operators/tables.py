"""Tables: cells that hold another value, and rows whose border lies elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.analysis.mutate.mutant import Mutation, Text, Visit
from rulekit.syntax.tree.items import Cell, Table, TableRow

_NUMBERS = ("int", "signed")
_KEPT = ("expr", "text", "otherwise", "empty", "dates", "date")
"""Cells that are looked into as expressions, or hold what is no value."""


def table_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The changes of a table's cells and of the borders between its rows."""
    table = visit.node
    if isinstance(table, Table) and table.rows:
        keys = _keys(table)
        for place in range(1, len(table.rows)):
            row = table.rows[place]
            for column, cell in enumerate(row.cells):
                if column in keys:
                    yield from _border(table, place, column, keys, text)
                else:
                    for now, words in _others(table, place, column, cell, text):
                        yield Mutation(cell.span, words, _with(table, place, column, now))


def _keys(table: Table) -> frozenset[int]:
    """The columns that a key heads."""
    params = {param.name.text for param in table.params}
    head = table.rows[0].cells
    return frozenset(
        place for place, cell in enumerate(head) if len(cell.names) == 1 and cell.names[0].text in params
    )


def _with(table: Table, place: int, column: int, cell: Cell) -> Table:
    row = table.rows[place]
    cells = (*row.cells[:column], cell, *row.cells[column + 1 :])
    return replace(table, rows=(*table.rows[:place], replace(row, cells=cells), *table.rows[place + 1 :]))


def _others(table: Table, place: int, column: int, cell: Cell, text: Text) -> Iterator[tuple[Cell, str]]:
    """What a cell might hold instead: a number more or less, or what the nearest other row has there."""
    if cell.kind in _NUMBERS and cell.low is not None:
        for value in (cell.low + 1, cell.low - 1):
            kind = "signed" if cell.kind == "signed" or value < 0 else "int"
            yield replace(cell, kind=kind, low=value, high=None if cell.high is None else value), str(value)
        return
    if cell.kind in _KEPT:
        return
    for number, part in enumerate(cell.parts):
        if part.kind in _NUMBERS:
            for now, words in _others(table, place, column, part, text):
                parts = (*cell.parts[:number], now, *cell.parts[number + 1 :])
                yield replace(cell, parts=parts), text(cell.span).replace(text(part.span), words, 1)
    near = sorted(range(1, len(table.rows)), key=lambda other: (abs(other - place), other))
    for other in near:
        cells = table.rows[other].cells
        if column < len(cells) and _value(cells[column]) != _value(cell):
            nearest = cells[column]
            if nearest.kind not in _KEPT:
                yield replace(nearest, span=cell.span, mark=cell.mark), text(nearest.span)
            return


def _value(cell: Cell) -> object:
    names = tuple(name.text for name in cell.names)
    return cell.kind, cell.low, cell.high, names, tuple(map(_value, cell.parts))


def _border(table: Table, place: int, column: int, keys: frozenset[int], text: Text) -> Iterator[Mutation]:
    """The border to the row below, a number further up and down, if these two differ in this key alone."""
    if place + 1 >= len(table.rows):
        return
    upper, lower = table.rows[place], table.rows[place + 1]
    if not _alike(upper, lower, keys - {column}):
        return
    above, below = _ends(upper.cells[column]), _ends(lower.cells[column])
    if above is None or below is None or above[1] is None or below[0] != above[1] + 1:
        return
    for end in (above[1] - 1, above[1] + 1):
        if (above[0] is None or above[0] <= end) and (below[1] is None or end + 1 <= below[1]):
            first = _stretch(upper.cells[column], above[0], end)
            second = _stretch(lower.cells[column], end + 1, below[1])
            moved = _with(_with(table, place, column, first), place + 1, column, second)
            yield Mutation(upper.cells[column].span, _range_words(above[0], end), moved)


def _alike(one: TableRow, other: TableRow, keys: frozenset[int]) -> bool:
    if max(keys, default=0) >= min(len(one.cells), len(other.cells)):
        return False
    return all(_value(one.cells[key]) == _value(other.cells[key]) for key in keys)


def _ends(cell: Cell) -> tuple[int | None, int | None] | None:
    """The first and last number of a key cell; None where it holds no numbers."""
    if cell.kind in _NUMBERS:
        return cell.low, cell.low
    return (cell.low, cell.high) if cell.kind in ("range", "hyphen") else None


def _stretch(cell: Cell, low: int | None, high: int | None) -> Cell:
    return replace(cell, kind="range", low=low, high=high)


def _range_words(low: int | None, high: int | None) -> str:
    ends = ("" if low is None else str(low), "" if high is None else str(high))
    return ends[0] if low == high else "..".join(ends)
