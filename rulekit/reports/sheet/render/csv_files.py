"""Blocks of a sheet as CSV, a file each: UTF-8, a row of titles first, cells in quotes where they must be."""

from __future__ import annotations

import csv as written
import io
import re

from rulekit.reports.sheet.layout.setup import Setup
from rulekit.reports.sheet.model.document import Block, List, Sheet
from rulekit.reports.sheet.model.errors import SheetError
from rulekit.reports.sheet.render.plain import Plain

_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d*\.?\d*$)")
"""How a cell begins that a spreadsheet would run; a number with a sign is none."""


def csv(sheet: Sheet, setup: Setup) -> list[bytes]:
    """The tables of the sheet, a file each, in the order of `tables`.

    Raises:
        SheetError: It has none.
    """
    plain = Plain(sheet)
    found = tables(sheet)
    if not found:
        raise SheetError("the sheet has no tables")
    return [_written(plain, block).encode() for block in found]


def tables(sheet: Sheet) -> tuple[Block, ...]:
    """Return the blocks to write: all but lists; a list only if it is the only block."""
    return tuple(block for block in sheet.blocks if not isinstance(block, List)) or sheet.blocks


def names(sheet: Sheet) -> tuple[str, ...]:
    """Return the suffix of each file's name: empty for a single file, else the id of its block."""
    found = tables(sheet)
    return ("",) if len(found) == 1 else tuple("-" + _slug(block.head.id) for block in found)


def _written(plain: Plain, block: Block) -> str:
    made = plain.flat(block)
    marked = any(row.by or row.status for row in made.rows)
    out = io.StringIO()
    writer = written.writer(out, lineterminator="\n")
    writer.writerow([_cell(each) for each in (*made.columns, *((plain.words["by"],) if marked else ()))])
    for row in made.rows:
        cells = [plain.runs(cell) for cell in row.cells] or [plain.runs(row.heading)]
        cells += [""] * (len(made.columns) - len(cells))
        if marked:
            word = plain.words[f"is-{row.status}"] if row.status else ""
            cells.append(" ".join(each for each in (*row.by, word) if each))
        writer.writerow([_cell(each) for each in cells])
    return out.getvalue()


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text).strip("-").lower()
