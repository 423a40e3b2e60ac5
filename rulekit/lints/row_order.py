"""A row of a table that stands out of the order of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from rulekit import types as t
from rulekit.diagnostics import Diagnostic, Label, Severity, declare
from rulekit.driver import Compiled
from rulekit.lints.uses import in_scope
from rulekit.model import TableModel
from rulekit.syntax import items as i

KIND = declare(
    "RK405", "row-out-of-order", "a row of a table that stands out of order", Severity.WARNING, since="0.1.0"
)
FEWEST = 4
"""Rows that make an order."""
Value = Fraction | float


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """Asked of numbers, months and odds, among rows that agree in all other keys.

    Told only where all rows but one are in order, rising or falling.
    """
    for name, table in compiled.model.tables.items():
        if not in_scope(compiled, table.decl.span):
            continue
        for key, group in _groups(table):
            rows = [row for row, _ in group]
            at = _stray([value for _, value in group])
            if at is None:
                continue
            before = rows[at - 1] if at else rows[1]
            message = f"this row of `{name}` is out of order: the others go by `{key}`"
            label = Label(before.span, "after this" if at else "before this")
            hint = "put it where it belongs, and look whether its number is a misprint"
            yield Diagnostic(KIND, message, rows[at].span, (label,), hint, key=(f"table {name}",))
            break


def _groups(table: TableModel) -> Iterator[tuple[str, list[tuple[i.TableRow, Value]]]]:
    """Rows with where they begin along a key, by key: those that say the same of the other keys together."""
    head, *rows = table.decl.rows
    places = {cell.names[0].text: place for place, cell in enumerate(head.cells) if len(cell.names) == 1}
    named = [(key, table.params[key].name) for key in table.keys]
    columns = [(key, places[name]) for key, name in named if name in places]
    for key, place in sorted(columns, key=lambda column: column[1]):
        param = table.params[key]
        if not isinstance(param.type, t.Int | t.Month | t.Ratio):
            continue
        groups: dict[tuple[object, ...], list[tuple[i.TableRow, Value]]] = {}
        for row in rows:
            value = _begins(row.cells[place])
            others = tuple(_said(row.cells[other]) for _, other in columns if other != place)
            if value is not None:
                groups.setdefault(others, []).append((row, value))
        yield from ((param.name, group) for group in groups.values() if len(group) >= FEWEST)


def _said(cell: i.Cell) -> tuple[object, ...]:
    return cell.kind, cell.low, cell.high, tuple(name.text for name in cell.names)


def _begins(cell: i.Cell) -> Value | None:
    if cell.kind == "ratio" and cell.high:
        return Fraction(cell.low or 0, cell.high)
    if cell.kind in ("int", "signed", "range", "date", "dates"):
        return float("-inf") if cell.low is None else float(cell.low)
    return None


def _stray(values: Sequence[Value]) -> int | None:
    """The one place without which the values would be in order; None if they are, or need more than that."""
    for way in (1, -1):
        signed = [way * value for value in values]
        if all(a < b for a, b in pairwise(signed)):
            return None
    for way in (1, -1):
        signed = [way * value for value in values]
        strays = [
            place
            for place in range(len(signed))
            if all(a < b for a, b in pairwise([*signed[:place], *signed[place + 1 :]]))
        ]
        if strays:
            at = strays[-1]
            turned = at in (0, len(values) - 1) and values[at] in (min(values), max(values))
            return None if turned else at  # a die whose 0 is a ten is printed with it at the other end
    return None
