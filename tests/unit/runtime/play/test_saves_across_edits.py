"""A save under edited rules: it goes on with a report, or is refused with the name that lost its meaning."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from rulekit.runtime.play import Game, SaveError
from rulekit.testing import MANIFEST, compile_text, manifest

TEXT = """
enum Side: Red, Blue
piece Cart:
    members Ox, Mule
    state load: 0..9
state coins(side): 0..9 = 2
state spare: 0..3
state tally(n: 1..3): 0..3 = 1
state owns(side, c: Cart): flag = true
state tired: set of Cart = {Ox, Mule}
roll luck: d6
choice goods(c: Cart) by Red:                           [1]
    number from 0 to 3
procedure visit(c: Cart):                               [2]
    let most = c.load + 1
    choose goods(c) as taken
    set c.load to (most + taken) mod 10
    add 1 to coins(Red)
sequence play:
    roll luck as die
    for each c in Cart: do visit(c)
    choose goods(Ox) as last
    add 1 to coins(Blue)
"""

AGREES = "saved under other rules, which agree on everything in the save"
Edit = tuple[str, str]


def game(*edits: Edit) -> Game:
    """The game with some passages of its rules replaced."""
    text = TEXT
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    compiled = compile_text(text, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    return Game(compiled.program)


@cache
def saved() -> str:
    """A save in the middle: a die was rolled, one cart was visited, the next one is asked about."""
    session = game().start(1)
    session.choose(2)
    return json.dumps(session.save())


def restore(*edits: Edit) -> Any:
    """The session that goes on under edited rules."""
    return game(*edits).restore(json.loads(saved()))


KEPT: dict[str, tuple[tuple[Edit, ...], tuple[str, ...]]] = {
    "state added": (
        (("state spare: 0..3", "state spare: 0..3\nstate extra: 0..5 = 1"),),
        ("new since the save, with starting values: `extra`",),
    ),
    "unused state removed": (
        (("state spare: 0..3\n", ""),),
        ("gone since the save, with starting values: `spare`",),
    ),
    "member added": (
        (("Ox, Mule", "Ox, Ass, Mule"),),
        ("new since the save, with starting values: `Ass`",),
    ),
    "order of members": ((("Ox, Mule", "Mule, Ox"),), ()),
    "numbers of a key widened": (
        (("tally(n: 1..3)", "tally(n: 0..5)"),),
        ("new since the save, with starting values: `tally`",),
    ),
    "range widened": ((("coins(side): 0..9", "coins(side): 0..20"),), ()),
    "choice widened": ((("number from 0 to 3", "number from 0 to 5"),), ()),
    "norm added": ((("0 to 3", "0 to 3\n    forbid answer = 1   [1.1]"),), ()),
    "statement added after": ((("to coins(Red)\n", "to coins(Red)\n    add 1 to coins(Blue)\n"),), ()),
    "statement added before": ((("as die\n", "as die\n    add 1 to coins(Blue)\n"),), ()),
}
"""Edits under which the save has its meaning, with what the report says beyond the first line."""

LOST: dict[str, tuple[tuple[Edit, ...], str]] = {
    "state renamed": ((("coins", "money"),), "unknown state `coins`"),
    "field renamed": ((("load", "cargo"),), "unknown state `Cart.load`"),
    "range narrowed": ((("load: 0..9", "load: 0..2"), ("mod 10", "mod 3")), "3 is no `0..2`"),
    "start changed": ((("0..9 = 2", "0..9 = 3"),), "other starting values, or other keys.*`coins`"),
    "member added, and a start changed": (
        (("Ox, Mule", "Ox, Mule, Ass"), ("load: 0..9", "load: 0..9 = 1")),
        "other starting values.*`Cart.load`",
    ),
    "numbers of a key narrowed": ((("tally(n: 1..3)", "tally(n: 1..2)"),), "3 is no `1..2`"),
    "member renamed": ((("Ox, Mule", "Ox, Donkey"),), "`Mule` is none of `piece`"),
    "member removed": ((("Ox, Mule", "Ox"),), "`Mule` is none of `piece`"),
    "choice renamed": ((("goods", "wares"),), "`visit` does not wait at `goods.1`"),
    "procedure renamed": ((("visit", "call_at"),), "`play` does not wait at `visit.1`"),
    "local renamed": ((("most", "limit"),), "`visit` has changed since the save was made"),
    "type of a local": ((("c.load + 1", "c.load + 5"),), "`visit` has changed since the save was made"),
    "another choice before": (
        (("    let most", "    choose goods(Ox) as first\n    let most"),),
        "has changed",
    ),
    "roll renamed": ((("luck", "chance_of"),), "unknown point `luck`"),
    "roll removed": ((("    roll luck as die\n", ""), ("roll luck: d6\n", "")), "unknown point `luck`"),
    "parameter renamed": ((("goods(c: Cart)", "goods(d: Cart)"),), "`d` is missing in `goods`"),
}
"""Edits that take the meaning of something in the save, with what the error says."""


@pytest.mark.parametrize("edit", KEPT)
def test_a_save_goes_on(edit: str) -> None:
    """It has the same values and decision, and notes say what is new and what is gone."""
    edits, notes = KEPT[edit]
    before, after = game().restore(json.loads(saved())), restore(*edits)

    assert () == before.notes and (AGREES, *notes) == after.notes
    assert (3, 3) == (after.state("coins", "Red"), after.state("load", "Ox"))
    assert (before.decision.choice, before.decision.arguments) == (  # type: ignore[union-attr]
        after.decision.choice,
        after.decision.arguments,
    )
    while after.decision is not None:
        after.choose(after.decision.legal_answers[-1])
    assert after.over


@pytest.mark.parametrize("edit", LOST)
def test_a_save_is_refused(edit: str) -> None:
    """The error names what the rules no longer have, or have in another way."""
    edits, message = LOST[edit]
    with pytest.raises(SaveError, match=message):
        restore(*edits)


def test_options_are_part_of_a_game() -> None:
    """A save of a game with other options is refused."""
    data = {**json.loads(saved()), "options": ["calm"]}
    with pytest.raises(SaveError, match="other options"):
        game().restore(data)


def test_starting_values_of_an_older_save_are_not_held_against_it() -> None:
    """A save without digests of them is restored as before, without a report."""
    data = json.loads(saved())
    del data["starts"]

    assert (AGREES,) == game(("state spare: 0..3\n", "")).restore(data).notes


def test_members_that_were_not_there_begin_as_in_a_new_game() -> None:
    """They have their starting values; those of the others stay with their members, in whatever order."""
    after = restore(("Ox, Mule\n", "Ass, Mule, Ox\n"))

    assert (0, 3, 0) == tuple(after.state("load", cart) for cart in ("Ass", "Ox", "Mule"))
    assert after.state("owns", "Blue", "Ass") and ["Ox", "Mule"] == sorted(after.state("tired"), reverse=True)


def test_a_member_twice_is_no_key() -> None:
    """Keys that a save was given by hand are held against the rules before anything is made of them."""
    data = json.loads(saved())
    data["keys"]["members"]["piece"] = ["Ox", "Ox"]
    with pytest.raises(SaveError, match="a member of `piece` is there twice"):
        game(("Ox, Mule", "Ox, Mule, Ass")).restore(data)


def test_an_edited_save_leaves_the_game_alone() -> None:
    """Each save has keys of its own."""
    session = game().start(1)
    session.save()["keys"]["members"]["piece"].append("Ass")

    assert ["Ox", "Mule"] == session.save()["keys"]["members"]["piece"]
