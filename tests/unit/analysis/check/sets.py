"""Small rule sets on disk for tests of the check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

LEAST = 'id: text\ntitle: Text\nlanguage: "0.2"\n'
PRINTED = "id\tkind\tsummary\nTEXT.4.2\trule\ta turn burns one fuel\nTEXT.5.1\trule\tthree in all\n"

DOUBTFUL = (
    "state fuel: 0..9 = 3                    [4.2]\n",
    "procedure burn:                         [4.2]\n    take 1 from fuel                    [4.22]\n",
    "procedure refuel:\n    add 1 to fuel                       [9.9]\n",
    "claim four_of_it: fuel = 4              [5.1]\n",
    "define near -> 0..9: fuel + 0 # half of it [4.2]\n",
)
"""Items with four warnings: two unknown citations, a broken claim, a citation in a comment."""

BROKEN = (
    "state fuel: 0..9 = 3\n",
    "procedure burn:\n    take 1 from fule\n    take 2 from fule\n",
    "procedure refuel:\n    add 1 to fule\n    add 1 to speed\n",
    "table wind(roll: 1..6) -> 0..9:\n    | roll | wind |\n    | 1..3 | 1 |\n    | 5..6 | 2 |\n",
)
"""Items with errors: two unknown names, one of them in three places, and a gap in a table."""


def write(folder: Path, files: Mapping[str, str], manifest: str = LEAST) -> Path:
    """A rule set with these files; it gives the folder."""
    for name, text in {"ruleset.yaml": manifest, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def doubtful(folder: Path, manifest: str = LEAST, items: Iterable[str] = DOUBTFUL) -> Path:
    """A rule set that compiles and has warnings."""
    files = {"text.rules": "\n".join(items), "sources/text.tsv": PRINTED}
    return write(folder, files, manifest)
