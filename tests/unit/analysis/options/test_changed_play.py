"""How often choices and procedures differ in games: each has one fight a turn, so that all can be counted."""

from __future__ import annotations

import pytest

from rulekit.analysis.options import changed_play
from rulekit.analysis.options.changed_play import GAMES, effects_in_play
from rulekit.analysis.options.changed_situations import Effect, Pair
from rulekit.testing import compile_text

GAME = """
enum Side: Red, Blue
piece Ship:
    members Alpha, Beta, Gamma
    state damage: 0..4
state turn: 1..4
{states}
choice target(side, aim: 1..2) by {decider}:
    pick one ship from {targets}
    {forbidden}
roll blow: d6
procedure hit(ship: Ship):
    roll blow as shot
    when shot >= 4: set ship.damage to smaller(4, ship.damage + {damage})
    {more}
sequence play:
    repeat 4 times:
        choose target(Red, 1) as victim
        do hit(victim)
        when turn < 4: add 1 to turn
    finish Red
"""
HEAD = {"ruleset.yaml": 'id: game\ntitle: Game\nlanguage: "0.2"\nsequence: play\nsides: Side\n'}
BASE = {"states": "", "decider": "side", "targets": "Ship", "forbidden": "", "damage": "1", "more": ""}


def compared(**other: str) -> list[Effect]:
    """The effects of other text on the game."""
    before, after = (compile_text(GAME.format(**values), HEAD).program for values in (BASE, BASE | other))
    return list(effects_in_play(Pair(before, after, "F")))


def test_an_answer_that_is_forbidden() -> None:
    """In the last of four turns one of three ships may not be chosen."""
    (effect,) = compared(forbidden="forbid late: ship is Gamma when turn = 4")

    assert ("choice", "target") == (effect.kind, effect.name)
    assert (GAMES, 4 * GAMES, GAMES) == (effect.games, effect.cases, effect.changed)
    assert ("Alpha, Beta, Gamma", "Alpha, Beta") == (effect.before, effect.after)
    assert "Red, 1" == effect.where


def test_a_choice_of_another_side() -> None:
    """The same answers are offered, to someone else."""
    (effect,) = compared(decider="Blue")

    assert effect.cases == effect.changed
    assert ("Red: Alpha, Beta, Gamma", "Blue: Alpha, Beta, Gamma") == (effect.before, effect.after)


def test_a_procedure_that_changes_more() -> None:
    """A hit does two points; half of the shots hit, and the same dice fall in both versions."""
    (effect,) = compared(damage="2")

    assert ("procedure", "hit", 4 * GAMES) == (effect.kind, effect.name, effect.cases)
    assert (f"damage in {effect.changed}",) == effect.over
    assert GAMES < effect.changed < 3 * GAMES
    assert effect.before.startswith("damage of ") and effect.after == "2"


def test_a_procedure_that_changes_a_new_state() -> None:
    """A state that the old rules do not have changes in the new ones alone."""
    (effect,) = compared(states="state fights: 0..9", more="add 1 to fights")

    assert (4 * GAMES, 4 * GAMES) == (effect.cases, effect.changed)
    assert ("fights 0", "1") == (effect.before, effect.after)


def test_a_procedure_that_faults_in_one_version() -> None:
    """A fault is another outcome."""
    (effect,) = compared(more="when turn = 4: set ship.damage to turn + 1")

    assert ("goes on", "a fault") == (effect.before, effect.after)


def test_what_is_written_otherwise_and_does_the_same() -> None:
    """No situation changes, and that is said."""
    (effect,) = compared(targets="Ship where its damage >= 0")

    assert (4 * GAMES, 0, "") == (effect.cases, effect.changed, effect.where)


def test_rules_that_are_the_same_have_no_effect() -> None:
    """No game is compared; a line above moves nothing."""
    assert [] == compared()
    assert [] == compared(states="# a comment\n# of two lines")


def test_too_many_situations_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ones each time."""
    monkeypatch.setattr(changed_play, "MOST", 7)
    (effect,) = compared(damage="2")

    assert (True, 7) == (effect.drawn, effect.cases)
    assert [effect] == compared(damage="2")


def test_what_never_comes_up() -> None:
    """A choice that no game comes to has no situations."""
    unused = "choice unused by Red:\n    pick one ship from {}\n"
    before, after = (unused.format(ships) for ships in ("Ship", "Ship where its damage = 0"))
    two = [compile_text(GAME.format(**BASE) + text, HEAD).program for text in (before, after)]
    (effect,) = effects_in_play(Pair(*two, "F"))

    assert ("unused", 0, 0) == (effect.name, effect.cases, effect.changed)
