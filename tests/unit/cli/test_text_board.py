"""Boards as text, from the declaration alone."""

from __future__ import annotations

import pytest

from rulekit.cli import shared
from rulekit.cli.table import text_board
from rulekit.cli.table.text_board import TextBoards
from rulekit.runtime.play import Game
from rulekit.testing import compile_text

MANIFEST = """id: text
title: Text
language: "0.2"
sides: Side
sequence: play
"""

SQUARES = """
enum Side: White, Black
space Square, squares in columns a..c, rows 3..1:
    state held: Side or none
    state mined: flag, known to Black
piece Man:
    members 4
    side: Side = (White when it in {Man_1, Man_2} otherwise Black)
sequence play:
    move {Man_1, Man_2} to a1
    move Man_3 to b2
    set c3.held to Black
    mark c1 as mined
    finish
"""
HIDDEN_PLACES = """
enum Side: White, Black
space Square, squares in columns a..b, rows 2..1
piece Boat:
    members 3
    side: Side = (White when it is Boat_1 otherwise Black)
    place: Square or none, known to its side
piece Buoy:
    members 1
    place: Square or none
sequence play:
    move Boat_1 to a2
    move {Boat_2, Boat_3} to a1
    move Buoy_1 to b1
    finish
"""
HEXES = """
enum Side: White, Black
space Hex, hexes in rows 09..11, columns 1..3, odd rows right:
    members '091', '092', '101', '103', '112'
space Fall, hexes in columns a..c, rows 1..2, even columns down
piece Gun:
    members 2
piece Tank:
    members 1
sequence play:
    move Gun_1 to '103'
    move {Gun_2, Tank_1} to b1
    finish
"""


def drawn(text: str, kind: str, side: str) -> list[str]:
    """The lines of a board at the end of a game, as a side sees it."""
    rules = compile_text(text, {"ruleset.yaml": MANIFEST}).compiled
    assert rules is not None
    session = Game(rules.program).start(seed=1)
    return TextBoards(rules.model.world, rules.program).lines(kind, session.view(side))


def test_squares_show_pieces_values_and_what_is_hidden() -> None:
    """Pieces come before values, of several the number; the top row comes first."""
    assert [
        "  3 .  .  B",
        "  2 .  B  .",
        "  1 W2 .  m",
        "    a  b  c",
        "  B Black, W White, m mined",
    ] == drawn(SQUARES, "Square", "Black")
    assert "?" in drawn(SQUARES, "Square", "White")[2]


def test_what_is_hidden_on_most_spaces_is_not_on_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its marks would bury the pieces; what is hidden on few spaces has its mark there."""
    few = SQUARES.replace("known to Black", "known to (Black when it in {b1, c1} otherwise White)")
    small = [drawn(rules, "Square", "White")[2] for rules in (SQUARES, few)]
    monkeypatch.setattr(text_board, "SMALL", 8)
    large = [drawn(rules, "Square", "White")[2] for rules in (SQUARES, few)]

    assert ["  1 W2 ?  ?"] * 2 == small
    assert ["  1 W2 .  .", "  1 W2 ?  ?"] == large


def test_pieces_whose_place_is_hidden_are_not_drawn() -> None:
    """Each side sees its own pieces, and those whose place all may see."""
    assert [
        "  2 .    .",
        "  1 BBo2 Bu",
        "    a    b",
        "  BBo Black Boat, Bu Buoy",
    ] == drawn(HIDDEN_PLACES, "Square", "Black")


def test_rows_of_hexes_are_set_off_and_holes_are_left_out() -> None:
    """Half a hex is half the distance of two."""
    assert [
        "  09  . .",
        "  10 .   G",
        "  11    .",
        "      1 2 3",
        "  G Gun",
    ] == drawn(HEXES, "Hex", "White")


def test_columns_of_hexes_are_set_off_down() -> None:
    """Each row takes two lines; pieces of two kinds are the first and a plus."""
    assert [
        "  1 .     .",
        "       G+",
        "  2 .     .",
        "       .",
        "    a  b  c",
        "  G Gun, T Tank",
    ] == drawn(HEXES, "Fall", "White")


def test_flags_that_begin_alike_have_letters_of_their_own() -> None:
    """A letter of the legend means one thing."""
    text = SQUARES.replace("flag, known to Black", "flag\n    state moored: flag")
    text = text.replace("mark c1 as mined", "mark c1 as mined\n    mark b1 as moored")
    assert drawn(text, "Square", "Black")[2:] == [
        "  1 W2 mo mi",
        "    a  b  c",
        "  B Black, W White, mi mined, mo moored",
    ]


SPARSE = """
enum Side: White, Black
space Hex, hexes in rows 00..99, columns 99..00, odd rows right:
    members '0412', '0411', '0511', '1111'
sequence play:
    finish
"""


def test_rows_and_columns_beyond_the_map_are_left_out() -> None:
    """A board may have more coordinates than the map has spaces; a long gap is one empty line."""
    assert [
        "  04 .   .",
        "  05       .",
        "",
        "  11       .",
        "       12  11",
    ] == [line.rstrip() for line in drawn(SPARSE, "Hex", "White")]


def test_a_board_wider_than_the_screen_is_printed_in_parts() -> None:
    """Each part has the labels of its rows and columns; half a hex at its end stays whole."""
    text = "enum Side: White, Black\nspace Hex, hexes in rows 1..2, columns 01..40, odd rows right\n"
    lines = drawn(text + "sequence play:\n    finish\n", "Hex", "White")

    assert 80 == sum(line.count(".") for line in lines)
    assert max(map(len, lines)) <= shared.width()
    assert [["1", "2", "01"], ["1", "2", "25"]] == [
        [line.split()[0] for line in lines[start : start + 3]] for start in (0, 3)
    ]
    assert "40" == lines[-1].split()[-1]
