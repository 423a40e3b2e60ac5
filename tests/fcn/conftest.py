"""Fleet Commander Nimitz, compiled once: as it comes, with the sampler for the owner's years."""

from __future__ import annotations

import pytest

from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report

from .made_up import FOLDER


@pytest.fixture(scope="session")
def fcn() -> Compiled:
    """The rule set as it comes."""
    return compile_rule_set(FOLDER, Report())
