"""What the build of the documentation adds: pages of whole folders, the list of findings, the changelog.

mkdocs calls the functions named `on_...`; `expanded` is also what the test of the navigation asks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

FINDINGS = "diagnostics/index.md"


def on_config(config: Any) -> Any:
    """Put the pages of folders into the navigation."""
    config.nav = expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the changelog, which lives at the top of the project."""
    text = (Path(config.docs_dir).parent / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changelog.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Add to the index of findings a line for each of their pages."""
    if page.file.src_uri != FINDINGS:
        return markdown
    folder = Path(config.docs_dir) / "diagnostics"
    rows = [f"| [{path.stem[:5]}]({path.name}) | {path.stem[6:]} |" for path in sorted(folder.glob("RK*.md"))]
    return "\n".join([markdown, "| code | name |", "| --- | --- |", *rows, ""])


def expanded(nav: Any, docs: Path) -> Any:
    """The navigation with a list of pages for every path that ends in `/`."""
    if isinstance(nav, list):
        return [expanded(each, docs) for each in nav]
    if isinstance(nav, dict):
        return {title: expanded(inner, docs) for title, inner in nav.items()}
    if not nav.endswith("/"):
        return nav
    pages = [path for path in (docs / nav).rglob("*.md") if not path.name.startswith("_")]
    return [path.relative_to(docs).as_posix() for path in sorted(pages, key=_index_first)]


def _index_first(path: Path) -> tuple[str, bool, str]:
    return path.parent.as_posix(), path.name != "index.md", path.name
