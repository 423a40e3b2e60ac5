"""The lint out-of-reach."""

from __future__ import annotations

from rulekit.testing import compile_text, mismatches

MANIFEST = """id: text
title: Text
language: "0.2"
sequence: play
"""
FILES = {"ruleset.yaml": MANIFEST}
RULES = """state fuel: 0..9 = 9
sequence play:
    take 1 from fuel
    finish
procedure glide:{mark}
    when height > 2: take 1 from fuel
define height -> 0..9: fuel
{more}
"""
EXAMPLE = """example "of gliding":
    when do glide
    then fuel = 8
"""


def codes(rules: str) -> list[str]:
    """The codes of all findings, notes too."""
    return [finding.kind.code for finding in compile_text(rules, FILES).findings]


def test_one_note_for_all() -> None:
    """What only the unreached item uses is counted with it, and has no note of its own."""
    mark = '  #! RK449 "no play reaches 2 items: only examples use `glide`"'

    assert [] == mismatches(RULES.format(mark=mark, more=EXAMPLE), FILES)


def test_what_nothing_uses_is_another_finding() -> None:
    """An unused procedure is reported once."""
    rules = RULES.format(mark="  #! RK440", more="")

    assert [] == mismatches(rules, FILES)
    assert "RK449" not in codes(rules)


def test_scenarios_reach_too() -> None:
    """What a scenario runs is reached."""
    scenario = EXAMPLE + "scenario early:\n    do glide\n"

    assert [] == codes(RULES.format(mark="", more=scenario))


def test_a_claim_is_a_use() -> None:
    """A definition made for a claim or an invariant need not be reached."""
    rules = """state fuel: 0..9 = 9
define tank -> 0..9: fuel
invariant full: tank <= 9
example "of the tank":
    given fuel = 3
    then tank = 3
sequence play:
    take 1 from fuel
    finish
"""
    assert [] == codes(rules)


def test_without_a_sequence_there_is_no_play() -> None:
    """Nobody knows what play reaches where the manifest names no sequence."""
    rules = RULES.format(mark="", more=EXAMPLE)

    assert [] == [finding.kind.code for finding in compile_text(rules).findings]
