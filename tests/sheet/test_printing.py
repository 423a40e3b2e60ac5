"""Sheets through Typst: pages, bytes, and what does not fit."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from rulekit.base.resources import rules_folder
from rulekit.reports.sheet.content.build import only
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import (
    Head,
    LineGroup,
    List,
    Outline,
    Part,
    Run,
    SheetError,
    SheetLine,
)
from rulekit.reports.sheet.model.serial import to_json
from rulekit.reports.sheet.render.links import with_links
from rulekit.reports.sheet.render.printing import pdf, svg
from tests.sheet.helpers import block, folder, made, sheet


def test_same_bytes() -> None:
    """The same sheet gives the same file."""
    assert pdf(sheet("vitp"), Setup()) == pdf(sheet("vitp"), Setup())


def test_numbers_lead_to_the_first_line_that_has_them() -> None:
    """Not from that line itself, and not where no line has the number; the index is no place to lead to."""
    first = SheetLine("1.1", text=(Run("ref", "2.2"),), see=("1.1", "2.2", "9.9"))
    again = SheetLine("1.1", text=(Run("ref", "9.9"),), see=("1.1",))
    lists = (List(Head("index", "I"), (SheetLine("2.2"),)), List(Head("a", "A"), (first, SheetLine("2.2"))))
    part = Part("p", "P", (), 1, (*lists, List(Head("b", "B"), (again,))))
    (linked,) = with_links(to_json(replace(sheet("vitp"), parts=(part,))))["parts"]
    index, one, other = (block["lines"] for block in linked["blocks"])

    assert ["leads"] == [key for key in ("first", "leads") if key in index[0]]
    assert ["first"] * 2 == [key for line in one for key in ("first", "leads") if key in line]
    assert [["1.1", False], ["2.2", True], ["9.9", False]] == one[0]["see"]
    assert ["link"] == [run["kind"] for run in one[0]["text"]]
    assert "leads" in other[0] and [["1.1", True]] == other[0]["see"]
    assert ["ref"] == [run["kind"] for run in other[0]["text"]]


def test_an_index_has_pages(tmp_path: Path) -> None:
    """Each block with the page on which it begins, as a link; a chapter's number is before those in it."""
    at = tmp_path / "vitp"
    shutil.copytree(rules_folder() / "vitp", at)
    settings = (at / "sheet.yaml").read_text(encoding="utf-8")
    last = "  - {title: All numbers, blocks: [index], new_page: true}\n"
    (at / "sheet.yaml").write_text(settings.replace("folder: [", f"{last}folder: [", 1), encoding="utf-8")
    (file,) = pdf(made(at), Setup())
    *pages, end = (" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(file)).pages)

    for title in ("Speed rolls", "Landing and invasion", "Repair points a turn"):
        page = next(number for number, text in enumerate(pages, 1) if title in text)
        assert f"{title} {page}" in end
    assert end.index("Sequence of play 1") < end.index("Retreat and pursuit")


def test_block_alone() -> None:
    """A single table is a picture as large as itself."""
    alone = only(sheet("vitp"), "table:effect")
    assert alone is not None
    (picture,) = svg(alone, Setup(frame=False))
    assert picture.startswith(b"<svg")


def test_a_heading_without_lines_on_several_pages() -> None:
    """A heading may follow another: a page break after it repeats nothing."""
    alone = only(sheet("vitp"), "sequence")
    assert alone is not None
    outline = block(alone, "sequence")
    assert isinstance(outline, Outline)
    heading = LineGroup("1", "Heading", "", ())
    changed = replace(outline, groups=(heading, *outline.groups * 3))
    (part,) = alone.parts
    (file,) = pdf(replace(alone, parts=(replace(part, blocks=(changed,)),)), Setup())

    assert len(PdfReader(io.BytesIO(file)).pages) > 1


def test_too_wide_is_told(tmp_path: Path) -> None:
    """A word wider than its column is an error that names the table and says by how much."""
    wishes = f"format: 1\nnames:\n  plane: {'w' * 200}\n"
    with pytest.raises(SheetError) as caught:
        pdf(made(folder(tmp_path, sheet__yaml=wishes)), Setup())
    said = "\n".join(caught.value.details)
    assert "`Effect` (table:effect) is" in said and "mm too wide for A4" in said


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (Setup(paper="A44"), "unknown paper size `A44`; did you mean `A4`?"),
        (Setup(theme="gray"), "unknown theme `gray`; did you mean `grey`?"),
    ],
)
def test_unknown_paper_and_theme(setup: Setup, said: str) -> None:
    """What is not there is told with what is."""
    with pytest.raises(SheetError, match="unknown") as caught:
        pdf(sheet("vitp"), setup)
    assert said == caught.value.message


@pytest.mark.slow
def test_same_bytes_in_other_processes(tmp_path: Path) -> None:
    """Time zone, language, hash seed and number of threads leave no trace in a file."""
    made = set()
    for number, more in enumerate(
        (
            {"TZ": "UTC", "PYTHONHASHSEED": "1"},
            {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "RAYON_NUM_THREADS": "1"},
        )
    ):
        output = tmp_path / f"{number}.pdf"
        code = "from rulekit.__main__ import main; main()"
        call = [sys.executable, "-c", code, "sheet", "vitp", "--with", "damage-control", "-o", str(output)]
        subprocess.run(call, check=True, env={**os.environ, **more}, cwd=Path(__file__).parents[2])
        made.add(output.read_bytes())
    assert 1 == len(made)
