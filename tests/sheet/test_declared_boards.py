"""Boards that the rules declare, drawn on sheets without settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import RulesError
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.model.document import Board
from rulekit.reports.sheet.render.printing import pdf
from tests.sheet.boxes import faults
from tests.sheet.helpers import block, folder, made

RULES = """enum Side: White, Black
space Square, squares in columns a..c, rows 2..1
space Row, hexes in columns d..e, rows 1..2, odd rows right
space Column, hexes in columns f..g, rows 1..2, odd columns down
space Large, squares in columns 001..021, rows 001..002
sequence play:
    finish
"""


@pytest.fixture
def boards(tmp_path: Path) -> dict[str, Board]:
    """The boards of a sheet without settings, by their titles."""
    parts = made(folder(tmp_path, RULES)).parts
    blocks = (block for part in parts for block in part.blocks)
    return {block.head.title: block for block in blocks if isinstance(block, Board)}


def test_each_board_is_drawn_in_its_own_shape(boards: dict[str, Board]) -> None:
    """Those of more than twenty columns only where settings ask for them."""
    assert {"Square": "square", "Row": "pointed", "Column": "hex"} == {
        title: board.shape for title, board in boards.items()
    }


def test_spaces_are_where_they_are_declared(boards: dict[str, Board]) -> None:
    """Squares have sides of 2; hexes that are set off begin half a hex further."""
    assert [("a2", 1.0, 1.0), ("c2", 5.0, 1.0), ("a1", 1.0, 3.0)] == [
        (spot.name, spot.x, spot.y) for spot in boards["Square"].spots if spot.name in ("a2", "c2", "a1")
    ]
    assert (6.0, 4.0) == (boards["Square"].width, boards["Square"].height)
    assert [("d1", 1.732, 1.0), ("e1", 3.464, 1.0), ("d2", 0.866, 2.5), ("e2", 2.598, 2.5)] == [
        (spot.name, spot.x, spot.y) for spot in boards["Row"].spots
    ]
    assert ["f1", "g1", "f2", "g2"] == [spot.name for spot in boards["Column"].spots]
    assert [0.866, 1.732, 2.598, 3.464] == [spot.y for spot in boards["Column"].spots]


def test_a_place_keeps_its_printed_name(tmp_path: Path) -> None:
    """Names may have spaces and dots, and other kinds have them too; coordinates name the other places."""
    rules = """enum Side: White, Black
space Hex from "map.yaml", hexes in rows 01..02, columns 01..02, odd rows right
space Box:
    members 'St. Lo'
sequence play:
    finish
"""
    rows = "[[Port Blue, '0102'], [St. Lo, '0201'], ['0101', ~]]"
    data = f"format: 1\npopulations:\n  Hex: {{columns: [name, coordinate], rows: {rows}}}\n"
    board = block(made(folder(tmp_path, rules, map__yaml=data)), "board:Hex")

    assert isinstance(board, Board)
    assert {"Port Blue": (3.464, 1.0), "St. Lo": (0.866, 2.5), "0101": (1.732, 1.0)} == {
        spot.name: (spot.x, spot.y) for spot in board.spots
    }


def part_of_large(at: Path, window: str) -> Board:
    """A board of 21 columns with that window."""
    board = f"{{board: [Large], window: {window}}}"
    settings = f"format: 1\ntitle: Boards\nparts:\n  - {{title: Board, blocks: [{board}]}}\n"
    found = block(made(folder(at, RULES, sheet__yaml=settings)), "board:Large")
    assert isinstance(found, Board)
    return found


@pytest.mark.parametrize("window", ["['003001', '005002']", "['005002', '003001']", "['003002', '005001']"])
def test_a_window_prints_part_of_a_board(tmp_path: Path, window: str) -> None:
    """All between two opposite corners, whichever they are."""
    board = part_of_large(tmp_path, window)
    assert {"003001", "004001", "005001", "003002", "004002", "005002"} == {s.name for s in board.spots}
    assert (6.0, 4.0) == (board.width, board.height)


def test_a_corner_that_is_no_space(tmp_path: Path) -> None:
    """It is reported with its place."""
    with pytest.raises(RulesError) as caught:
        part_of_large(tmp_path, "['003001', '005009']")
    assert ["RK660"] == [found.kind.code for found in caught.value.diagnostics]
    assert "005009" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    "axes", ["rows 01..40, columns 1..3, odd rows right", "columns 1..3, rows 01..40, odd columns down"]
)
def test_a_high_board_fits_its_page(tmp_path: Path, axes: str) -> None:
    """Its hexes get smaller, until it is no higher than the page."""
    board = "{board: [High], notes: [all of it]}"
    settings = f"format: 1\ntitle: Boards\nparts:\n  - {{title: Board, blocks: [{board}]}}\n"
    rules = f"enum Side: White, Black\nspace High, hexes in {axes}\nsequence play:\n    finish\n"
    pages = pdf(made(folder(tmp_path, rules, sheet__yaml=settings)), Setup(paper="A3"))
    assert 1 == len(pages) and [] == faults(pages[0])


def test_rules_without_citations_have_no_empty_part(tmp_path: Path) -> None:
    """Nothing is in their index of printed rules, so that its part is left out, and pages can be packed."""
    sheet = made(folder(tmp_path, RULES))
    assert all(part.blocks for part in sheet.parts)
    assert [] != pdf(sheet, Setup())
