"""Finished pages: everything inside them, nothing on top of another, fonts embedded, tags there."""

from __future__ import annotations

import io

import pdfplumber
import pytest

from rulekit.reports.sheet.content.build import Request
from rulekit.reports.sheet.layout.paper import PAPERS, Setup
from rulekit.reports.sheet.model.document import Modifiers, Outline
from rulekit.reports.sheet.render.printing import pdf
from rulekit.reports.sheet.render.theme import known_themes
from tests.sheet.boxes import faults, inside
from tests.sheet.helpers import sheet

OPTIONS = {
    "vitp": ("damage-control", "gunnery-radar"),
    "pacwar": ("house-coastal-defense", "jsis-flak-phase-in", "m80-battle-line", "mst-gunnery-limits"),
    "fcn": (),
}


def looked_at(name: str, setup: Setup, request: Request | None = None) -> None:
    """One printing of a set is as it should be."""
    (made,) = pdf(sheet(name, OPTIONS[name], request), setup)
    assert [] == faults(made)
    found = inside(made)
    assert frozenset() == found.loose
    assert found.marked and "en" == found.language and found.title
    assert {"H1", "H2", "Table", "TH", "TD"} <= set(found.tags)
    assert found.bookmarks > 0


def test_vitp() -> None:
    """The sheet that comes with the game; its map has words for those who cannot see it."""
    (made,) = pdf(sheet("vitp", OPTIONS["vitp"]), Setup())

    assert [] == faults(made)
    found = inside(made)
    assert (5, 5) == (found.pages, found.bookmarks)
    assert frozenset() == found.loose
    assert 3 == len(found.fonts) and all(name.startswith("IBMPlexSansCond") for name in found.fonts)
    assert found.tags["H1"] == 5 and found.tags["Figure"] >= 1 and found.tags["THead"] > 5


def test_one_page() -> None:
    """Everything on one side is one page."""
    (made,) = pdf(sheet("vitp", OPTIONS["vitp"], Request(form="one-page")), Setup())

    assert [] == faults(made)
    assert 1 == inside(made).pages


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize("theme", known_themes())
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_every_paper_and_theme(name: str, theme: str, paper: str) -> None:
    """Every set, on every paper, in every theme."""
    looked_at(name, Setup(paper=paper, theme=theme))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_every_paper_on_its_side(name: str, paper: str) -> None:
    """Every set, on every paper turned."""
    looked_at(name, Setup(paper=paper, landscape=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fcn", "vitp"])
@pytest.mark.parametrize("theme", ["colour", "high-contrast"])
@pytest.mark.parametrize("paper", ["A4", "Letter", "Tabloid"])
def test_one_page_everywhere(name: str, theme: str, paper: str) -> None:
    """The short form of the games that are whole."""
    looked_at(name, Setup(paper=paper, theme=theme), Request(form="one-page"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scenario"), [("fcn", "1942"), ("fcn", "linked"), ("pacwar", "air-strike"), ("vitp", "dec_1941")]
)
def test_every_scenario(name: str, scenario: str) -> None:
    """A sheet for a scenario, on a small paper."""
    looked_at(name, Setup(paper="A5", theme="grey"), Request(scenario=scenario))


def test_planted_faults_are_found() -> None:
    """The test itself: words over words, outside, too small, a rule through one: on a page that has them."""
    import typst

    source = b"""
#set page(width: 300pt, height: 200pt, margin: 30pt)
#place(top + left, dx: 0pt, text("Harbor"))
#place(top + left, dx: 8pt, text("Navy"))
#place(top + left, dx: -25pt, dy: 40pt, text("outside"))
#place(top + left, dy: 60pt, text(size: 3pt, "small"))
#place(top + left, dy: 80pt, { text("through"); place(top + left, dy: 5pt, dx: -10pt, line(length: 90pt)) })
"""
    found = "\n".join(faults(typst.compile(source)))
    for word in ("`Harbor` and `Navy`", "`outside` at", "`small` is 3.0 pt", "a rule runs through `through`"):
        assert word in found


@pytest.mark.parametrize("theme", ["colour", "high-contrast"])
def test_no_heading_is_left_alone(theme: str) -> None:
    """On small pages, where much goes on, none ends with the heading of what follows."""
    made = sheet("vitp", OPTIONS["vitp"])
    blocks = [block for part in made.parts for block in part.blocks]
    heads = {block.head.title for block in blocks}
    for block in blocks:
        if isinstance(block, Outline):
            heads |= {f"{group.number} {group.title}".strip() for group in block.groups}
        if isinstance(block, Modifiers):
            heads |= {roll.title for roll in block.rolls}
    (pages,) = pdf(made, Setup(paper="A5", theme=theme))
    with pdfplumber.open(io.BytesIO(pages)) as opened:
        ends = [
            (page.extract_text() or "").splitlines()[-2] for page in opened.pages
        ]  # the foot is the last line
    assert [] == [end for end in ends if end in heads]
