"""What a session tells: decisions with what they are about, events, answers; and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import Decision, Game, Refused
from rulekit.runtime.play.event_fields import FIELDS
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.play.games import game, going_on, played


def decided(name: str, choice: str, seed: int = 1) -> Decision:
    """The first decision of a choice in a game."""
    session = game(name).start(seed)
    while (decision := session.decision) is not None:
        if decision.choice == choice:
            return decision
        going_on(session, 1)
    raise AssertionError(choice)


def test_a_decision_says_what_it_is_about() -> None:
    """The choice's arguments, as JSON by parameter; values, members and sets of them."""
    assert {"side": "Red"} == decided("fair", "bid").arguments
    assert {"c", "most"} == set(decided("fair", "goods").arguments)
    assert 2 == decided("fair", "goods").arguments["most"]
    assert ["Ox", "Mule", "Ass", "Goat", "Hen"] == decided("fair", "trains").arguments["carts"]


@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_answers_say_what_they_are_about(name: str) -> None:
    """Every answer in the trace, asked or forced, tells the arguments of its choice."""
    session = game(name).start(2)
    while (decision := session.decision) is not None:
        before = len(session.events)
        going_on(session, 1)
        event = session.events[before]
        assert "answer" == event.kind
        assert decision.arguments == event.fields["arguments"]
        others = session.events[before + 1 :]
        for other in others:
            if other.kind in ("forced", "forced_all"):
                params = next(c for c in session.game.program.choices if c.name == other.subject).params
                assert [param.name for param in params] == list(other.fields["arguments"])


@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_every_field_of_an_event_is_documented(name: str) -> None:
    """In the table that pages and the schema are made from; rolls name what they are about."""
    session = played(name, 3)
    for event in session.events:
        assert set(event.fields) <= set(FIELDS[event.kind]), event
        if event.kind == "roll":
            (point,) = (point for point in session.game.program.points if point.name == event.subject)
            assert [param.name for param in point.params] == list(event.fields["arguments"])


def test_options_are_made_once() -> None:
    """Looked at again, equal decisions share their options."""
    session = game("fair").start(1)
    first, second = session.decision, session.decision
    assert first is not None and second is not None
    assert first == second
    assert all(one is other for one, other in zip(first.legal_answers, second.legal_answers, strict=True))


def test_how_many_answers() -> None:
    """Counted with every answer, not with a refused one, and less by one after undo."""
    session = game("fair").start(1)
    assert 0 == session.answered
    session.choose("1")
    with pytest.raises(Refused):
        session.choose("9")
    assert (1, 1) == (session.answered, len(session.log))
    session.undo()
    assert (0, ()) == (session.answered, session.log)


def test_all_ways_to_answer() -> None:
    """An option, its value or its name; anything else is refused, and nothing has changed then."""
    session = game("fair").start(1)
    decision = session.decision
    assert decision is not None
    for way in (decision.legal_answers[2], 2, "2"):
        session.choose(way)
        assert [("bid", 2)] == [(entry["choice"], entry["value"]) for entry in session.log]
        session.undo()
    for wrong in (7, -1, "7", "Ox", "", "²", "none", "done"):
        with pytest.raises(Refused):
            session.choose(wrong)
        assert decision == session.decision
    over = played("fair", 1)
    with pytest.raises(Refused, match="the game is over"):
        over.choose(0)


def test_without_a_sequence_there_is_nothing_to_play() -> None:
    """A set that names no sequence cannot be started; this is told as a fault."""
    made = compile_text("roll d: d6")
    assert made.program is not None
    with pytest.raises(Fault) as caught:
        Game(made.program).start()
    assert "no-sequence" == caught.value.name


TOGETHER = """
enum Side: Red, Blue
state n(side): 0..9
choice go(side) by side:
    number from 1 to 3
sequence play:
    add 1 to n(Red)
    together:
        for each side in Side:
            choose go(side) as k
            add k to n(side)
        add 2 to n(Red)
        take 1 from n(Red)
    take 1 from n(Blue)
"""


def test_additions_tell_amount_and_value_apart() -> None:
    """At once both; in a `together` block the amounts, and when it ends what came of them all."""
    made = compile_text(TOGETHER, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    session = Game(made.program).start(1)
    session.choose(3)
    session = session.game.restore(session.save())
    session.choose(2)
    told = [
        (event.kind, *event.fields["keys"], event.fields.get("amount"), event.fields.get("value"))
        for event in Game(made.program).start(1).events + session.events
        if "keys" in event.fields
    ]
    assert [
        ("add", "Red", 1, 1),
        ("add", "Blue", 2, None),
        ("add", "Red", 2, None),
        ("subtract", "Red", 1, None),
        ("land", "Red", None, 5),
        ("land", "Blue", None, 2),
        ("subtract", "Blue", 1, 1),
    ] == told


JUMPS = """
state n: 0..9
procedure by_result -> 0..9:                                     [1]
    together:                                                    [1.1]
        add 1 to n
        result n                                                 [1.2]
sequence play:                                                   [2]
    repeat 1 times:
        together:                                                [2.1]
            add 2 to n
            when n = 0:
                next                                             [2.2]
    repeat 1 times:
        together:                                                [2.3]
            add 3 to n
            leave                                                [2.4]
    do by_result as _
"""


def test_what_lands_cites_its_block_however_it_is_left() -> None:
    """The sum told at the end of a `together` block is the block's, not that of the jump out of it."""
    made = compile_text(JUMPS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    told = [
        (event.rules, event.fields["value"])
        for event in Game(made.program).start(1).events
        if event.kind == "land"
    ]
    assert [(("TEXT.2.1",), 2), (("TEXT.2.3",), 5), (("TEXT.1.1",), 6)] == told


def test_the_page_lists_every_kind_of_event() -> None:
    """With its fields, as the table of the code has them."""
    page = (Path(__file__).parents[4] / "docs" / "python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| .* \| (.*?) ?\|$", page, re.MULTILINE)
    fields = {
        kind: set(re.findall(r"\w+", listed)) for kinds, listed in rows for kind in re.findall(r"\w+", kinds)
    }

    assert {kind: set(names) - {"keys"} for kind, names in FIELDS.items()} == {
        kind: names - {"keys"} for kind, names in fields.items() if kind in FIELDS
    }
