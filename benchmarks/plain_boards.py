"""Tic-tac-toe, connect four and breakthrough by hand: the yardstick of modules for small games.

Naive Python: a list for the board, options listed anew at each turn, every line looked at after each move.
Squares are numbered as in `examples/boards`: row by row, the highest row first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

Choose = Callable[[Sequence[Any]], Any]
"""Returns one of the options."""

Winner = int | None
"""The side that wins, 0 or 1; None for a draw."""

Lines = Sequence[tuple[int, ...]]
Options = Callable[[list[Winner], list[int]], list[int]]
"""Returns those of the free squares that may be taken."""


def lines(columns: int, rows: int, length: int) -> Iterator[tuple[int, ...]]:
    """All lines of so many squares, in the eight directions each once."""
    for row in range(rows):
        for column in range(columns):
            for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                last = column + right * (length - 1), row + down * (length - 1)
                if 0 <= last[0] < columns and last[1] < rows:
                    yield tuple((row + down * n) * columns + column + right * n for n in range(length))


THREE = list(lines(3, 3, 3))
FOUR = list(lines(7, 6, 4))


def tic_tac_toe(choose: Choose) -> Winner:
    """A game on nine squares."""
    return _first_line(choose, 9, THREE, lambda board, free: free)


def connect_four(choose: Choose) -> Winner:
    """A game on seven columns of six holes."""
    return _first_line(choose, 42, FOUR, _holes)


def _holes(board: list[Winner], free: list[int]) -> list[int]:
    """The lowest free hole of each column."""
    return [hole for hole in free if hole >= 35 or board[hole + 7] is not None]


def _first_line(choose: Choose, size: int, wanted: Lines, options: Options) -> Winner:
    """Put signs in turn until one side has a line, or nothing is free."""
    board: list[Winner] = [None] * size
    side = 0
    while True:
        squares = options(board, [square for square in range(size) if board[square] is None])
        if not squares:
            return None
        board[choose(squares)] = side
        if any(all(board[square] == side for square in line) for line in wanted):
            return side
        side = 1 - side


def breakthrough(choose: Choose) -> Winner:
    """A game of two rows of pawns on each side of 64 squares; the first side moves up."""
    board: list[Winner] = [1] * 16 + [None] * 32 + [0] * 16
    side = 0
    while True:
        moves = [
            (start, goal)
            for start in range(64)
            if board[start] == side
            for goal in _goals(board, start, side)
        ]
        start, goal = choose(moves)
        board[start], board[goal] = None, side
        if goal // 8 == (0 if side == 0 else 7) or 1 - side not in board:
            return side
        side = 1 - side


def _goals(board: list[Winner], start: int, side: int) -> list[int]:
    """The squares that a pawn may move to."""
    row, column = divmod(start, 8)
    ahead = row - 1 if side == 0 else row + 1
    if not 0 <= ahead < 8:
        return []
    goals = [ahead * 8 + at for at in (column - 1, column, column + 1) if 0 <= at < 8]
    return [goal for goal in goals if (board[goal] is None if goal % 8 == column else board[goal] != side)]


GAMES: Final[Mapping[str, Callable[[Choose], Winner]]] = {
    "tic-tac-toe": tic_tac_toe,
    "connect-four": connect_four,
    "breakthrough": breakthrough,
}
