"""HTML sheets in a browser: every text can be read, in light and dark, and no page scrolls sideways."""

from __future__ import annotations

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
