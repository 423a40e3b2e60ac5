"""Of what is drawn or rolled in secret, the others see only that it happened (spec 9.4, 13.5).

Pairs of games differ only in what Grey draws and rolls. Until something reveals it, Blue sees the same byte
for byte: events, values, counts, questions, reasons, saves and the log in words.
"""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from rulekit.runtime.narrate.narrator import Narrator
from rulekit.runtime.play import Game, Session
from rulekit.testing import MANIFEST, compile_text, manifest

CARDS = """
enum Side: Blue, Grey
piece Card:
    members A, B, C, D, E, F, G, H
    power: 1..8 = 1
state hand(side): set of Card, known to side
state kept(side): Card or none, known to side
state strength(side): 0..20, known to side
state round: 0..9
stack deck(side) of Card, known to {}
cup bag of Card, known to {}
roll scout: d6
modifier held on roll scout: +1
    when kept(Grey) is none

choice keep(side) by side:
    pick one c from hand(side), or none
    secret
choice go by Blue:
    number from 0 to 3
    forbid alike: answer = 3 and count of hand(Grey) > 1
    forbid two: answer = 2

procedure turn(side):
    draw 1 from deck(side) as card, known to side
    add card to hand(side)
    draw 2 from bag as two, known to side
    add two to hand(side)
    add two to bag
    draw 1 by lot from Card as omen, known to side
    add (1 when omen is A otherwise 0) to strength(side)
    roll scout as seen, known to side
    set strength(side) to seen
    choose keep(side) as k
    set kept(side) to k
    add 1 to round

sequence play:
    for each side in Side:
        put {A, B, C, D} on top of deck(side)
        shuffle deck(side)
    set bag to {E, F, G, H}
    repeat 2 times:
        choose go as ready
        do turn(Grey)
    choose go as last
    reveal hand(Grey)
    choose go as after
    finish
"""


@cache
def cards() -> Game:
    """The card game, whose rolls are explained."""
    compiled = compile_text(CARDS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    return Game(compiled.program, explain=True)


def sight(session: Session, side: str) -> str:
    """Everything that a side sees, as text."""
    view = session.view(side)
    events = [(event.kind, event.subject, event.site, event.fields) for event in view.events]
    reasons = [] if view.decision is None else [repr(view.why(answer)) for answer in (2, 3)]
    told = _log(session, side)
    seen = {"save": view.save(), "events": repr(events), "why": reasons, "log": told}
    return json.dumps(seen, sort_keys=True)


def _log(session: Session, side: str) -> list[str]:
    narrator = Narrator(session.game.program, "")
    return [told.text for told in (*narrator.tell(session.view(side).events), *narrator.finish())]


def stir(session: Session, chance: random.Random) -> None:
    """Change what Grey will draw and roll: the order of its deck, and where the points of chance stand."""
    cells, layout = session.machine.M, session.game.module.layout
    deck = layout.slots["deck"].base + 1
    cells[deck] = tuple(chance.sample(cells[deck], len(cells[deck])))
    for point in ("bag", "turn.omen", "scout"):
        cells[layout.counters[point]] += chance.randrange(1000)
    session._keep()


def played(seed: int, hidden: int) -> tuple[list[str], list[str]]:
    """What Blue sees at each of its decisions, and what Grey does."""
    session, chance = cards().start(seed), random.Random(hidden)
    stir(session, chance)
    blue, grey = [], []
    while (asked := session.decision) is not None:
        if asked.side == "Blue":
            blue.append(sight(session, "Blue"))
            grey.append(sight(session, "Grey"))
            session.choose("0" if "0" in [answer.name for answer in asked.legal_answers] else "1")
        else:
            session.choose(chance.choice(asked.legal_answers).name)
    return blue, grey


def test_others_see_only_that_a_draw_or_roll_happened() -> None:
    """Until the reveal, Blue sees the same whatever Grey drew and rolled; Grey sees what it was."""
    differed = shown = 0
    for seed in range(5):
        (blue, grey), (blue_too, grey_too) = played(seed, 2 * seed), played(seed, 2 * seed + 1)
        assert blue[:-1] == blue_too[:-1]
        differed += grey[-1] != grey_too[-1]
        shown += blue[-1] != blue_too[-1]
    assert differed == 5 and shown > 2


def test_undo_goes_back_to_the_same_view() -> None:
    """Undo stops at a secret draw; past it, the same answers again show the sides the same."""
    session = cards().start(3)
    first = [sight(session, side) for side in ("Blue", "Grey")]
    session.choose("0")
    after = [sight(session, side) for side in ("Blue", "Grey")]
    assert not session.undo()
    assert session.undo(past_chance=True)
    assert first == [sight(session, side) for side in ("Blue", "Grey")]
    session.choose("0")
    assert after == [sight(session, side) for side in ("Blue", "Grey")]


def test_the_number_of_things_left_is_known() -> None:
    """A view counts what is left in a hidden stack or cup that something is drawn from in secret."""
    session = cards().start(1)
    session.choose("0")
    view = session.view("Blue")
    assert {"bag": [([], 4)], "deck": [(["Blue"], 4), (["Grey"], 3)]} == view.counts
    assert [] == view.states["deck"] == view.states["bag"]


def test_what_others_see_of_an_event_of_chance() -> None:
    """Of draws by lot and rolls that it happened; of cups and stacks, where and how many."""
    session = cards().start(1)
    session.choose("0")
    chance = ("take", "draw", "roll")
    blue, grey = (
        [event for event in session.view(side).events if event.kind in chance] for side in ("Blue", "Grey")
    )
    assert [
        ("deck", {"keys": ["Grey"], "number": 1}),
        ("bag", {"keys": [], "number": 2}),
        ("turn.omen", {}),
        ("scout", {}),
    ] == [(event.subject, event.fields) for event in blue]
    assert [event.subject for event in blue] == [event.subject for event in grey]
    assert all(event.is_hidden for event in blue)
    assert not any(event.is_hidden for event in grey)


def test_the_log_of_others_says_that_it_happened_in_secret() -> None:
    """The log of the other side says "drawn in secret" and "rolled in secret"."""
    session = cards().start(1)
    session.choose("0")
    secret = [line for line in _log(session, "Blue") if "in secret" in line]
    assert ["Grey deck: 1 drawn in secret", "bag: 2 drawn in secret"] == secret[:2]
    assert ["omen: drawn in secret", "scout: rolled in secret"] == secret[2:4]


OWNED = """
enum Side: Blue, Grey
piece Card:
    members A, B
    state lit: flag, known to its holder
    state holder: Side = Blue
state owner: Side = Blue
state plan: 0..9, known to owner
group Force, at most 2:
    state lead: Side = Blue
    state aim: 0..9, known to its lead
choice go by Blue:
    decide
sequence play:
    set plan to 3
    mark Card as lit
    form Force as f
    set f.aim to 4
    together:
        add 1 to plan
        add 1 to plan
    choose go as x
    set owner to Grey
    set A.holder to Grey
    set f.lead to Grey
    add 1 to plan
    unmark Card as lit
    dissolve f
    choose go as y
    finish
"""


def test_who_sees_a_change_is_judged_when_it_happens() -> None:
    """Where `known to` reads states that change later, earlier changes stay hidden or shown."""
    compiled = compile_text(OWNED, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    session = Game(compiled.program).start(1)
    views = {side: session.view(side).events for side in ("Blue", "Grey")}
    hidden = ("set", "mark_all", "add", "land")
    assert all(event.fields for event in views["Blue"] if event.kind in hidden)
    assert not any(event.fields for event in views["Grey"] if event.kind in hidden)
    session.choose("yes")
    for side, before in views.items():
        assert before == session.view(side).events[: len(before)]
    later = {
        side: [
            (event.kind, event.subject, dict(event.fields))
            for event in session.view(side).events[len(views[side]) :]
            if event.kind in ("add", "unmark_all")
        ]
        for side in views
    }
    blue = [("add", "plan", {}), ("unmark_all", "Card.lit", {"keys": [], "members": ["B"]})]
    grey = [
        ("add", "plan", {"keys": [], "amount": 1, "value": 6}),
        ("unmark_all", "Card.lit", {"keys": [], "members": ["A"]}),
    ]
    assert {"Blue": blue, "Grey": grey} == later


@pytest.mark.parametrize("plain", [False, True])
def test_a_save_in_the_middle_changes_no_view(plain: bool) -> None:
    """A game that goes on from a save shows the sides what the saved one shows."""
    session = cards().start(5)
    session.choose("0")
    other = cards().restore(session.save(log=not plain))
    for one in (session, other):
        one.choose(one.decision.legal_answers[0].name)  # type: ignore[union-attr]
    for side in ("Blue", "Grey"):
        assert session.view(side).states == other.view(side).states
        assert session.view(side).counts == other.view(side).counts
