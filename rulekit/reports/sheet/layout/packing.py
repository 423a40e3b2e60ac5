"""Placement of blocks by their measured heights: pages, the regions of a page, and its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulekit.reports.sheet.layout.paper import PageSize
from rulekit.reports.sheet.model.document import Part

SLACK = 0.75
"""Points by which a measured height may be off."""
REPEATED = 30.0
"""Points of the heads that a block which goes on has on each page."""
LITTLE = 60.0
"""No block begins in a column shorter than this."""

Heights = Callable[[int, float], float]
"""The height of a block (by its place among all) at a width."""


@dataclass(slots=True)
class Leaf:
    """One page: regions under each other, each over the whole width or in columns."""

    part: int
    title: bool
    regions: list[dict[str, Any]] = field(default_factory=list)
    used: float = 0

    def data(self) -> dict[str, Any]:
        """For the template."""
        return {"part": self.part, "title": self.title, "regions": self.regions}


class Packer:
    """Packs the parts of a sheet, each from the top of a page."""

    def __init__(self, page: PageSize, heights: Heights, titles: Sequence[float]) -> None:
        self._page, self._heights, self._titles = page, heights, titles
        self.leaves: list[Leaf] = []

    def pack(self, parts: Sequence[Part]) -> list[Leaf]:
        """Pages for all parts."""
        start = 0
        for number, part in enumerate(parts):
            self._part(number, part, start)
            start += len(part.blocks)
        return self.leaves

    def _part(self, number: int, part: Part, start: int) -> None:
        self.leaves.append(Leaf(number, True, used=self._titles[number]))
        columns = self._page.columns(part.columns)
        waiting: list[int] = []
        for place, block in enumerate(part.blocks, start):
            if block.head.wide or columns == 1:
                self._columns(waiting, columns)
                waiting = []
                self._wide(place)
            else:
                waiting.append(place)
        self._columns(waiting, columns)

    # -- whole widths

    @property
    def _leaf(self) -> Leaf:
        return self.leaves[-1]

    def _room(self) -> float:
        gap = self._page.gap if self._leaf.regions else 0
        return self._page.text_height - self._leaf.used - gap

    def _new(self) -> None:
        self.leaves.append(Leaf(self._leaf.part, False))

    def _wide(self, place: int) -> None:
        width = self._page.text_width
        height = self._heights(place, width)
        if height + SLACK > self._room() and self._leaf.regions:
            self._new()
        if height + SLACK <= self._room():
            self._add({"kind": "columns", "widths": [width], "blocks": [[place]]}, height)
        else:
            self._flow(place, height)

    def _add(self, region: dict[str, Any], height: float) -> None:
        self._leaf.used += height + (self._page.gap if self._leaf.regions else 0)
        self._leaf.regions.append(region)

    def _flow(self, place: int, height: float) -> None:
        """Place a block longer than a page; the next one begins about where it ends."""
        if self._leaf.regions:
            self._new()
        self._add({"kind": "flow", "block": place}, 0)
        left = height - (self._page.text_height - self._leaf.used)
        page = self._page.text_height - REPEATED
        self._leaf.used = REPEATED + left % page + SLACK

    # -- columns

    def _columns(self, blocks: list[int], count: int) -> None:
        width = self._page.column(count)
        waiting = list(blocks)
        while waiting:
            heights = [self._heights(place, width) for place in waiting]
            if heights[0] + SLACK > self._page.text_height:
                self._wide(waiting.pop(0))
                continue
            room = self._room()
            fitting, columns = self._fill(heights, count, room)
            if fitting == len(waiting) or (fitting and room > LITTLE):
                if fitting == len(waiting):
                    columns = self._balance(heights, count, room)
                self._region(waiting[:fitting], columns, heights, width)
                waiting = waiting[fitting:]
                if waiting:
                    self._new()
            elif self._leaf.regions or self._leaf.title and self._leaf.used:
                if not self._leaf.regions:  # not even one fits under the title
                    self._wide(waiting.pop(0))
                    continue
                self._new()
            else:
                self._wide(waiting.pop(0))

    def _fill(self, heights: Sequence[float], count: int, room: float) -> tuple[int, list[int]]:
        """The number of blocks that fit in order, and the number in each column."""
        columns, used, number = [0] * count, 0.0, 0
        for place, height in enumerate(heights):
            gap = self._page.gap if columns[number] else 0
            while used + gap + height + SLACK > room:
                number, used, gap = number + 1, 0.0, 0
                if number == count or height + SLACK > room:
                    return place, columns
            columns[number] += 1
            used += gap + height
        return len(heights), columns

    def _balance(self, heights: Sequence[float], count: int, room: float) -> list[int]:
        """The same with columns as even as their order allows."""
        low, high = max(heights), room
        best = self._fill(heights, count, room)[1]
        for _ in range(24):
            middle = (low + high) / 2
            fitting, columns = self._fill(heights, count, middle)
            if fitting == len(heights):
                best, high = columns, middle
            else:
                low = middle
        return best

    def _region(
        self, blocks: Sequence[int], columns: Sequence[int], heights: Sequence[float], width: float
    ) -> None:
        lists: list[list[int]] = []
        tallest, at = 0.0, 0
        for size in columns:
            column = list(blocks[at : at + size])
            tall = sum(heights[at : at + size]) + self._page.gap * max(size - 1, 0)
            tallest, at = max(tallest, tall), at + size
            lists.append(column)
        self._add({"kind": "columns", "widths": [width] * len(columns), "blocks": lists}, tallest)


def one_page(
    page: PageSize, count: int, blocks: int, heights: Heights, title: float
) -> tuple[Leaf | None, float]:
    """All blocks on one page, and by how much they are too high for it, if they are.

    In order if that fits; else the highest first, each into the column that has most room.
    """
    width = page.column(count)
    tall = [heights(place, width) for place in range(blocks)]
    room = page.text_height - title
    packer = Packer(page, heights, (title,))
    fitting, _ = packer._fill(tall, count, room)
    if fitting == blocks:
        packer.leaves.append(Leaf(0, True, used=title))
        packer._region(range(blocks), packer._balance(tall, count, room), tall, width)
        return packer.leaves[0], 0
    columns: list[list[int]] = [[] for _ in range(count)]
    used = [0.0] * count
    for place in sorted(range(blocks), key=lambda place: -tall[place]):
        column = min(range(count), key=lambda number: used[number])
        used[column] += tall[place] + (page.gap if columns[column] else 0)
        columns[column].append(place)
    over = max(used) + SLACK - room
    if over > 0:
        return None, over
    leaf = Leaf(0, True, used=title)
    ordered = sorted((sorted(column) for column in columns), key=lambda column: column[:1])
    leaf.regions.append({"kind": "columns", "widths": [width] * count, "blocks": ordered})
    return leaf, 0
