"""What a test makes known of a local is used only behind that test, however the code is arranged."""

from __future__ import annotations

import pytest

from rulekit.ir import Program
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.support.build import SIMULATION, Build
from rulekit.testing import MANIFEST, compile_text, manifest

RULES = """\
enum Side: Red, Blue
enum Type: A, B
piece Ship:
    members S1, S2, S3
    type: Type = A
    hits: 0..3 = 2
piece Fort:
    members F1, F2
kind Combatant is Ship or Fort
state seen: 0..999
state night: flag
define is_one(c: Combatant, types: set of Type) -> flag:
    when c is Ship: c.type in types
    otherwise: false
define rank(s: Ship) -> 0..9: s.hits
choice aim(shooters: set of Combatant) by Red:
    assign each shooter in shooters one target from Combatant, or none
    forbid is_one(shooter, {A}) and target is Fort
    forbid target is Ship and rank(target) > 2
choice line_up by Red:
    arrange Ship as s
    forbid out: before is not none and rank(s) < rank(before) unless night
choice alike(c: Combatant) by Red:
    pick one s from Ship
    forbid rank(s) > rank(c) when c is Ship
procedure p:
    choose aim(Combatant) as got
    choose line_up as line
    choose alike(F1) as a
    choose alike(S1) as b
    add count of (Combatant where it is Ship and rank(it) > 1) to seen
    add count of (Combatant where not (it is Fort or rank(it) < 2)) to seen
sequence play:
    do p
    set night to true
    do p
    finish seen
"""


def program() -> Program:
    """The rules, compiled."""
    made = compile_text(RULES, {MANIFEST: manifest({}) + "sequence: play\n"})
    assert made.program is not None, made.findings
    return made.program


@pytest.mark.parametrize("seed", range(12))
def test_arranged_code_does_as_plain_code(seed: int) -> None:
    """With everything as written, and with all that is made faster: the same game, and no fault."""
    rules = program()
    plain, fast = (
        run_direct(rules, agent=RandomPolicy(rules, seed), seed=seed, build=build)
        for build in (Build(coverage=True), SIMULATION)
    )

    assert plain.result == fast.result == 12
