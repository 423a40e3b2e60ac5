"""Folded sheets keep what a PDF is for readers: tags, the order of reading, bookmarks."""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import Any

import pikepdf
import pytest

from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.render.printing import pdf
from tests.sheet.boxes import faults, inside
from tests.sheet.helpers import sheet

_MCID = re.compile(rb"/MCID\s+(\d+)")


def contents(opened: pikepdf.Pdf) -> dict[tuple[int, int], Counter[int]]:
    """The numbers of marked content in each form, by the form's number; each form is drawn once."""
    found: dict[tuple[int, int], Counter[int]] = {}
    for page in opened.pages:
        for form in page.Resources.XObject.values():
            assert form.objgen not in found
            numbers = map(int, _MCID.findall(form.read_bytes()))
            found[form.objgen] = Counter(numbers)
            assert "/StructParents" in form
    return found


def leaves(node: Any) -> list[Any]:
    """What stands at the ends of the structure tree, in the order of reading."""
    kids = node.get("/K", [])
    found = []
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        found += leaves(kid) if isinstance(kid, pikepdf.Dictionary) and "/S" in kid else [kid]
    return found


@pytest.mark.parametrize("fold", ["two-up", "card"])
def test_tags_speak_of_what_is_drawn(fold: str) -> None:
    """Every end of the tree is marked content of a form on its sheet, each exactly once."""
    (folded,) = pdf(sheet("vitp"), Setup(fold=fold))
    found = inside(folded)
    assert found.marked and {"H1", "H2", "Table", "TH", "TD", "Figure"} <= set(found.tags)
    with pikepdf.open(io.BytesIO(folded)) as opened:
        drawn = contents(opened)
        assert sum(map(len, drawn.values())) > 500
        pages = {page.obj.objgen for page in opened.pages}
        named: dict[tuple[int, int], Counter[int]] = {key: Counter() for key in drawn}
        for leaf in leaves(opened.Root.StructTreeRoot):
            assert leaf.Pg.objgen in pages
            if "/MCID" in leaf:  # else it is a link, which is an object of the sheet
                named[leaf.Stm.objgen][int(leaf.MCID)] += 1
        assert all(set(counts.values()) == {1} for counts in named.values() if counts)
        assert {key: set(counts) for key, counts in drawn.items()} == {k: set(c) for k, c in named.items()}


@pytest.mark.parametrize("fold", ["two-up", "card"])
def test_bookmarks_and_boxes(fold: str) -> None:
    """Each part is found by its bookmark, on a sheet that is there; nothing overlaps."""
    (folded,) = pdf(sheet("vitp"), Setup(fold=fold))
    assert [] == faults(folded)
    with pikepdf.open(io.BytesIO(folded)) as opened:
        pages = {page.obj.objgen for page in opened.pages}
        with opened.open_outline() as outline:
            places = [item.destination for item in outline.root]
        assert 5 == len(places) and all(place[0].objgen in pages for place in places)
        assert "/PageLabels" not in opened.Root


def test_same_bytes() -> None:
    """Folding adds nothing that changes by itself."""
    assert pdf(sheet("vitp"), Setup(fold="card")) == pdf(sheet("vitp"), Setup(fold="card"))


@pytest.mark.parametrize("fold", ["two-up", "card"])
def test_folded_with_bleed_and_marks(fold: str) -> None:
    """The sheet has the bleed at its edges and marks where it is cut; trimmed it is the paper."""
    (folded,) = pdf(sheet("vitp"), Setup(fold=fold, bleed=3, marks=True))
    with pikepdf.open(io.BytesIO(folded)) as opened:
        page = opened.pages[0]
        left, bottom, right, top = (float(edge) for edge in page.obj.TrimBox)
        assert (841.9, 595.3) == (round(right - left, 1), round(top - bottom, 1))
        wide = [float(edge) for edge in page.obj.BleedBox]
        assert 8.5 == round(left - wide[0], 1) == round(wide[2] - right, 1)
        assert wide[0] > float(page.mediabox[0])
    assert {"H1", "Table"} <= set(inside(folded).tags)
