"""What is done to a finished PDF: boxes and crop marks for the press, folds, a smaller file.

Pages that are laid on one sheet lose their tags: a PDF has no reading order across what is laid so.  The rest
keeps them.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import pikepdf

from rulekit.sheet.paper import MM
from rulekit.sheet.setup import Setup

MARK = 5 * MM
"""The length of a crop mark; it begins where the bleed ends."""
RIM = 8 * MM
"""The room for crop marks round the bleed."""


def finished(pdf: bytes, setup: Setup) -> bytes:
    """The PDF as it is handed over; the same bytes for the same PDF."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        if setup.fold:
            _laid(document, booklet=setup.fold == "card")
        elif setup.bleed or setup.marks:
            for page in document.pages:
                _boxed(document, page, setup.bleed * MM, marks=setup.marks)
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


def _boxed(document: pikepdf.Pdf, page: pikepdf.Page, bleed: float, *, marks: bool) -> None:
    """Sets the boxes of a page that was made with its bleed, and marks where it is cut."""
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


def _laid(document: pikepdf.Pdf, *, booklet: bool) -> None:
    """Two pages beside each other on each sheet: in order, or so that folded sheets make a booklet."""
    pages = list(document.pages)
    width, height = (float(pages[0].mediabox[2]), float(pages[0].mediabox[3]))
    order: list[tuple[int | None, int | None]]
    count = len(pages)
    if booklet:
        whole = -(-count // 4) * 4
        order = []
        for side in range(whole // 2):
            first, last = side, whole - 1 - side
            pair = (last, first) if side % 2 == 0 else (first, last)
            order.append((_there(pair[0], count), _there(pair[1], count)))
    else:
        order = [(n, _there(n + 1, count)) for n in range(0, count, 2)]
    for both in order:
        sheet = document.add_blank_page(page_size=(2 * width, height))
        for place, number in enumerate(both):
            if number is not None:
                area = pikepdf.Rectangle(place * width, 0, (place + 1) * width, height)
                sheet.add_overlay(pages[number], area)
    del document.pages[:count]
    for key in ("/StructTreeRoot", "/MarkInfo", "/Outlines", "/PageLabels"):
        if key in document.Root:
            del document.Root[key]
    with document.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as about:
        if "pdfuaid:part" in about:
            del about["pdfuaid:part"]


def _there(number: int, count: int) -> int | None:
    return number if number < count else None
