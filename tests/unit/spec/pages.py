"""The examples on pages of documentation: which there are, and what each needs.

A fenced block ```` ```rules ```` is an example.  What it has to do with others of its page is said in comment
lines at its top, or in one comment of the page just above it (`<!-- block: true; with: table -->`):

- `# block: NAME` gives it a name;
- `# with: NAME, NAME` puts the named blocks before it;
- `# file: PATH`, in a block of any language, makes it a file that every later example has in its folder, and
  no example itself;
- `# choose: NAME, NAME` chooses options.

On a page with the line `<!-- examples: cumulative -->` every example goes on from all those before it.  One
with the name of an earlier one takes its place; one with `aside` above it is forgotten again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
CUMULATIVE = "<!-- examples: cumulative -->"

_BLOCK = re.compile(r"(?:^<!-- ([^>\n]*) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DIRECTIVE = re.compile(r"(?:# )?(block|with|file|choose|aside)(?:: *(.*))?")


@dataclass(frozen=True)
class Example:
    """One rule set of a page: where it stands, its text, its other files by path, and the options chosen."""

    page: Path
    line: int
    text: str
    files: dict[str, str]
    options: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its place, as a person would say it."""
        return f"{self.page.relative_to(DOCS)}:{self.line}"


@dataclass
class _Page:
    """What is known of a page so far: blocks by name, in the order in which the names first came."""

    cumulative: bool
    blocks: dict[str, str] = field(default_factory=dict)
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def parts(self, name: str) -> list[str]:
        """The texts of a block and of all it goes on from."""
        if self.cumulative:
            return list(self.blocks.values())
        return [self.blocks[each] for each in self._needed(name)]

    def _needed(self, name: str) -> list[str]:
        found: dict[str, None] = {}
        for each in self.needs[name]:
            found.update(dict.fromkeys(self._needed(each)))
        return [*found, name]


def pages() -> list[Path]:
    """The pages whose examples are tests."""
    found = [*(DOCS / "spec").glob("*.md"), *(DOCS / "diagnostics").glob("*.md")]
    found += [
        path
        for name in ("tutorial.md", "boards.md", "cards.md", "cheat-sheet.md")
        if (path := DOCS / name).exists()
    ]
    return sorted(path for path in found if not path.name.startswith("_"))


def examples(path: Path) -> Iterator[Example]:
    """The examples of a page, in order."""
    text = path.read_text(encoding="utf-8")
    page = _Page(CUMULATIVE in text)
    for number, found in enumerate(_BLOCK.finditer(text)):
        said = _directives(found[1], found[3])
        if "file" in said:
            page.files[said["file"]] = found[3]
        if "file" in said or found[2] != "rules":
            continue
        name = said.get("block", f"#{number}")
        page.needs[name], page.blocks[name] = _listed(said.get("with", "")), found[3]
        line, chosen = text.count("\n", 0, found.start()) + 1, _listed(said.get("choose", ""))
        yield Example(path, line, "\n".join(page.parts(name)), dict(page.files), chosen)
        if "aside" in said:
            del page.blocks[name]


def _directives(above: str | None, text: str) -> dict[str, str]:
    """What is said of a block: above it, and in the comments at its top."""
    said: dict[str, str] = {}
    for line in [*(above or "").split("; "), *_comments_at_the_top(text)]:
        found = _DIRECTIVE.fullmatch(line)
        if found is not None:
            said[found[1]] = found[2] or ""
    return said


def _comments_at_the_top(text: str) -> Iterator[str]:
    return takewhile(lambda line: line.startswith("#"), map(str.rstrip, text.split("\n")))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
