"""HTML sheets in a browser: every text can be read, in light and dark, and no page scrolls sideways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.render.html import html
from tests.sheet.helpers import sheet
from tests.web.browser import PHONE, WIDE, Scheme, browser, faults, opened, sideways

pytestmark = pytest.mark.slow
SETS: dict[str, tuple[str, ...]] = {
    "vitp": ("damage-control",),
    "fcn": (),
    "pacwar": ("authors",),
    "atp": (),
}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    """One browser for all pages."""
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The address of each set's sheet."""
    folder = tmp_path_factory.mktemp("sheets")
    addresses = {}
    for name, options in SETS.items():
        (page,) = html(sheet(name, options), Setup())
        (folder / f"{name}.html").write_bytes(page)
        addresses[name] = (folder / f"{name}.html").as_uri()
    return addresses


@pytest.mark.parametrize(("name", "scheme"), list(product(SETS, SCHEMES)))
def test_accessible(name: str, scheme: Scheme, pages: dict[str, str], chrome: Any) -> None:
    """axe-core finds nothing: contrast of every text, names of links and regions, heads of tables."""
    with opened(chrome, pages[name], scheme=scheme) as page:
        assert [] == faults(page)


@pytest.mark.parametrize(("name", "width"), list(product(SETS, (WIDE, PHONE))))
def test_no_page_scrolls_sideways(name: str, width: int, pages: dict[str, str], chrome: Any) -> None:
    """What is wider than a phone scrolls by itself."""
    with opened(chrome, pages[name], width=width) as page:
        assert 0 == sideways(page)


def test_limits_use_the_width_of_their_column(pages: dict[str, str], chrome: Any) -> None:
    """Each line begins at the left edge of its column, and a long list goes on in the next column."""
    with opened(chrome, pages["pacwar"]) as page:
        block = page.locator(".block:not(.wide):has(.norms)").last
        columns = block.evaluate("(it) => [...it.getClientRects()].map((part) => part.x)")
        starts = set(
            block.locator("li").evaluate_all("(them) => them.map((it) => it.getBoundingClientRect().x)")
        )
        assert 2 == len(columns) and starts == set(columns)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_high_contrast(scheme: Scheme, chrome: Any, tmp_path: Path) -> None:
    """Quiet text is nearly as strong as the rest, in light and dark, and the type is larger."""
    (page,) = html(sheet("fcn"), Setup(theme="high-contrast"))
    (tmp_path / "fcn.html").write_bytes(page)
    with opened(chrome, (tmp_path / "fcn.html").as_uri(), scheme=scheme) as tab:
        assert [] == faults(tab)
        look = tab.locator(".see").first.evaluate("(it) => getComputedStyle(it).color")
        quiet = {int(part) for part in re.findall(r"\d+", look)}
        assert max(quiet) == 0 if scheme == "light" else min(quiet) > 200
        assert (
            16.9 < tab.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)") < 17
        )


def test_options_leave_room_on_a_phone(pages: dict[str, str], chrome: Any, tmp_path: Path) -> None:
    """The contents of a sheet with many options begin on the first screen."""
    with opened(chrome, pages["pacwar"], width=PHONE, height=844) as page:
        assert page.locator("main").bounding_box()["y"] < 844


def test_find_box_and_contents(pages: dict[str, str], chrome: Any) -> None:
    """A word leaves only the lines and rows that have it; the contents stay in sight; parts fold."""
    lines = "main li:visible, main tbody tr:not(.section, .across):visible"
    with opened(chrome, pages["vitp"]) as page:
        every = page.locator(lines).count()
        page.fill(".find input", "ceylon")
        left = page.locator(lines).all_inner_texts()
        assert 0 < len(left) < every / 4 and all("ceylon" in text.lower() for text in left)
        page.fill(".find input", "")
        assert every == page.locator(lines).count()
        page.evaluate("() => window.scrollTo(0, 4000)")
        assert 0 <= page.locator("nav").bounding_box()["y"] < 100
        part = page.locator("details.part").first
        part.locator("summary").first.click()
        assert not part.evaluate("(it) => it.open")
