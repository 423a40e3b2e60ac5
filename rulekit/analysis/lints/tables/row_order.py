"""A row or column of a table that is out of the order of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.compiler.model import TableModel
from rulekit.diagnostics import Diagnostic, Edit, Fix, Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i

FEWEST = 4
"""Rows that make an order."""
Value = Fraction | float


WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Asked of numbers, months and odds, among rows that agree in all other keys.

    Told only where all rows but one are in order, rising or falling.
    """
    compiled = rules.compiled
    for name, table in compiled.model.tables.items():
        if not in_scope(compiled, table.decl.span):
            continue
        yield from _stray_column(name, table)
        for key, group in _groups(table):
            rows = [row for row, _ in group]
            stray = _stray([value for _, value in group])
            if stray is None:
                continue
            at, place = stray
            before = rows[at - 1] if at else rows[1]
            message = f"this row of `{name}` is out of order: the others are sorted by `{key}`"
            label = Label(before.span, "after this" if at else "before this")
            hint = "move it, or check its number for a misprint"
            fix = _move(compiled, rows, at, place)
            yield Diagnostic(
                kinds.ROW_OUT_OF_ORDER,
                message,
                rows[at].span,
                (label,),
                hint,
                key=(f"table {name}",),
                fix=fix,
            )
            break


def _stray_column(name: str, table: TableModel) -> Iterator[Diagnostic]:
    """A heading that is out of order, of a key that runs across."""
    head = table.decl.rows[0].cells
    names = {cell.column_name for cell in head}
    for param in (table.params[key] for key in table.keys):
        columns = [
            (cell, value)
            for cell in head
            if not cell.names
            and (value := _begins(cell, is_odds=isinstance(param.type, t.Ratio))) is not None
        ]
        if param.name in names or len(columns) < FEWEST:
            continue
        stray = _stray([value for _, value in columns])
        if stray is not None:
            message = f"this column of `{name}` is out of order: the others are sorted by `{param.name}`"
            hint = "move it, or check its heading for a misprint"
            key = (f"table {name}", param.name)
            yield Diagnostic(kinds.ROW_OUT_OF_ORDER, message, columns[stray[0]][0].span, (), hint, key=key)


def _move(compiled: Compiled, rows: Sequence[i.TableRow], at: int, place: int) -> Fix | None:
    """The row's line taken out, and put in again before the row that is at `place` without it.

    Certain, for rows that leave no gap and do not overlap (the stages before tell both) mean the same in any
    order; but not where a comment stands above the row, which may be of it.
    """
    own = rows[at].span
    others = [row.span.line for row in (*rows[:at], *rows[at + 1 :])]
    line = others[place] if place < len(others) else others[-1] + 1
    out = Span(own.file, own.line, 1, own.line + 1, 1)
    (above,) = compiled.rule_set.rows(Span(own.file, own.line - 1, 1, own.line, 1))[:1]
    if above.lstrip().startswith("#"):
        return None
    into = Span(own.file, line, 1, line, 1)
    return Fix("move it to its place", (Edit(out, ""), Edit(into, f"{compiled.rule_set.rows(out)[0]}\n")))


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
            value = _begins(row.cells[place], is_odds=isinstance(param.type, t.Ratio))
            others = tuple(_content(row.cells[other]) for _, other in columns if other != place)
            if value is not None:
                groups.setdefault(others, []).append((row, value))
        yield from ((param.name, group) for group in groups.values() if len(group) >= FEWEST)


def _content(cell: i.Cell) -> tuple[object, ...]:
    return cell.kind, cell.low, cell.high, tuple(name.text for name in cell.names)


def _begins(cell: i.Cell, *, is_odds: bool) -> Value | None:
    if is_odds and cell.high:
        return Fraction(cell.low or 0, cell.high)
    if cell.kind in ("int", "hyphen", "signed", "range", "date", "dates"):
        return float("-inf") if cell.low is None else float(cell.low)
    return None


def _stray(values: Sequence[Value]) -> tuple[int, int] | None:
    """The one place without which the values would be in order, and where among the others it belongs.

    None if they are in order, or need more than that.
    """
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
            # A die whose 0 is a ten is printed with it at the other end.
            return None if turned else (at, sum(value < signed[at] for value in signed))
    return None
