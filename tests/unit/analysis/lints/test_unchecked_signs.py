"""What the check does not judge of the things that a side sees, it counts (RK531)."""

from __future__ import annotations

import pytest

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.obligations import proofs_of
from rulekit.analysis.prove.secrecy import disclosures
from rulekit.testing import compile_text

BIDS = """
enum Side: Red, Blue
state bid: 0..5, known to {}
state lead: 0..5
procedure always:
    when bid >= 0: set lead to 1
procedure lower:
    set lead to smaller(bid, 0)
procedure shown:
    set lead to bid
"""


def test_the_check_counts_what_it_did_not_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for one thing, the finding counts the others, and `--proofs` lists them as not checked."""
    monkeypatch.setattr(disclosures, "MOST_SIGNS", 1)
    made = compile_text(BIDS)
    undecided = [finding for finding in made.findings if finding.kind.code == "RK531"]
    assert made.compiled is not None
    proofs = [one for one in proofs_of(Inspection(made.compiled), ()) if one.question == "sign"]
    assert ["not-asked", "not-asked"] == [one.answer for one in proofs][1:]
    assert 1 == len(undecided)
    assert undecided[0].message.startswith("undecided: 2 more things that `Blue` sees may depend")


def test_without_a_rest_there_is_no_such_finding() -> None:
    """The last of three things gives away the bid, and nothing is left over."""
    assert ["RK530"] == [one.kind.code for one in compile_text(BIDS).findings if "RK53" in one.kind.code]
