"""Sheets as PDF, SVG and PNG.

A first run of Typst measures blocks at the widths they may have, in sizes of type that may fit; the pages are
packed by that; a second run draws them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulekit.base.cache import key_of
from rulekit.reports.sheet.layout.packing import End, Leaf, Packer, Slice, one_page, two_sides
from rulekit.reports.sheet.layout.paper import PANELS, Setup
from rulekit.reports.sheet.model.document import (
    LEFT_OUT,
    FrontPage,
    Head,
    List,
    Sheet,
    SheetError,
    SheetLine,
    text,
)
from rulekit.reports.sheet.render.known_heights import known_heights
from rulekit.reports.sheet.render.typesetting import Form, Overflowing, Typesetter

SCALES = (1.0, 0.97, 0.94, 0.91, 0.88, 0.85, 0.82, 0.79, 0.775)
"""Sizes that are tried for one page: the usual, then larger if that fits, else ever smaller; the last keeps
all text above 6 points."""
SMALLEST = 0.82
"""The smallest size of type; a theme with larger type may shrink to it as well."""
LARGER = (1.8, 1.7, 1.6, 1.5, 1.4, 1.32, 1.25, 1.18, 1.12, 1.05)
"""Larger sizes of the forms that have so many pages; on large paper much is left."""
FULL_SCALES = (1.0, 0.94)
"""Sizes of the full form; the smaller one spares pages."""
THRIFTY_SCALES = (1.0, 0.94, 0.97, 1.03, 0.91, 1.06, 0.985, 1.015, 0.955, 1.045, 0.925, 1.075, 1.09, 1.12)
"""Sizes in which thrifty pages are tried where others are too empty; the first two are measured already; a
smaller one, which may spare a page, is tried before a larger one."""
FOLDED_LESS = 0.85
"""The share of the largest type that fits a folder or a screen, to which it may shrink to fill the pages."""
SCARCE_SCALES = (0.91, 0.88)
"""Further sizes of the full form, where a page before the last would be emptier than `SCARCE`."""
SMALL_SCALES = (0.94, 0.88, SMALLEST)
"""Sizes of the full form for what is too wide for a page in larger type."""
PAGES: Mapping[str, int] = {"folder": 4, "screen": PANELS}
"""How many pages a form has."""
EMPTY = 0.15
"""The share of a page, but the last, that may be empty before smaller type is tried."""
ENOUGH, ENOUGH_ALONE, ENOUGH_LOW = 0.135, 0.1, 0.07
"""The share at which thrifty pages are full enough; ink ends a little above the measured foot of a block,
and more in pages of one column, in which the last lines of lists are short, and in low ones, of which a line
is a larger share."""
LOW = 400.0
"""Points of text on a low page: A5 turned is one."""
SCARCE = 0.5
"""The share that may be empty before the further sizes of `SCARCE_SCALES` are tried."""
LITTLE_USED = 0.4
"""How much of the last page must be filled, or smaller type is tried."""
TOO_HIGH = 1e6
RIM = 6.0
"""Points of white round a block alone."""


class Measured:
    """Heights of blocks in one size of type, at the widths asked for.

    Those that most blocks need are measured together; others when they are asked for.  What is too wide for a
    column is too high for one, so that it gets the width of the page.  What was measured before, for another
    choice of options or in an earlier process, is not measured again.
    """

    def __init__(self, setter: Typesetter, scale: float) -> None:
        self._setter, self._scale = setter, scale
        self._known = known_heights(setter.common, scale, setter.theme.font_folders)
        at, wanted = setter.page, []
        for part in setter.sheet.parts:
            narrow = round(at.column(at.columns(part.columns)), 2)
            full = setter.sheet.form != "one-page"
            wanted += [self._whole if full and b.head.wide else narrow for b in part.blocks]
        missing = [[] if self._known.get(self._key(n, w)) else [w] for n, w in enumerate(wanted)]
        parts = [self._title(n) for n in range(len(setter.sheet.parts))]
        if any(missing) or not all(map(self._known.get, parts)):
            self._ask(missing)
        self.titles = [self._numbers(key)[0] for key in parts]

    @property
    def _whole(self) -> float:
        return round(self._setter.page.text_width, 2)

    def _key(self, block: int, width: float) -> str:
        return key_of(self._setter.texts[block], str(width))

    def _title(self, part: int) -> str:
        start = sum(len(earlier.blocks) for earlier in self._setter.sheet.parts[:part])
        own = self._setter.sheet.parts[part]
        return key_of(own.title, repr(own.lead), *self._setter.texts[start : start + len(own.blocks)])

    def _ask(self, widths: list[list[float]]) -> None:
        for measurement in self._setter.measurements(self._setter.inputs(self._scale, widths=widths)):
            if measurement["kind"] == "height":
                width = round(measurement["width"], 2)
                fits = measurement["over"] <= 0 or width == self._whole
                numbers = [measurement[name] for name in ("height", "again")] + measurement["items"]
                numbers = numbers if fits else [TOO_HIGH, 0]
                self._known.put(self._key(measurement["block"], width), numbers)
            elif measurement["kind"] == "title":
                self._known.put(self._title(measurement["part"]), [measurement["height"] + 7])
        self._known.save()

    def _numbers(self, key: str) -> Sequence[float]:
        numbers = self._known.get(key)
        assert numbers is not None
        return numbers

    def __call__(self, block: int, width: float) -> float:
        """The height of a block, by its place among all."""
        key = self._key(block, round(width, 2))
        if self._known.get(key) is None:
            self._ask([[round(width, 2)] if n == block else [] for n in range(len(self._setter.blocks))])
        return self._numbers(key)[0]

    def items(self, block: int, width: float) -> Sequence[float]:
        """The heights of the lines at which a block may be parted."""
        self(block, width)
        return self._numbers(self._key(block, round(width, 2)))[2:]

    def rows(self, block: int, width: float) -> Sequence[float]:
        """The heights of the rows between which a block may be parted where room is scarce."""
        height, width = self(block, width), round(width, 2)
        key = key_of(self._key(block, width), "rows")
        if height == TOO_HIGH:
            return ()
        if self._known.get(key) is None:
            asked = [
                [width] if self._known.get(self._key(n, width)) else []
                for n in range(len(self._setter.blocks))
            ]
            inputs = self._setter.inputs(self._scale, widths=asked, rows=True)
            for measured in self._setter.measurements(inputs):
                if measured["kind"] == "rows":
                    own = key_of(self._key(measured["block"], width), "rows")
                    self._known.put(own, [0, *measured["items"]])
            self._known.save()
        return self._numbers(key)[1:]

    def again(self, block: int, width: float) -> float:
        """How much higher the head of a piece that goes on is than the block's own."""
        self(block, width)
        return self._numbers(self._key(block, round(width, 2)))[1]

    def end(self, block: int, used: float) -> End:
        """Where a block as wide as a page ends, which begins below so many points of one."""
        key = key_of(self._setter.texts[block], f"from {used:.2f} of {self._setter.page.text_height:.2f}")
        if self._known.get(key) is None:
            end = self._setter.end(self._scale, block, used)
            self._known.put(key, [end.pages, end.used])
            self._known.save()
        pages, last = self._numbers(key)
        return End(int(pages), last)


def pack_pages(setter: Typesetter, scales: Sequence[float] = FULL_SCALES) -> tuple[float, list[Leaf]]:
    """The size of type, of `scales` in the full form, and where everything goes.

    Raises:
        SheetError: A form with so many pages does not fit on them.
    """
    base = setter.theme.data["scale"]
    match setter.sheet.form:
        case "full":
            return _fullest(setter, base, scales)
        case "one-page":
            return _one_page(setter, base)
        case "folder" | "screen":
            return _pages_to_fold(setter, base)


def _pack(setter: Typesetter, size: float, *, thrifty: bool = False) -> list[Leaf]:
    """Pages in a size of type; thrifty ones have wide blocks in their places or last, as is fuller."""
    heights = Measured(setter, size)
    packed: list[list[Leaf]] = []
    for last in (False, True) if thrifty else (False,):
        packer = Packer(setter.page, heights, heights.titles, thrifty=thrifty, narrow_first=last)
        packed.append(packer.pack(setter.sheet.parts))
        if not _too_empty(packed[-1], setter):
            break
    return min(packed, key=lambda leaves: _too_empty(leaves, setter))


def _pages_to_fold(setter: Typesetter, base: float) -> tuple[float, list[Leaf]]:
    """Pages of a folder or a screen: as many as it has, all full, in type as large as may be."""
    form, count = setter.sheet.form, PAGES[setter.sheet.form]
    best: tuple[float, float, list[Leaf]] | None = None
    leaves = _pack(setter, base)
    sizes = (*_larger(leaves, count, setter), *(size for size in SCALES if base * size >= SMALLEST))
    for thrifty in (False, True):
        largest = 0.0
        for scale in (scale for scale in sizes if scale >= FOLDED_LESS * largest):
            leaves = _pack(setter, base * scale, thrifty=thrifty)
            if len(leaves) > count:
                continue
            largest = largest or scale
            all_pages = [*leaves, *[Leaf()] * (count - len(leaves))]
            last = all_pages[-1].used / setter.page.text_height
            lacking = _too_empty(all_pages, setter) + max(0.0, LITTLE_USED - last)
            if best is None or lacking < best[0]:
                best = lacking, base * scale, leaves
            if not lacking:
                return base * scale, leaves
    if best is not None:
        return best[1:]
    turned = ", or try it without `--landscape`" if setter.setup.landscape else ""
    raise SheetError(
        f"the {form} has {count} pages, and its parts need {len(leaves)} of {setter.setup.paper} at the"
        f" smallest type size; name fewer parts under `{form}` in `sheet.yaml`, or use larger paper{turned}"
    )


def _fullest(setter: Typesetter, base: float, scales: Sequence[float]) -> tuple[float, list[Leaf]]:
    """Pages of the full form; in a little smaller type where that spares pages that are nearly empty."""
    best: tuple[float, list[Leaf]] | None = None
    for scale in scales:
        leaves = _pack(setter, base * scale)
        if best is None or _waste(leaves, setter) < _waste(best[1], setter):
            best = base * scale, leaves
        if _waste(best[1], setter)[1:] == (0, 0):
            break
    assert best is not None
    for scale in THRIFTY_SCALES if len(scales) > 1 else scales:
        empty = _too_empty(best[1], setter)
        if not empty:
            break
        if base * scale < SMALLEST:
            continue
        leaves = _pack(setter, base * scale, thrifty=True)
        if _too_empty(leaves, setter) < empty:
            best = base * scale, leaves
    for scale in SCARCE_SCALES if base * min(scales) > SMALLEST else ():
        scarce = _emptier(best[1], setter, SCARCE)
        if not scarce:
            break
        leaves = _pack(setter, base * scale)
        if _emptier(leaves, setter, SCARCE) < scarce:
            best = base * scale, leaves
    return best


def _emptier(leaves: list[Leaf], setter: Typesetter, share: float) -> int:
    """The number of pages before the last of which more than a share is empty."""
    area = setter.page.text_height * setter.page.text_width
    return sum(leaf.filled < (1 - share) * area for leaf in leaves[:-1])


def _too_empty(leaves: list[Leaf], setter: Typesetter) -> float:
    """By how much the pages before the last are emptier than is enough, in pages."""
    page = setter.page
    enough = ENOUGH_LOW if page.text_height < LOW else ENOUGH if page.columns(2) > 1 else ENOUGH_ALONE
    shares = (sum(leaf.ends) / len(leaf.ends) / page.text_height for leaf in leaves[:-1])
    return sum(max(0.0, 1 - enough - share) for share in shares)


def _waste(leaves: list[Leaf], setter: Typesetter) -> tuple[int, int, int]:
    """The number of pages; of those with much empty room; and whether the last has hardly anything."""
    little = LITTLE_USED * setter.page.text_height
    return len(leaves), _emptier(leaves, setter, EMPTY), int(len(leaves) > 1 and leaves[-1].used < little)


def _one_page(setter: Typesetter, base: float) -> tuple[float, list[Leaf]]:
    """One page, or both sides of a sheet, in the largest type in which everything fits there."""
    sizes = _sizes(base)[-1:] if setter.sheet.left_out else _sizes(base)
    for place in (_on_one_side, _on_two_sides):
        if (leaves := place(setter, sizes[0])) is not None:
            for larger in _larger(leaves, 1, setter) if place is _on_one_side else ():
                if (grown := place(setter, base * larger)) is not None:
                    return base * larger, grown
            return sizes[0], leaves
        if place(setter, sizes[-1]) is not None:
            smaller = ((size, place(setter, size)) for size in sizes[1:])
            return next((size, leaves) for size, leaves in smaller if leaves is not None)
    page = setter.page
    heights, count = Measured(setter, sizes[-1]), page.columns(setter.sheet.parts[0].columns)
    tallest = max(range(len(setter.blocks)), key=lambda block: heights(block, page.column(count)))
    raise SheetError(
        f"the one-page form does not fit on both sides of {setter.setup.paper} at the smallest type size;"
        f" `{setter.blocks[tallest].head.title}` is its tallest block; remove blocks under `one_page` in"
        " `sheet.yaml`, mark some there as `spare: true`, or use larger paper"
    )


def _larger(leaves: list[Leaf], pages: int, setter: Typesetter) -> list[float]:
    """The larger sizes in which what is on some leaves may fit on so many pages, the largest first."""
    area = setter.page.text_height * setter.page.text_width
    cover = int(isinstance(setter.blocks[0], FrontPage))
    share = (sum(leaf.filled for leaf in leaves) / area - cover) / (pages - cover)
    return [scale for scale in LARGER if pages == 1 and scale == LARGER[-1] or scale**2 * share < 1]


def _on_one_side(setter: Typesetter, size: float) -> list[Leaf] | None:
    """The one page with everything in a size of type; None if it does not fit."""
    page, heights = setter.page, Measured(setter, size)
    count = page.columns(setter.sheet.parts[0].columns)
    leaf = one_page(page, count, len(setter.blocks), heights, heights.titles[0])
    return None if leaf is None else [leaf]


def _on_two_sides(setter: Typesetter, size: float) -> list[Leaf] | None:
    """Front and back of a sheet with everything in a size of type; None if it does not fit."""
    page, heights = setter.page, Measured(setter, size)
    count = page.columns(setter.sheet.parts[0].columns)
    return two_sides(page, count, range(len(setter.blocks)), heights, heights.titles[0])


def fit(sheet: Sheet, setup: Setup) -> Sheet:
    """The sheet as its pages can hold it: a form on one page may be on both sides of a sheet.

    Where even they do not hold it, it lacks blocks that are `spare`, and its last block lists them: lists
    before others and the highest first, so that few are left out.

    Raises:
        SheetError: As for `print_sheet`.
    """
    if sheet.form != "one-page" or not setup.frame or not sheet.blocks or sheet.left_out:
        return sheet
    words, part = dict(sheet.words), sheet.parts[0]
    setter = Typesetter(sheet, setup)
    largest, *_, smallest = _sizes(setter.theme.data["scale"])
    if any(_on_one_side(setter, size) is not None for size in (largest, smallest)):
        return sheet
    sheet = replace(sheet, parts=(replace(part, title=words["one-sheet"]),))
    setter = Typesetter(sheet, setup)
    if _on_two_sides(setter, smallest) is not None:
        return sheet
    page, heights = setter.page, Measured(setter, smallest)
    count = page.columns(part.columns)
    spare = [place for place, block in enumerate(sheet.blocks) if block.head.spare]
    spare.sort(key=lambda at: (isinstance(sheet.blocks[at], List), heights(at, page.column(count))))
    left: set[int] = set()
    while spare:
        left.add(spare.pop())
        kept = [place for place in range(len(sheet.blocks)) if place not in left]
        if two_sides(page, count, kept, heights, heights.titles[0]) is None:
            continue
        shorter = _without(sheet, left, words["left-out"])
        if _on_two_sides(Typesetter(shorter, setup), smallest) is not None:
            return shorter
    return sheet


def _sizes(base: float) -> Sequence[float]:
    """Two or more sizes of type for a theme's, the largest first; small type gets no smaller."""
    sizes = [base * scale for scale in SCALES if base * scale >= SMALLEST]
    return sizes if len(sizes) > 1 else (base, base)


def _without(sheet: Sheet, left: Collection[int], title: str) -> Sheet:
    """The sheet of one part without some blocks, with a list of them at its end."""
    names = "; ".join(sheet.blocks[place].head.title for place in sorted(left))
    kept = (block for place, block in enumerate(sheet.blocks) if place not in left)
    listed = List(Head(LEFT_OUT, title), (SheetLine(text=text(names)),))
    return replace(sheet, parts=(replace(sheet.parts[0], blocks=(*kept, listed)),))


def alone(setter: Typesetter) -> dict[str, Any]:
    """The set-up for a page that is as high as the one block on it."""
    scale, page = setter.theme.data["scale"], setter.page
    width = page.text_width
    heights = Measured(setter, scale)
    if not setter.blocks[0].head.wide:
        narrow = page.column(page.columns(setter.sheet.parts[0].columns))
        width = narrow if heights(0, narrow) < TOO_HIGH else width
    piece = Slice(0, heights(0, width)).data()
    region = {"kind": "columns", "widths": [width], "blocks": [[piece]]}
    more: dict[str, Any] = {
        "width": width + 2 * RIM,
        "height": heights(0, width) + 2 * RIM + 1,
        "text-width": width,
        "margins": dict.fromkeys(("left", "right", "top", "bottom"), RIM),
        "pages": [{"regions": [region]}],
    }
    return {**setter.inputs(scale), **more}


def pdf(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A PDF/UA: tagged, with bookmarks; one file."""
    from rulekit.reports.sheet.layout.press import finish  # pictures need no library for PDF

    return [finish(file, setup, sheet.form) for file in print_sheet(sheet, setup, "pdf")]


def svg(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A picture a page, its text as outlines."""
    return print_sheet(sheet, setup, "svg")


def png(sheet: Sheet, setup: Setup) -> list[bytes]:
    """A picture a page."""
    return print_sheet(sheet, setup, "png")


def print_sheet(sheet: Sheet, setup: Setup, form: Form) -> list[bytes]:
    """The sheet as Typst draws it.

    Raises:
        SheetError: Something of the set-up does not exist, or something cannot fit on its page.
    """
    if setup.fold and sheet.form in PAGES:
        raise SheetError(f"the form `{sheet.form}` is folded as it is; leave out `--fold`")
    setter = Typesetter(fit(sheet, setup), setup)
    if not setup.frame and len(setter.blocks) == 1:
        return setter.draw(alone(setter), form)
    try:
        return _draw(setter, form, FULL_SCALES)
    except Overflowing as overflowing:
        if sheet.form == "full" and overflowing.over < 1 - SMALLEST:
            for scale in SMALL_SCALES:
                with contextlib.suppress(Overflowing):
                    return _draw(setter, form, (scale,))
        raise


def _draw(setter: Typesetter, form: Form, scales: Sequence[float]) -> list[bytes]:
    scale, leaves = pack_pages(setter, scales)
    return setter.draw(setter.inputs(scale, leaves), form)
