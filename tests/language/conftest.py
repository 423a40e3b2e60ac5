"""Every rule set of these tests keeps the invariants after each stage."""

from __future__ import annotations

import pytest

from tests.invariants import stages


@pytest.fixture(autouse=True)
def _invariants_after_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    stages.install(monkeypatch)
