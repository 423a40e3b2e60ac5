"""Every kind of finding has a page, with the same parts in the same order."""

from __future__ import annotations

import re

import pytest

from rulekit.diagnostics import Kind, all_kinds
from rulekit.diagnostics.pages import find, pages

HEADINGS = ["What it finds", "Why it matters", "Avoid", "Prefer", "Source"]


KINDS = all_kinds()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.code}-{kind.name}")
def test_kind_has_its_page(kind: Kind) -> None:
    """The page is found by code and by name; its title and parts are those of every page."""
    text = find(kind.code)

    assert text is not None, f"write docs/diagnostics/{kind.code}-{kind.name}.md (see CONTRIBUTING.md)"
    assert text == find(kind.name) == find(f"{kind.code}-{kind.name}".upper())
    assert f"# {kind.code} {kind.name}" == text.splitlines()[0]
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert HEADINGS == headings
    parts = re.split(r"^## .+$", text, flags=re.MULTILINE)[1:]
    assert all(part.strip() for part in parts), "every part says something"


def test_every_page_has_its_kind() -> None:
    """No page is left of a kind that was taken out or renamed."""
    assert [] == sorted({(page.code, page.name) for page in pages()} - {(k.code, k.name) for k in KINDS})


def test_titles_and_names_read_like_the_others() -> None:
    """Names are words with hyphens; titles are one line without a full stop."""
    for kind in KINDS:
        assert re.fullmatch(r"RK[1-7]\d\d", kind.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.name)
        assert kind.title and "\n" not in kind.title and not kind.title.endswith(".")


@pytest.mark.parametrize("wish", ["", "RK", "RK000", "../../README", "index", "template", "RK290-", "*"])
def test_nothing_else_is_found(wish: str) -> None:
    """A wish is compared with the pages there are, never used as a path."""
    assert find(wish) is None
