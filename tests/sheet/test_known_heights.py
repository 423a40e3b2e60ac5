"""Measurements that are kept: they change no sheet, and what is damaged or foreign is measured again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulekit.base import cache
from rulekit.reports.sheet.layout.paper import Setup
from rulekit.reports.sheet.render.known_heights import known_heights
from rulekit.reports.sheet.render.printing import pdf
from rulekit.reports.sheet.render.typesetting import Typesetter
from tests.sheet.helpers import sheet

KIND = "heights"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What Typst is asked, with a cache of its own that is empty."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    modes: list[str] = []
    compiler = Typesetter._compiler

    def noted(self: Typesetter, inputs: dict[str, Any], mode: Any) -> Any:
        modes.append(mode)
        return compiler(self, inputs, mode)

    monkeypatch.setattr(Typesetter, "_compiler", noted)
    known_heights.cache_clear()
    yield modes
    known_heights.cache_clear()


DRAWN = ["draw", "draw"]
"""First to see whether anything overflows, then the file."""


def test_a_second_process_draws_without_measuring(asked: list[str]) -> None:
    """And writes the same bytes; flows are measured before the pages are drawn, once."""
    first = pdf(sheet("vitp"), Setup())
    assert DRAWN == asked[-2:] and 2 == asked.count("draw") and {"measure", "flow"} < set(asked)

    known_heights.cache_clear()  # as a new process begins
    asked.clear()
    assert first == pdf(sheet("vitp"), Setup())
    assert DRAWN == asked


def test_what_was_measured_for_other_options_changes_no_sheet(asked: list[str]) -> None:
    """The bytes are those of a process that knows nothing."""
    pdf(sheet("vitp"), Setup())
    known = pdf(sheet("vitp", ("damage-control",)), Setup())
    known_heights.cache_clear()
    for path in (cache.folder() or Path()).rglob("*"):
        if path.is_file():
            path.unlink()
    assert known == pdf(sheet("vitp", ("damage-control",)), Setup())


@pytest.mark.parametrize("plain", [[], {"a": []}, {"a": ["wide"]}, {"a": [1e999]}, {"a": 3}])
def test_an_entry_that_is_no_table_of_numbers_is_a_miss(plain: object, asked: list[str]) -> None:
    """The sheet is as without it."""
    first = pdf(sheet("fcn"), Setup())
    asked.clear()
    known_heights.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "get", lambda kind, key: json.dumps(plain).encode() if kind == KIND else None)
        assert first == pdf(sheet("fcn"), Setup())
    assert "measure" in asked
