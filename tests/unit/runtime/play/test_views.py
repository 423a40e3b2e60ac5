"""What a side sees does not depend on what is hidden from it (spec 13.5).

Pairs of games differ only in values that are hidden from Blue. Both are played with the same answers of Blue
and, where they are legal, the same public answers of Grey; Grey's secret answers may differ. All that Blue
sees is compared byte for byte, at every decision of Blue and at the end. The rules of these games write
nothing hidden into public state.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rulekit.base.bits import members as bits
from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import Flag, Int, ListOf, Member, SetOf
from rulekit.runtime.play import Game, Refused, Session
from rulekit.runtime.play.events import ANSWERS
from rulekit.testing import MANIFEST, compile_text, manifest

ROOT = Path(__file__).parents[4]

HANDS = """
enum Side: Blue, Grey
enum Suit: Hearts, Spades, Clubs
piece Card:
    members A, B, C, D
    power: 0..3 = 1
    state marked: flag, known to Grey
    state worth: 0..9, known to Grey
    state seen: flag
space Spot:
    members X, Y, Z
piece Spy:
    members P, Q
    place: Spot or none, known to Grey
piece Scout:
    members R
    state loud: flag
    place: Spot or none, known to ({Blue, Grey} when it is loud otherwise {Grey})
state hand(side): set of Card, known to side
state row(side): list of Card, at most 4, known to side
state bid(side): 0..5, known to side
state suit: Suit or none, known to Grey
state score(side): 0..99
cup bag of Card, known to {}
stack deck of Card, known to {}
roll luck(side): d6
modifier bold on roll luck: +1
    when bid(Grey) > 2
modifier calm on roll luck: -1
    when bid(Grey) > 2
modifier shown on roll luck: +1
define worth(side) -> 0..3: 2
modifier trumps on define worth: +1 when score(side) > 5

choice go(side) by side:
    decide
choice trap(side) by side:
    pick one c from hand(side), or none
    secret
choice play_card(side) by side:
    pick one c from hand(side) where its power > 0, or none
choice ambush(side) by side:
    pick any c from hand(side)
    secret
choice discard(side) by side:
    pick any c from hand(side)
choice offer(side) by side:
    number from 0 to larger(bid(side), 1)
    secret
choice open_offer(side) by side:
    number from 0 to larger(bid(side), 1)
choice spend(side) by side:
    share smaller(bid(side), 2) among s in Suit
    secret
choice deal(side) by side:
    assign each s in Suit one c from hand(side), or none
    secret
choice land by Grey:
    pick one s from Spot
    forbid Q.place is s
    secret

procedure turn(side):
    choose go(side) as x
    choose trap(side) as t
    choose play_card(side) as p
    choose ambush(side) as a
    choose discard(side) as d
    for each c in d: mark c as seen
    choose offer(side) as o
    choose open_offer(side) as q
    when score(side) + q < 90: add q to score(side)
    when bid(side) > 1 and worth(side) = 3 and score(side) = 98: set suit to Hearts
    choose spend(side) as sp
    choose deal(side) as de

sequence play:
    choose go(Blue) as begin
    repeat 2 times:
        do turn(Grey)
        choose go(Blue) as x1
        choose offer(side) for each side in Side as offers
        choose go(Blue) as x2
        add 1 to bid(Grey)
        set suit to Clubs
        mark hand(Grey) as marked
        unmark Card as marked
        add D to hand(Grey)
        together:
            for each c in Card: add 1 to c.worth
        draw 1 from bag as chit
        add chit to bag
        draw 2 from bag as more
        add more to bag
        put A on top of deck
        shuffle deck
        add C to row(Grey)
        roll luck(Grey) as die
        set bid(Grey) to 1
        choose land as there
        move {P, R} to there
        mark R as loud
        move {Q, R, A} to X
        unmark R as loud
        together:
            move Q to there
            move R to Z
        move P to Y
        reveal P.place
        reveal Q.place, known to Grey
        reveal hand(Grey), known to {}
        reveal bid(Grey), known to (Grey when bid(Grey) > 0 otherwise none)
        choose go(Blue) as x5
        move P to there
        reveal bid(Grey)
        choose go(Blue) as x3
        set bid(Grey) to 2
        choose go(Blue) as x4
        for each c in Card: set c.worth to 1
        take A from row(Grey)
        do turn(Blue)
    finish
"""


@cache
def hands() -> Game:
    """The game of hidden hands, whose rolls are explained."""
    compiled = compile_text(HANDS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    return Game(compiled.program, explain=True)


def hide(session: Session, side: str, draw: random.Random) -> int:
    """Give every value hidden from the side a new one of its type, a low one; return how many there are."""
    view, cells = session.view(side), session.machine.M
    domains = session.game.module.facts.domains
    changed = 0
    for slots in session.game.module.layout.slots.values():
        kind = slots.state.type
        listed = isinstance(kind, Int | Flag | SetOf | ListOf | Member) or slots.state.name == "place"
        if slots.state.known_to is None or not listed:
            continue
        for keys, address in slots.each():
            if slots.bits is not None:
                sight, low = session.sight(view.side), slots.bits.low
                for bit in range(slots.bits.size):
                    if not sight.sees(slots, (*keys, bit + low)) and draw.random() < 0.5:
                        cells[address] ^= 1 << bit
                        changed += 1
                continue
            names = session.game.naming.keys(slots.state.keys, keys)
            if "HIDDEN" not in repr(view.state(slots.state.name, *names)):
                continue
            changed += 1
            if isinstance(kind, Int):
                cells[address] = draw.randint(kind.low, min(kind.high, kind.low + 3))
            elif isinstance(kind, Flag):
                cells[address] = draw.randint(0, 1)
            elif isinstance(kind, SetOf) and not isinstance(kind.of, Int):
                members = bits(session.game.program.by_name.members_of(kind.of))
                cells[address] = sum(1 << one for one in members if draw.random() < 0.5)
            elif slots.state.name == "place":
                cells[address] = draw.randrange(-1, len(domains["space"].members))
            elif isinstance(kind, Member):
                cells[address] = draw.randrange(len(domains[kind.domain].members))
            elif isinstance(kind, ListOf):
                cells[address] = tuple(draw.sample(range(4), draw.randint(0, min(2, kind.most))))
    session.game.module.layout.derive(cells)
    session._keep()  # undo, and a fault, come back to these values
    return changed


def looks(session: Session, side: str) -> str:
    """Everything that a side may see, as text."""
    view = session.view(side)
    events = [(event.kind, event.subject, event.site.line, event.fields) for event in view.events]
    asked = view.decision
    reasons = [] if asked is None else [list(map(repr, view.why(name))) for name in _names(session)]
    sight = {"save": view.save(), "events": repr(events), "why": reasons}
    return json.dumps(sight, sort_keys=True)


def _names(session: Session) -> list[str]:
    return ["A", "B", "C", "D", "none"] if session.machine.asked[0] == 1 else []  # type: ignore[index]


def public(session: Session) -> list[Any]:
    """The answers of Grey that all may see, without the words for how they were given."""
    rows: list[Any] = []
    together: list[Any] | None = None
    for event in session.events:
        if event.kind == "secret_begin":
            together = []
        elif event.kind == "secret_end":
            rows, together = rows + (together or []), None
        elif event.kind in ANSWERS and event.fields["side"] == "Grey":
            value = event.fields["value"]
            values = value if event.kind == "forced_all" else [] if value == "done" else [value]
            if together is not None or not session.game.module.facts.choices[event.subject].secret:
                (rows if together is None else together).extend((event.subject, one) for one in values)
    return rows


def games(seed: int, hidden: int) -> Iterator[tuple[str, list[Any]]]:
    """At each decision of Blue, and at the end, what Blue sees and what was answered in public."""
    session = hands().start(seed)
    draw = random.Random(hidden)
    hide(session, "Blue", draw)
    session.machine.M[session.game.module.layout.slots["bag"].base] |= 1  # a draw from nothing is a fault
    while (asked := session.decision) is not None:
        if asked.side == "Blue":
            yield looks(session, "Blue"), public(session)
            ordered = random.Random(f"{seed} {session.view('Blue').events}")
        else:
            secret = session.game.module.facts.choices[asked.choice].secret and asked.choice != "offer"
            ordered = draw if secret else random.Random(f"{seed} {asked.choice} {asked.part}")
        preferred = {name: ordered.random() for name in ("none", "done", "yes", "no", *"ABCDXYZ", *"012345")}
        if asked.side == "Grey" and seed % 4:  # most hands have no card in common
            preferred |= {"none": 1.0, "done": 1.0}
        options = [answer.name for answer in asked.legal_answers]
        session.choose(max(options, key=lambda name: preferred[name]))
    yield looks(session, "Blue"), public(session)


def test_a_view_does_not_depend_on_what_is_hidden() -> None:
    """Games that differ only in what is hidden from Blue look the same to Blue, byte for byte."""
    compared = 0
    for seed in range(30):
        for one, other in zip(games(seed, 2 * seed), games(seed, 2 * seed + 1), strict=False):
            if one[1] != other[1]:
                break  # from here on the public answers differ
            assert one[0] == other[0]
            compared += 1
    assert compared > 200


def test_hidden_values_change_no_view_of_a_shipped_set() -> None:
    """In a game of the Pacific War, other hidden values change nothing that a side sees."""
    program = compile_rule_set(ROOT / "rules" / "pacwar", Report()).program
    session, draw = Game(program).start(1), random.Random(1)
    changed = 0
    for answers in range(60):
        if session.machine.asked is None:
            break
        if answers % 20 == 0:
            for side in session.game.naming.domains[program.sides].members:
                other = session.clone()
                changed += hide(other, side, draw)
                one, two = session.view(side), other.view(side)
                assert (one.states, one.events) == (two.states, two.events)
        session.choose(draw.choice(session.machine.asked[3]))
    assert changed > 0


GUESS = """
enum Side: Blue, Grey
piece Card:
    members A, B, C, D
state hand(side): set of Card, known to side
choice guess(side) by side:
    pick one c from Card, or none
    forbid hers: c in hand(Grey)
    forbid early: c is A
sequence play:
    add B to hand(Grey)
    choose guess(Blue) as g
    choose guess(Grey) as h
    finish
"""


def refusals(session: Session, side: str, legal: set[int]) -> list[str]:
    """What a side reads of each answer that is not legal: why, or that nothing has this name."""
    asked, view = session.machine.asked, session.view(side)
    assert asked is not None
    kind = session.game.program.choices[asked[0]].option.type
    most = len(session.game.naming.domains[kind.domain].members) if isinstance(kind, Member) else 4
    texts = [repr(view.why(value)) for value in range(min(most, 30)) if value not in legal]
    for name in ("nobody at all", "\u202e", "none", "done"):
        try:
            texts.append(repr(view.why(name)) if name not in ("none", "done") else name)
        except Refused as error:
            texts.append(str(error))
    return texts


def test_a_refusal_does_not_depend_on_what_is_hidden() -> None:
    """At decisions of the Pacific War, refusals of answers read alike with other hidden values."""
    program = compile_rule_set(ROOT / "rules" / "pacwar", Report()).program
    session, draw = Game(program).start(2), random.Random(2)
    compared = 0
    for answers in range(40):
        if session.machine.asked is None:
            break
        asked = session.machine.asked
        side = session.game.naming.member(program.sides, asked[1])
        other = session.clone()
        if answers % 5 == 0 and hide(other, side, draw):
            one, two = (refusals(game, side, set(asked[3])) for game in (session, other))
            assert one == two
            compared += len(one)
        session.choose(draw.choice(asked[3]))
    assert compared > 20


def test_why_names_no_norm_that_reads_hidden_values() -> None:
    """A norm that reads Grey's hand is named to Grey and not to Blue; a norm that reads nothing hidden is."""
    compiled = compile_text(GUESS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None, compiled.findings
    session = Game(compiled.program).start(1)
    view = session.view("Blue")
    assert ["hers"] == [reason.norm for reason in session.why("B")]
    assert [("", "it is not a legal answer")] == [(why.norm, why.message) for why in view.why("B")]
    assert ["early"] == [reason.norm for reason in view.why("A")]
    assert () == session.view("Grey").why("B")
    session.choose("none")
    assert ["hers"] == [reason.norm for reason in session.view("Grey").why("B")]


def test_reasons_are_the_same_for_hidden_values_that_forbid_alike() -> None:
    """Where a public norm forbids A, and in one of two games a hidden one too, Blue reads the same."""
    compiled = compile_text(GUESS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert compiled.program is not None
    session = Game(compiled.program).start(1)
    other = session.clone()
    other.machine.M[other.game.module.layout.slots["hand"].base + 1] |= 1
    assert session.why("A") != other.why("A")
    assert session.view("Blue").why("A") == other.view("Blue").why("A")


def test_a_fault_keeps_its_message_from_a_side() -> None:
    """The message of a fault names values; a side that may not see all reads its kind and place only."""
    session = hands().start(1)
    fault = Fault("out-of-range", "bid(Grey) is 0..5, found 7", None, ("turn",))
    shown = session.view("Blue").fault(fault)
    assert ("out-of-range", ("turn",)) == (shown.name, shown.labels)
    assert "bid" not in str(shown)
