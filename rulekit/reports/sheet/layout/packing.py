"""Placement of blocks by their measured heights: pages, the regions of a page, and its columns.

Parts follow one another on a page.  A list may go on in the next column, and a wide table on the next page;
all other blocks stay whole.  A later block of a part moves up into room that an earlier one leaves.

Thrifty pages leave less room: a table is parted between its rows where a column would stay too empty, narrow
blocks go before a wide one that does not fit, and a part that begins a page begins where much of one is left.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Protocol

from rulekit.base.frozen import frozen
from rulekit.reports.sheet.layout.paper import PageSize
from rulekit.reports.sheet.model.document import (
    Block,
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
SPARE = 0.1
"""The share of a page's height that a column may leave empty before thrifty pages part a table for it."""
REPEATED = 36.0
"""Points that the heads take, at most, which a wide table repeats on a page."""
LAST_ROW = 30.0
"""Points by which most of a block of counters ends above its foot, for its last row is short."""
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

    def rows(self, block: int, width: float) -> Sequence[float]:
        """Return the heights of the rows between which a block may be parted where room is scarce."""

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


STRIPS = 12
"""Into how many upright strips a page is cut to see how far down it goes."""


@dataclass(slots=True)
class Leaf:
    """One page: regions under each other, over the whole width or in columns.

    Attributes:
        filled: The area that its blocks cover, in square points.
        ends: How far down each of `STRIPS` upright strips goes, in points.
    """

    regions: list[dict[str, Any]] = field(default_factory=list)
    used: float = 0
    filled: float = 0
    ends: tuple[float, ...] = (0.0,) * STRIPS

    def data(self) -> dict[str, Any]:
        """For the template."""
        return {"regions": self.regions}


Columns = list[list[Slice]]


class Packer:
    """Packs the parts of a sheet.

    Args:
        titles: The height of each part's title.
        thrifty: Whether pages are as full as they can be.
        narrow_first: Whether the wide blocks of each part are its last.
    """

    def __init__(
        self,
        page: PageSize,
        heights: Heights,
        titles: Sequence[float],
        *,
        thrifty: bool = False,
        narrow_first: bool = False,
    ) -> None:
        self._page, self._heights, self._titles, self._thrifty = page, heights, titles, thrifty
        self._narrow_first = narrow_first
        self._little = min(LITTLE, SPARE * page.text_height) if thrifty else LITTLE
        self._begin = self._little if thrifty else LITTLE * 1.5
        self._rowed: set[int] = set()  # tables, in which no row is parted
        self._counters: set[int] = set()  # whose last row is short
        self._headless: set[int] = set()  # which repeat no head where they go on
        self.leaves: list[Leaf] = [Leaf()]

    def pack(self, parts: Sequence[Part]) -> list[Leaf]:
        """Pages for all parts."""
        start = 0
        for number, part in enumerate(parts):
            last, begun = len(self.leaves) - 1, replace(self._leaf, regions=[*self._leaf.regions])
            self._part(number, part, start)
            if self.leaves[last].regions[-1]["kind"] == "title":  # nothing of the part fits under it
                self.leaves[last:] = [begun]
                self._part(number, part, start, fresh=True)
            start += len(part.blocks)
        return self.leaves

    def _part(self, number: int, part: Part, start: int, *, fresh: bool = False) -> None:
        """Place a part, on a page of its own if it must have a `fresh` one."""
        if isinstance(part.blocks[0], FrontPage):
            self._wide(start, breakable=False)
            self._leaf.used = self._page.text_height  # nothing else is on it
            self._leaf.filled = self._page.text_height * self._page.text_width
            return
        columns = self._page.columns(part.columns)
        places = range(start, start + len(part.blocks))
        breakable = {
            place for place, block in zip(places, part.blocks, strict=True) if isinstance(block, BREAKABLE)
        }  # fmt: skip
        self._rowed |= {place for place in breakable if isinstance(part.blocks[place - start], TableBlock)}
        self._counters |= {place for place in breakable if isinstance(part.blocks[place - start], Counters)}
        self._headless |= {place for place in breakable if _repeats_no_head(part.blocks[place - start])}
        flowing = breakable if columns == 1 else set()
        wide = {place for place, block in zip(places, part.blocks, strict=True) if block.head.wide}
        if self._leaf.regions and (fresh or self._begins_page(number, part, start, columns)):
            self._new()
        self._add({"kind": "title", "part": number}, self._titles[number], whole=True)
        width = self._page.column(columns)
        waiting: list[Slice] = []
        later = sorted(places, key=lambda place: self._narrow_first and place in wide)
        while later:
            place = later.pop(0)
            if place not in wide:
                waiting.append(Slice(place, self._heights(place, width)))
                continue
            self._columns(waiting, columns, flowing)
            waiting = []
            if self._thrifty and not self._fits(place, breakable):
                narrow = [Slice(other, self._heights(other, width)) for other in later if other not in wide]
                rest = self._ahead(narrow, columns, width)
                whole = {piece.block for piece in rest if piece in narrow}
                later = [other for other in later if other in wide or other in whole]
                waiting = [piece for piece in rest if piece.block not in whole]
            self._wide(place, breakable=place in breakable)
        self._columns(waiting, columns, flowing)

    def _begins_page(self, number: int, part: Part, start: int, columns: int) -> bool:
        """Return whether a part must begin on a new page."""
        room = self._room()
        if self._thrifty:
            return (
                room < self._titles[number] + self._little
                or part.new_page
                and room < SPARE * self._page.text_height
            )
        block = part.blocks[0]
        narrow = self._page.column(columns)
        first = self._heights(start, self._page.text_width if block.head.wide else narrow)
        breakable = isinstance(block, BREAKABLE) or self._heights.items(start, narrow)
        needed = self._titles[number] + (min(first, LITTLE * 1.5) if breakable else first)
        return part.new_page or needed + SLACK > room

    def _fits(self, place: int, breakable: Collection[int]) -> bool:
        """Return whether a block as wide as a page fits, or may begin, in the room that is left."""
        height = self._heights(place, self._page.text_width)
        return height + SLACK <= self._room() or place in breakable and self._begins(place)

    def _ahead(self, narrow: list[Slice], count: int, width: float) -> list[Slice]:
        """Place narrow blocks in the room that a wide one leaves before it; return what does not fit."""
        if not narrow or self._room() < self._little:
            return narrow
        columns, rest = self._fill_evenly(narrow, count, width)
        if any(columns):
            self._region(columns, width)
        return rest

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
        begins = breakable and self._begins(place)
        if height + SLACK > self._room() and self._has_content and not begins:
            self._new()
        if height + SLACK <= self._room():
            region = {"kind": "columns", "widths": [width], "blocks": [[Slice(place, height).data()]]}
            self._add(region, height, whole=True)
            if place in self._counters:
                self._leaf.ends = (self._leaf.used - LAST_ROW,) * STRIPS
        else:
            self._flow(place)

    def _begins(self, place: int) -> bool:
        """Return whether a block as wide as a page, which may go on on the next, begins in the room left."""
        room = self._room()
        if room <= self._begin or place not in self._rowed | self._counters:
            return room > self._begin
        return self._left_under(place, room, self._end(place, room)) < room

    def _end(self, place: int, room: float) -> End:
        return self._heights.end(place, self._page.text_height - room + SLACK)

    def _left_under(self, place: int, room: float, end: End) -> float:
        """Return what a block that begins at the foot of a page leaves of its room; all if no line fits."""
        height = self._heights(place, self._page.text_width)
        if not end.pages:
            return 0
        if place in self._rowed:
            rows = self._heights.rows(place, self._page.text_width)
            used = height - sum(rows) + SLACK
            fitting = sum(below <= room for below in accumulate(rows, initial=used)) - 1
            return room - used - sum(rows[:fitting]) if fitting > 0 else room
        heads = 0 if place in self._headless else end.pages * REPEATED
        more = room + (end.pages - 1) * self._page.text_height + end.used - height - heads
        left = min(max(0.0, more), room)
        return room if place in self._counters and room - left < LITTLE / 2 else left

    @property
    def _has_content(self) -> bool:
        """Whether a page holds more than titles."""
        return any(region["kind"] != "title" for region in self._leaf.regions)

    def _add(self, region: dict[str, Any], height: float, *, whole: bool = False) -> None:
        self._leaf.used += height + self._gap
        self._leaf.filled += height * self._page.text_width if whole else 0
        self._leaf.ends = (self._leaf.used,) * STRIPS if whole else self._leaf.ends
        self._leaf.regions.append(region)

    def _flow(self, place: int) -> None:
        """Place a block that goes on on further pages; the next one begins where it ends."""
        room = self._room()
        end = self._end(place, room)
        left = self._left_under(place, room, end)
        self._add({"kind": "flow", "block": place, "slack": SLACK}, room, whole=True)
        self._leaf.filled -= left * self._page.text_width
        self._leaf.ends = (self._leaf.used - left,) * STRIPS
        for number in range(1, end.pages + 1):
            used = end.used if number == end.pages else self._page.text_height
            self.leaves.append(Leaf([{"kind": "on"}], used, used * self._page.text_width, (used,) * STRIPS))
        if not end.pages:  # it fitted after all
            self._leaf.used = end.used

    # -- columns

    def _columns(self, waiting: list[Slice], count: int, flowing: Collection[int]) -> None:
        """Place blocks in columns; a `flowing` one, as wide as a page, goes on on the next."""
        width = self._page.column(count)
        uncut = [piece for piece in waiting if piece.block in flowing and not piece.first]
        while waiting:
            if waiting[0].height + SLACK > self._page.text_height and not self._lines(waiting[0], width):
                self._wide(waiting.pop(0).block, breakable=True)
                continue
            columns, rest = self._fill_evenly(waiting, count, width)
            if any(columns):
                self._region(columns, width)
            elif not self._has_content:  # not even one fits under the title
                self._wide(rest.pop(0).block, breakable=True)
            waiting = rest
            if waiting and waiting[0] in uncut and self._begins(waiting[0].block):
                self._flow(waiting.pop(0).block)
            elif waiting:
                self._new()

    def _lines(self, piece: Slice, width: float) -> Sequence[float]:
        """Return the heights of the lines or rows at which a block may be parted."""
        lines = self._heights.items(piece.block, width)
        return lines or (self._heights.rows(piece.block, width) if self._thrifty else ())

    def _fill_evenly(self, waiting: Sequence[Slice], count: int, width: float) -> tuple[Columns, list[Slice]]:
        """Return columns for the room that is left, of even height if they hold everything, and the rest."""
        columns, rest = self._fill(waiting, count, width, self._room(), rows=self._thrifty)
        return columns if rest else self._balance(waiting, count, width, self._room()), rest

    def _fill(
        self,
        waiting: Sequence[Slice],
        count: int,
        width: float,
        room: float,
        *,
        parted: bool = True,
        rows: bool = False,
    ) -> tuple[Columns, list[Slice]]:
        """Columns with what fits, in order, and the rest; a later block moves up past one too high.

        With `rows`, a table is parted where its column would else stay too empty.
        """
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
                elif not (
                    rows
                    and left > SPARE * self._page.text_height
                    and self._part_one(rest, column, width, left - gap)
                ):
                    break
                left -= column[-1].height + gap
            columns.append(column)
        return columns, rest

    def _part_one(self, rest: list[Slice], column: list[Slice], width: float, room: float) -> bool:
        """Put the first piece of a table or list that fits into a column; return whether there is one."""
        for at, piece in enumerate(rest):
            pieces = self._split(piece, width, room, rows=True) or self._split(piece, width, room)
            if pieces is not None:
                column.append(pieces[0])
                rest[at] = pieces[1]
                return True
        return False

    def _split(
        self, piece: Slice, width: float, room: float, *, rows: bool = False
    ) -> tuple[Slice, Slice] | None:
        """Return a list, or a table with `rows`, in two pieces of which the first fits; None if none does."""
        items = (self._heights.rows if rows else self._heights.items)(piece.block, width)
        if not items or room < self._little:
            return None
        few = 1 if rows and min(items) > self._little / FEW else FEW
        last = len(items) if piece.last < 0 else piece.last
        head = piece.height - sum(items[piece.first : last])
        height, end = head, piece.first
        while end < last and height + items[end] + SLACK <= room:
            height += items[end]
            end += 1
        end = min(end, last - few)
        if end - piece.first < few:
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
            return whole or self._fill(waiting, count, width, room, rows=self._thrifty)[0]
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
        top, strip = self._leaf.used - max(tall), self._page.text_width / STRIPS
        column = [int((n + 0.5) * strip / (width + self._page.gutter)) for n in range(STRIPS)]
        self._leaf.ends = tuple(
            top + tall[at] if tall[at] else end for at, end in zip(column, self._leaf.ends, strict=True)
        )
        self._leaf.filled += sum(tall) * (width + self._page.gutter)


def _repeats_no_head(block: Block) -> bool:
    return isinstance(block, Counters) or isinstance(block, Roster) and not block.columns


def one_page(page: PageSize, count: int, blocks: int, heights: Heights, title: float) -> Leaf | None:
    """Return all blocks on one page; None if they do not fit.

    In order if that fits; else the highest first, each into the column that has most room.
    """
    width = page.column(count)
    waiting = [Slice(place, heights(place, width)) for place in range(blocks)]
    room = page.text_height - title - page.gap
    packer = Packer(page, heights, (title,))
    packer._add({"kind": "title", "part": 0}, title, whole=True)
    columns, rest = packer._fill_evenly(waiting, count, width)
    if not rest:
        packer._region(columns, width)
        return packer.leaves[0]
    columns = [[] for _ in range(count)]
    for piece in sorted(waiting, key=lambda piece: -piece.height):
        min(columns, key=packer._tall).append(piece)
    if max(map(packer._tall, columns)) + SLACK > room:
        return None
    ordered = sorted(
        (sorted(column, key=lambda p: p.block) for column in columns), key=lambda c: c[0].block if c else 0
    )
    packer._region(ordered, width)
    return packer.leaves[0]


def two_sides(
    page: PageSize, count: int, blocks: Sequence[int], heights: Heights, title: float
) -> list[Leaf] | None:
    """Return some blocks on the two sides of a sheet; None if they do not fit.

    Tables are parted between rows where a column would else stay too empty.
    """
    width = page.column(count)
    rest = [Slice(place, heights(place, width)) for place in blocks]
    packer = Packer(page, heights, (title,), thrifty=True)
    packer._add({"kind": "title", "part": 0}, title, whole=True)
    for side in range(2):
        if side:
            packer._new()
        columns, rest = packer._fill_evenly(rest, count, width)
        packer._region(columns, width)
        if not rest:
            return packer.leaves
    return None
