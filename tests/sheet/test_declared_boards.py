"""Boards that the rules declare, drawn on sheets without settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.reports.sheet.model.document import Board
from tests.sheet.helpers import folder, made

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
