"""What the build of the documentation adds: pages of folders, lists, code without the marks of tests.

mkdocs calls the functions named `on_...`; tests of the documentation ask `expanded` and `cleaned`.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent as indented
from typing import Any
from urllib.parse import urlsplit

from mkdocs.structure.files import File, Files

from rulekit.diagnostics.kinds import all_kinds

FINDINGS = "diagnostics/index.md"
QUIET = {"diagnostics/": 0.5, "games/": 0.3, "changelog": 0.2}
"""Folders whose pages come later in the results of a search."""
UNSEARCHED = ("decisions/", "sheets-of/")
"""Folders that a search leaves out: a visitor's browser loads 1.1 MB for it in place of 1.5."""
LOST = """<h1>This page does not exist</h1>
<p>The address may have a typing mistake, or the page has moved. The search box at the top looks through
all pages.</p>
<p>Or begin at the <a href="{0}">first page</a>, the <a href="{0}tutorial/">tutorial</a>, the
<a href="{0}commands/">commands</a> or the <a href="{0}diagnostics/">findings</a>.</p>"""
_FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"[ \t]*#![^\n]*$", re.MULTILINE)
_MOST = 12
"""Lines of grammar that are shown at once; longer boxes open on demand."""
_FILE = re.compile(r"\A *# file: (\S+)\n")


def on_config(config: Any) -> Any:
    """Put the pages of folders into the navigation."""
    config.nav = expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the changelog, which lives at the top of the project: its links begin there."""
    text = (
        (Path(config.docs_dir).parent / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
    )
    files.append(File.generated(config, "changelog.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Clean the code of a page, and add to the index of findings a line for each of their pages."""
    address = page.file.src_uri
    for folder, boost in QUIET.items():
        if address.startswith(folder):
            page.meta.setdefault("search", {})["boost"] = boost
    if address.startswith(UNSEARCHED):
        page.meta["search"] = {"exclude": True}
    markdown = cleaned(markdown)
    if address != FINDINGS:
        return markdown
    rows = [f"| [{kind.code}]({kind.code}-{kind.name}.md) | {kind.name} | {kind.title} |"
            for kind in all_kinds()]  # fmt: skip
    return "\n".join([markdown, "| code | name | finds |", "| --- | --- | --- |", *rows, ""])


def on_post_template(output: str, template_name: str, config: Any) -> str:
    """Say on the page of a dead link where to go from there."""
    top = urlsplit(config.site_url or "/").path
    if template_name != "404.html":
        return output
    return output.replace("<h1>404 - Not found</h1>", LOST.format(top))


def cleaned(markdown: str) -> str:
    """A page without the marks that tests read; a block that is a file has the file's name as its title."""
    return _FENCE.sub(_clean_block, markdown)


def _clean_block(block: re.Match[str]) -> str:
    indent, language, code = block[1], block[2], _MARK.sub("", block[3])
    file = _FILE.match(code)
    title = ""
    if file is not None and language in ("rules", "text", "yaml"):
        code, title = code[file.end() :], f' title="{file[1]}"'
        language = "rules" if file[1].endswith(".rules") else language
    shown = f"{indent}```{language}{title}\n{code}{indent}```"
    if language != "lark" or code.count("\n") <= _MOST:
        return shown
    return f'{indent}??? quote "Grammar"\n\n' + indented(shown, "    ")


def expanded(nav: Any, docs: Path) -> Any:
    """The navigation with a list of pages for every path that ends in `/`."""
    if isinstance(nav, list):
        pages = []
        for each in nav:
            inner = expanded(each, docs)
            pages += inner if isinstance(each, str) and each.endswith("/") else [inner]
        return pages
    if isinstance(nav, dict):
        return {title: expanded(inner, docs) for title, inner in nav.items()}
    if not nav.endswith("/"):
        return nav
    pages = [path for path in (docs / nav).rglob("*.md") if not path.name.startswith("_")]
    return [path.relative_to(docs).as_posix() for path in sorted(pages, key=_index_first)]


def _index_first(path: Path) -> tuple[str, bool, str]:
    return path.parent.as_posix(), path.name != "index.md", path.name
