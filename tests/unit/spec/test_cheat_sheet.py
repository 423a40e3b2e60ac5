"""The cheat sheet keeps to one sheet of paper; `tests/web/test_site.py` prints it."""

from __future__ import annotations

from tests.unit.spec.pages import DOCS

COLUMNS, HEIGHT = 4, 60
"""Columns of the two sides, and the lines that one holds."""
WIDTH = 94
"""Characters of a line of code in one column."""


def test_it_fits_its_sheet() -> None:
    """Its lines, the long ones folded, fill the columns at most."""
    lines = (DOCS / "cheat-sheet.md").read_text(encoding="utf-8").split("\n")
    assert sum(1 + len(line) // WIDTH for line in lines if line) <= COLUMNS * HEIGHT
