"""Pictures of a few pages: who changes one looks at it.  `--update-golden` draws them anew."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from rulekit.reports.sheet.content.build import Request, only
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.render.printing import png
from tests.sheet.helpers import sheet

HOME = Path(__file__).parents[1] / "golden" / "sheet"
APART = 4.0
"""How far two pictures may be apart on the average, of 255: other words in a line, not another layout."""
HOUSE = ("house-coastal-defense", "jsis-flak-phase-in", "m80-battle-line", "m80-defense-modifiers")
PICTURES = {
    "vitp-sequence": ("vitp", ("damage-control",), "sequence", Setup(ppi=48)),
    "vitp-combat": ("vitp", ("damage-control", "gunnery-radar"), "combat", Setup(ppi=48)),
    "vitp-movement": ("vitp", (), "movement", Setup(ppi=48)),
    "vitp-movement-high-contrast": ("vitp", (), "movement", Setup(ppi=48, theme="high-contrast")),
    "pacwar-house-rules": ("pacwar", HOUSE, "house-rules", Setup(ppi=48, paper="Letter")),
    "fcn-map": ("fcn", (), "map", Setup(ppi=48)),
    "fcn-counters": ("fcn", (), "counters", Setup(ppi=48, theme="grey")),
    "pacwar-board": ("pacwar", (), "board:Hex", Setup(ppi=60, frame=False)),
    "vitp-effect": ("vitp", (), "table:effect", Setup(ppi=96, frame=False)),
}


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_picture(name: str, request: pytest.FixtureRequest) -> None:
    """The page is as it was when it was looked at."""
    set_name, options, part, setup = PICTURES[name]
    found = only(sheet(set_name, options), part)
    assert found is not None
    compared(name, png(found, setup)[0], request)


def test_picture_of_one_page(request: pytest.FixtureRequest) -> None:
    """The short form."""
    made = sheet("vitp", ("damage-control",), Request(form="one-page"))
    compared("vitp-one-page", png(made, Setup(ppi=48))[0], request)


def compared(name: str, picture: bytes, request: pytest.FixtureRequest) -> None:
    """A picture with the one that was kept."""
    path = HOME / f"{name}.png"
    if request.config.getoption("--update-golden"):
        HOME.mkdir(parents=True, exist_ok=True)
        Image.open(io.BytesIO(picture)).convert("RGB").save(path, optimize=True)
        return
    now, kept = Image.open(io.BytesIO(picture)).convert("RGB"), Image.open(path).convert("RGB")
    assert kept.size == now.size
    apart = ImageStat.Stat(ImageChops.difference(now, kept)).mean
    assert max(apart) < APART, f"look at the page, then run with --update-golden: {apart}"
