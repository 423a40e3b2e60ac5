"""The lint over-budget."""

from __future__ import annotations

import pytest

from rulekit.runtime.play import Fault
from rulekit.testing import compile_text, mismatches
from tests.unit.runtime.play.test_budget import HOSTILE, MANIFEST, in_session, program_of

ALWAYS = [name for name in HOSTILE if "every" not in name and "some" not in name and "all pairs" not in name]
ALWAYS = [name for name in ALWAYS if "only play knows" not in name]


@pytest.mark.parametrize("name", ALWAYS)
def test_what_is_reported_ends_in_the_fault(name: str) -> None:
    """The hostile sets whose work does not depend on play; each plays into the fault."""
    codes = [finding.kind.code for finding in compile_text(HOSTILE[name], MANIFEST).findings]
    assert 1 == codes.count("RK521")
    with pytest.raises(Fault, match="budget"):
        in_session(program_of(HOSTILE[name]))


def test_the_cheaper_branch_counts() -> None:
    """One of which takes nothing."""
    text = (
        "state held: 0..9\nprocedure toil:\n    when held = 1:\n        repeat 1000 times:\n"
        "            repeat 1000 times:\n                repeat 1000 times: set held to 1\n"
    )
    assert [] == mismatches(text)
