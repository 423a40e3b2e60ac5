"""Tables of which the rules give the shape and a data file the numbers."""

from __future__ import annotations

from typing import Any

from rulekit.reports.sheet.blocks.data import soft_note
from rulekit.reports.sheet.content.context import Context
from rulekit.reports.sheet.model.document import Column, ColumnKind, Head, Line, Row, Run, Runs, Table
from rulekit.reports.sheet.model.parts import text
from rulekit.ruleset.model import ON_TRUST, TableData
from rulekit.syntax.tree import items as i


def owned(ctx: Context, made: i.ExternTable, title: str) -> Table | None:
    """An `extern` table as its data file has it; a note where its numbers are the owner's."""
    if not ctx.applies.at(made.span):
        return None
    found = _data(ctx, made.name.text)
    name = made.name.text
    called = title or ctx.words.title("table", name)
    see = ctx.words.cited(made.cite)
    if found is None:
        keys = [p.name.text for p in made.params]
        columns = tuple(Column(text(_capital(ctx.words.name(key))), "key") for key in keys)
        note = Line(text=text(ctx.catalogue("owner")))
        return Table(Head(f"table:{name}", called, see, notes=(note,)), columns, ())
    soft = [bool(set(row.confidence) & set(ON_TRUST)) for row in found.rows]
    rows = tuple(
        Row(tuple(_cell(ctx, cell.plain, n, found.keys, soft=doubt) for n, cell in enumerate(row.cells)))
        for row, doubt in zip(found.rows, soft, strict=True)
    )
    kinds = [_kind(found, n) for n in range(len(found.columns))]
    columns = tuple(
        Column(text(_capital(ctx.words.name(column))), kind)
        for column, kind in zip(found.columns, kinds, strict=True)
    )
    notes = (soft_note(ctx),) if any(soft) else ()
    return Table(Head(f"table:{name}", called, see, notes=notes), columns, rows)


def _data(ctx: Context, name: str) -> TableData | None:
    files = (file for file in ctx.compiled.data.files.values() if file is not None)
    return next((file.tables[name] for file in files if name in file.tables), None)


def _kind(found: TableData, number: int) -> ColumnKind:
    if number < found.keys:
        return "key"
    return "number" if all(isinstance(row.cells[number].plain, int) for row in found.rows) else "text"


def _cell(ctx: Context, value: Any, number: int, keys: int, *, soft: bool) -> Runs:
    said = "–" if value is None else str(value).replace("-", "−")
    if isinstance(value, str):
        said = value.replace("..", "–") if value[:1].isdigit() else ctx.words.name(value.replace(" ", "_"))
    elif isinstance(value, bool):
        said = ctx.catalogue("yes" if value else "no")
    ring = "°" if soft and number == 0 else ""
    return (Run("strong" if number < keys else "text", said + ring),)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
