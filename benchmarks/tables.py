"""How long it takes to find what the rows of a table leave out, and what two of them cover.

python -m benchmarks.tables
"""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass
from time import process_time

from rulekit.compiler.typecheck.tables.boxes import Box, TableCover

REPETITIONS = 15
SIZES = ((20, 4), (200, 4), (1_000, 4))
LONGEST = 40
"""Positions along an axis."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Median milliseconds for one table."""

    rows: int
    keys: int
    gaps: float
    overlaps: float

    def line(self) -> str:
        """One line of a table."""
        name = f"{self.rows:,} rows x {self.keys} keys"
        both = self.gaps + self.overlaps
        return f"{name:24} gaps {self.gaps:8.2f} ms   overlaps {self.overlaps:8.2f} ms   both {both:8.2f} ms"


def table(rows: int, keys: int, seed: int) -> TableCover:
    """A table that is whole: a box cut in two, again and again, along axes drawn by lot."""
    draw = random.Random(seed)
    cut: list[tuple[tuple[int, int], ...]] = [((0, LONGEST - 1),) * keys]
    while len(cut) < rows:
        box = cut.pop(draw.randrange(len(cut)))
        wide = [axis for axis in range(keys) if box[axis][0] < box[axis][1]]
        if not wide:
            cut.append(box)
            continue
        axis = draw.choice(wide)
        low, high = box[axis]
        at = draw.randrange(low, high)
        cut += [(*box[:axis], part, *box[axis + 1 :]) for part in ((low, at), (at + 1, high))]
    draw.shuffle(cut)
    boxes = tuple(tuple((1 << high + 1) - (1 << low) for low, high in box) for box in cut)
    whole: Box = ((1 << LONGEST) - 1,) * keys
    return TableCover(boxes, whole, (True,) * keys)


def measure(repetitions: int = REPETITIONS) -> list[Sweep]:
    """All sizes: each repetition a table of its own with one row taken out."""
    made = []
    for rows, keys in SIZES:
        gaps, overlaps = [], []
        for seed in range(repetitions):
            whole = table(rows + 1, keys, seed)
            cover = TableCover(whole.rows[1:], whole.wanted, whole.ordered)
            start = process_time()
            missing = cover.gaps()
            middle = process_time()
            double = cover.overlaps()
            gaps.append(1e3 * (middle - start))
            overlaps.append(1e3 * (process_time() - middle))
            assert missing and not double, "one row is missing, and none is double"
        made.append(Sweep(rows, keys, statistics.median(gaps), statistics.median(overlaps)))
    return made


def main() -> None:
    """Print the table."""
    for sweep in measure():
        print(sweep.line())


if __name__ == "__main__":
    main()
