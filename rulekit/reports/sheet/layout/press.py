"""Changes to a finished PDF: boxes and crop marks for the press, folds, a smaller file."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pikepdf

from rulekit.reports.sheet.layout.folding import laid
from rulekit.reports.sheet.layout.paper import MM
from rulekit.reports.sheet.layout.setup import Setup

MARK = 5 * MM
"""The length of a crop mark; it begins where the bleed ends."""
RIM = 8 * MM
"""The room for crop marks round the bleed."""


def finished(pdf: bytes, setup: Setup) -> bytes:
    """The PDF as it is handed over; the same bytes for the same PDF."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        if setup.fold:
            laid(document, booklet=setup.fold == "card", bleed=setup.bleed * MM)
        if setup.bleed or setup.marks:
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
