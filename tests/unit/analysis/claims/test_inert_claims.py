"""A claim does not change the program that is played, not even by the tables that only it reads."""

from __future__ import annotations

from pathlib import Path

from rulekit.analysis.claims import judge_claims
from rulekit.analysis.verdicts import Proved
from rulekit.compiler.driver import Compiled, compile_rule_set
from rulekit.diagnostics import Report
from tests.unit.analysis.check.sets import write

RULES = """\
enum Side: Red, Blue
space Area from "areas.yaml":
    beside: set of Area
state turn: 1..9 = 1
choice walk(side) by side:
    pick one a from Area
"""
AREAS = """\
format: 1
populations:
  Area:
    columns: [name, beside]
    rows: [[North, [Middle]], [Middle, [North, South]], [South, [Middle]]]
"""
CLAIMS = """\
claim apart: steps(North, South, beside) = 2
claim too_near: steps(North, South, beside) = 1
claim never_far(a: Area): (steps(North, a, beside) otherwise 9) <= 2
claim never_beside(a: Area): (steps(North, a, beside) otherwise 9) <= 1
claim anywhere: choice walk permits (steps(North, a, beside) otherwise 9) <= 2
claim played:
    given turn = 1
    then steps(North, South, beside) = 2
"""


def compiled(folder: Path, claims: str) -> Compiled:
    """A small rule set with claims."""
    write(folder, {"rules.rules": RULES + claims, "areas.yaml": AREAS})
    return compile_rule_set(folder, Report())


def test_steps_of_a_claim_are_not_in_the_program(tmp_path: Path) -> None:
    """All kinds of claims count steps, and the program has the tables of the rules alone."""
    with_claims = compiled(tmp_path / "claims", CLAIMS)
    verdicts = {
        judged.obligation.item.name: isinstance(judged.verdict, Proved)
        for judged in judge_claims(with_claims, tell=lambda claim: True)
    }

    assert compiled(tmp_path / "bare", "").program.statics == with_claims.program.statics
    assert {
        "apart": True, "too_near": False, "never_far": True, "never_beside": False, "anywhere": True,
        "played": True,
    } == verdicts  # fmt: skip


def test_steps_of_a_rule_are(tmp_path: Path) -> None:
    """A table that the rules read is there whether a claim reads it or not."""
    rule = "define far(a: Area) -> flag: (steps(North, a, beside) otherwise 9) > 1\n"
    with_claims = compiled(tmp_path / "claims", rule + CLAIMS)
    bare = compiled(tmp_path / "bare", rule)

    assert bare.program.statics == with_claims.program.statics
    assert any(table.name.startswith("steps:") for table in bare.program.statics)
