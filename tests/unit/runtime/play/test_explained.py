"""Rolls and values that are explained: every modifier with what it does, or why it does nothing."""

from __future__ import annotations

from typing import Any
from unittest.mock import ANY

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


VALUES = """\
enum Side: Red, Blue
state night: flag
state score: 0..99
define guns(side: Side) -> 0..8: 4
modifier dark on define guns: -2 when night                                    [7.1]
modifier flag_ship on define guns: times 2 when side is Red
define best(side: Side, n: 0..9) -> 0..9: larger(guns(side), n)
table hits(n: 0..9, roll: d6, side: Side) -> 0..9:
    | roll | 0-2 | 3-5 | 6+ |
    | -    | 0   | 1   | 3  |
modifier aimed on table hits: 1 column right when side is Blue          [7.2]
procedure p(side):
    when not night and best(side, 3) > 3: set score to 1
    when night or guns(side) > 7:
        roll shot as die
        add hits(2, die, side) to score
    for each s in (Side where guns(it) > 3): add 1 to score
roll shot: d6
sequence play:
    do p(Red)
    set night to true
    do p(Blue)
"""


def program(rules: str = RULES) -> Program:
    """The rules, compiled."""
    files = {MANIFEST: manifest({}) + "sequence: play\n"}
    made = compile_text(rules, files)
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


@pytest.mark.parametrize("rules", [RULES, VALUES])
def test_explaining_changes_nothing_else(rules: str) -> None:
    """The same game is played; rolls say more, and values are told besides."""
    for seed in range(5):
        plain, full = (Game(program(rules), explain=x).start(seed=seed).events for x in (False, True))
        full = [event for event in full if event.kind not in ("value", "shift")]
        assert [event.kind for event in plain] == [event.kind for event in full]
        for short, long in zip(plain, full, strict=True):
            assert dict(short.fields) == {k: v for k, v in long.fields.items() if k != "modifiers"}


def values() -> list[tuple[str, str, dict[str, Any], list[str]]]:
    """Each value and shift that is told: its kind and name, its fields, and the modifiers that act."""
    events = Game(program(VALUES), explain=True).start(seed=1).events
    rows = []
    for event in events:
        if event.kind in ("value", "shift"):
            fields = dict(event.fields)
            acting = [each["name"] for each in fields.pop("modifiers") if each["acts"]]
            rows.append((event.kind, event.subject, fields, acting))
    return rows


def test_values_are_told_before_the_statement_that_works_them_out() -> None:
    """Those inside definitions too, only where they are worked out, and not for the members of a set."""
    red, blue = {"side": "Red"}, {"side": "Blue"}

    assert [
        ("value", "guns", {"before": 4, "value": 8, "arguments": red}, ["flag_ship"]),
        ("value", "guns", {"before": 4, "value": 8, "arguments": red}, ["flag_ship"]),
        ("shift", "hits", {"value": 0, "arguments": {"n": 2, "roll": ANY, **red}}, []),
        ("shift", "hits", {"value": 1, "arguments": {"n": 2, "roll": ANY, **blue}}, ["aimed"]),
    ] == values()


def test_a_modifier_of_a_value_that_does_not_act_names_its_clause() -> None:
    """As for rolls: with its place, its rule and no number."""
    events = Game(program(VALUES), explain=True).start(seed=1).events
    told = next(event for event in events if event.kind == "value")
    dark = next(each for each in told.fields["modifiers"] if each["name"] == "dark")

    assert (5, False, None) == (dark["clause"]["line"], dark["counts"], dark["number"])
    assert ["TEXT.7.1"] == dark["rules"]
