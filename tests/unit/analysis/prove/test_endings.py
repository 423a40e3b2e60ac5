"""Loops that are proved to end, and those that are not."""

from __future__ import annotations

import pytest

from rulekit import ir
from rulekit.analysis.prove.termination import Endings
from rulekit.ir.walk import statements
from rulekit.testing import compile_text

HEAD = """
enum Side: Red, Blue
piece Chit:
    members 3
cup bag of Chit
state turn: 0..9
track lead: 0..9
state gold: 0..9
state hits(side): 0..3
choice talk by Red:
    decide
procedure pass_on:
    add 1 to turn
procedure linger(go: flag):
    when go: add 1 to turn
procedure play:
    choose talk as said
    repeat until gold = 3:
"""

ENDING = {
    "a counter": "        add 1 to turn",
    "one that goes down": "        take 2 from gold",
    "one for each": "        add 1 to hits(Red)",
    "in a procedure": "        do pass_on",
    "in a step": "        step later: add 1 to turn",
    "more at times": "        add 1 to turn\n        when said: add 2 to turn",
    "a cup that empties": "        draw 1 from bag as chit",
    "before what may be passed over": "        add 1 to turn\n        when said: next\n        set gold to 3",
}
OPEN = {
    "nothing": "        set gold to 2",
    "only at times": "        when said: add 1 to turn",
    "in a procedure, at times": "        do linger(said)",
    "taken back": "        add 1 to turn\n        when said: take 1 from turn",
    "set back": "        add 1 to turn\n        when said: set turn to 0",
    "a track that stops": "        add 1 to lead",
    "none at times": "        add (1 when said otherwise 0) to turn",
    "behind what may be passed over": "        when said: next\n        add 1 to turn",
    "put back": "        draw 1 from bag as chit\n        add chit to bag",
}


def ends(body: str) -> bool:
    """Whether the loop with this body is proved to end."""
    made = compile_text(f"{HEAD}{body}\n")
    assert made.program is not None, made.findings
    procedure = next(each for each in made.program.procedures if each.name == "play")
    (loop,) = (each for each in statements(procedure.body) if isinstance(each, ir.Repeat))
    return Endings(made.program).ends(loop)


@pytest.mark.parametrize("body", ENDING.values(), ids=ENDING.keys())
def test_a_loop_that_ends(body: str) -> None:
    """Something goes one way whenever it goes round, and has a bound."""
    assert ends(body)


@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN.keys())
def test_a_loop_that_may_not(body: str) -> None:
    """Nothing does so for sure."""
    assert not ends(body)
