"""Boards and counters: drawn of what the data say, told to who cannot see them, and inside their page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit.diagnostics import RulesError
from rulekit.reports.sheet.content.build import only
from rulekit.reports.sheet.layout.board_layout import HIGH, WIDE, arrange, hexes, near
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import Board, Counters, SheetError
from rulekit.reports.sheet.render.html import html
from rulekit.reports.sheet.render.markdown import markdown
from rulekit.reports.sheet.render.printing import pdf, svg
from tests.sheet.boxes import faults, inside, pages
from tests.sheet.helpers import PRINTED, SMALL, block, folder, made, plain

RULES = (
    SMALL
    + """
space Region from "data/board.yaml": [1]
    grid: 0..9999
    port: flag
    food: 0..9
    next_to: set of Region
    state owner: Side or none
piece Fleet from "data/board.yaml":
    side: Side
    guns, speed: 0..9
    weak_guns: 0..9
piece Marker:
    members 4
"""
)
BOARD = """
format: 1
source: {B: booklet}
populations:
  Region:
    source: B
    confidence: printed
    columns: [name, grid, port, food, next_to, owner]
    rows:
      - [North, 101, true, 3, [West, East], Red]
      - [West, 202, false, 0, [North, East, South], Blue]
      - [East, 102, true, 2, [North, West], ~]
      - [South, 302, false, 1, [West], ~]
  Fleet:
    source: B
    confidence: {default: printed, guns: reconstructed}
    columns: [name, side, guns, speed, weak_guns]
    rows:
      - [First, Red, 4, 5, 2]
      - [Second, Red, 4, 5, 2]
      - [Other, Blue, 3, 7, 1]
"""
WISHES = """
format: 1
parts:
  - title: All
    blocks:
      - BOARD
      - {counters: [Fleet], factors: [guns, speed], back: [weak_guns], by: side}
      - {counters: [Marker, Kind], title: Markers}
"""


def drawn(at: Path, board: str = "{board: [Region], values: {food: food}, marks: {port: disc}}") -> Path:
    """A rule set with a board and counters."""
    files = {"data_in_board__yaml": BOARD.lstrip(), "sheet__yaml": WISHES.lstrip().replace("BOARD", board)}
    return folder(at, RULES, PRINTED, **files)


def board_of(at: Path, board: str) -> Board:
    """The board of such a set."""
    found = block(made(drawn(at, board)), "board:Region")
    assert isinstance(found, Board)
    return found


def test_boxes_with_lines(tmp_path: Path) -> None:
    """Without places a layout is worked out: the same each time, a line for each pair that touches."""
    found = board_of(tmp_path, "{board: [Region], values: [food], marks: {port: disc}}")
    assert "box" == found.shape and 4 == len(found.ways)
    names = [spot.name for spot in found.spots]
    pairs = {frozenset((names[a], names[b])) for a, b in found.ways}
    assert {frozenset(p) for p in ("NW", "NE", "WE", "WS")} == {frozenset(n[0] for n in p) for p in pairs}
    assert found == board_of(tmp_path, "{board: [Region], values: [food], marks: {port: disc}}")
    assert (("disc",), 0) == (found.spots[0].marks, found.spots[0].owner)


def test_hexes_by_number(tmp_path: Path) -> None:
    """Four figures are a column and a row; touching hexes lie side by side, others are named."""
    found = board_of(tmp_path, "{board: [Region], number: grid, shape: hex}")
    assert "hex" == found.shape and () == found.ways
    assert [] == [s.name for s in found.spots if s.also]


def test_hexes_by_hand(tmp_path: Path) -> None:
    """What touches and does not lie beside it is named; what lies beside and does not touch is closed."""
    places = "{North: [0, 0], West: [0, 1], East: [3, 3], South: [1, 0]}"
    found = board_of(tmp_path, f"{{board: [Region], shape: hex, places: {places}}}")
    also = {s.name: s.also for s in found.spots}
    assert {"North": ("East",), "West": ("East",), "East": ("North", "West"), "South": ()} == also
    names = [spot.name for spot in found.spots]
    assert [{"North", "South"}] == [{names[a], names[b]} for a, b in found.closed]


def test_words_for_who_cannot_see(tmp_path: Path) -> None:
    """The alternative text says what touches what, and what is on counters."""
    sheet = made(drawn(tmp_path))
    board, fleets = block(sheet, "board:Region"), block(sheet, "counters:Fleet")
    assert isinstance(board, Board) and isinstance(fleets, Counters)
    assert "North is adjacent to West, East." in board.alt
    assert ["First: 4 5 / 2; Second: 4 5 / 2", "Other: 3 7 / 1"] == [alt for _, _, alt in fleets.groups]


def test_counters(tmp_path: Path) -> None:
    """Factors on both sides; those that are alike are counted; markers of kinds and of enums."""
    sheet = made(drawn(tmp_path))
    fleets, markers = block(sheet, "counters:Fleet"), block(sheet, "counters:Marker")
    assert isinstance(fleets, Counters) and isinstance(markers, Counters)
    first = fleets.groups[0][1][0]
    assert ("First", 0, "45", "2", True) == (
        first.name, first.side, plain(first.front), plain(first.back), first.soft,
    )  # fmt: skip
    assert [("Marker", 4), ("Ship", 1), ("Plane", 1)] == [(c.name, c.count) for c in markers.groups[0][1]]


@pytest.mark.parametrize("theme", ["colour", "grey", "high-contrast"])
@pytest.mark.parametrize("paper", ["A4", "A5", "Tabloid"])
def test_pages(tmp_path: Path, paper: str, theme: str) -> None:
    """Everything inside its page, with a text in place of each picture."""
    (page,) = pdf(made(drawn(tmp_path)), Setup(paper=paper, theme=theme))
    assert [] == faults(page)
    assert 3 < inside(page).tags["Figure"]


def test_other_forms(tmp_path: Path) -> None:
    """Drawings in HTML, a table in Markdown, a picture by itself."""
    sheet = made(drawn(tmp_path))
    (page,) = html(sheet, Setup())
    assert b'<svg class="map"' in page and b'class="counter s0"' in page and b"North is adjacent to" in page
    (text,) = markdown(sheet, Setup())
    assert "| **R** **Red** | First° |  | 4 5 | 2 | 1 |" in text.decode()
    assert svg(made(drawn(tmp_path)), Setup())[0].startswith(b"<svg")


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("{board: [Regoin]}", "unknown kind `Regoin`"),
        ("{board: [Region], values: [foood]}", "`Region` has no field `foood`"),
        ("{board: [Region], places: {Nroth: [1, 2]}}", "unknown Region `Nroth`"),
        ("{board: [Region], places: {North: [a, 2]}}", "invalid number `a`"),
        ("{board: [Region], shape: round}", "invalid shape of spaces `round`"),
        ("{board: [Region], marks: {port: star}}", "invalid shape `star`"),
        ("{counters: [Fleet], back: [weak]}", "`Fleet` has no field `weak`"),
        ("{roster: [Fleet], by: sied}", "`Fleet` has no field `sied`"),
        ("{fields: Region, columns: [fod]}", "`Region` has no field `fod`"),
    ],
)
def test_wrong_wishes(tmp_path: Path, board: str, said: str) -> None:
    """Each fault is told with its place and what is near."""
    with pytest.raises(RulesError) as caught:
        made(drawn(tmp_path, board))
    (found,) = [f for f in caught.value.diagnostics if said in f.message]
    assert ("sheet.yaml", 5) == (found.span.file, found.span.line)


HEXES = "{board: [Region], number: grid, shape: hex}"


def test_a_high_board_lies_on_its_side(tmp_path: Path) -> None:
    """Where hexes are too small for their names and larger so; then names are read upwards."""
    rows = "".join(f"      - [Indispensable Strait {n}, {100 + n}, false, 0, [], ~]\n" for n in range(3, 9))
    at = drawn(tmp_path, HEXES)
    (at / "data" / "board.yaml").write_text(BOARD.lstrip().replace("      - [North", rows + "      - [North"))
    shown = only(made(at), "board:Region")
    for landscape, upright in ((False, True), (True, False)):
        (file,) = pdf(shown, Setup(paper="A5", landscape=landscape))
        (page,) = pages(file)
        straits = [word for word in page.words if word.text == "Indispensable"]
        assert [] == faults(file)
        assert 6 == len(straits)
        assert all(upright is (word.right - word.left > word.bottom - word.top) for word in straits)


def test_a_board_whose_names_do_not_fit_is_refused(tmp_path: Path) -> None:
    """The block and a space are named."""
    at, name = drawn(tmp_path, HEXES), 5 * "Northern"
    (at / "data" / "board.yaml").write_text(BOARD.lstrip().replace("North", name), encoding="utf-8")
    with pytest.raises(SheetError) as caught:
        pdf(made(at), Setup(paper="A5"))
    assert re.search(
        rf"\(board:Region\) is [\d.]+ mm too wide for A5: `{name}`", "\n".join(caught.value.details)
    )


def test_too_many_for_a_layout(tmp_path: Path) -> None:
    """Hundreds of spaces want places of their own."""
    rows = "".join(f"      - [r{n}, {n}, false, 0, [], ~]\n" for n in range(200))
    at = drawn(tmp_path)
    text = BOARD.lstrip().replace("      - [North", rows + "      - [North")
    (at / "data" / "board.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SheetError, match="give their places under `places`"):
        made(at)


def test_no_box_on_another() -> None:
    """Boxes keep their distance, whatever is linked with what, and stay on the board."""
    labels = [4 + n % 13 for n in range(24)]
    ways = [(n, (n * 7 + 3) % 24) for n in range(24) if n != (n * 7 + 3) % 24]
    points, high = arrange(labels, ways)
    assert high == HIGH and all(0 <= x <= WIDE and 0 <= y <= HIGH for x, y in points)
    boxes = [(x, y, min(label, 16) * 0.088 + 0.36) for (x, y), label in zip(points, labels, strict=True)]
    for at, (x, y, wide) in enumerate(boxes):
        for u, v, other in boxes[:at]:
            assert abs(x - u) > (wide + other) / 2 - 0.1 or abs(y - v) > 0.5


def test_hexes_side_by_side() -> None:
    """Every other column is half a hex lower."""
    points, width, height = hexes([(0, 0), (1, 0), (2, 0), (1, 1)])
    assert near(points, (0, 1)) and near(points, (1, 3)) and not near(points, (0, 2))
    assert (5.0, 4.33) == (round(width, 2), round(height, 2))
