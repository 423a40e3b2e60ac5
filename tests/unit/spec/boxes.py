"""The grammar boxes of the specification: where they stand and which rules they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
SPEC = ROOT / "docs" / "spec"
GRAMMAR = ROOT / "grammar" / "rules.lark"

_BOX = re.compile(r"^```lark\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"[?!]*(\w+)(?:\.\d+)?\s*:")


def statements(text: str) -> dict[str, str]:
    """The rules, terminals and directives of a piece of grammar as they are written, by name.

    A directive is its own name.

    Raises:
        ValueError: A name is there twice, or a line belongs to no rule.
    """
    found: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        if not line.strip() or line.startswith("//"):
            continue
        if not line[0].isspace():
            rule = _RULE.match(line)
            name = rule[1] if rule else plain(line)
            if name in found:
                raise ValueError(f"{name} twice")
            found[name] = line
        elif not name:
            raise ValueError(f"{line!r} belongs to no rule")
        else:
            found[name] += "\n" + line
    return found


def plain(text: str) -> str:
    """A piece of grammar without its layout."""
    return " ".join(text.split())


def boxes() -> Iterator[tuple[Path, str]]:
    """Every box of the specification, with its page."""
    for page in sorted(SPEC.glob("*.md")):
        for box in _BOX.findall(page.read_text(encoding="utf-8")):
            yield page, box


def refreshed(page: str, grammar: dict[str, str]) -> str:
    """A page with every rule in its boxes as the grammar has it now; rules that are gone are left out."""

    def box(found: re.Match[str]) -> str:
        rules = [grammar[name] for name in statements(found[1]) if name in grammar]
        return "```lark\n" + "".join(f"{rule}\n" for rule in rules) + "```"

    return _BOX.sub(box, page)
