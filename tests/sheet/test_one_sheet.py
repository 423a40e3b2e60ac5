"""The one-page form on both sides of a sheet, and what it leaves out where both are full."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulekit.reports.sheet.content.build import Request
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import Head, List, Sheet, SheetError, SheetLine, text
from rulekit.reports.sheet.render.printing import fit, pdf
from tests.sheet.boxes import empty_shares, faults, inside
from tests.sheet.boxes import pages as pages_of
from tests.sheet.helpers import sheet
from tests.unit.cli.running import alone

LINE = "A line of some length that takes more than one row of a narrow column on A4"


def long_sheet(lines: int, *spare: int) -> Sheet:
    """Lists of 20 lines, some of them spare, in the one-page form."""
    found = sheet("vitp", (), Request(form="one-page"))
    blocks = tuple(
        List(
            Head(f"list:{n}", f"List {n}", spare=n in spare),
            tuple(SheetLine(text=text(f"{LINE} {n}.{at}")) for at in range(20 + n % 3)),
        )
        for n in range(lines)
    )
    return replace(found, parts=(replace(found.parts[0], blocks=blocks),))


def printed(pages: bytes) -> list[str]:
    """All words of a PDF."""
    return [word.text for page in pages_of(pages) for word in page.words]


def test_one_page_stays_one() -> None:
    """What fits on a page is as it was."""
    small = long_sheet(4)

    assert small == fit(small, Setup())


def test_front_and_back_hold_everything() -> None:
    """All lines of what one page cannot hold are on two, and nothing is said to be left out."""
    large = long_sheet(12, 3)
    (made,) = pdf(large, Setup())
    found = printed(made)

    assert [] == faults(made)
    assert 2 == inside(made).pages
    assert "both sides of a sheet" in " ".join(found)
    assert all(f"{n}.{at}" in found for n in range(12) for at in range(20))
    assert "" == fit(large, Setup()).left_out


def test_spare_blocks_are_left_out_the_highest_first() -> None:
    """Of eight spare lists the three with most lines are left out; the last block has their titles."""
    large = long_sheet(16, *range(4, 12))
    shown = fit(large, Setup())

    assert "List 5; List 8; List 11" == shown.left_out
    kept = [block.head.title for block in large.blocks if block.head.title not in shown.left_out.split("; ")]
    assert [*kept, "Left out; see the full form"] == [block.head.title for block in shown.blocks]
    assert shown == fit(shown, Setup())
    assert 2 == inside(pdf(large, Setup())[0]).pages


def test_what_is_not_spare_is_never_left_out() -> None:
    """The form is refused, with the way out of it."""
    with pytest.raises(SheetError, match="both sides of A4.*`spare: true`"):
        pdf(long_sheet(16, 3), Setup())


def test_all_house_rules_on_one_sheet(tmp_path: Path) -> None:
    """Pacwar with all options: the sequence is there, and what is left out is named in two places."""
    pages = tmp_path / "sheet.pdf"
    ran = alone("sheet", "pacwar", "-o", pages, "--form", "one-page", "--with", "authors", timeout=600)
    assert 0 == ran.code, ran.err
    made = pages.read_bytes()
    assert [] == faults(made)
    assert 2 == inside(made).pages
    assert empty_shares(made)[0] < 0.15
    said = next(line for line in ran.err.splitlines() if "left out, because both sides" in line)
    named = said.partition("full: ")[2].split("; ")
    found = printed(made)
    assert 20 < len(named) < 60
    assert {name.split()[-1] for name in named} <= {word.strip(";") for word in found}
    assert "Battle cycle" not in said and "Battle" in found
