"""Count the words of rules: `python -m benchmarks.words [ROOT]`, by rule set and for some passages.

Comments, citations, examples, claims and errata do not count: they are no rules.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulekit.syntax.parse.comments import code_of, without_citation

PASSAGES = {
    "vitp": "vitp/*.rules",
    "vitp, section 7": "vitp/combat.rules",
    "vitp, options": "vitp/options/*.rules",
    "fcn": "fcn/*.rules",
    "pacwar, base": "pacwar/base/**/*.rules",
    "pacwar, options": "pacwar/options/*.rules",
}
_NO_RULES = re.compile(r"(?:example|claim|errata|invariant|assume)\b")


def rules_of(text: str) -> Iterator[str]:
    """Yield the lines of rules in a text, without comments and citations."""
    counts = False
    for line in text.split("\n"):
        if line[:1].strip() and not line.startswith("#"):
            counts = not _NO_RULES.match(line)
        code = without_citation(code_of(line)).strip()
        if counts and code:
            yield code


def count(files: Iterable[Path]) -> tuple[int, int]:
    """Return how many lines and words of rules some files have."""
    lines = [line for file in files for line in rules_of(file.read_text(encoding="utf-8"))]
    return len(lines), sum(len(line.split()) for line in lines)


def main() -> None:
    """Print the lines and words of each passage, of the tree named on the command line or of this one."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "rules"
    for name, pattern in PASSAGES.items():
        lines, words = count(sorted(root.glob(pattern)))
        print(f"{name:18} {lines:6,} lines {words:7,} words")


if __name__ == "__main__":
    main()
