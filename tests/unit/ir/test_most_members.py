"""A set has at most what its parts leave it."""

from __future__ import annotations

import pytest

from rulekit.ir.semantics.most_members import MostMembers
from rulekit.runtime.play.evaluate import evaluate
from tests.unit.spec.test_faults import compiled

HEAD = """
enum Colour: Red, Blue, Green, White, Black
table near(colour: Colour) -> set of Colour:
    | colour                  | near        |
    | Red                     | Blue, White |
    | Blue, Green             | Red         |
    | White, Black            | White       |
state seen: set of Colour = {Red, Blue, Green, White, Black}
define next_to(colour: Colour) -> set of Colour: near(colour)
define beyond(those: set of Colour) -> set of Colour: (join of near(one) for one in those) - {Green}
define kept(those: set of Colour) -> set of Colour: those where it is not Black
"""
SIZES = {
    "{Red, Blue}": 2,
    "Colour": 5,
    "seen": 5,
    "next_to(Red)": 2,
    "seen where it is not Red": 5,
    "{Red, Blue} where it in seen": 2,
    "{Red} + next_to(Red)": 3,
    "next_to(Red) + seen": 5,
    "next_to(Red) - {White}": 2,
    "beyond({Red, Blue})": 4,
    "beyond(next_to(Blue))": 4,
    "beyond(seen)": 5,
    "kept({Red})": 1,
    "kept(next_to(Red))": 2,
    "({Red} when Red in seen otherwise next_to(Red))": 2,
    "{Red, Blue, White} linked to {Red} by near": 3,
    "next_to(Red) with lowest count of near(it)": 2,
}


@pytest.mark.parametrize("text", SIZES)
def test_bound(text: str) -> None:
    """Bounds go through every construct that makes a set, and what is there is never more."""
    program = compiled(f"{HEAD}define here -> set of Colour: {text}\n")
    most = MostMembers(program).of(program.by_name.functions["here"].body)

    assert SIZES[text] == most
    assert len(evaluate(program, "here", {}).result) <= most
