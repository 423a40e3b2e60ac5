"""The compiled rule set, once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report

FOLDER = Path(__file__).parents[2] / "rules" / "atp"


@pytest.fixture(scope="session")
def atp() -> Compiled:
    """Across the Pacific with its sampler, compiled."""
    return compile_rule_set(FOLDER, Report())
