"""Games for the tests of sessions: whole rule sets, and a small one in which every kind of thing happens."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from rulekit.compiler.driver import compile_rule_set
from rulekit.diagnostics import Report
from rulekit.ir import Program
from rulekit.runtime.play import Game, Session
from rulekit.testing import MANIFEST, compile_text, manifest

ROOT = Path(__file__).parents[4]
FOLDERS = {
    "duel": ROOT / "tests" / "sets" / "duel",
    "ferry": ROOT / "tests" / "sets" / "ferry",
    "vitp": ROOT / "rules" / "vitp",
}

FAIR = """
enum Side: Red, Blue
enum Colour: green, white, black
space Stall:
    members North, South, East
piece Cart:
    members Ox, Mule, Ass, Goat, Hen
    side: Side = (Red when it in {Ox, Mule, Ass} otherwise Blue)
    state load: 0..9, known to its side
    state seen: flag
group Train, at most 3:
    carts: set of Cart
state coins(side): 0..9
state bids(side): 0..9, known to side
state colour: Colour or none
state hats: set of Colour

choice bid(side) by side:                                   [1]
    number from 0 to 3
    secret
choice stop(c: Cart) by c.side:                             [2]
    pick one place from Stall, or none
    forbid same: place = c.place                            [2.1]
choice goods(c: Cart, most: 1..3) by c.side:                [3]
    number from 0 to most
choice crew(side, stall: Stall) by side:                    [4]
    pick any cart from Cart at stall
    forbid alone: cart is Hen unless Goat is chosen         [4.1]
choice pairs(side) by side:                                 [5]
    assign each c in (Cart where its side is side) one place from Stall, at most 2 each
    forbid far: c is Ox and place is East                   [5.1]
choice shares(side) by side:                                [6]
    share 3 among place in Stall
choice trains(carts: set of Cart, side) by side:            [7]
    split carts into at most 2 part
choice order(side) by side:                                 [8]
    arrange Colour as one
choice go_on(side) by side:                                 [9]
    decide

roll luck(side): d6
roll storm: 2d6

procedure visit(c: Cart):                                   [2]
    choose stop(c) as place
    when place is not none:
        move c to place
        choose goods(c, 2) as taken
        set c.load to taken
        mark c as seen

procedure toss(side):                                       [10]
    roll luck(side) as die
    when die > 3 and coins(side) < 8: add 1 to coins(side)
    otherwise when coins(side) > 0: take 1 from coins(side)

procedure market:                                           [11]
    form Train as train
    move Ass to East
    together:
        for each side in Side:
            choose go_on(side) as more
            when more and coins(side) < 7:
                add 2 to coins(side)
                do toss(side)
            for each c in Cart where its side is side: mark c as seen
    dissolve train

scenario open "The fair opens":
    move Cart to North

sequence play:
    repeat 3 times:
        phase bids "Bids":
            choose bid(side) for each side in Side as offered
            for each side in Side: set bids(side) to offered(side)
        phase visits "Visits" for each side in Side, Red first:
            for each c in Cart where its side is side, as side chooses: do visit(c)
        choose crew(Red, North) as hands
        for each c in hands: move c to South
        choose pairs(Blue) as seats
        for each c in Cart where its side is Blue: move c to seats(c)
        choose shares(Red) as parts
        when parts(North) > 1 and coins(Red) < 9: add 1 to coins(Red)
        choose trains(Cart, Blue) as halves
        choose order(Red) as liked
        set colour to item(liked, 1)
        step market "Market": do market
        reveal bids(Red)
        roll storm as wind
        when wind > 9: reveal Ox.load
    finish (Red when coins(Red) > coins(Blue) otherwise Blue)
"""


@cache
def program(name: str) -> Program:
    """A program by name."""
    if name == "fair":
        made = compile_text(FAIR, {MANIFEST: f"{manifest(())}sequence: play\n"})
        assert made.program is not None, made.findings
        return made.program
    return compile_rule_set(FOLDERS[name], Report()).program


@cache
def game(name: str) -> Game:
    """A program by name, ready to be played."""
    return Game(program(name))


def answer(session: Session, draw: random.Random) -> None:
    """Give any answer that is legal."""
    assert session.machine.asked is not None
    session.choose(draw.choice(session.machine.asked[3]))


def played(name: str, seed: int, answers: int | None = None) -> Session:
    """A session after so many random answers, or at its end."""
    session, draw = game(name).start(seed), random.Random(seed)
    while session.machine.asked is not None and (answers is None or session.answered < answers):
        answer(session, draw)
    return session


def to_the_end(session: Session, seed: int) -> Session:
    """The same session, played to its end at random."""
    draw = random.Random(seed)
    while session.machine.asked is not None:
        answer(session, draw)
    return session


def seen(session: Session) -> dict[str, Any]:
    """Everything about a session that may be looked at, but for the events before the last fifty."""
    return {
        "decision": session.decision,
        "over": session.over,
        "result": session.result,
        "answered": session.answered,
        "answers": session.answers,
        "events": (len(session.events), session.events[-50:]),
        "saved": session.save(log=False),
        "last": session.log[-3:],
    }


def going_on(session: Session, answers: int | None = None) -> Session:
    """The same session after so many more answers, which follow from its own place alone."""
    while session.machine.asked is not None and answers != 0:
        options = session.machine.asked[3]
        session.choose(options[(session.answered * 2654435761 >> 9) % len(options)])
        answers = None if answers is None else answers - 1
    return session


def fate(session: Session) -> list[Any]:
    """How a session stands and how it goes on to its end, as JSON."""
    start = len(session.events)
    decision = session.decision
    asked = (
        None
        if decision is None
        else [decision.choice, decision.part, [o.name for o in decision.legal_answers]]
    )
    going_on(session)
    events = [[e.kind, e.subject, list(e.rules), dict(e.fields)] for e in session.events[start:]]
    return [asked, session.result, events, session.save()]
