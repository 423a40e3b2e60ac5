"""Examples answer what a game would ask, and no more."""

from __future__ import annotations

from rulekit.play.examples import Examples
from rulekit.testing import compile_text

PICKS = """
enum Side: Red, Blue
piece Ship:
    members Alpha, Beta, Gamma
    state hit: flag
state wanted: 0..3 = 2
choice two(side, left: set of Ship) by side:
    pick exactly most ship from left
    let most = wanted
procedure hurt(left: set of Ship):
    choose two(Red, left) as both
    for each s in both: mark s as hit
example "all that are left":
    when do hurt({Alpha, Beta})
    then Alpha is hit and Beta is hit
example "all that are left, and said so":
    when do hurt({Alpha, Beta})
    answers two: Alpha, Beta
    then Alpha is hit and Beta is hit
example "all that are left behind the first":
    when do hurt(Ship)
    answers two: Alpha, Gamma
    then Alpha is hit and Beta is not hit
example "a choice that is open":
    when do hurt(Ship)
    then Alpha is hit
"""


def test_what_must_be_picked_needs_no_answer() -> None:
    """Where a pick takes all that are left an example may answer or not; where it is open it must."""
    made = compile_text(PICKS)
    assert made.program is not None, made.findings
    found = Examples(made.program).all()
    assert [True, True, True, False] == [each.passed for each in found], [each.reason for each in found]
    assert "no answer is given" in found[3].reason
