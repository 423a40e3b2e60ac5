"""The masks of a state's tests: which members pass each of them, by what they have in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Journal = Callable[[Any], None] | None


@dataclass
class Classes:
    """Tests of one state: a cell with a mask for each, and for each member which tests hold at which value.

    `rows[member][value]` has bit n for test n.
    """

    values: Sequence[int]
    rows: list[dict[int, int]]
    cells: list[int] = field(default_factory=list)

    def add(self, cell: int, holds: Sequence[Sequence[bool]]) -> None:
        """Add a test, whose mask is kept in `cell`; `holds` says by member and value whether it holds."""
        bit = 1 << len(self.cells)
        self.cells.append(cell)
        for row, passes in zip(self.rows, holds, strict=True):
            for value, holding in zip(self.values, passes, strict=True):
                row[value] |= bit if holding else 0

    def masks(self, cells: Sequence[Any]) -> list[int]:
        """The masks of all tests, in order, for members that have these values."""
        found = [0] * len(self.cells)
        for member, value in enumerate(cells):
            held = self.rows[member].get(value, 0)
            for number in range(len(found)):
                found[number] |= (held >> number & 1) << member
        return found

    def table(self) -> tuple[Mapping[int, int] | tuple[int, ...], ...]:
        """The rows for generated code: tuples where the values are 0, 1, 2 and so on."""
        if list(self.values) != list(range(len(self.values))):
            return tuple(self.rows)
        return tuple(tuple(row[value] for value in self.values) for row in self.rows)

    def flip(self, cells: list[Any], journal: Journal, member: int, tests: int) -> None:
        """A member begins or ceases to pass some tests."""
        bit = 1 << member
        for number, cell in enumerate(self.cells):
            if tests >> number & 1:
                if journal is not None:
                    journal(cell)
                    journal(cells[cell])
                cells[cell] ^= bit


def classes_of(values: Sequence[int], members: int) -> Classes:
    """No tests yet."""
    return Classes(tuple(values), [dict.fromkeys(values, 0) for _ in range(members)])
