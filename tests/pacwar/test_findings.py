"""What the check finds in the rules as they ship."""

from __future__ import annotations

import pytest

from rulekit.analysis.check import check

from .conftest import FOLDER


@pytest.mark.slow
def test_nothing_gives_a_secret_away() -> None:
    """Neither the base nor what searches tell shows a side what is hidden from it, unless accepted."""
    checked = check(FOLDER, options=["house-search-results"], remember=False)

    assert [] == [finding.message for finding in checked.diagnostics if finding.kind.code == "RK530"]
