"""Pages that say that `--fix` mends their kind of finding are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.analysis.check import check
from rulekit.analysis.fixes import apply_fixes
from rulekit.testing import MANIFEST, RULES, manifest
from tests.unit.analysis.check.sets import write
from tests.unit.spec.pages import DOCS, examples

SAID = sorted(
    page.name
    for page in (DOCS / "diagnostics").glob("RK*.md")
    if "rulekit check --fix" in page.read_text(encoding="utf-8")
)
IN_WORDS = {"RK203", "RK210", "RK212", "RK604", "RK642"}
"""Kinds that are mended only where the name is but a slip; their own tests show it."""


def test_pages_say_so() -> None:
    """Every kind that has fixes says so on its page."""
    assert sorted(["RK102", "RK108", "RK110", "RK405", *IN_WORDS]) == [name[:5] for name in SAID]


@pytest.mark.parametrize("name", [name for name in SAID if name[:5] not in IN_WORDS])
def test_what_is_to_be_avoided_is_mended(name: str, tmp_path: Path) -> None:
    """The example under Avoid has no such finding any more, nor any other error."""
    avoid = next(examples(DOCS / "diagnostics" / name))
    files = {RULES: avoid.text, **avoid.files}
    write(tmp_path, files, files.get(MANIFEST, manifest(files)))

    made = apply_fixes(tmp_path, lambda copy: check(copy, remember=False).diagnostics)

    assert [] == [str(each.span) for each in made.left]
    assert made.mended
