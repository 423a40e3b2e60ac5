"""The page of each kind of finding in `docs/diagnostics/`: its meaning, why it matters, avoid, prefer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.base.frozen import frozen
from rulekit.base.resources import share

FOLDER = "docs/diagnostics"
_FILE = re.compile(r"(RK\d{3})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md")


@frozen
class KindPage:
    """A page, by the code and the name of its kind."""

    code: str
    name: str

    @property
    def file(self) -> str:
        """The file's name in the folder, such as `RK203-unknown-name.md`."""
        return f"{self.code}-{self.name}.md"

    def text(self) -> str:
        """Return the page in Markdown."""
        return share(f"{FOLDER}/{self.file}").read_text(encoding="utf-8")


def pages() -> Iterator[KindPage]:
    """Yield every page, by code."""
    folder = share(FOLDER)
    if folder.is_dir():
        for file in sorted(entry.name for entry in folder.iterdir()):
            if match := _FILE.fullmatch(file):
                yield KindPage(match[1], match[2])


def find(code_or_name: str) -> str | None:
    """Return the page for `RK203`, `unknown-name` or `RK203-unknown-name`, in any case, or None."""
    wish = code_or_name.strip().lower()
    for page in pages():
        if wish in (page.code.lower(), page.name, page.file.lower().removesuffix(".md")):
            return page.text()
    return None
