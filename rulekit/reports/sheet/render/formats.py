"""The register of file formats, by extension; JSON and CSV, which need no other package.

A writer is a function of a sheet and a set-up that returns the bytes of each file.  CSV has a file for each
block: UTF-8, a row of titles first, cells in quotes where they must be.
"""

from __future__ import annotations

import csv as written
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from rulekit.base.frozen import frozen
from rulekit.base.spelling import suggestion
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import Block, List, Sheet, SheetError
from rulekit.reports.sheet.model.serial import to_json
from rulekit.reports.sheet.render.plain import Plain

Writer = Callable[[Sheet, Setup], list[bytes]]


@frozen
class Format:
    """A format of files.

    Attributes:
        writer: The module and the function that write it.
        text: Whether it is lines of text.
        pages: Whether its files have pages.
    """

    writer: str
    text: bool = True
    pages: bool = False


WRITERS: Mapping[str, Format] = {
    ".pdf": Format("rulekit.reports.sheet.render.printing:pdf", text=False, pages=True),
    ".svg": Format("rulekit.reports.sheet.render.printing:svg", pages=True),
    ".png": Format("rulekit.reports.sheet.render.printing:png", text=False, pages=True),
    ".html": Format("rulekit.reports.sheet.render.html:html"),
    ".md": Format("rulekit.reports.sheet.render.markdown:markdown"),
    ".csv": Format("rulekit.reports.sheet.render.formats:csv"),
    ".json": Format("rulekit.reports.sheet.render.formats:as_json"),
}
"""The formats of files, by extension."""
EXTRA = "install it with `pip install 'rulekit[sheet]'`"


def writer(ending: str) -> Writer:
    """Return the writer for an extension, such as `.pdf`.

    Raises:
        SheetError: There is none, or what it needs is not installed.
    """
    ending = ending.lower()
    if ending not in WRITERS:
        hint = suggestion(ending, (*WRITERS,), f"use {', '.join(sorted(WRITERS))}")
        asked = f"`{ending}` files" if ending else "a file without an extension"
        raise SheetError(f"cannot write {asked}; {hint}")
    module, _, name = WRITERS[ending].writer.partition(":")
    try:
        write: Writer = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "rulekit":
            raise
        raise SheetError(f"a sheet as `{ending}` needs the package `{error.name}`; {EXTRA}") from error
    return write


def fit_pages(sheet: Sheet, setup: Setup, ending: str) -> Sheet:
    """Return the sheet as files of a format can hold it: pages may leave out blocks that are `spare`."""
    if not WRITERS[ending.lower()].pages:
        return sheet
    from rulekit.reports.sheet.render.printing import fit

    return fit(sheet, setup)


def files_of(output: str, sheet: Sheet, files: Sequence[bytes]) -> dict[str, bytes]:
    """Return the contents of a writer by path: `output`, or with a page's number or a table's id."""
    path = Path(output)
    if len(files) == 1:
        return {output: files[0]}
    ends: Sequence[str] = [f"-{number}" for number in range(1, len(files) + 1)]
    if path.suffix.lower() == ".csv":
        ends = names(sheet)
    return {
        str(path.with_name(path.stem + end + path.suffix)): content
        for end, content in zip(ends, files, strict=True)
    }


def as_json(sheet: Sheet, setup: Setup) -> list[bytes]:
    """The sheet as data, as `schemas/sheet.schema.json` describes it."""
    return [(json.dumps(to_json(sheet), ensure_ascii=False, indent=1) + "\n").encode()]


_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d*\.?\d*$)")
"""How a cell begins that a spreadsheet would run; a number with a sign is none."""


def csv(sheet: Sheet, setup: Setup) -> list[bytes]:
    """The tables of the sheet, a file each, in the order of `tables`.

    Raises:
        SheetError: It has none.
    """
    plain = Plain(sheet)
    blocks = tables(sheet)
    if not blocks:
        raise SheetError("the sheet has no tables")
    return [_csv_text(plain, block).encode() for block in blocks]


def tables(sheet: Sheet) -> tuple[Block, ...]:
    """Return the blocks to write: all but lists; a list only if it is the only block."""
    return tuple(block for block in sheet.blocks if not isinstance(block, List)) or sheet.blocks


def names(sheet: Sheet) -> tuple[str, ...]:
    """Return the suffix of each file's name: empty for a single file, else the id of its block."""
    blocks = tables(sheet)
    return ("",) if len(blocks) == 1 else tuple("-" + _slug(block.head.id) for block in blocks)


def _csv_text(plain: Plain, block: Block) -> str:
    flat = plain.flat(block)
    marked = any(row.by or row.status for row in flat.rows)
    out = io.StringIO()
    writer = written.writer(out, lineterminator="\n")
    writer.writerow([_cell(title) for title in (*flat.columns, *((plain.words["by"],) if marked else ()))])
    for row in flat.rows:
        cells = [plain.runs(cell) for cell in row.cells] or [plain.runs(row.title)]
        cells += [""] * (len(flat.columns) - len(cells))
        if marked:
            word = plain.words[f"is-{row.status}"] if row.status else ""
            cells.append(" ".join(filter(None, (*row.by, word))))
        writer.writerow([_cell(cell) for cell in cells])
    return out.getvalue()


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text).strip("-").lower()
