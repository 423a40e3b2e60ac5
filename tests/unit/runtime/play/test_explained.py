"""Rolls that are explained: every modifier with what it does, or why it does nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.ir import Program
from rulekit.runtime.play import Game
from rulekit.runtime.play.evaluate import evaluate
from rulekit.testing import MANIFEST, compile_text, manifest

RULES = """\
enum Side: Red, Blue
state night: flag
state turn: 1..9 = 4
roll fire(side: Side): d6
    stack lead: highest
    stack worse: lowest
    stack source: once
modifier gun on roll fire: +1 when side is Red                          [7.1]
modifier dark on roll fire: -2 when turn > 2 unless not night           [7.2]
modifier odds on roll fire: times 2 when rolled = 6
modifier cap on roll fire: at most 9
modifier captain on roll fire: +1 stacks as lead
modifier admiral on roll fire: +2 stacks as lead when side is Red
modifier fog on roll fire: -1 stacks as worse when side is Blue
modifier rain on roll fire: -2 stacks as worse when side is Blue
modifier first_one on roll fire: +1 stacks as source
modifier other_one on roll fire: +3 stacks as source over first_one when night
procedure p(side):
    roll fire(side) as shot
sequence play:
    do p(Red)
"""


def program() -> Program:
    """The rules, compiled."""
    files = {MANIFEST: manifest({}) + "sequence: play\n"}
    made = compile_text(RULES, files)
    assert made.program is not None, made.findings
    return made.program


def told(side: str, *, night: bool = False, seed: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    """A roll's fields, and of each modifier what is said of it."""
    found = evaluate(program(), "p", {"side": side}, given={"night": [((), night)]}, seed=seed, explain=True)
    (roll,) = found.events
    return dict(roll.fields), {each["name"]: each for each in roll.fields["modifiers"]}


@pytest.mark.parametrize("side", ["Red", "Blue"])
@pytest.mark.parametrize("night", [False, True])
def test_what_counts_adds_up(side: str, night: bool) -> None:
    """The numbers that count, laid over the dice in their order, give the result."""
    for seed in range(12):
        fields, modifiers = told(side, night=night, seed=seed)
        value = fields["raw"]
        for each in modifiers.values():
            if each["counts"] and each["effect"] == "times":
                value *= each["number"]
            elif each["counts"] and each["effect"] in ("add", "subtract"):
                value += each["number"]
            elif each["counts"]:
                value = min(value, each["number"])
        assert fields["result"] == value, (seed, modifiers)


def test_the_clause_that_keeps_one_from_acting() -> None:
    """It is the first that fails, with its place; one that acts has none."""
    _, modifiers = told("Blue")

    assert {"file": "rules.rules", "line": 8, "column": 31} == modifiers["gun"]["clause"]
    assert (9, 46) == (modifiers["dark"]["clause"]["line"], modifiers["dark"]["clause"]["column"])
    assert modifiers["captain"]["clause"] is None
    assert ["TEXT.7.1"] == modifiers["gun"]["rules"]


def test_of_a_class_one_counts() -> None:
    """The highest, the lowest, the one that prevails; the others act, and do not count."""
    _, red = told("Red", night=True)
    _, blue = told("Blue")

    assert [True, False] == [red["admiral"]["counts"], red["captain"]["counts"]]
    assert [True, True] == [red["admiral"]["acts"], red["captain"]["acts"]]
    assert [False, True] == [blue["fog"]["counts"], blue["rain"]["counts"]]
    assert blue["captain"]["counts"]
    assert [True, False] == [red["other_one"]["counts"], red["first_one"]["counts"]]
    assert blue["first_one"]["counts"]


def test_explaining_changes_nothing_else() -> None:
    """The same game is played; only the rolls say more."""
    for seed in range(5):
        plain, full = (Game(program(), explain=explain).start(seed=seed).events for explain in (False, True))
        assert [event.kind for event in plain] == [event.kind for event in full]
        for short, long in zip(plain, full, strict=True):
            assert dict(short.fields) == {k: v for k, v in long.fields.items() if k != "modifiers"}
