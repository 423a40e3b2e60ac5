"""Pages as a reader's browser shows them: Chromium, driven by Playwright, and axe-core's findings.

The packages `playwright` and `axe-playwright-python` come with the extra `dev`; the browser itself is the
system's, which `.ci/run` installs.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDE, PHONE = 1280, 390
Scheme = Literal["light", "dark"]


def chromium() -> str:
    """Return the path of the system's Chromium.

    Raises:
        RuntimeError: There is none.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise RuntimeError("these tests need Chromium, for example: apt-get install chromium")
    return found


@contextmanager
def browser() -> Iterator[Any]:
    """Run a headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(FLAGS))
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def opened(
    in_browser: Any, address: str, *, width: int = WIDE, height: int = 900, scheme: Scheme = "light"
) -> Iterator[Any]:
    """Open a page at a width, in pixels; any request that fails, and any error of a script, is an error."""
    context = in_browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        bypass_csp=True,
        reduced_motion="reduce",
    )
    troubles: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("requestfailed", lambda request: troubles.append(request.url))
    page.goto(address)
    try:
        yield page
        assert [] == troubles
    finally:
        context.close()


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding of axe-core: its rule, how grave it is, and the elements."""

    rule: str
    impact: str
    elements: tuple[str, ...]


def faults(page: Any, *, ignore: frozenset[str] = frozenset()) -> list[Fault]:
    """Return what axe-core finds on a page, contrast of every text included."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        Fault(
            each["id"],
            each["impact"],
            tuple(f"{node['html'][:90]} {node['failureSummary'][:200]}" for node in each["nodes"][:4]),
        )
        for each in found
        if each["id"] not in ignore
    ]


def sideways(page: Any) -> int:
    """Return by how many pixels a page is wider than its window."""
    wider: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wider
