"""A folder of four pages with a cover, and a screen of three panels."""

from __future__ import annotations

import io
from pathlib import Path

import pdfplumber
import pikepdf
import pytest

from rulekit.diagnostics import RulesError
from rulekit.reports.sheet.content.build import Request
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import FrontPage, Sheet, SheetError
from rulekit.reports.sheet.render.html import html
from rulekit.reports.sheet.render.markdown import markdown
from rulekit.reports.sheet.render.printing import pdf, png
from tests.sheet.boxes import faults, inside
from tests.sheet.helpers import folder, made, plain, sheet

GAMES = ["vitp", *(pytest.param(name, marks=pytest.mark.slow) for name in ("fcn", "pacwar", "atp"))]
A4 = (595.3, 841.9)
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'
TWO_PARTS = """format: 1
logo: logo.svg
folder: [turn]
parts:
  - {title: Turn, blocks: [sequence]}
  - {title: Fire, blocks: [{table: effect}]}
"""


def sizes(file: bytes) -> list[tuple[float, float]]:
    """The width and height of each sheet of paper."""
    with pikepdf.open(io.BytesIO(file)) as opened:
        return [(round(float(p.mediabox[2]), 1), round(float(p.mediabox[3]), 1)) for p in opened.pages]


def key(found: Sheet) -> dict[str, str]:
    """The key of a folder's cover: the words of each sign."""
    (cover,) = (block for block in found.blocks if isinstance(block, FrontPage))
    return {"+".join(run.kind for run in sign) + ":" + plain(sign): words for sign, words in cover.key}


@pytest.mark.parametrize("name", GAMES)
def test_a_folder_is_one_sheet_folded_once(name: str) -> None:
    """Both sides of one sheet of A3; nothing overlaps, and tags, headings and pictures are there."""
    (file,) = pdf(sheet(name, (), Request(form="folder")), Setup())

    assert [(round(2 * A4[0], 1), A4[1])] * 2 == [(w, h) for w, h in sizes(file)]
    assert [] == faults(file)
    assert {"H1", "H2", "Table", "Figure"} <= set(inside(file).tags)


@pytest.mark.parametrize("name", GAMES)
def test_a_screen_is_three_panels_side_by_side(name: str) -> None:
    """One sheet, three pages of A4 wide."""
    (file,) = pdf(sheet(name, (), Request(form="screen")), Setup())

    assert [(round(3 * 595.276, 1), A4[1])] == sizes(file)
    assert [] == faults(file)


def test_the_cover_says_where_the_parts_are() -> None:
    """The cover is to the right of the last page; its contents give the page of each part's title."""
    found = sheet("vitp", (), Request(form="folder"))
    (file,) = pdf(found, Setup())
    with pdfplumber.open(io.BytesIO(file)) as opened:
        outer, inner = opened.pages
        middle = outer.width / 2
        cover = outer.crop((middle, 0, outer.width, outer.height)).extract_text()
        halves = [
            inner.crop((0, 0, middle, inner.height)),
            inner.crop((middle, 0, inner.width, inner.height)),
        ]
        pages = [page.extract_text() for page in (*halves, outer.crop((0, 0, middle, outer.height)))]

    assert "Victory in the Pacific" in cover and "SHEET" not in cover
    for part in found.parts[1:]:
        line = next(line for line in cover.splitlines() if line.startswith(part.title))
        number = int(line.split(".")[-1].split()[0])
        assert part.title in pages[number - 2]
        assert f"SHEET {number} of 4" in pages[number - 2]


def test_the_key_explains_what_is_used() -> None:
    """Marks of sides, ways to act together, signs of restrictions, chances and rings; nothing else."""
    found = key(sheet("vitp", (), Request(form="folder")))

    assert "Japan" == found["side:0"] and "Allies" == found["side:1"]
    assert "Japan, then Allies" == found["side+text+side:0 → 1"]
    assert ["may", "must", "only if", "cannot"] == [
        found[f"mood:{m}"] for m in ("may", "must", "only", "not")
    ]
    assert "an exact chance" == found["odds:.667"]
    assert not any(sign.startswith("tag") for sign in found)
    changed = key(sheet("vitp", ("gunnery-radar",), Request(form="folder")))
    assert "changed by an option in force; the tag names it" == changed["tag:opt 21"]


def test_the_key_explains_the_signs_of_a_matrix(tmp_path: Path) -> None:
    """They are between the words of its cells."""
    matrix = "{matrix: M, columns: [Fire], groups: {All: ['2.6']}}"
    at = folder(tmp_path, sheet__yaml=f"format: 1\nparts:\n  - {{title: A, blocks: [{matrix}]}}\n")

    assert "cannot" == key(made(at, (), Request(form="folder")))["mood:not"]


def test_a_folder_in_other_formats(tmp_path: Path) -> None:
    """The key is a list in HTML and a table in Markdown; pictures are the four pages in order."""
    found = sheet("vitp", (), Request(form="folder"))

    assert '<dl class="key-of-signs">' in html(found, Setup())[0].decode()
    assert "| ◐ | only if |" in markdown(found, Setup())[0].decode()
    assert 4 == len(png(found, Setup(ppi=36)))


def test_parts_and_picture_of_a_set(tmp_path: Path) -> None:
    """A folder has the parts that the settings name, and the set's own picture."""
    at = folder(tmp_path, sheet__yaml=TWO_PARTS, logo__svg=PICTURE)

    assert ["cover", "turn"] == [part.id for part in made(at, (), Request(form="folder")).parts]
    assert ["turn", "fire"] == [part.id for part in made(at, (), Request(form="screen")).parts]
    page = html(made(at), Setup())[0].decode()
    assert '<img class="logo" src="data:image/svg+xml;base64,' in page


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (TWO_PARTS, "no picture `logo.svg` beside the rule set"),
        (TWO_PARTS.replace("logo.svg", "../x.svg"), "no picture `../x.svg` beside the rule set"),
        (TWO_PARTS.replace("[turn]", "[trun]").replace("logo: logo.svg\n", ""), "unknown part `trun`"),
    ],
)
def test_faults_of_the_settings(tmp_path: Path, settings: str, said: str) -> None:
    """A picture that is not there or outside, and a part that is not there, have their place."""
    with pytest.raises(RulesError) as caught:
        made(folder(tmp_path, sheet__yaml=settings))

    assert [said] == [f.message for f in caught.value.diagnostics]
    assert all("sheet.yaml" == f.span.file for f in caught.value.diagnostics)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("e.svg", b"", "`e.svg` is damaged, or of another kind than its name"),
        ("e.svg", b"<html/>", "`e.svg` is damaged, or of another kind than its name"),
        ("e.png", PICTURE.encode(), "`e.png` is damaged, or of another kind than its name"),
        ("e.jpg", bytes(300_001), "`e.jpg` has more than 300,000 bytes"),
        ("[a]", b"", "`logo` must be a text, but this is a list"),
    ],
)
def test_pictures_that_cannot_be_printed(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """One error each, at the name in the settings, before anything is typeset."""
    at = folder(tmp_path, sheet__yaml=f'format: "1"\nlogo: {name}\n')
    (at / name).write_bytes(content)
    with pytest.raises(RulesError) as caught:
        made(at)

    assert [said] == [f.message for f in caught.value.diagnostics]
    assert all("sheet.yaml" == f.span.file for f in caught.value.diagnostics)


def test_what_has_too_many_pages() -> None:
    """The form, its pages and those needed are named; a fold of a folder makes no sense."""
    found = sheet("vitp", (), Request(form="folder"))

    with pytest.raises(SheetError, match=r"the folder has 4 pages, and its parts need \d+ of A5"):
        pdf(found, Setup(paper="A5"))
    with pytest.raises(SheetError, match="use larger paper, or try it without `--landscape`$"):
        pdf(found, Setup(paper="A5", landscape=True))
    with pytest.raises(SheetError, match="leave out `--fold`"):
        pdf(found, Setup(fold="card"))
