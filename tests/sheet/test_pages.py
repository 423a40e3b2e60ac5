"""Finished pages: everything inside them, nothing on top of another, fonts embedded, tags there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations, cycle, pairwise, product
from pathlib import Path

import pytest

from rulekit.reports.sheet.content.build import Request
from rulekit.reports.sheet.layout.packing import End, Packer
from rulekit.reports.sheet.layout.paper import PAPERS, Setup, page
from rulekit.reports.sheet.model.document import Head, List, Modifiers, Outline, Part, TableBlock
from rulekit.reports.sheet.render.printing import pdf
from rulekit.reports.sheet.render.theme import known_themes
from tests.sheet.boxes import empty_shares, faults, inside, pages
from tests.sheet.helpers import sheet
from tests.unit.cli.running import alone

OPTIONS = {
    "vitp": ("damage-control", "gunnery-radar"),
    "pacwar": ("house-coastal-defense", "jsis-flak-phase-in", "m80-battle-line", "mst-gunnery-limits"),
    "fcn": (),
    "atp": (),
}


def look_at(folder: Path, name: str, *arguments: str) -> None:
    """Print a set in a process of its own, for Typst keeps in memory all that it has set; then look at it."""
    file = folder / "sheet.pdf"
    options = [word for option in OPTIONS[name] for word in ("--with", option)]
    ran = alone("sheet", name, "-o", file, *options, *arguments, timeout=600)
    assert 0 == ran.code, ran.err
    made = file.read_bytes()
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
    assert 5 == found.bookmarks
    assert frozenset() == found.loose
    assert 3 == len(found.fonts) and all(name.startswith("IBMPlexSansCond") for name in found.fonts)
    assert found.tags["H1"] == 5 and found.tags["Figure"] >= 1 and found.tags["THead"] > 5


def test_lists_links_and_labels() -> None:
    """Lists are lists to a screen reader, a number leads to its rule elsewhere, and pages have labels."""
    (made,) = pdf(sheet("vitp"), Setup())

    found = inside(made)
    assert found.tags["L"] > 10 and found.tags["LI"] > 100 and found.tags["Lbl"] > 100
    assert found.links > 30
    assert found.labels and not found.suspects


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize("theme", ["colour", "high-contrast"])
def test_pdf_ua(name: str, theme: str, tmp_path: Path) -> None:
    """A validator of PDF/UA-1 finds nothing (`outloud`, whose semantic advice is left to people)."""
    (made,) = pdf(sheet(name, OPTIONS[name]), Setup(theme=theme))
    (tmp_path / "sheet.pdf").write_bytes(made)
    validator = str(Path(sys.executable).with_name("outloud"))
    command = [validator, "--layer", "conformance", str(tmp_path / "sheet.pdf")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert 0 == run.returncode, run.stdout


@pytest.mark.parametrize(("name", "most"), [("vitp", 4), ("fcn", 8), ("pacwar", 4), ("atp", 9)])
def test_pages_are_full(name: str, most: int) -> None:
    """No page but the last is emptier than 15 %."""
    (made,) = pdf(sheet(name), Setup())

    shares = empty_shares(made)
    assert len(shares) <= most
    assert [] == [f"page {n}: {share:.0%}" for n, share in enumerate(shares[:-1], 1) if share > 0.15]


@pytest.mark.parametrize(
    ("name", "paper", "landscape"),
    [("vitp", "A5", False), ("fcn", "A4", True), ("pacwar", "Letter", True), ("vitp", "Legal", False)],
)
def test_pages_of_other_papers_are_full(name: str, paper: str, landscape: bool) -> None:
    """Tables are parted, narrow blocks go before a wide one, and type changes, where that fills pages."""
    (made,) = pdf(sheet(name), Setup(paper=paper, landscape=landscape))

    assert [] == too_empty(made, paper, landscape)


def too_empty(made: bytes, paper: str, landscape: bool) -> list[str]:
    """The pages before the last that are emptier than 15 %."""
    shares = empty_shares(made, page(paper, landscape))
    return [f"page {n}: {share:.0%}" for n, share in enumerate(shares[:-1], 1) if share > 0.15]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "paper", "landscape"),
    [wish for wish in product(OPTIONS, PAPERS, (False, True)) if wish[1:] != ("A4", False)],
)
def test_pages_of_all_papers_are_full(name: str, paper: str, landscape: bool, tmp_path: Path) -> None:
    """The same for every set on the papers that it can be printed on, upright and turned."""
    file = tmp_path / "sheet.pdf"
    ran = alone("sheet", name, "-o", file, "--paper", paper, *["--landscape"] * landscape, timeout=600)

    assert 0 == ran.code, ran.err
    assert [] == too_empty(file.read_bytes(), paper, landscape)


SIDES = {
    "vitp": ("Japan", "Allies"),
    "fcn": ("US", "Japan"),
    "atp": ("Japan", "Allies"),
    "pacwar": ("Japan", "Allies"),
}


@pytest.mark.parametrize(
    ("name", "side", "paper", "landscape"),
    [
        ("vitp", "Allies", "A5", True),
        *(
            pytest.param(name, side, paper, landscape, marks=pytest.mark.slow)
            for name, sides in SIDES.items()
            for side, paper, landscape in product(sides, ("A3", "A5"), (False, True))
            if (name, side, paper, landscape) != ("vitp", "Allies", "A5", True)
            and (paper == "A5" or landscape == (side == sides[0]))
        ),
    ],
)
def test_pages_of_a_card_are_full(name: str, side: str, paper: str, landscape: bool, tmp_path: Path) -> None:
    """The same for each side's card."""
    file = tmp_path / "card.pdf"
    turned = ["--landscape"] * landscape
    ran = alone("sheet", name, "-o", file, "--side", side, "--paper", paper, *turned, timeout=600)

    assert 0 == ran.code, ran.err
    assert [] == too_empty(file.read_bytes(), paper, landscape)


QUICK_FORMS = {("vitp", "folder", "A3", False), ("vitp", "screen", "A4", False)}


@pytest.mark.parametrize(
    ("name", "form", "paper", "landscape"),
    [
        pytest.param(*wish, marks=() if wish in QUICK_FORMS else pytest.mark.slow)
        for wish in product(SIDES, ("folder", "screen"), ("A3", "A4"), (False, True))
    ],
)
def test_pages_of_folders_and_screens_are_full(
    name: str, form: str, paper: str, landscape: bool, tmp_path: Path
) -> None:
    """On whatever paper, type is so large that no page but the last is emptier than 15 %, and none is blank.

    What needs more pages than the form has is refused.
    """
    file = tmp_path / "form.pdf"
    turned = ["--landscape"] * landscape
    ran = alone("sheet", name, "-o", file, "--form", form, "--paper", paper, *turned, timeout=600)

    if ran.code == 2:
        assert re.search(rf"the {form} has \d pages, and its parts need \d+ of {paper}", ran.err)
        return
    assert 0 == ran.code, ran.err
    shares = empty_shares(file.read_bytes(), page(paper, landscape))
    *pages, last = shares[2:] + shares[:1] if form == "folder" else shares
    assert [] == [f"{share:.0%}" for share in pages if share > 0.15]
    assert last < 0.95


def test_pages_with_many_options_are_full() -> None:
    """The title over a list that goes on in another column has its room, so no region leaves its page."""
    (made,) = pdf(sheet("pacwar", ("authors",)), Setup())

    shares = empty_shares(made)
    assert len(shares) <= 10
    assert max(shares[:-1]) < 0.15


@pytest.mark.parametrize("paper", ["A4", "A5"])
def test_no_number_is_broken(paper: str) -> None:
    """A rule's number stays on one line, though it has a hyphen: `23.42-B1`."""
    (made,) = pdf(sheet("atp"), Setup(paper=paper))

    pairs = [pair for page in pages(made) for pair in pairwise(page.words)]
    assert [] == [
        a.text + b.text
        for a, b in pairs
        if re.search(r"\d-$", a.text) and b.top > a.bottom and b.left < a.left
    ]
    assert any(re.fullmatch(r"\d+\.\d+-[A-Z]\d", word.text) for word, _ in pairs)


@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar", "atp"])
def test_pages_of_large_type(name: str) -> None:
    """In high contrast, whose type is larger, no page but the last holds a few lines alone."""
    (made,) = pdf(sheet(name), Setup(theme="high-contrast"))

    assert [] == [
        f"page {n}: {share:.0%}" for n, share in enumerate(empty_shares(made)[:-1], 1) if share > 0.4
    ]


def test_fcn_has_no_glossary_without_words() -> None:
    """The sheet of a booklet with few definitions has neither a glossary nor an index."""
    titles = {block.head.id for block in sheet("fcn").blocks}

    assert set() == {"glossary", "index"} & titles
    assert all(block.lines for block in sheet("fcn").blocks if isinstance(block, List))


@pytest.mark.parametrize("name", ["fcn", "pacwar", "atp"])
def test_one_page_of_every_game(name: str) -> None:
    """Each game has everything on one side of A4, with little of it empty."""
    (made,) = pdf(sheet(name, (), Request(form="one-page")), Setup())

    assert 1 == inside(made).pages
    assert empty_shares(made)[0] < 0.15


def test_one_page() -> None:
    """Everything on one side is one page."""
    (made,) = pdf(sheet("vitp", OPTIONS["vitp"], Request(form="one-page")), Setup())

    assert [] == faults(made)
    assert 1 == inside(made).pages


def in_turns(first: Sequence[str], second: Sequence[str], third: Sequence[str]) -> list[tuple[str, str, str]]:
    """Triples in which every two values of different sequences meet, the third sequence taken in turns.

    As many as the longest two sequences have pairs; the third has at most as many values as the second.
    """
    return [(a, b, third[(at + n) % len(third)]) for at, a in enumerate(first) for n, b in enumerate(second)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "name", "theme"), in_turns(sorted(PAPERS), sorted(OPTIONS), known_themes())
)
def test_papers_themes_and_sets(paper: str, name: str, theme: str, tmp_path: Path) -> None:
    """Every two of paper, theme and set together."""
    look_at(tmp_path, name, "--paper", paper, "--theme", theme)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "name"), list(zip(sorted(PAPERS), cycle(sorted(OPTIONS, reverse=True)), strict=False))
)
def test_every_paper_on_its_side(paper: str, name: str, tmp_path: Path) -> None:
    """Every paper turned, and every set on a paper turned."""
    look_at(tmp_path, name, "--paper", paper, "--landscape")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "theme", "name"),
    in_turns(["A4", "Letter", "Tabloid"], ["colour", "high-contrast"], ["fcn", "vitp"]),
)
def test_one_page_everywhere(paper: str, theme: str, name: str, tmp_path: Path) -> None:
    """The short form of the games that are whole."""
    look_at(tmp_path, name, "--paper", paper, "--theme", theme, "--form", "one-page")


def test_turns_bring_every_two_together() -> None:
    """Of six papers, four sets and three themes: 24 printings in which all pairs occur."""
    triples = in_turns(sorted(PAPERS), sorted(OPTIONS), known_themes())

    assert 24 == len(triples)
    for one, other in combinations(range(3), 2):
        values = ({triple[at] for triple in triples} for at in (one, other))
        assert set(product(*values)) == {(triple[one], triple[other]) for triple in triples}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scenario"), [("fcn", "1942"), ("fcn", "linked"), ("pacwar", "air-strike"), ("vitp", "dec_1941")]
)
def test_every_scenario(name: str, scenario: str, tmp_path: Path) -> None:
    """A sheet for a scenario, on a small paper."""
    look_at(tmp_path, name, "--paper", "A5", "--theme", "grey", "--scenario", scenario)


def test_planted_faults_are_found() -> None:
    """The test itself, on a page with words over words, outside, too small, and a rule through one."""
    import typst

    source = b"""
#set page(width: 300pt, height: 200pt, margin: 30pt)
#place(top + left, dx: 0pt, text("Harbor"))
#place(top + left, dx: 8pt, text("Navy"))
#place(top + left, dx: -25pt, dy: 40pt, text("outside"))
#place(top + left, dy: 60pt, text(size: 3pt, "small"))
#place(top + left, dy: 80pt, { text("through"); place(top + left, dy: 5pt, dx: -10pt, line(length: 90pt)) })
#place(top + left, dx: 90pt, { text("twice"); place(top + left, text("twice")) })
"""
    found = "\n".join(faults(typst.compile(source)))
    planted = ("`Harbor` and `Navy`", "`outside` at", "`small` is 3.0 pt", "a rule runs through `through`",
               "`twice` is written twice")  # fmt: skip
    assert [] == [fault for fault in planted if fault not in found]


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
    (printed,) = pdf(made, Setup(paper="A5", theme=theme))
    ends = [page.lines()[-2] for page in pages(printed)]  # the foot is the last line
    assert [] == [end for end in ends if end in heads]


class SameHeights:
    """Blocks of 300 points with thirty lines, but the second has none at which it may be parted."""

    def __call__(self, block: int, width: float) -> float:
        """Return a height."""
        return 300

    def items(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of lines."""
        return () if block == 1 else (10,) * 30

    def rows(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of rows, of the second block, too."""
        return (10,) * 30

    def again(self, block: int, width: float) -> float:
        """Return nothing: a head that goes on is as high."""
        return 0

    def end(self, block: int, used: float) -> End:
        """Return an end on the next page."""
        return End(1, used + 300 - page("A5").text_height)


class TallTables(SameHeights):
    """Tables of 0.6 of a page of A4, in rows of a twentieth."""

    def __call__(self, block: int, width: float) -> float:
        """Return a height."""
        return 0.6 * page("A4").text_height

    def items(self, block: int, width: float) -> Sequence[float]:
        """Return none: a table has no lines."""
        return ()

    def rows(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of rows."""
        return (0.03 * page("A4").text_height,) * 20


def test_evening_out_columns_loses_no_table() -> None:
    """Three tables fit into two columns only if one is parted: all rows of all three are on the page."""
    at, table = page("A4"), TableBlock(Head("t", "T"), (), ())
    leaves = Packer(at, TallTables(), (20,), thrifty=True).pack((Part("p", "P", (), 2, (table,) * 3),))
    placed = [piece for leaf in leaves for region in leaf.regions for column in region.get("blocks", ())
              for piece in column]  # fmt: skip
    rows = [(piece["block"], row) for piece in placed
            for row in range(piece["from"], piece["to"] if piece["to"] >= 0 else 20)]  # fmt: skip

    assert [(block, row) for block in range(3) for row in range(20)] == sorted(rows)


def test_lists_and_tables_fill_pages_of_one_column() -> None:
    """On A5 a list is parted at the foot of a page, and a table goes on on the next."""
    lists, tables = List(Head("a", "A"), ()), TableBlock(Head("t", "T"), (), ())
    at, part = page("A5"), Part("p", "P", (), 1, (lists, tables, lists, lists))
    leaves = Packer(at, SameHeights(), (20,)).pack((part,))

    assert 3 == len(leaves)
    assert all(leaf.filled > 0.85 * at.text_width * at.text_height for leaf in leaves[:-1])


class HighRows(TallTables):
    """A list that leaves room for the head of a table, and the table: its rows are higher than that room."""

    def __call__(self, block: int, width: float) -> float:
        """Return a height."""
        return (440, 230)[block]

    def rows(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of rows."""
        return (50,) * 4 if block else ()


def test_no_page_ends_with_the_room_for_a_head() -> None:
    """A table as wide as the page begins on the next one if not even one row fits under its head."""
    table = TableBlock(Head("t", "T", wide=True), (), ())
    part = Part("p", "P", (), 1, (List(Head("a", "A"), ()), table))
    first, second = Packer(page("A5"), HighRows(), (0,), thrifty=True).pack((part,))

    assert ["title", "columns"] == [region["kind"] for region in first.regions]
    assert [[{"block": 1, "from": 0, "to": -1}]] == second.regions[0]["blocks"]


class TallRows(SameHeights):
    """Three blocks: of 200 points, of 455, and a table of 23 rows of 16 points."""

    def __call__(self, block: int, width: float) -> float:
        """Return a height."""
        return (200, 455, 368)[block]

    def rows(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of the table's rows."""
        return (16,) * 23 if block == 2 else ()

    def items(self, block: int, width: float) -> Sequence[float]:
        """Return nothing: no block is a list."""
        return ()


def test_the_rest_of_a_table_is_not_the_whole_table() -> None:
    """A table that begins before a wide block goes on where it was, though its rest does not fit there."""
    wide, table = List(Head("w", "W", wide=True), ()), TableBlock(Head("t", "T"), (), ())
    part = Part("p", "P", (), 1, (List(Head("a", "A"), ()), wide, table))
    leaves = Packer(page("A5"), TallRows(), (0,), thrifty=True).pack((part,))

    regions = [region for leaf in leaves for region in leaf.regions]
    pieces = [piece for region in regions for column in region.get("blocks", ()) for piece in column]
    ends = [(piece["from"], piece["to"]) for piece in pieces if piece["block"] == 2]
    assert 2 <= len(ends) and all(region["kind"] != "flow" for region in regions)
    assert 0 == ends[0][0] and -1 == ends[-1][1]
    assert [end for _, end in ends[:-1]] == [begin for begin, _ in ends[1:]]
