"""How often two versions of the rules differ: each number is counted by hand."""

from __future__ import annotations

import pytest

from rulekit.analysis.options import changed_situations
from rulekit.analysis.options.changed_situations import Effect, Pair, effects
from rulekit.testing import compile_text

FLEET = """
enum Side: Red, Blue
enum Result: misses, hits
piece Ship:
    members Alpha, Beta
    state damage: 0..4
    state tired: flag
state turn: 1..3
roll aim(s: Ship): d6
{modifiers}
define weak(s: Ship) -> flag: {weak}
define result(shot: 0..9, s: Ship) -> Result: (hits when shot >= {least} otherwise misses)
define bonus -> 0..9: {bonus}
procedure fire(s: Ship):
    roll aim(s) as shot
    when result(shot, s) is hits and weak(s): add 1 to s.damage
"""
BASE = {"modifiers": "", "weak": "s.damage >= 3", "least": "6", "bonus": "turn"}


def compared(**other: str) -> list[Effect]:
    """The effects of other text on the fleet."""
    before, after = (compile_text(FLEET.format(**values)).program for values in (BASE, BASE | other))
    return list(effects(Pair(before, after, "F")))


def test_a_modifier_of_a_roll() -> None:
    """It changes the roll for one of two ships, by one; the result of a shot changes for that ship too."""
    roll, result = compared(modifiers="modifier lucky on roll aim: +1 when s is Alpha")

    assert (
        Effect("roll", "aim", ("s",), 1, 2, drawn=False, where="Alpha", before="mean 3.50", after="4.50")
        == roll
    )
    assert ("result", 1, 2) == (result.name, result.changed, result.cases)
    assert "0.167" in result.before and result.after == "0.333"


def test_a_definition_that_reads_the_state_of_its_piece() -> None:
    """Of two ships with five values of damage, those with a damage of 2 differ."""
    (effect,) = compared(weak="s.damage >= 2")

    assert (("s", "damage"), 2, 10) == (effect.over, effect.changed, effect.cases)
    assert ("Alpha, damage 2", "no", "yes") == (effect.where, effect.before, effect.after)


def test_a_flag_and_a_state_of_the_game() -> None:
    """Flags of a piece, and states without a key, take all their values."""
    (effect,) = compared(weak="s.damage >= 3 and s is not tired and turn < 3")

    assert 2 * 5 * 2 * 3 == effect.cases
    assert 2 * 2 * (6 - 2) == effect.changed


def test_what_a_roll_gives_counts_by_its_chance() -> None:
    """A hit at 5 is twice as likely as a hit at 6."""
    (effect,) = compared(least="5")

    assert (2, 2) == (effect.changed, effect.cases)
    assert {"hits 0.167 0.333", "misses 0.833 0.667"} & {f"{effect.before} {effect.after}"}


def test_other_words_for_the_same() -> None:
    """Nothing changes, and that is an answer too."""
    (effect,) = compared(weak="not s.damage < 3")

    assert (0, 10, "") == (effect.changed, effect.cases, effect.where)


def test_rules_that_are_the_same_have_no_effect() -> None:
    """No item is compared."""
    assert [] == compared()


def test_the_largest_difference() -> None:
    """Numbers differ by as much as they are apart."""
    (effect,) = compared(bonus="turn * turn")

    assert (2, 3) == (effect.changed, effect.cases)
    assert ("turn 3", "3", "9") == (effect.where, effect.before, effect.after)


def test_too_many_cases_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ones each time."""
    monkeypatch.setattr(changed_situations, "MOST", 7)
    monkeypatch.setattr(changed_situations, "TRIED", 2)
    (effect,) = compared(weak="s.damage >= 2")

    assert (True, 7) == (effect.drawn, effect.cases)
    assert [effect] == compared(weak="s.damage >= 2")


def test_a_difference_among_small_numbers() -> None:
    """Of 10,001 points, four make a difference: small numbers are drawn as often as large ones."""
    before, after = (
        compile_text(f"define sinks(points: 0..10000) -> flag: points > {armor}").program for armor in (4, 8)
    )
    (effect,) = effects(Pair(before, after, "F"))

    assert (True, 1_000) == (effect.drawn, effect.cases)
    assert 0 < effect.changed
    assert ("yes", "no") == (effect.before, effect.after)
