"""Papers, and how a sheet is printed on them: pages, theme, rims."""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.base.spelling import nearest
from rulekit.reports.sheet.model.document import SheetError


@frozen
class Setup:
    """How a sheet is printed.

    Attributes:
        theme: A theme's name, or the path of its file.
        bleed: In millimetres.
        marks: Crop marks round the page.
        fold: Pages laid on one sheet of the paper: two beside each other, or as a card folded once.  A folder
            and a screen have pages of the whole paper, and lie on a sheet that is larger.
        frame: Whether pages have a head and a foot; a picture of one block has none.
        ppi: Dots an inch of a PNG.
    """

    paper: str = "A4"
    landscape: bool = False
    theme: str = "colour"
    bleed: float = 0
    marks: bool = False
    fold: str | None = None
    frame: bool = True
    ppi: int = 144


MM = 72 / 25.4
PAPERS: dict[str, tuple[float, float]] = {
    "A3": (297 * MM, 420 * MM),
    "A4": (210 * MM, 297 * MM),
    "A5": (148 * MM, 210 * MM),
    "Letter": (612.0, 792.0),
    "Legal": (612.0, 1008.0),
    "Tabloid": (792.0, 1224.0),
}
"""Width and height in points, upright."""
USUAL = 188 * MM
"""The width of the text on the paper that columns are counted for (A4)."""
PANELS = 3
"""Pages of a screen."""


@frozen
class PageSize:
    """A page in points, before bleed; `title` is what sizes of titles and of the margin are multiplied by."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    gutter: float
    gap: float
    title: float

    @property
    def text_width(self) -> float:
        """The width between the margins."""
        return self.width - self.left - self.right

    @property
    def text_height(self) -> float:
        """The height between head and foot."""
        return self.height - self.top - self.bottom

    def columns(self, wanted: int) -> int:
        """How many columns there are where a page of A4 has `wanted`."""
        return min(max(int(wanted * self.text_width / USUAL + 0.45), 1), 6)

    def column(self, count: int) -> float:
        """The width of one of so many columns."""
        return (self.text_width - (count - 1) * self.gutter) / count


def page(name: str, landscape: bool = False, fold: str | None = None) -> PageSize:
    """The page of a paper; with a fold, that of half of it.

    Raises:
        SheetError: There is no such paper.
    """
    known = {paper.lower(): paper for paper in PAPERS}
    if name.lower() not in known:
        near = nearest(name.lower(), known)
        hint = f"did you mean `{known[near[0]]}`?" if near else f"choose from {', '.join(PAPERS)}"
        raise SheetError(f"unknown paper size `{name}`; {hint}")
    width, height = PAPERS[known[name.lower()]]
    if fold:
        width, height = (height / 2, width) if not landscape else (width, height / 2)
    elif landscape:
        width, height = height, width
    small = min(width, height) < 480
    side = (8 if small else 11) * MM
    return PageSize(width, height, side, side, (15 if small else 16.5) * MM, (12.5 if small else 14) * MM,
                (4 if small else 5) * MM, 9, 0.82 if small else 1)  # fmt: skip
