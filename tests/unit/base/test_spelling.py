"""Suggestions, and the bound on how many a run looks for."""

from __future__ import annotations

import pytest

from rulekit.base.spelling import few_hints, meant


def test_a_run_compares_only_so_many_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later names get no hint; the next run begins anew, also within another one."""
    monkeypatch.setattr("rulekit.base.spelling.MOST_COMPARED", 4)
    known = ["armour", "harbour", "speed"]

    with few_hints():
        hints = [meant("armor", known) for _ in range(3)]
        with few_hints():
            inner = meant("armor", known)

    assert ["did you mean `armour`?"] * 2 + [None] == hints
    assert "did you mean `armour`?" == inner == meant("armor", known)
