"""Changes to a finished PDF: boxes and crop marks for the press, folds, a smaller file.

A fold draws pages beside each other on a sheet of paper, with their tags, bookmarks and reading order.  Pages
become forms that are drawn on a sheet; the structure tree then refers to the form (ISO 32000, 14.7.4.2), in
the order of the pages, whatever the order of the paper.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pikepdf

from rulekit.base.frozen import frozen
from rulekit.reports.sheet.layout.paper import MM, PANELS, Setup
from rulekit.reports.sheet.model.document import FormName

Key = tuple[int, int]


@frozen
class Laid:
    """The place of a page: its sheet, the form that it became, and its distance from the left."""

    sheet: Any
    form: Any
    right: float


def lay_pages(document: pikepdf.Pdf, order: Iterable[Row], bleed: float = 0) -> None:
    """Lays the pages beside each other, each row on a sheet of paper.

    Args:
        bleed: Of each page, in points: it stays at the edges of the sheet, and is cut off at the fold.
    """
    pages = list(document.pages)
    width, height = float(pages[0].mediabox[2]) - 2 * bleed, float(pages[0].mediabox[3])
    laid: dict[Key, Laid] = {}
    for row in order:
        sheet = document.add_blank_page(page_size=(len(row) * width + 2 * bleed, height))
        sheet.obj.Tabs = pikepdf.Name.S
        forms, drawn = pikepdf.Dictionary(), ""
        for place, number in enumerate(row):
            if number is not None:
                page = pages[number]
                form = document.make_indirect(page.as_form_xobject())
                edges = (
                    0 if place == 0 else bleed,
                    width + (2 * bleed if place == len(row) - 1 else bleed),
                )
                form.BBox = pikepdf.Array([round(edges[0], 3), 0, round(edges[1], 3), round(height, 3)])
                if "/StructParents" in page.obj:
                    form.StructParents = page.obj.StructParents
                forms[f"/P{place}"] = form
                drawn += f"q 1 0 0 1 {place * width:.3f} 0 cm /P{place} Do Q\n"
                laid[page.obj.objgen] = Laid(sheet.obj, form, place * width)
        sheet.obj.Resources = pikepdf.Dictionary(XObject=forms)
        sheet.obj.Contents = document.make_stream(drawn.encode())
    _retag(document, laid)
    _move_bookmarks(document, laid)
    _move_links(pages, laid)
    del document.pages[: len(pages)]
    if "/PageLabels" in document.Root:
        del document.Root["/PageLabels"]


Row = tuple[int | None, ...]
"""Pages that lie side by side; None for an empty one."""


def in_order(count: int, abreast: int) -> Iterator[Row]:
    """Yield the pages in order, so many side by side."""
    for first in range(0, count, abreast):
        yield tuple(n if n < count else None for n in range(first, first + abreast))


def as_booklet(count: int) -> Iterator[Row]:
    """Yield the pages so that sheets folded once make a booklet."""
    whole = -(-count // 4) * 4
    for side in range(whole // 2):
        pair = (whole - 1 - side, side)
        yield tuple(n if n < count else None for n in (pair if side % 2 == 0 else pair[::-1]))


def rows_of(count: int, form: FormName, fold: str | None) -> Iterator[Row] | None:
    """Return which pages lie side by side by the form and the fold; None if each is a sheet of its own."""
    if form == "screen":
        return in_order(count, PANELS)
    if form == "folder" or fold == "card":
        return as_booklet(count)
    return in_order(count, 2) if fold else None


def _retag(document: pikepdf.Pdf, found: Mapping[Key, Laid]) -> None:
    if "/StructTreeRoot" not in document.Root:
        return
    waiting: list[tuple[Any, Any]] = [(document.Root.StructTreeRoot, None)]
    while waiting:
        node, page = waiting.pop()
        page = node.get("/Pg", page)
        if "/K" in node:
            kids = list(node.K) if isinstance(node.K, pikepdf.Array) else [node.K]
            moved = [_kid(document, kid, page, found) for kid in kids]
            node.K = pikepdf.Array(moved) if isinstance(node.K, pikepdf.Array) else moved[0]
            waiting += [(kid, page) for kid in moved if isinstance(kid, pikepdf.Dictionary) and "/S" in kid]
    _turned_elements(document, found)


def _turned_elements(document: pikepdf.Pdf, found: Mapping[Key, Laid]) -> None:
    """The page of each element, after its kids have read it."""
    waiting = [document.Root.StructTreeRoot]
    while waiting:
        node = waiting.pop()
        if "/S" in node and "/Pg" in node and node.Pg.objgen in found:
            node.Pg = found[node.Pg.objgen].sheet
        if "/K" in node:
            kids = list(node.K) if isinstance(node.K, pikepdf.Array) else [node.K]
            waiting += [kid for kid in kids if isinstance(kid, pikepdf.Dictionary) and "/S" in kid]


def _kid(document: pikepdf.Pdf, kid: Any, page: Any, found: Mapping[Key, Laid]) -> Any:
    """Marked content by its number, on a page, as such on a form."""
    if isinstance(kid, int) and page is not None and page.objgen in found:
        at = found[page.objgen]
        return pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=at.sheet, Stm=at.form, MCID=int(kid))
    if isinstance(kid, pikepdf.Dictionary) and kid.get("/Type") == pikepdf.Name.OBJR:
        at_page = kid.get("/Pg", page)
        if at_page is not None and at_page.objgen in found:
            kid.Pg = found[at_page.objgen].sheet
        return kid
    if isinstance(kid, pikepdf.Dictionary) and "/MCID" in kid:
        at_page = kid.get("/Pg", page)
        if at_page is not None and at_page.objgen in found:
            at = found[at_page.objgen]
            return pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=at.sheet, Stm=at.form, MCID=int(kid.MCID))
    return kid


def _move_bookmarks(document: pikepdf.Pdf, found: Mapping[Key, Laid]) -> None:
    for outline in _outlines(document.Root.get("/Outlines")):
        _move_destination(outline, "/Dest", found)
        _move_destination(outline.get("/A", {}), "/D", found)


def _move_links(pages: Sequence[pikepdf.Page], found: Mapping[Key, Laid]) -> None:
    """Links on the sheets that their pages are on, leading to sheets."""
    for page in pages:
        at = found[page.obj.objgen]
        for link in page.obj.get("/Annots", ()):
            left, bottom, right, top = (float(edge) for edge in link.Rect)
            link.Rect = _box((left + at.right, bottom, right + at.right, top))
            if "/P" in link:
                link.P = at.sheet
            _move_destination(link, "/Dest", found)
            if "/A" in link:
                _move_destination(link.A, "/D", found)
            if "/Annots" not in at.sheet:
                at.sheet.Annots = pikepdf.Array()
            at.sheet.Annots.append(link)


def _move_destination(holder: Any, key: str, found: Mapping[Key, Laid]) -> None:
    place = holder.get(key) if hasattr(holder, "get") else None
    if isinstance(place, pikepdf.Array) and place[0].objgen in found:
        at = found[place[0].objgen]
        moved: list[Any] = list(place)
        moved[0] = at.sheet
        if len(moved) > 2 and moved[1] == pikepdf.Name.XYZ and moved[2] is not None:
            moved[2] = round(float(moved[2]) + at.right, 3)
        holder[key] = pikepdf.Array(moved)


def _outlines(node: Any) -> Iterator[Any]:
    at = node.get("/First") if node is not None else None
    while at is not None:
        yield at
        yield from _outlines(at)
        at = at.get("/Next")


MARK = 5 * MM
"""The length of a crop mark; it begins where the bleed ends."""
RIM = 8 * MM
"""The room for crop marks round the bleed."""


def finish(pdf: bytes, setup: Setup, form: FormName = "full") -> bytes:
    """The PDF as it is handed over; the same bytes for the same PDF."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        marked = document.Root.get("/MarkInfo")
        if marked is not None and "/Suspects" in marked:
            del marked["/Suspects"]  # false is what it means if it is absent; some readers warn of it
        rows = rows_of(len(document.pages), form, setup.fold)
        if rows is not None:
            lay_pages(document, rows, setup.bleed * MM)
        if setup.bleed or setup.marks:
            for page in document.pages:
                _set_boxes(document, page, setup.bleed * MM, marks=setup.marks)
        written = io.BytesIO()
        document.save(
            written,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            deterministic_id=True,
            fix_metadata_version=False,
        )
        return written.getvalue()


def _box(values: Sequence[float]) -> pikepdf.Array:
    return pikepdf.Array([round(value, 3) for value in values])


def _set_boxes(document: pikepdf.Pdf, page: pikepdf.Page, bleed: float, *, marks: bool) -> None:
    left, bottom, right, top = (float(edge) for edge in page.mediabox)
    trim = (left + bleed, bottom + bleed, right - bleed, top - bleed)
    page.obj.BleedBox = _box((left, bottom, right, top))
    page.obj.TrimBox = _box(trim)
    if not marks:
        return
    around = (left - RIM, bottom - RIM, right + RIM, top + RIM)
    page.obj.MediaBox = _box(around)
    page.obj.CropBox = _box(around)
    lines = []
    for x in (trim[0], trim[2]):
        lines += [(x, bottom - 2, x, bottom - 2 - MARK), (x, top + 2, x, top + 2 + MARK)]
    for y in (trim[1], trim[3]):
        lines += [(left - 2, y, left - 2 - MARK, y), (right + 2, y, right + 2 + MARK, y)]
    strokes = "".join(f"{a:.3f} {b:.3f} m {c:.3f} {d:.3f} l S\n" for a, b, c, d in lines)
    content = f"/Artifact BMC q 0.25 w 0 G\n{strokes}Q EMC\n"
    page.contents_add(document.make_stream(content.encode()), prepend=False)
