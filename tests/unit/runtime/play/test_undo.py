"""Going back: to every earlier decision, by undo and on clones, and no further than what was learned."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import Game, Session, checkpoints
from rulekit.testing import MANIFEST, compile_text, manifest
from tests.unit.runtime.play.games import answer, game, played, seen, to_the_end
from tests.unit.runtime.worlds import programs


@pytest.fixture
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points are far between and few are kept, so that small games need them all."""
    monkeypatch.setattr(checkpoints, "EVERY", 7)
    monkeypatch.setattr(checkpoints, "MOST_POINTS", 4)


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
@pytest.mark.parametrize("seed", [1, 2])
def test_undo_to_the_start(name: str, seed: int) -> None:
    """Every decision of a game comes again, just as it was, and the game then goes as it went."""
    session, draw = game(name).start(seed), random.Random(seed)
    looks = [seen(session)]
    while session.machine.asked is not None:
        answer(session, draw)
        looks.append(seen(session))
    for look in reversed(looks[:-1]):
        assert session.undo(past_chance=True)
        assert look == seen(session)
    assert not session.undo(past_chance=True)
    assert looks[-1] == seen(to_the_end(session, seed))


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_undo_and_go_on_anywhere(name: str) -> None:
    """A walk back and forth, with clones on the way, stands at every step where the straight way stands."""
    session, walk = game(name).start(3), random.Random(3)
    looks = [seen(session)]
    for _ in range(300):
        if walk.random() < 0.5 and session.machine.asked is not None:
            answer(session, random.Random(session.answered))
            if session.answered == len(looks):
                looks.append(seen(session))
        elif session.answered:
            assert session.undo(past_chance=True)
        if walk.random() < 0.1:
            session = session.clone()
        assert looks[session.answered] == seen(session)


@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_clones_go_their_own_way(name: str) -> None:
    """A clone made at any decision ends as the session does, and leaves it alone; so do its clones."""
    session, draw = game(name).start(5), random.Random(5)
    end = seen(played(name, 5))
    while session.machine.asked is not None:
        state = draw.getstate()
        look, clone = seen(session), session.clone()
        assert look == seen(clone)
        to_the_end(clone.clone(), 99)
        while clone.machine.asked is not None:
            answer(clone, draw)
        assert end == seen(clone)
        assert look == seen(session)
        draw.setstate(state)
        answer(session, draw)


def stops(session: Session) -> tuple[bool, Session]:
    """Whether undo stops here; nothing may have changed then."""
    look = seen(session)
    clone = session.clone()
    undone = session.undo()
    if not undone:
        assert look == seen(session)
    return not undone, clone


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_undo_stops_where_something_was_learned(name: str) -> None:
    """A die, a reveal or the answers of a `choose .. for each` keep it from going back; nothing else."""
    session, draw = game(name).start(4), random.Random(4)
    kinds = []
    while session.machine.asked is not None:
        before = len(session.events)
        answer(session, draw)
        news = {event.kind for event in session.events[before:]}
        expected = bool(news & {"roll", "draw", "shuffle", "reveal", "secret_end"})
        stopped, session = stops(session)
        assert expected == stopped
        kinds.append(stopped)
    assert {True, False} == set(kinds)


def test_the_same_dice_fall_again() -> None:
    """Past chance, undo brings the same dice back; under another seed they are others."""
    session = game("duel").start(1)
    for _ in range(2):
        session.choose("Strike")
    events = session.events
    for _ in range(2):
        assert session.undo(past_chance=True)
    for _ in range(2):
        session.choose("Strike")
    assert events == session.events


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize("name", ["duel", "ferry", "fair"])
def test_undo_of_a_clone_under_other_dice(name: str) -> None:
    """Beyond the place where a clone got other dice stands what was, not what would have been."""
    for at in (0, 3, 8, 15):
        session, draw = game(name).start(6), random.Random(6)
        looks = [seen(session)]
        while len(looks) <= at:
            answer(session, draw)
            looks.append(seen(session))
        clone = session.clone(reseed=77)
        while clone.machine.asked is not None and clone.answered < at + 12:
            answer(clone, draw)
        while clone.answered > at:
            clone.undo(past_chance=True)
        assert seen(session)["decision"] == seen(clone)["decision"]
        for look in reversed(looks[:-1]):
            assert clone.undo(past_chance=True)
            found = seen(clone)
            assert {**look["saved"], "seed": "77"} == found["saved"]
            assert look["events"] == found["events"]


def test_other_dice_differ() -> None:
    """A reseeded clone throws other dice from where it was made."""
    ends = {tuple(map(str, to_the_end(game("fair").start(1).clone(reseed=n), 1).events)) for n in range(5)}
    assert 5 == len(ends)


FAULTY = """
enum Side: Red, Blue
state n: 0..20
roll die: d6
choice step(side) by side:
    number from 0 to 9
sequence play:
    repeat 30 times:
        choose step(Red) as first
        add first to n
        roll die as luck
        choose step(Blue) as second
        add second to n
"""


@pytest.mark.usefixtures("few_points")
def test_faults_leave_everything_as_it_was() -> None:
    """An answer that ends in a fault changes nothing; another one goes on as if it had not been given."""
    made = compile_text(FAULTY, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None
    sessions = [Game(made.program).start(1) for _ in range(2)]
    for n in range(30):
        sessions[0].choose(n % 2)
        if n > 24:
            look = seen(sessions[1])
            with pytest.raises(Fault) as caught:
                sessions[1].choose(9)
            assert "out-of-range" == caught.value.name
            assert look == seen(sessions[1])
        sessions[1].choose(n % 2)
        assert seen(sessions[0]) == seen(sessions[1])


@settings(max_examples=25, deadline=None)
@given(programs(), st.integers(0, 2**32), st.data())
def test_random_programs_go_back(program: object, seed: int, data: st.DataObject) -> None:
    """Random programs, walked back and forth."""
    try:
        session = Game(program, fuel=20_000).start(seed)  # type: ignore[arg-type]
    except Fault:
        return
    looks = [seen(session)]
    for _ in range(30):
        if session.machine.asked is None:
            break
        try:
            answer(session, random.Random(session.answered))
        except Fault:
            assert looks[-1] == seen(session)
            break
        looks.append(seen(session))
    count = data.draw(st.integers(0, len(looks) - 1))
    for look in reversed(looks[len(looks) - 1 - count : -1]):
        assert session.undo(past_chance=True)
        assert look == seen(session)


@pytest.mark.slow
def test_a_whole_large_game_goes_back() -> None:
    """Every decision of a game of two thousand comes again."""
    session, draw = game("vitp").start(2), random.Random(2)
    looks = []
    while session.machine.asked is not None:
        looks.append((session.machine.asked, session.opened, hash(str(session.machine.M[1:]))))
        answer(session, draw)
    for look in reversed(looks):
        assert session.undo(past_chance=True)
        assert look == (session.machine.asked, session.opened, hash(str(session.machine.M[1:])))


STEPS = """
enum Side: Red, Blue
state n: 0..3
choice go(side) by side:
    number from 0 to 5
choice again(side) by side:
    pick one s from (Side where n < 2)
procedure inner(k: 0..5):
    step deep "Deep":
        add k to n
procedure outer(side):
    segment middle "Middle":
        choose go(side) as k
        do inner(k)
    segment after "After":
        choose again(side) as s
sequence play:
    phase first "First":
        do outer(Red)
        step more "More":
            do outer(Blue)
"""


def test_a_fault_tells_the_steps_that_were_open() -> None:
    """Outermost first: of what waited, of what ran, and of the choice that could not be asked."""
    made = compile_text(STEPS, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None, made.findings
    session = Game(made.program).start(1)
    with pytest.raises(Fault) as caught:
        session.choose(4)
    assert ("first", "middle", "deep") == caught.value.labels
    with pytest.raises(Fault) as caught:
        session.choose(3)
    assert ("no-legal-option", ("first", "after")) == (caught.value.name, caught.value.labels)
    session.choose(0)
    session.choose("Red")
    with pytest.raises(Fault) as caught:
        session.choose(5)
    assert ("first", "more", "middle", "deep") == caught.value.labels
