"""How a sheet is printed: paper, theme, rims.  Renderers take of it what means something to them."""

from __future__ import annotations

from rulekit.base.frozen import frozen


@frozen
class Setup:
    """How a sheet is printed.

    Attributes:
        theme: A theme's name, or the path of its file.
        bleed: In millimetres.
        marks: Crop marks round the page.
        fold: Pages laid on one sheet of the paper: two beside each other, or as a card folded once.
        frame: Whether pages have a head and a foot; a picture of one block has none.
        ppi: Dots an inch of a PNG.
    """

    paper: str = "A4"
    landscape: bool = False
    theme: str = "colour"
    bleed: float = 0
    marks: bool = False
    fold: str = ""
    frame: bool = True
    ppi: int = 144
