"""The documentation in a browser: wide and narrow, light and dark, its search, its code, its playground."""

from __future__ import annotations

import functools
import http.server
import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from pypdf import PdfReader

from tests.web.browser import PHONE, WIDE, Scheme, browser, faults, opened, sideways

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PAGES = (
    "",
    "tutorial/",
    "cheat-sheet/",
    "commands/",
    "odds/",
    "sheets/",
    "recipes/option/",
    "for/publishers/",
    "reference/",
    "spec/06-tables/",
    "diagnostics/",
    "diagnostics/RK401-table-gap/",
    "sheets-of/",
    "sheets-of/vitp/",
    "sheets-of/fcn/",
    "games/vitp/",
    "comparison/",
    "playground/",
    "decisions/0015-sheets/",
)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it."""
    site = tmp_path_factory.mktemp("site").resolve()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(site)]
    run = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert 0 == run.returncode, run.stderr
    return site


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address under which the site is served here."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    """One browser for all pages."""
    with browser() as running:
        yield running


@pytest.mark.parametrize(("page", "scheme"), list(product(PAGES, SCHEMES)))
def test_accessible(page: str, scheme: Scheme, site: str, chrome: Any) -> None:
    """axe-core finds nothing."""
    with opened(chrome, site + page, scheme=scheme) as tab:
        tab.wait_for_timeout(300)
        assert [] == faults(tab)


@pytest.mark.parametrize(("page", "width"), list(product(PAGES, (WIDE, PHONE))))
def test_no_page_scrolls_sideways(page: str, width: int, site: str, chrome: Any) -> None:
    """Tables, code and sheets keep within the page, or scroll by themselves."""
    with opened(chrome, site + page, width=width) as tab:
        assert 0 == sideways(tab)


def test_picture_of_the_first_page_fills_its_column(site: str, chrome: Any) -> None:
    """It is as wide as the words below it."""
    with opened(chrome, site) as tab:
        picture, words = tab.locator(".opening .gallery img"), tab.locator(".opening .gallery + p")
        assert abs(picture.bounding_box()["width"] - words.bounding_box()["width"]) < 3


def test_tables_of_the_first_page_are_whole(site: str, chrome: Any) -> None:
    """No table of the home page is wider than its column."""
    with opened(chrome, site) as tab:
        cut = tab.evaluate(
            "() => [...document.querySelectorAll('.md-typeset__scrollwrap')]"
            ".filter((it) => it.scrollWidth > it.clientWidth).length"
        )
        assert 0 == cut


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_pictures_of_a_gallery_are_beside_each_other(width: int, site: str, chrome: Any) -> None:
    """Thumbnails in rows of at least two, from the left edge of the text, without the marks of a list."""
    with opened(chrome, site + "sheets-of/", width=width) as tab:
        gallery, text = tab.locator(".gallery").first, tab.locator("article > p").first
        first, second = (gallery.locator("img").nth(n).bounding_box() for n in (0, 1))
        assert first["y"] == second["y"] and first["x"] + first["width"] < second["x"]
        assert abs(first["x"] - text.bounding_box()["x"]) < 2
        assert "none" == gallery.evaluate("(it) => getComputedStyle(it).listStyleType")


def test_parameters_of_the_reference_are_below_their_heading(site: str, chrome: Any) -> None:
    """Each list of parameters uses the width of the page, and no name is broken in two."""
    with opened(chrome, site + "reference/") as tab:
        heading = tab.locator(".doc-section-title", has_text="Parameters").first
        item = tab.locator(".doc-section-item").first
        assert heading.bounding_box()["y"] < item.bounding_box()["y"]
        assert item.bounding_box()["width"] > tab.locator("article").bounding_box()["width"] * 0.8
    with opened(chrome, site + "reference/", width=PHONE) as tab:
        heights = tab.eval_on_selector_all(
            ".doc-section-item > b", "(names) => names.map((name) => name.getClientRects().length)"
        )
        assert {1} == set(heights)


def test_headings_of_sheets_are_as_high_as_their_words(site: str, chrome: Any) -> None:
    """The theme puts no sign for sorting behind them, which would take a line of its own."""
    with opened(chrome, site + "sheets-of/fcn/") as tab:
        heading = tab.locator(".rk .outline thead tr").first
        assert heading.bounding_box()["height"] < 40
        assert "auto" == heading.locator("th").first.evaluate("(it) => getComputedStyle(it).cursor")


@pytest.mark.parametrize("page", ["", "reference/", "sheets-of/atp/"])
def test_no_gap_below_a_title_on_a_phone(page: str, site: str, chrome: Any) -> None:
    """A title is as high as its words: what only a pointer shows adds no line."""
    with opened(chrome, site + page, width=PHONE) as tab:
        high = tab.evaluate(
            "() => { const title = document.querySelector('h1'), words = document.createRange();"
            " words.selectNodeContents(title.firstChild);"
            " return title.getBoundingClientRect().height - words.getBoundingClientRect().height }"
        )
        assert high < 20


def test_search_is_in_sight_and_finds(site: str, chrome: Any) -> None:
    """The box is on the first screen; a word finds pages with a preview of their text."""
    with opened(chrome, site + "glossary/") as tab:
        box = tab.locator("input.md-search__input")
        assert 0 < box.bounding_box()["y"] < 100
        box.click()
        box.press_sequentially("forbid")
        tab.wait_for_selector(".md-search-result__item", timeout=20_000)
        first = tab.locator(".md-search-result__item").first.inner_text()
        assert "forbid" in first.lower() and len(first) > 80
        assert [] == faults(tab)


def test_rules_are_in_colour_and_without_marks(folder: Path) -> None:
    """Code in `.rules` has the lexer's classes; no page shows what only tests read."""
    tutorial = (folder / "tutorial" / "index.html").read_text(encoding="utf-8")
    assert '<span class="kd">enum</span>' in tutorial and '<span class="nl">[1]</span>' in tutorial
    shown = {
        path.parent.name: re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8"))
        for path in folder.rglob("index.html")
        if path.parent.parent.name != "decisions" and path.parent.name != "reference"
    }
    assert [] == [name for name, text in shown.items() if re.search(r"#! RK\d", text)]


def test_cheat_sheet_prints_on_one_sheet(site: str, chrome: Any) -> None:
    """Both sides of one A4 sheet, landscape, hold all of it, and nothing of the site around it."""
    with opened(chrome, site + "cheat-sheet/") as tab:
        printed = PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True)))
    width, height = printed.pages[0].mediabox[2:]
    assert 2 == len(printed.pages)
    assert (842, 595) == (round(width), round(height))
    text = " ".join(page.extract_text() for page in printed.pages)
    assert "Cheat sheet" in text and "options/NAME.rules" in text and "Playground" not in text


def test_every_link_leads_somewhere(folder: Path) -> None:
    """To a file of the site, and where it names a place on a page, to an element that has it as its id."""
    pages = {
        path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html") if path.name != "404.html"
    }
    ids = {path: set(re.findall(r'\bid="?([^"\s>]+)', text)) for path, text in pages.items()}
    dead = set()
    for path, text in pages.items():
        for link in re.findall(r'<a\b[^>]*?\bhref="([^"]*)"', text):
            parts = urlsplit(unescape(link))
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            known = ids.get(target, {parts.fragment}) if target.is_file() else set()
            if parts.fragment and unquote(parts.fragment) not in known or not target.is_file():
                dead.add(f"{path.relative_to(folder)}: {link}")
    assert set() == dead


def test_first_screen(folder: Path) -> None:
    """It says how to install, shows what commands print, in colour, and a picture."""
    home = (folder / "index.html").read_text(encoding="utf-8")
    assert "pip install 'rulekit[sheet]'" in re.sub(r"<[^>]+>", "", home).replace("&#39;", "'")
    assert "assets/sheets/vitp-1.png" in home
    assert re.search(
        r'<pre class="terminal".*?<span style="color: #ff8a80[^>]*>error\[RK401', home, re.DOTALL
    )
    assert (folder / "assets" / "sheets" / "vitp.pdf").read_bytes().startswith(b"%PDF")


def test_playground(site: str, chrome: Any) -> None:
    """A visitor sees the hole in the rules, mends it, and plays to the end."""
    with playground(chrome, site) as tab:
        output = tab.locator("#playground .output")
        assert "RK520" in output.inner_text()
        code = tab.locator("#playground .code")
        code.fill(code.input_value().replace("roll: 1..6", "roll: -1..6"))
        press(tab, "check")
        assert "no findings" == output.inner_text().strip()
        press(tab, "play")
        tab.locator("#playground .question button", has_text="Attack").first.click()
        tab.wait_for_selector("#playground .question button:enabled", timeout=60_000)
        assert "strike for Red" in output.inner_text()
        tab.locator("#playground .question button", has_text="by chance").click()
        tab.wait_for_selector("#playground .check:enabled", timeout=60_000)
        assert "result:" in output.inner_text()


@pytest.mark.parametrize(("width", "scheme"), list(product((WIDE, PHONE), SCHEMES)))
def test_findings_of_a_kind_fold_in_the_playground(
    width: int, scheme: Scheme, site: str, chrome: Any
) -> None:
    """The first of each kind is in sight, the others open on demand; no line is wider than the box."""
    gaps = "".join(
        f"table t{n}(roll: 1..3) -> Blow:\n    | roll | blow |\n    | 1 | hit |\n" for n in range(4)
    )
    with playground(chrome, site, width, scheme) as tab:
        code, output = tab.locator("#playground .code"), tab.locator("#playground .output")
        code.fill(code.input_value() + "\n" + gaps)
        press(tab, "check")
        more = output.locator("details")
        assert ["3 more: RK401 table-gap"] == more.locator("summary").all_inner_texts()
        assert 1 == output.inner_text().count("RK401 table-gap]")
        more.locator("summary").click()
        assert 4 == output.inner_text().count("RK401 table-gap]")
        assert "/diagnostics/RK401-table-gap/" in output.locator("a").first.evaluate("(it) => it.href")
        assert output.evaluate("(it) => it.scrollWidth == it.clientWidth")
        assert [] == faults(tab)


@contextmanager
def playground(chrome: Any, site: str, width: int = WIDE, scheme: Scheme = "light") -> Iterator[Any]:
    """The page of the playground, its first check over."""
    with opened(chrome, site + "playground/", width=width, scheme=scheme) as tab:
        tab.wait_for_selector("#playground .check:enabled", timeout=120_000)
        yield tab


def press(tab: Any, name: str) -> None:
    """Press a button of the playground, and wait until it may be pressed again."""
    tab.locator(f"#playground .{name}").click()
    tab.wait_for_selector("#playground .check:enabled", timeout=60_000)


def test_a_dead_link_leads_on(site: str, chrome: Any) -> None:
    """The page for an address that does not exist has links to those that do."""
    with opened(chrome, site + "404.html") as tab:
        links = tab.locator("article a").evaluate_all("(them) => them.map((it) => it.getAttribute('href'))")
        assert ["/", "/tutorial/", "/commands/", "/diagnostics/"] == links
        assert [] == faults(tab)


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_a_link_into_a_long_page_lands_on_its_heading(width: int, site: str, chrome: Any) -> None:
    """Code, tables and pictures above it do not move it out of sight while the page loads."""
    with opened(chrome, site + "commands/#build", width=width) as tab:
        tab.wait_for_timeout(500)
        assert 0 < tab.locator("#build").bounding_box()["y"] < 200
