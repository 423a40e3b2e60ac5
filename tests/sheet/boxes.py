"""Looks at finished PDFs: where words stand, what stands on them, what is embedded, which tags there are."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from ctypes import c_double, c_float, c_int
from dataclasses import dataclass
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as raw
from PIL import ImageOps
from PIL.Image import Image

from rulekit.reports.sheet.layout.paper import PageSize
from rulekit.reports.sheet.layout.paper import page as paper

LEAST = 4.9
"""Points of the smallest type there is (a month's letter over a bar)."""
TOUCH = 0.7
"""Points by which boxes may meet."""
LEVEL = 3.0
"""Points by which words of a line may be below each other."""
TICK = 11.5
"""Points of the width or height of a ticked box."""
THIN = 1.5
"""Points: what is thinner is a rule."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word's ink: its height is from the base line to the top of a capital."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line, or a filled strip as thin as one."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a PDF; tops and bottoms are counted from its upper edge.

    Attributes:
        twice: What is written more than once on the same place; `words` has it once.
    """

    width: float
    height: float
    words: list[Word]
    rules: list[Rule]
    twice: list[str]

    def lines(self) -> list[str]:
        """The lines of the page from its top to its foot, across its columns."""
        rows: list[list[Word]] = []
        for word in sorted(self.words, key=lambda word: word.bottom):
            if not rows or word.bottom - rows[-1][-1].bottom > LEVEL:
                rows.append([])
            rows[-1].append(word)
        return [" ".join(word.text for word in sorted(row, key=lambda word: word.left)) for row in rows]


def pages(pdf: bytes) -> list[Page]:
    """The pages of a PDF, with their words in the order they are written."""
    with pypdfium2.PdfDocument(pdf) as opened:
        return [_page(page) for page in opened]


def _page(page: Any) -> Page:
    left, bottom, right, top = page.get_mediabox()
    words = [_word(letters, left, top) for letters in _letters(page)]
    rules = [rule for item in page.get_objects([raw.FPDF_PAGEOBJ_PATH]) for rule in _rules(item, left, top)]
    return Page(right - left, top - bottom, words, rules, _twice(page))


def _twice(page: Any) -> list[str]:
    """Texts that are written on themselves, which PDFium reads once."""
    places: dict[tuple[float, ...], list[str]] = {}
    for item in page.get_objects([raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage()):
        left, _, right, _ = item.get_bounds()
        place = tuple(round(number, 1) for number in (*_matrix(item).get(), right - left))
        places.setdefault(place, []).append(item.extract().strip())
    return [max(texts) for (*_, width), texts in places.items() if width and len(texts) > 1]


def _matrix(item: Any) -> Any:
    """The way from an item to its page; pages that are laid beside each other are items themselves."""
    own = item.get_matrix()
    return own if item.container is None else own.multiply(_matrix(item.container))


@dataclass(frozen=True, slots=True)
class Letter:
    """A character of a PDF: where it begins and ends on its base line, in the direction that it is read.

    Attributes:
        upright: Whether it is read from left to right; else from the foot of the page to its top.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    upright: bool

    def follows(self, other: Letter) -> bool:
        """Return whether the letter belongs to the word of another, or to the same ligature."""
        gap = self.left - other.right
        beside = -KERNED * self.size <= gap <= APART or self.left == other.left
        level = abs(self.base - other.base) <= APART and self.upright == other.upright
        return beside and level and self.size == other.size


HYPHEN = "\x02"
"""What PDFium reads for a hyphen at the end of a line."""
SLANT = 0.5
"""Radians: a letter that is turned further is read upwards."""
APART = 1.0
"""Points by which letters of one word may be apart."""
KERNED = 0.2
"""The part of the size of type by which kerning may draw two letters together (`Ta`)."""


def _letters(page: Any) -> Iterator[list[Letter]]:
    """The letters of each word."""
    text = page.get_textpage()
    x, base, box, word = c_double(), c_double(), raw.FS_RECTF(), list[Letter]()
    for at in range(text.count_chars()):
        letter = chr(raw.FPDFText_GetUnicode(text, at)).replace(HYPHEN, "-")
        if letter.isspace() or raw.FPDFText_IsGenerated(text, at):
            if word:
                yield word
            word = []
            continue
        raw.FPDFText_GetCharOrigin(text, at, x, base)
        raw.FPDFText_GetLooseCharBox(text, at, box)
        size = raw.FPDFText_GetFontSize(text, at)
        upright = abs(raw.FPDFText_GetCharAngle(text, at)) < SLANT
        now = Letter(letter, x.value, box.right, base.value, size, upright=True)
        if not upright:
            now = Letter(letter, base.value, box.top, -x.value, size, upright=False)
        if word and not now.follows(word[-1]):
            yield word
            word = []
        word.append(now)
    if word:
        yield word


def _word(letters: list[Letter], left: float, top: float) -> Word:
    first, last, text = letters[0], letters[-1], "".join(letter.text for letter in letters)
    if not first.upright:
        base = -first.base - left
        return Word(text, base - 0.73 * first.size, top - last.right, base, top - first.left, first.size)
    foot = top - first.base
    return Word(text, first.left - left, foot - 0.73 * first.size, last.right - left, foot, first.size)


def frames(pdf: bytes) -> list[list[Rule]]:
    """The closed shapes with an edge on each page, as the rectangles round them; none as small as a tick."""
    with pypdfium2.PdfDocument(pdf) as opened:
        return [
            [frame for item in page.get_objects([raw.FPDF_PAGEOBJ_PATH]) for frame in _frames(item, page)]
            for page in opened
        ]


def _frames(path: Any, page: Any) -> Iterator[Rule]:
    fill, stroke = c_int(), c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    left, bottom, right, top = path.get_bounds()
    line = raw.FPDFPath_CountSegments(path) == 2
    if stroke.value and not line and right - left > TICK and top - bottom > TICK:
        height = page.get_height()
        yield Rule(left, height - top, right, height - bottom)


def _rules(path: Any, left: float, top: float) -> Iterator[Rule]:
    """The straight lines of a path, and the rectangles in it that are as thin as lines."""
    matrix = _matrix(path)
    x, y, lines = c_float(), c_float(), list[list[tuple[float, float]]]()
    for at in range(raw.FPDFPath_CountSegments(path)):
        segment = raw.FPDFPath_GetPathSegment(path, at)
        kind = raw.FPDFPathSegment_GetType(segment)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            lines.append([])
        lines[-1].append(matrix.on_point(x.value, y.value))
    for points in lines:
        across, up = [point[0] for point in points], [point[1] for point in points]
        rule = Rule(min(across) - left, top - max(up), max(across) - left, top - min(up))
        if len(points) == 2 or rule.bottom - rule.top < THIN or rule.right - rule.left < THIN:
            yield rule


STRIPS = 12
"""Into how many upright strips a page is cut to see how far down its ink goes."""


ZOOM = 2
"""Dots a point of the pictures in which ink is looked for."""


def empty_shares(pdf: bytes, at: PageSize | None = None) -> list[float]:
    """The share of each page, A4 if not another, that is empty below the last ink of each strip.

    Pages that lie beside each other on a sheet are told apart, from left to right.
    """
    at = at or paper("A4")
    with pypdfium2.PdfDocument(pdf) as opened:
        sheets = [page.render(scale=ZOOM, grayscale=True).to_pil() for page in opened]
    return [_empty_share(picture, at) for sheet in sheets for picture in _abreast(sheet, at)]


def _abreast(sheet: Image, at: PageSize) -> Iterator[Image]:
    """The pictures of the pages that lie beside each other on a sheet."""
    wide = ZOOM * at.width
    for n in range(round(sheet.width / wide)):
        yield sheet.crop((round(n * wide), 0, round((n + 1) * wide), sheet.height))


def _empty_share(picture: Image, at: PageSize) -> float:
    """The same of a page's picture, in which everything that is not white is ink."""
    ink = ImageOps.invert(picture)
    left, top, right, foot = at.left, at.top, at.width - at.right, at.height - at.bottom
    strip, empty = (right - left) / STRIPS, 0.0
    for n in range(STRIPS):
        edges = (left + n * strip, top, left + (n + 1) * strip, foot)
        inked = ink.crop(tuple(round(ZOOM * edge) for edge in edges)).getbbox()
        empty += foot - top - (inked[3] / ZOOM if inked else 0)
    return empty / STRIPS / (foot - top)


def faults(pdf: bytes, margin: float = 20.0) -> list[str]:
    """What is wrong with the pages of a PDF: a line for each fault."""
    return [f"page {n}: {fault}" for n, page in enumerate(pages(pdf), 1) for fault in _on(page, margin)]


def _on(page: Page, margin: float) -> Iterator[str]:
    for w in page.words:
        if (
            w.left < margin
            or w.right > page.width - margin
            or w.top < margin - 8
            or w.bottom > page.height - margin + 8
        ):
            yield f"`{w.text}` at {w.left:.0f},{w.top:.0f} is outside the margins"
        if w.size < LEAST:
            yield f"`{w.text}` is {w.size:.1f} pt"
    yield from (f"`{text}` is written twice on the same place" for text in page.twice)
    yield from _overlaps(sorted(page.words, key=lambda w: w.left))
    yield from _struck(page)


def _overlaps(found: list[Word]) -> Iterator[str]:
    for at, a in enumerate(found):
        for b in found[at + 1 :]:
            if b.left > a.right - TOUCH:
                break
            if min(a.bottom, b.bottom) - max(a.top, b.top) > TOUCH and min(a.right, b.right) - b.left > TOUCH:
                yield f"`{a.text}` and `{b.text}` at {b.left:.0f},{b.top:.0f} overlap"


def _struck(page: Page) -> Iterator[str]:
    """Rules through words: long ones, for a line through removed text has a word's own length."""
    for rule in page.rules:
        for w in page.words:
            level = rule.top > w.top + 1.2 and rule.bottom < w.bottom - 0.6
            if level and rule.right - rule.left > 20 and rule.left + 1 < w.right and rule.right - 1 > w.left:
                yield f"a rule runs through `{w.text}` at {w.left:.0f},{w.top:.0f}"
            upright = rule.right - rule.left < THIN and rule.left > w.left + 1 and rule.right < w.right - 1
            tall = rule.bottom - rule.top > 12
            if upright and tall and rule.top < w.bottom - 1 and rule.bottom > w.top + 1:
                yield f"an upright rule runs through `{w.text}` at {w.left:.0f},{w.top:.0f}"


@dataclass(frozen=True, slots=True)
class Inside:
    """What a PDF has beside its ink."""

    tags: Counter[str]
    language: str
    title: str
    fonts: frozenset[str]
    loose: frozenset[str]
    bookmarks: int
    pages: int
    marked: bool
    links: int
    labels: bool
    suspects: bool


def inside(pdf: bytes) -> Inside:
    """Tags, fonts and bookmarks."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        tags: Counter[str] = Counter()
        waiting = [opened.Root.StructTreeRoot.K] if "/StructTreeRoot" in opened.Root else []
        while waiting:
            node = waiting.pop()
            if isinstance(node, pikepdf.Array):
                waiting += list(node)  # type: ignore[call-overload]
            elif isinstance(node, pikepdf.Dictionary):
                if "/S" in node:
                    tags[str(node.S)[1:]] += 1
                if "/K" in node:
                    waiting.append(node.K)
        fonts, loose = set(), set()
        for page in opened.pages:
            for font in page.Resources.get("/Font", {}).values():
                name = str(font.BaseFont)[1:]
                held = (
                    font.DescendantFonts[0].FontDescriptor
                    if "/DescendantFonts" in font
                    else font.FontDescriptor
                )
                fonts.add(name.partition("+")[2])
                if not any(key in held for key in ("/FontFile", "/FontFile2", "/FontFile3")):
                    loose.add(name)
        bookmarks = len(opened.open_outline().root) if "/Outlines" in opened.Root else 0
        marked = bool(opened.Root.get("/MarkInfo", {}).get("/Marked", False))
        return Inside(
            tags,
            str(opened.Root.get("/Lang")),
            str(opened.docinfo.get("/Title", "")),
            frozenset(fonts),
            frozenset(loose),
            bookmarks,
            len(opened.pages),
            marked,
            sum(each.Subtype == "/Link" for page in opened.pages for each in page.obj.get("/Annots", [])),
            "/PageLabels" in opened.Root,
            "/Suspects" in opened.Root.get("/MarkInfo", {}),
        )
