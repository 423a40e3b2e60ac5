"""Looks at finished PDFs: where words stand, what stands on them, what is embedded, which tags there are."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pdfplumber
import pikepdf

from rulekit.reports.sheet.layout.paper import PageSize
from rulekit.reports.sheet.layout.paper import page as paper

LEAST = 4.9
"""Points of the smallest type there is (a month's letter over a bar)."""
TOUCH = 0.7
"""Points by which boxes may meet."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word's ink: its height is from the base line to the top of a capital."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


def words(page: Any) -> list[Word]:
    """The words of a page, in the order they are written (so that none that overlap are taken as one)."""
    found = page.extract_words(x_tolerance=1, y_tolerance=1, extra_attrs=["size"], use_text_flow=True)
    return [_word(w["text"], w["x0"], w["x1"], w["bottom"], w["size"]) for w in found]


def _word(text: str, left: float, right: float, bottom: float, size: float) -> Word:
    return Word(text, left, bottom - 0.95 * size, right, bottom - 0.22 * size, size)


STRIPS = 12
"""Into how many upright strips a page is cut to see how far down its ink goes."""


def empty_shares(pdf: bytes, at: PageSize | None = None) -> list[float]:
    """The share of each page, A4 if not another, that is empty below the last ink of each strip."""
    at = at or paper("A4")
    top, bottom = at.top, at.bottom
    shares = []
    with pdfplumber.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            left, right, end = at.left, page.width - at.right, page.height - bottom
            lowest = [top] * STRIPS
            inked = [*page.chars, *page.rects, *page.lines, *page.curves]
            for thing in inked:
                if thing["bottom"] < end + 1 and thing["x1"] > left and thing["x0"] < right:
                    first = int(max(thing["x0"] - left, 0) / (right - left) * STRIPS)
                    last = int(min(thing["x1"] - left, right - left - 1) / (right - left) * STRIPS)
                    for strip in range(max(first, 0), min(last, STRIPS - 1) + 1):
                        lowest[strip] = max(lowest[strip], thing["bottom"])
            shares.append(sum(end - low for low in lowest) / STRIPS / (end - top))
    return shares


def faults(pdf: bytes, margin: float = 20.0) -> list[str]:
    """What is wrong with the pages of a PDF: a line for each fault."""
    told: list[str] = []
    with pdfplumber.open(io.BytesIO(pdf)) as opened:
        for number, page in enumerate(opened.pages, 1):
            told += [f"page {number}: {fault}" for fault in _on(page, margin)]
    return told


def _on(page: Any, margin: float) -> Iterator[str]:
    found = words(page)
    for w in found:
        if (
            w.left < margin
            or w.right > page.width - margin
            or w.top < margin - 8
            or w.bottom > page.height - margin + 8
        ):
            yield f"`{w.text}` at {w.left:.0f},{w.top:.0f} is outside the margins"
        if w.size < LEAST:
            yield f"`{w.text}` is {w.size:.1f} pt"
    yield from _overlaps(sorted(found, key=lambda w: w.left))
    yield from _struck(page, found)


def _overlaps(found: list[Word]) -> Iterator[str]:
    for at, a in enumerate(found):
        for b in found[at + 1 :]:
            if b.left > a.right - TOUCH:
                break
            if min(a.bottom, b.bottom) - max(a.top, b.top) > TOUCH and min(a.right, b.right) - b.left > TOUCH:
                yield f"`{a.text}` and `{b.text}` at {b.left:.0f},{b.top:.0f} overlap"


def _struck(page: Any, found: list[Word]) -> Iterator[str]:
    """Rules through words: long ones, for a line through removed text has a word's own length."""
    rules = [*page.lines, *(r for r in page.rects if r["height"] < 1.5 or r["width"] < 1.5)]
    for rule in rules:
        for w in found:
            level = rule["top"] > w.top + 1.2 and rule["bottom"] < w.bottom - 0.6
            if (
                level
                and rule["x1"] - rule["x0"] > 20
                and rule["x0"] + 1 < w.right
                and rule["x1"] - 1 > w.left
            ):
                yield f"a rule runs through `{w.text}` at {w.left:.0f},{w.top:.0f}"
            upright = rule["x1"] - rule["x0"] < 1.5 and rule["x0"] > w.left + 1 and rule["x1"] < w.right - 1
            if upright and rule["top"] < w.bottom - 1 and rule["bottom"] > w.top + 1 and rule["height"] > 12:
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
