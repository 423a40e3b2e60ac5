"""Data for the templates of HTML: anchors, words for marks, pieces of wide tables, bars over months."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from rulekit.base.frozen import frozen
from rulekit.reports.sheet.layout.drawings import BoardDrawing, MapDrawing
from rulekit.reports.sheet.model.document import (
    JOINTS,
    Block,
    Board,
    Card,
    Head,
    LineGroup,
    List,
    Map,
    Norms,
    Outline,
    Part,
    Sheet,
    SheetColumn,
    SheetLine,
    SheetRow,
    Stretch,
    TableBlock,
    Timeline,
    Track,
    Who,
    kind_of,
)
from rulekit.reports.sheet.render.plain import Plain

MOST_COLUMNS = 24
"""Most columns of a table; a wider one continues below, with its first column repeated."""

FEW = 6
"""Options that are named at the top of a page; more are folded."""

LONG = 30
"""Letters of a word from which on it is broken."""


@frozen
class TablePiece:
    """Some columns of a table; `groups` are titles over them with how many each spans."""

    columns: tuple[SheetColumn, ...]
    rows: tuple[SheetRow, ...]
    groups: tuple[tuple[str, int], ...]
    continued: bool

    @property
    def long(self) -> bool:
        """Return whether a word in it is too long to widen a column for: it is broken where it must be."""
        return any(len(w) > LONG for r in self.rows for c in r.cells for run in c for w in run.text.split())


@frozen
class SpanOfMonths:
    """Months of a track, with what holds in them or nothing."""

    count: int
    stretch: Stretch | None = None
    words: str = ""


class Look(Plain):
    """One sheet, as templates see it.

    Args:
        prefix: Begins every id, as a page may hold several sheets.
        shown: The blocks that are on the page; without them, all.  Numbers are links to lines of these.
    """

    def __init__(self, sheet: Sheet, prefix: str = "", shown: Sequence[Block] | None = None) -> None:
        super().__init__(sheet)
        self._prefix = prefix
        self._anchors: dict[int, str] = {}
        """Ids of the lines that say what a printed rule says, by the line."""
        self._targets: dict[str, str] = {}
        """The same by the rule's number: the first line with it has the id."""
        blocks = sheet.blocks if shown is None else shown
        for line in (line for block in blocks for line in _lines(block)):
            if line.number and line.number not in self._targets:
                anchor = f"{prefix}rule-{_slug(line.number)}"
                self._anchors[id(line)] = self._targets[line.number] = anchor
        self.several = len(sheet.blocks) > 1
        self.few = FEW

    # -- ids and numbers

    def kind(self, block: Block) -> str:
        """Return the class of a block, in lower case."""
        return kind_of(type(block))

    def id(self, block: Block) -> str:
        """A block's id."""
        return self._prefix + _slug(block.head.id)

    def is_block(self, block: Block) -> bool:
        """True for a block of the sheet; a table inside of a card is none."""
        return any(block is own for own in self.sheet.blocks)

    def landmark(self, block: Block) -> Markup:
        """The attribute that makes a block a landmark, by its title.

        Blocks of one title are none, and neither are those on pages of others.
        """
        if self._prefix:
            return Markup("")
        alike = sum(other.head.title == block.head.title for other in self.sheet.blocks)
        return Markup(' aria-labelledby="{}-title"').format(self.id(block)) if alike == 1 else Markup("")

    def part_id(self, part: Part) -> str:
        """A part's id, other than any block's."""
        return f"{self._prefix}part-{_slug(part.id)}"

    def anchor(self, line: SheetLine) -> Markup:
        """The attribute with a line's id, if it is the first of its number."""
        anchor = self._anchors.get(id(line))
        return Markup(f' id="{anchor}"') if anchor else Markup("")

    def number(self, number: str, head: Head | None = None) -> Markup:
        """A printed number, short under such a head; a link if a line of the sheet says that rule."""
        target = self._targets.get(number)
        short = number if head is None else head.short_number(number)
        return Markup('<a href="#{}">{}</a>').format(target, short) if target else escape(short)

    # -- who acts

    def joint(self, who: Who) -> str:
        """Return the sign between the marks of sides."""
        return JOINTS[who.joint]

    def legend(self, part: Part) -> Iterator[tuple[int, str]]:
        """The sides whose marks appear in a part."""
        lines = (line for block in part.blocks if isinstance(block, Outline) for line in block.lines)
        acting = {n for line in lines if line.who for n in line.who.sides}
        return ((n, self.side(n).name) for n in sorted(acting))

    # -- shapes of blocks

    def depth(self, group: LineGroup) -> int:
        """How deep the lines of a group are at least."""
        return min((line.depth for line in group.lines), default=0)

    def one_sided(self, block: Norms) -> bool:
        """Return whether there is nothing that is allowed, or nothing that limits it."""
        return not any(g.allowed for g in block.groups) or not any(g.limits for g in block.groups)

    def dir(self, line: SheetLine) -> Markup:
        """The attribute that lets the text find its own direction, where it runs against the sheet's."""
        runs = (*line.title, *line.text)
        against = ("R", "AL") if self.sheet.direction == "ltr" else ("L",)
        odd = any(unicodedata.bidirectional(c) in against for run in runs for c in run.text[:200])
        return Markup(' dir="auto"') if odd else Markup("")

    def pieces(self, block: TableBlock) -> Iterator[TablePiece]:
        """The table, in pieces where it has too many columns for a page."""
        count = len(block.columns)
        step = MOST_COLUMNS - 1
        if count <= MOST_COLUMNS:
            yield TablePiece(block.columns, block.rows, _groups(block.columns), False)
            return
        for start in range(1, count, step):
            some = (0, *range(start, min(start + step, count)))
            columns = tuple(block.columns[n] for n in some)
            rows = tuple(
                SheetRow(tuple(row.cells[n] for n in some), row.title, row.by, row.status)
                if row.cells
                else row
                for row in block.rows
            )
            yield TablePiece(columns, rows, _groups(columns), start > 1)

    # -- time

    def months(self, block: Timeline) -> list[str]:
        """First letters of the months of a timeline."""
        names = self.words["months"].split()
        return [names[month % 12][:1] for month in range(block.first, block.last + 1)]

    def years(self, block: Timeline) -> Iterator[tuple[int, int]]:
        """The years of a timeline, with how many of its months are in each."""
        for year in range(block.first // 12, block.last // 12 + 1):
            yield year, min(block.last, 12 * year + 11) - max(block.first, 12 * year) + 1

    def spans(self, block: Timeline, track: Track) -> Iterator[SpanOfMonths]:
        """The stretches of a track, and the gaps between them, in order; none overlap."""
        at = block.first
        for stretch in sorted(track.stretches, key=lambda stretch: stretch.first):
            first, last = max(stretch.first, at), min(stretch.last, block.last)
            if first > last:
                continue
            if first > at:
                yield SpanOfMonths(first - at)
            words = f"{self.month(first)} – {self.month(last)}"
            yield SpanOfMonths(last - first + 1, stretch, words)
            at = last + 1
        if at <= block.last:
            yield SpanOfMonths(block.last - at + 1)

    # -- the map

    def map(self, block: Map) -> Markup:
        """A map as a drawing, with a text for readers who cannot see it."""
        return Markup(MapDrawing(block, self, self.id(block)).text())

    def board(self, block: Board) -> Markup:
        """A board as a drawing; the same."""
        return Markup(BoardDrawing(block, self, self.id(block)).text())


def _groups(columns: tuple[SheetColumn, ...]) -> tuple[tuple[str, int], ...]:
    if not any(column.group for column in columns):
        return ()
    spans: list[tuple[str, int]] = []
    for column in columns:
        if spans and spans[-1][0] == column.group:
            spans[-1] = (column.group, spans[-1][1] + 1)
        else:
            spans.append((column.group, 1))
    return tuple(spans)


def _lines(block: Block) -> Iterator[SheetLine]:
    """The lines of a block that are printed rules."""
    if isinstance(block, Norms):
        yield from (line for group in block.groups for line in group.lines)
    elif isinstance(block, Card):
        yield from block.follows
    elif isinstance(block, Outline | List) and block.head.id != "index":
        yield from block.lines


def _slug(text: str) -> str:
    """Text as an id: no spaces, nothing that a selector would have to escape."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-").replace(".", "_") or "x"
