"""The documentation is whole: every page is reached, every file it promises is there."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulekit.base.source import Source
from rulekit.diagnostics import Report
from rulekit.ruleset import yaml
from rulekit.ruleset.reading import Entries, Items, Node, Reading, Scalar

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
GENERATED = {"changelog.md"}


def expanded(nav: Any) -> Any:
    """The navigation as the build of the documentation expands it."""
    spec = importlib.util.spec_from_file_location("docs_site", DOCS / "_site.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.expanded(nav, DOCS)


def navigation() -> list[str]:
    """The pages of `nav` in mkdocs.yml, in order."""
    report = Report()
    tree = yaml.parse(Source("mkdocs.yml", (ROOT / "mkdocs.yml").read_text()), Reading(report, "mkdocs.yml"))
    assert isinstance(tree, Entries) and not len(report)
    (nav,) = [value for key, value in tree.pairs if key.text == "nav"]
    return list(leaves(expanded(plain(nav))))


def plain(node: Node) -> Any:
    """The tree as lists, dictionaries and texts."""
    match node:
        case Scalar(text):
            return text
        case Items(nodes):
            return [plain(each) for each in nodes]
        case Entries(pairs):
            return {key.text: plain(value) for key, value in pairs}


def leaves(nav: Any) -> Iterator[str]:
    """The texts at the ends."""
    if isinstance(nav, str):
        yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav:
            yield from leaves(each)


def test_every_page_is_in_the_navigation_once() -> None:
    """A page that was written is read: put it into `nav` in mkdocs.yml."""
    pages = {
        path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if not path.name.startswith("_")
    }
    listed = navigation()

    assert sorted(pages | GENERATED) == sorted(listed)


def test_pages_of_a_folder_begin_with_its_index() -> None:
    """And the others follow by name."""
    findings = [page for page in navigation() if page.startswith("diagnostics/")]

    assert "diagnostics/index.md" == findings[0]
    assert sorted(findings[1:]) == findings[1:]


def test_the_changelog_knows_this_version() -> None:
    """What is built has its section."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_command_of_make_is_explained() -> None:
    """`make` alone lists all of them, and the README's two are among them."""
    makefile = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    explained = re.findall(r"^([a-z]+):.*## .+$", makefile, re.MULTILINE)

    assert sorted(phony.split()) == sorted(explained)
    assert set(re.findall(r"^    make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)) <= set(
        explained
    )


def test_the_template_has_the_parts_of_a_page() -> None:
    """Whoever copies it begins right."""
    template = (DOCS / "diagnostics" / "_template.md").read_text()

    assert ["What it finds", "Why it matters", "Avoid", "Prefer", "Source"] == re.findall(
        r"^## (.+)$", template, re.MULTILINE
    )


def test_every_column_of_a_table_has_a_heading() -> None:
    """Those who hear a page know of each cell what it is."""
    ruled = re.compile(r"^\|(.+)\|\n\|(?: *:?-+:? *\|)+$", re.MULTILINE)
    bare = [
        f"{page.relative_to(DOCS)}: {head[0]}"
        for page in DOCS.rglob("*.md")
        for head in ruled.finditer(page.read_text(encoding="utf-8"))
        if any(not cell.strip() for cell in head[1].split("|"))
    ]
    assert [] == bare
