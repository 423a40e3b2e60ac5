"""Which file ending is written by what; a writer is loaded when it is asked for.

A writer is a function of a sheet and a set-up that gives the bytes of one file, or of one a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rulekit.base.spelling import suggestion
from rulekit.reports.sheet.model.document import Sheet
from rulekit.reports.sheet.model.errors import SheetError
from rulekit.reports.sheet.model.serial import to_json

if TYPE_CHECKING:
    from rulekit.reports.sheet.layout.setup import Setup

Writer = Callable[[Sheet, "Setup"], list[bytes]]
WRITERS: Mapping[str, str] = {
    ".pdf": "rulekit.reports.sheet.render.printing:pdf",
    ".svg": "rulekit.reports.sheet.render.printing:svg",
    ".png": "rulekit.reports.sheet.render.printing:png",
    ".html": "rulekit.reports.sheet.render.html:html",
    ".md": "rulekit.reports.sheet.render.markdown:markdown",
    ".csv": "rulekit.reports.sheet.render.csv_files:csv",
    ".json": "rulekit.reports.sheet.render.formats:as_json",
}
"""Endings, with the module and the function that write them."""
EXTRA = "install it with `pip install 'rulekit[sheet]'`"


def writer(ending: str) -> Writer:
    """Return the writer for an extension, such as `.pdf`.

    Raises:
        SheetError: Nothing does, or what it needs is not installed.
    """
    ending = ending.lower()
    if ending not in WRITERS:
        hint = suggestion(ending, (*WRITERS,), f"use {', '.join(sorted(WRITERS))}")
        asked = f"`{ending}` files" if ending else "a file without an extension"
        raise SheetError(f"cannot write {asked}; {hint}")
    module, _, name = WRITERS[ending].partition(":")
    try:
        found: Writer = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "rulekit":
            raise
        raise SheetError(f"a sheet as `{ending}` needs the package `{error.name}`; {EXTRA}") from error
    return found


def named(output: str, sheet: Sheet, files: Sequence[bytes]) -> dict[str, bytes]:
    """Return the contents of a writer by path: `output`, or with a page's number or a table's id."""
    path = Path(output)
    if len(files) == 1:
        return {output: files[0]}
    ends: Sequence[str] = [f"-{number}" for number in range(1, len(files) + 1)]
    if path.suffix.lower() == ".csv":
        from rulekit.reports.sheet.render.csv_files import names

        ends = names(sheet)
    return {
        str(path.with_name(path.stem + end + path.suffix)): each
        for end, each in zip(ends, files, strict=True)
    }


def as_json(sheet: Sheet, setup: Setup) -> list[bytes]:
    """The sheet as data, as `schemas/sheet.schema.json` describes it."""
    return [(json.dumps(to_json(sheet), ensure_ascii=False, indent=1) + "\n").encode()]
