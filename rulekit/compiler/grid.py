"""The geometry of a board of squares or hexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from rulekit.base.frozen import frozen

Shape = Literal["square", "hex in rows", "hex in columns"]
Ways = Mapping[str, tuple[int, int]]

CLOCKWISE = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
_SQUARE_WAYS: Ways = {
    "north": (0, -1), "north_east": (1, -1), "east": (1, 0), "south_east": (1, 1),
    "south": (0, 1), "south_west": (-1, 1), "west": (-1, 0), "north_west": (-1, -1),
}  # fmt: skip
_OBLIQUE: Ways = {"north_east": (1, -1), "south_east": (1, 1), "south_west": (-1, 1), "north_west": (-1, -1)}
_WAYS: Mapping[Shape, Ways] = {
    "square": _SQUARE_WAYS,
    "hex in rows": {**_OBLIQUE, "east": (2, 0), "west": (-2, 0)},
    "hex in columns": {**_OBLIQUE, "north": (0, -2), "south": (0, 2)},
}


@frozen
class GridPoint:
    """Where a space is, and the numbers of its column and row as printed.

    `x` counts to the right and `y` down. Squares are one unit apart; hexes are two along the lines that are
    set off, and one across them.
    """

    x: int
    y: int
    column: int
    row: int


@frozen
class Grid:
    """The board of a kind: the spot of each member, and the members by their spots.

    `columns` and `rows` are the labels, from left to right and from top to bottom: of columns with their `x`
    in the last row, of rows with their `y` in the first column.
    """

    kind: str
    shape: Shape
    spots: Mapping[int, GridPoint]
    at: Mapping[tuple[int, int], int]
    columns: tuple[tuple[str, int], ...]
    rows: tuple[tuple[str, int], ...]

    @property
    def ways(self) -> Ways:
        """How far a step in each direction leads, to the right and down."""
        return _WAYS[self.shape]

    def step(self, member: int, way: str) -> int | None:
        """Return the space one step on; None beyond the edge, or in a direction that the board lacks."""
        spot, (right, down) = self.spots[member], self.ways.get(way, (0, 0))
        end = self.at.get((spot.x + right, spot.y + down))
        return None if end == member else end

    def beside(self, member: int, *, diagonal: bool = False) -> list[int]:
        """Return the spaces that share a side with a space; or, of squares, a corner only."""
        ways = [way for way in self.ways if self.shape != "square" or ("_" in way) == diagonal]
        return [end for way in ways if (end := self.step(member, way)) is not None]

    def lines(self, length: int) -> Iterator[tuple[int, ...]]:
        """Yield each straight line of so many spaces once, from the first of its spaces in id order."""
        axes = [way for way, (right, down) in self.ways.items() if down > 0 or (down == 0 and right > 0)]
        for member in sorted(self.spots):
            for way in axes:
                line = [member]
                while len(line) < length and (end := self.step(line[-1], way)) is not None:
                    line.append(end)
                if len(line) == length:
                    yield tuple(line)
