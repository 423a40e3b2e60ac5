"""Placement of blocks by their measured heights: pages, the regions of a page, and its columns.

Parts follow one another on a page.  A list may go on in the next column, and a wide table on the next page;
all other blocks stay whole.  A later block of a part moves up into room that an earlier one leaves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulekit.base.frozen import frozen
from rulekit.reports.sheet.layout.paper import PageSize
from rulekit.reports.sheet.model.document import (
    Counters,
    FrontPage,
    Modifiers,
    Norms,
    Outline,
    Part,
    Roster,
    TableBlock,
)

SLACK = 0.75
"""Points by which a measured height may be off."""
LITTLE = 60.0
"""No block begins in a column shorter than this."""
FEW = 3
"""A piece of a list has at least so many lines."""
UNEVEN = 0.05
"""Columns that would leave more of their region empty are evened out by parting lists."""
BREAKABLE = (Outline, TableBlock, Roster, Norms, Modifiers, Counters)
"""Wide blocks that may begin on a page and go on on the next."""


@frozen
class End:
    """Where a block ends that goes on over pages: how many pages on, and the points it uses of the last."""

    pages: int
    used: float


class Heights(Protocol):
    """The heights of blocks, by their places among all, at a width."""

    def __call__(self, block: int, width: float) -> float:
        """Return the height of a block."""

    def items(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of the lines at which a block may be parted; none for one that stays whole."""

    def again(self, block: int, width: float) -> float:
        """Return how much higher the head of a piece that goes on is than the block's own."""

    def end(self, block: int, used: float) -> End:
        """Return where a block as wide as a page ends, which begins below so many points of one."""


@frozen
class Slice:
    """A block, or some of its lines: from `first` up to but not including `last`."""

    block: int
    height: float
    first: int = 0
    last: int = -1

    def data(self) -> dict[str, int]:
        """For the template; -1 for all to the end."""
        return {"block": self.block, "from": self.first, "to": self.last}


@dataclass(slots=True)
class Leaf:
    """One page: regions under each other, over the whole width or in columns; `filled` in square points."""

    regions: list[dict[str, Any]] = field(default_factory=list)
    used: float = 0
    filled: float = 0

    def data(self) -> dict[str, Any]:
        """For the template."""
        return {"regions": self.regions}


Columns = list[list[Slice]]


class Packer:
    """Packs the parts of a sheet.

    Args:
        titles: The height of each part's title.
    """

    def __init__(self, page: PageSize, heights: Heights, titles: Sequence[float]) -> None:
        self._page, self._heights, self._titles = page, heights, titles
        self.leaves: list[Leaf] = [Leaf()]

    def pack(self, parts: Sequence[Part]) -> list[Leaf]:
        """Pages for all parts."""
        start = 0
        for number, part in enumerate(parts):
            self._part(number, part, start)
            start += len(part.blocks)
        return self.leaves

    def _part(self, number: int, part: Part, start: int) -> None:
        if isinstance(part.blocks[0], FrontPage):
            self._wide(start, breakable=False)
            self._leaf.used = self._page.text_height  # nothing else is on it
            self._leaf.filled = self._page.text_height * self._page.text_width
            return
        columns = self._page.columns(part.columns)
        places = range(start, start + len(part.blocks))
        wide = [block.head.wide for block in part.blocks]
        flowing = {
            place for place, block in zip(places, part.blocks, strict=True)
            if columns == 1 and isinstance(block, BREAKABLE)
        }  # fmt: skip
        first = self._heights(start, self._page.text_width if wide[0] else self._page.column(columns))
        breakable = isinstance(part.blocks[0], BREAKABLE) or self._heights.items(
            start, self._page.column(columns)
        )
        needed = self._titles[number] + (min(first, LITTLE * 1.5) if breakable else first)
        if self._leaf.regions and (part.new_page or needed + SLACK > self._room()):
            self._new()
        self._add({"kind": "title", "part": number}, self._titles[number], whole=True)
        waiting: list[int] = []
        for place, is_wide, block in zip(places, wide, part.blocks, strict=True):
            if is_wide:
                self._columns(waiting, columns, flowing)
                waiting = []
                self._wide(place, breakable=isinstance(block, BREAKABLE))
            else:
                waiting.append(place)
        self._columns(waiting, columns, flowing)

    # -- whole widths

    @property
    def _leaf(self) -> Leaf:
        return self.leaves[-1]

    def _room(self) -> float:
        return self._page.text_height - self._leaf.used - self._gap

    @property
    def _gap(self) -> float:
        """The gap before a region; a title has its own below it."""
        regions = self._leaf.regions
        return self._page.gap if regions and regions[-1]["kind"] != "title" else 0

    def _new(self) -> None:
        self.leaves.append(Leaf())

    def _wide(self, place: int, *, breakable: bool) -> None:
        width = self._page.text_width
        height = self._heights(place, width)
        begins = breakable and self._room() > LITTLE * 1.5
        if height + SLACK > self._room() and self._has_content and not begins:
            self._new()
        if height + SLACK <= self._room():
            region = {"kind": "columns", "widths": [width], "blocks": [[Slice(place, height).data()]]}
            self._add(region, height, whole=True)
        else:
            self._flow(place)

    @property
    def _has_content(self) -> bool:
        """Whether a page holds more than titles."""
        return any(region["kind"] != "title" for region in self._leaf.regions)

    def _add(self, region: dict[str, Any], height: float, *, whole: bool = False) -> None:
        self._leaf.used += height + self._gap
        self._leaf.filled += height * self._page.text_width if whole else 0
        self._leaf.regions.append(region)

    def _flow(self, place: int) -> None:
        """Place a block that goes on on further pages; the next one begins where it ends."""
        room = self._room()
        end = self._heights.end(place, self._page.text_height - room + SLACK)
        self._add({"kind": "flow", "block": place}, room, whole=True)
        for number in range(1, end.pages + 1):
            used = end.used if number == end.pages else self._page.text_height
            self.leaves.append(Leaf([{"kind": "on"}], used, used * self._page.text_width))
        if not end.pages:  # it fitted after all
            self._leaf.used = end.used

    # -- columns

    def _columns(self, blocks: Sequence[int], count: int, flowing: Collection[int]) -> None:
        """Place blocks in columns; a `flowing` one, as wide as a page, goes on on the next."""
        width = self._page.column(count)
        waiting = [Slice(place, self._heights(place, width)) for place in blocks]
        uncut = [piece for piece in waiting if piece.block in flowing]
        while waiting:
            if waiting[0].height + SLACK > self._page.text_height and not self._items(waiting[0], width):
                self._wide(waiting.pop(0).block, breakable=True)
                continue
            columns, rest = self._fill(waiting, count, width, self._room())
            if not rest:
                columns = self._balance(waiting, count, width, self._room())
            if any(columns):
                self._region(columns, width)
            elif not self._has_content:  # not even one fits under the title
                self._wide(rest.pop(0).block, breakable=True)
            waiting = rest
            if waiting and waiting[0] in uncut and self._room() > LITTLE * 1.5:
                self._flow(waiting.pop(0).block)
            elif waiting:
                self._new()

    def _items(self, piece: Slice, width: float) -> Sequence[float]:
        return self._heights.items(piece.block, width)

    def _fill(
        self, waiting: Sequence[Slice], count: int, width: float, room: float, *, parted: bool = True
    ) -> tuple[Columns, list[Slice]]:
        """Columns with what fits, in order, and the rest; a later block moves up past one too high."""
        rest = list(waiting)
        columns: Columns = []
        for _ in range(count):
            column: list[Slice] = []
            left = room
            while rest:
                gap = self._page.gap if column else 0.0
                fitting = next((n for n, p in enumerate(rest) if p.height + gap + SLACK <= left), None)
                if fitting == 0:
                    column.append(rest.pop(0))
                elif parted and (pieces := self._split(rest[0], width, left - gap)) is not None:
                    column.append(pieces[0])
                    rest[0] = pieces[1]
                elif fitting is not None and (left > LITTLE or rest[fitting].height < left):
                    column.append(rest.pop(fitting))
                else:
                    break
                left -= column[-1].height + gap
            columns.append(column)
        return columns, rest

    def _split(self, piece: Slice, width: float, room: float) -> tuple[Slice, Slice] | None:
        """Return a list in two pieces of which the first fits; None if it has none such."""
        items = self._items(piece, width)
        if not items or room < LITTLE:
            return None
        last = len(items) if piece.last < 0 else piece.last
        head = piece.height - sum(items[piece.first : last])
        height, end = head, piece.first
        while end < last and height + items[end] + SLACK <= room:
            height += items[end]
            end += 1
        end = min(end, last - FEW)
        if end - piece.first < FEW:
            return None
        first = Slice(piece.block, head + sum(items[piece.first : end]), piece.first, end)
        again = 0.0 if piece.first else self._heights.again(piece.block, width)
        return first, Slice(piece.block, head + again + sum(items[end:last]), end, piece.last)

    def _balance(self, waiting: Sequence[Slice], count: int, width: float, room: float) -> Columns:
        """The same with columns as even as their order allows; lists are parted where that is not enough."""
        whole = self._even_columns(waiting, count, width, room, parted=False)
        if whole is not None and self._unevenness(whole) <= UNEVEN:
            return whole
        parted = self._even_columns(waiting, count, width, room, parted=True)
        if parted is None:
            return whole or self._fill(waiting, count, width, room)[0]
        return (
            parted
            if whole is None or self._unevenness(parted) + UNEVEN / 2 < self._unevenness(whole)
            else whole
        )

    def _even_columns(
        self, waiting: Sequence[Slice], count: int, width: float, room: float, *, parted: bool
    ) -> Columns | None:
        low, high = 0.0, room
        columns, rest = self._fill(waiting, count, width, room, parted=parted)
        if rest:
            return None
        for _ in range(20):
            middle = (low + high) / 2
            trial, rest = self._fill(waiting, count, width, middle, parted=parted)
            if rest:
                low = middle
            else:
                columns, high = trial, middle
        return columns

    def _unevenness(self, columns: Columns) -> float:
        tall = [self._tall(column) for column in columns]
        return 1 - sum(tall) / (max(tall) * len(tall)) if max(tall) else 0.0

    def _tall(self, column: Sequence[Slice]) -> float:
        return sum(piece.height for piece in column) + self._page.gap * max(len(column) - 1, 0)

    def _region(self, columns: Columns, width: float) -> None:
        tall = [self._tall(column) for column in columns]
        lists = [[piece.data() for piece in column] for column in columns]
        self._add({"kind": "columns", "widths": [width] * len(columns), "blocks": lists}, max(tall))
        self._leaf.filled += sum(tall) * (width + self._page.gutter)


def one_page(
    page: PageSize, count: int, blocks: int, heights: Heights, title: float
) -> tuple[Leaf | None, float]:
    """All blocks on one page, and by how much they are too high for it, if they are.

    In order if that fits; else the highest first, each into the column that has most room.
    """
    width = page.column(count)
    waiting = [Slice(place, heights(place, width)) for place in range(blocks)]
    room = page.text_height - title - page.gap
    packer = Packer(page, heights, (title,))
    packer._add({"kind": "title", "part": 0}, title, whole=True)
    _, rest = packer._fill(waiting, count, width, room)
    if not rest:
        packer._region(packer._balance(waiting, count, width, room), width)
        return packer.leaves[0], 0
    columns: Columns = [[] for _ in range(count)]
    for piece in sorted(waiting, key=lambda piece: -piece.height):
        min(columns, key=packer._tall).append(piece)
    over = max(map(packer._tall, columns)) + SLACK - room
    if over > 0:
        return None, over
    ordered = sorted(
        (sorted(column, key=lambda p: p.block) for column in columns), key=lambda c: c[0].block if c else 0
    )
    packer._region(ordered, width)
    return packer.leaves[0], 0
