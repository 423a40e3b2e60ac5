"""A `reveal` lasts until the next statement that writes its value, whatever the new value is (spec 9.10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulekit.runtime.play import HIDDEN, Game, Session
from rulekit.testing import MANIFEST, compile_text, manifest

STATES = """
enum Side: Blue, Grey
enum Suit: Hearts, Spades, Clubs
piece Card:
    members A, B, C
    state marked: flag, known to {}
group Pile, at most 2:
    state size: 0..9, known to {}
state bid(side): 0..9 = 3, known to side
state suit(side): Suit or none = Hearts, known to side
state ready(side): flag, known to side
state blind: flag, known to {}
state hand(side): set of Card, known to side
state row(side): list of Card, at most 3, known to side
state seen_at(side, Suit): 0..9, known to side
cup bag of Card, known to {}
stack deck of Card, known to {}
choice go(side) by side:
    decide
"""

WRITES = {
    "set to another value": ("bid(Grey)", "set bid(Grey) to 4"),
    "set to the same value": ("bid(Grey)", "set bid(Grey) to 3"),
    "add": ("bid(Grey)", "add 1 to bid(Grey)"),
    "add nothing": ("bid(Grey)", "add 0 to bid(Grey)"),
    "take": ("bid(Grey)", "take 1 from bid(Grey)"),
    "set to none": ("suit(Grey)", "set suit(Grey) to none"),
    "mark a flag with keys": ("A.marked", "mark A as marked"),
    "unmark a flag that is not set": ("A.marked", "unmark A as marked"),
    "mark a set": ("A.marked", "mark {A, B} as marked"),
    "set a flag": ("ready(Grey)", "set ready(Grey) to bid(Grey) > 5"),
    "set a flag without keys": ("blind", "set blind to bid(Grey) > 5"),
    "insert into a set": ("hand(Grey)", "add A to hand(Grey)"),
    "remove from a set what is not in it": ("hand(Grey)", "take C from hand(Grey)"),
    "append to a list": ("row(Grey)", "add A to row(Grey)"),
    "remove from a list": ("row(Grey)", "take A from row(Grey)"),
    "one of two keys": ("seen_at(Grey, Clubs)", "add 1 to seen_at(Grey, Clubs)"),
    "put on a stack": ("deck", "put C on top of deck"),
    "draw from a stack": ("deck", "draw 1 from deck as top"),
    "shuffle": ("deck", "shuffle deck"),
    "draw from a cup": ("bag", "draw 1 from bag as chit"),
}


def _start(*body: str) -> Session:
    lines = "\n".join(f"    {line}" for line in body)
    compiled = compile_text(
        f"{STATES}sequence play:\n{lines}\n", {MANIFEST: f"{manifest(())}sequence: play\n"}
    )
    assert compiled.program is not None, compiled.findings
    return Game(compiled.program).start(1)


def _shown(session: Session, value: str) -> Any:
    """The value of a cell as Blue sees it; of a flag, whether Blue may see it at all."""
    name, _, keys = value.partition("(")
    if "." in value:
        member, name = value.split(".")
        return session.view("Blue").state(f"Card.{name}", member)
    return session.view("Blue").state(name, *(key.strip() for key in keys.rstrip(")").split(",") if key))


ASKED = "choose go(Blue) as {}"
FILLED = ("add A to bag", "add B to bag", "put A on top of deck", "put B on top of deck")


TO_SOME = ("", ", known to Blue", ", known to {Blue}")
"""The reveals that Blue sees."""


@pytest.mark.parametrize("known", TO_SOME)
@pytest.mark.parametrize(("value", "change"), WRITES.values(), ids=WRITES)
def test_every_write_ends_a_reveal(value: str, change: str, known: str) -> None:
    """A value is hidden, shown by `reveal`, and hidden again by a write, even one that changes nothing."""
    shows = f"reveal {value}{known}"
    body = [*FILLED, ASKED.format("x0"), shows, ASKED.format("x1"), change, ASKED.format("x2")]
    session = _start(*body)
    shown = []
    while session.decision is not None:
        shown.append(_shown(session, value) is not HIDDEN)
        session.choose("yes")
    assert [False, True, False] == shown


@pytest.mark.parametrize("known", TO_SOME[:2])
@pytest.mark.parametrize(
    ("value", "change"), [row for row in WRITES.values() if "draw" not in row[1] and "shuffle" not in row[1]]
)
def test_a_write_in_a_together_block_ends_a_reveal_when_it_lands(value: str, change: str, known: str) -> None:
    """Inside the block the value is still the one shown; at its end it is hidden."""
    body = (*FILLED, f"reveal {value}{known}", "together:", f"    {change}", f"    {ASKED.format('x1')}")
    session = _start(*body, ASKED.format("x2"))
    shown = []
    while session.decision is not None:
        shown.append(_shown(session, value) is not HIDDEN)
        session.choose("yes")
    assert [True, False] == shown


@pytest.mark.parametrize(
    "other",
    [
        "add 1 to bid(Blue)",
        "set suit(Grey) to Clubs",
        "mark B as marked",
        "mark {B, C} as marked",
        "add 1 to seen_at(Grey, Spades)",
        "add A to row(Blue)",
    ],
)
def test_a_write_elsewhere_ends_no_reveal(other: str) -> None:
    """A reveal is of one value: other keys, other members and other states do not end it."""
    values = ("bid(Grey)", "A.marked", "seen_at(Grey, Clubs)", "row(Grey)")
    session = _start(*(f"reveal {value}" for value in values), other, ASKED.format("x"))
    assert [3, False, 0, []] == [_shown(session, value) for value in values]


@pytest.mark.parametrize("known", TO_SOME[:2])
def test_a_set_of_flags_hides_its_members_only(known: str) -> None:
    """`mark` of a set hides the flags of its members; the others stay shown."""
    flags = ("A.marked", "B.marked", "C.marked")
    session = _start(*(f"reveal {flag}{known}" for flag in flags), "mark {A, C} as marked", ASKED.format("x"))
    assert [HIDDEN, False, HIDDEN] == [_shown(session, flag) for flag in flags]


@pytest.mark.parametrize("known", TO_SOME[:2])
def test_a_new_group_is_hidden(known: str) -> None:
    """A group that takes the number of a dissolved one does not inherit what was revealed of it."""
    body = ("form Pile as p", f"reveal p.size{known}", ASKED.format("x0"), "dissolve p", "form Pile as q")
    session = _start(*body, ASKED.format("x1"))
    assert 0 == session.view("Blue").state("Pile.size", "Pile_1")
    session.choose("yes")
    assert HIDDEN is session.view("Blue").state("Pile.size", "Pile_1")


@pytest.mark.parametrize("known", TO_SOME[:2])
def test_undo_and_saves_keep_what_is_revealed(known: str) -> None:
    """A reveal, and its end, come again with undo and with a save."""
    body = (f"reveal bid(Grey){known}", ASKED.format("x0"), "set bid(Grey) to 3", ASKED.format("x1"))
    session = _start(*body)

    def shown(moment: Session) -> Any:
        return _shown(moment.game.restore(json.loads(json.dumps(moment.save()))), "bid(Grey)")

    assert 3 == shown(session)
    session.choose("yes")
    assert HIDDEN is shown(session)
    assert session.undo()
    assert [3, 3] == [shown(session), _shown(session, "bid(Grey)")]


def test_a_reveal_to_some_is_seen_by_them_alone() -> None:
    """Each side sees what was revealed to it, in the state, in the log and in a save of the game."""
    body = ("reveal bid(Grey), known to Blue", "reveal blind, known to {Grey}", "reveal deck, known to {}")
    session = _start(*body, ASKED.format("x0"))
    again = session.game.restore(json.loads(json.dumps(session.save())))
    for moment in (session, again):
        blue, grey = moment.view("Blue"), moment.view("Grey")
        assert [3, HIDDEN, HIDDEN] == [_shown(moment, value) for value in ("bid(Grey)", "blind", "deck")]
        assert [3, False, HIDDEN] == [grey.state("bid", "Grey"), grey.state("blind"), grey.state("deck")]
        assert 3 == blue.state("bid", "Grey")
    fields = [[event.fields for event in session.view(side).events] for side in ("Blue", "Grey")]
    assert fields[0] == [{"keys": ["Grey"], "value": 3}, {}, {}]
    assert fields[1] == [{"keys": ["Grey"], "value": 3}, {"keys": [], "value": False}, {}]
    assert [3, False, []] == [event.fields["value"] for event in session.events]


def test_a_reveal_to_all_adds_to_one_to_some() -> None:
    """What one side has seen may be shown to all, and a write ends it for all."""
    body = ("reveal blind, known to Blue", ASKED.format("x0"), "reveal blind", ASKED.format("x1"))
    session = _start(*body, "set blind to true", ASKED.format("x2"))
    shown = []
    while session.decision is not None:
        again = session.game.restore(json.loads(json.dumps(session.save())))
        shown.append([again.view(side).state("blind") for side in ("Blue", "Grey")])
        session.choose("yes")
    assert [[False, HIDDEN], [False, False], [HIDDEN, HIDDEN]] == shown


def test_all_may_count_a_hand() -> None:
    """Of a counted set or list the others see how many things it holds, and nothing else."""
    counted = STATES.replace(
        "state hand(side): set of Card, known to side",
        "state hand(side): set of Card, known to side, counted",
    )
    compiled = compile_text(
        f"{counted}sequence play:\n    add {{A, C}} to hand(Grey)\n    {ASKED.format('x')}\n",
        {MANIFEST: f"{manifest(())}sequence: play\n"},
    )
    assert compiled.program is not None, compiled.findings
    view = Game(compiled.program).start(1).view("Blue")
    assert {"hand": [(["Grey"], 2)]} == view.counts
    assert HIDDEN is view.state("hand", "Grey")


@pytest.mark.parametrize("count", [1, 2])
def test_undo_stops_at_every_draw(count: int) -> None:
    """A draw of the only thing left stops undo like any other: undo does not tell how many there were."""
    things = FILLED[:count]
    session = _start(*things, ASKED.format("x0"), "draw 1 from bag as chit", ASKED.format("x1"))
    session.choose("yes")
    assert not session.undo()


@pytest.mark.parametrize("body", ["shuffle deck", "draw 1 from deck as top", "draw 2 from bag as both"])
def test_undo_stops_at_stacks_and_whole_cups(body: str) -> None:
    """What a stack or a whole cup gave is learned, too."""
    session = _start(*FILLED[:3], ASKED.format("x0"), body, ASKED.format("x1"))
    session.choose("yes")
    assert not session.undo()
