"""Boxes of keys: the gaps and overlaps of rows, found by sweeping over slabs.

A set of positions along an axis is a mask, a box is one mask an axis.  Along an axis, neighbouring positions
that the same rows cover form a slab; rows of a slab are a mask too, so that a sweep is a few `and`s a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from rulekit.base.frozen import frozen

Box = tuple[int, ...]
MOST_PAIRS = 1_000
"""Overlapping pairs of one table that are examined."""


def of_positions(positions: Sequence[int]) -> int:
    """A mask of some positions."""
    if positions and positions[-1] - positions[0] + 1 == len(positions):
        return (1 << positions[-1] + 1) - (1 << positions[0])
    return reduce(or_, (1 << position for position in positions), 0)


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """The stretches of a mask, ascending: first and last position."""
    while mask:
        low = (mask & -mask).bit_length() - 1
        above = ~(mask >> low)
        length = (above & -above).bit_length() - 1
        yield low, low + length - 1
        mask &= -1 << low + length


def volume(box: Box) -> int:
    """The number of combinations in a box."""
    product = 1
    for part in box:
        product *= part.bit_count()
    return product


def inside(box: Box, other: Box) -> bool:
    """Whether a box lies wholly in another."""
    return all(part & ~whole == 0 for part, whole in zip(box, other, strict=True))


@frozen
class TableCover:
    """Rows over axes; `wanted`: the positions of each axis that can occur; `ordered`: which have an order."""

    rows: tuple[Box, ...]
    wanted: Box
    ordered: tuple[bool, ...]

    def gaps(self) -> list[Box]:
        """The wanted combinations that no row covers, as boxes that do not meet."""
        slabs = [self.slabs(axis) for axis in range(len(self.wanted))]
        order = sorted(range(len(slabs)), key=lambda axis: len(slabs[axis]))
        known: dict[tuple[int, int], tuple[Box, ...]] = {}

        def gaps_left(depth: int, active: int) -> tuple[Box, ...]:
            """The gaps that these rows leave along the axes from a depth on, in their order."""
            if depth == len(order):
                return () if active else ((),)
            if not active:
                return (tuple(self.wanted[axis] for axis in order[depth:]),)
            boxes = known.get((depth, active))
            if boxes is None:
                parts: list[tuple[int, tuple[Box, ...]]] = []
                for mask, rows in slabs[order[depth]]:
                    below = gaps_left(depth + 1, active & rows)
                    if parts and parts[-1][1] == below:
                        parts[-1] = (parts[-1][0] | mask, below)
                    else:
                        parts.append((mask, below))
                boxes = tuple((mask, *rest) for mask, below in parts for rest in below)
                known[depth, active] = boxes
            return boxes

        back = sorted(range(len(order)), key=order.__getitem__)
        boxes = gaps_left(0, (1 << len(self.rows)) - 1)
        return [tuple(box[place] for place in back) for box in boxes if all(box)]

    def overlaps(self) -> list[tuple[int, int, Box]]:
        """Pairs of rows that meet, the earlier first, with the combinations that both cover."""
        slabs = [self.slabs(axis) for axis in range(len(self.wanted))]
        pairs: list[tuple[int, int, Box]] = []
        for number, row in enumerate(self.rows):
            others = -1 << number + 1
            for axis, part in enumerate(row):
                meeting = 0
                for mask, rows in slabs[axis]:
                    if mask & part:
                        meeting |= rows
                others &= meeting
            while others and len(pairs) < MOST_PAIRS:
                other = (others & -others).bit_length() - 1
                others &= others - 1
                both = tuple(a & b for a, b in zip(row, self.rows[other], strict=True))
                pairs.append((number, other, both))
        return pairs

    def grown(self, gap: Box) -> Box:
        """A gap, grown along one axis after the other."""
        for axis in range(len(gap)):
            active = (1 << len(self.rows)) - 1
            for other, part in enumerate(gap):
                if other != axis:
                    active &= self._meeting(other, part)
            free = reduce(or_, (mask for mask, rows in self.slabs(axis) if not rows & active))
            if self.ordered[axis]:  # the stretch that it lies in
                free = next(
                    (1 << high + 1) - (1 << low) for low, high in runs(free) if gap[axis] >> low & 1
                    or low <= gap[axis].bit_length() - 1 <= high
                )  # fmt: skip
            gap = (*gap[:axis], free, *gap[axis + 1 :])
        return gap

    def _meeting(self, axis: int, part: int) -> int:
        """The rows that cover some of these positions."""
        return reduce(or_, (rows for mask, rows in self.slabs(axis) if mask & part), 0)

    def slabs(self, axis: int) -> list[tuple[int, int]]:
        """Positions with the rows that cover them; along an axis without an order all that are alike."""
        turns: dict[int, int] = {}
        for number, row in enumerate(self.rows):
            for low, high in runs(row[axis]):
                turns[low] = turns.get(low, 0) ^ 1 << number
                turns[high + 1] = turns.get(high + 1, 0) ^ 1 << number
        edges = sorted({0, *turns})
        ends = [*edges[1:], max(self.wanted[axis].bit_length(), edges[-1])]
        rows, slabs = 0, []
        for low, end in zip(edges, ends, strict=True):
            rows ^= turns.get(low, 0)
            mask = ((1 << end) - (1 << low)) & self.wanted[axis]
            if mask:
                slabs.append((mask, rows))
        if self.ordered[axis]:
            return slabs
        together: dict[int, int] = {}
        for mask, rows in slabs:
            together[rows] = together.get(rows, 0) | mask
        return [(mask, rows) for rows, mask in together.items()]

    def groups(self, boxes: Sequence[Box]) -> list[list[int]]:
        """Numbers of boxes that touch one another, directly or through others: usually one cause each."""
        left, groups = list(range(len(boxes))), []
        while left:
            group = [left.pop(0)]
            for member in group:
                touching = [other for other in left if self._touch(boxes[member], boxes[other])]
                group += touching
                left = [other for other in left if other not in touching]
            groups.append(sorted(group))
        return groups

    def _touch(self, one: Box, other: Box) -> bool:
        """Whether two boxes meet, or are neighbours along one axis."""
        apart = [axis for axis, (a, b) in enumerate(zip(one, other, strict=True)) if not a & b]
        if len(apart) != 1:
            return not apart
        a, b = one[apart[0]], other[apart[0]]
        return not self.ordered[apart[0]] or bool(a << 1 & b or b << 1 & a)

    def edge_moves(self, boxes: Iterable[Box], number: int, *, gap: bool) -> Iterator[tuple[int, int, bool]]:
        """Yield moves of one edge of a row that settle exactly a group of gaps, or of overlaps.

        Each is an axis, the position where the row then begins or ends, and whether it begins there.
        """
        group, row = list(boxes), self.rows[number]
        missing = sum(map(volume, group))
        for axis, part in enumerate(row):
            stretch = list(runs(part))
            if not self.ordered[axis] or len(stretch) != 1:
                continue
            low, high = stretch[0]
            of_group = reduce(or_, (box[axis] for box in group))
            first, last = (of_group & -of_group).bit_length() - 1, of_group.bit_length() - 1
            moves = (
                ((first, low - 1, True), (high + 1, last, False))
                if gap
                else ((low, last, True), (first, high, False))
            )
            for start, end, begins in moves:
                if start > end or (not gap and end - start >= high - low):
                    continue
                moved = (*row[:axis], (1 << end + 1) - (1 << start), *row[axis + 1 :])
                if volume(moved) == missing and all(inside(box, moved) for box in group):
                    edge = start if gap else end + 1 if begins else start - 1
                    yield axis, end if gap and not begins else edge, begins
