"""What has changed since a mark: told step by step, it adds up to what the whole session or view shows."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulekit import ir
from rulekit.ir.program import span_of
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.play import HIDDEN, Event, Game, Refused, Session, SessionChange, SessionMark, View
from tests.unit.runtime.play.games import answer, game, going_on, played
from tests.unit.runtime.play.test_views import hands
from tests.unit.runtime.worlds import programs

Values = dict[tuple[str, tuple[Any, ...]], Any]


class Mirror:
    """A copy of what a session or view shows, kept by changes alone."""

    def __init__(self, seen: Session | View) -> None:
        self.seen = seen
        self.values = values_of(seen)
        self.events = list(seen.events)
        self.counts = dict(counts_of(seen))
        self.mark: SessionMark = seen.mark

    def follow(self) -> SessionChange:
        """Take over what has changed."""
        change = self.seen.since(self.mark)
        self.mark = change.mark
        self.events[len(self.events) - change.undone :] = []
        if change.shown:
            self._show(change.shown)
        self.events += change.events
        for cell in change.cells:
            assert repr(self.values[cell.state, cell.keys]) == repr(cell.before)
            assert cell.before is not cell.after
            self.values[cell.state, cell.keys] = cell.after
        for state, keys, number in change.counts:
            self.counts[state, keys] = number
        return change

    def _show(self, shown: tuple[Event, ...]) -> None:
        """Put secret answers in the place of the answers without fields since they began."""
        depth, begin = 0, 0
        for number, event in enumerate(self.events):
            if event.kind == "secret_begin":
                begin, depth = (begin, depth + 1) if depth else (number, 1)
            elif event.kind == "secret_end" and depth:
                depth -= 1
        tail = [event for event in self.events[begin:] if event.kind != "answer" or event.fields]
        self.events[begin:] = [*shown, *tail]

    def check(self) -> None:
        """Hold it against the whole."""
        assert values_of(self.seen) == self.values
        assert sorted(map(repr, self.seen.events)) == sorted(map(repr, self.events))
        for at, number in counts_of(self.seen).items():
            assert number == self.counts[at]


def values_of(seen: Session | View) -> Values:
    """Every value, that of each member's flag for itself; what is hidden is `HIDDEN`."""
    session = seen if isinstance(seen, Session) else seen.moment
    layout, naming = session.game.module.layout, session.game.naming
    values: Values = {}
    for slots in layout.slots.values():
        for keys, _ in slots.each():
            lasts: list[tuple[int, ...]] = [()]
            if slots.bits is not None:
                first, end = span_of(slots.bits.domain, layout.sizes)
                lasts = [(n,) for n in range(first, end + 1)]
            for last in lasts:
                names = naming.keys(slots.state.keys, (*keys, *last))
                values[slots.state.name, tuple(names)] = seen.state(slots.state.name, *names)
    return values


def counts_of(seen: Session | View) -> dict[tuple[str, tuple[Any, ...]], int]:
    """How many things hidden cups and stacks hold."""
    if isinstance(seen, Session):
        return {}
    return {(name, tuple(keys)): n for name, rows in seen.counts.items() for keys, n in rows}


def everyone(session: Session) -> list[Session | View]:
    """The host, and a view of each side."""
    sides = session.game.naming.domains[session.game.program.sides].members
    return [session, *map(session.view, sides)]


@pytest.mark.parametrize("name", ["duel", "ferry", "fair", "hands"])
@pytest.mark.parametrize("seed", range(3))
def test_changes_add_up_to_the_whole(name: str, seed: int) -> None:
    """Over a whole game with answers taken back, for the host and every side."""
    session = (hands() if name == "hands" else game(name)).start(seed)
    if name == "hands":
        session.machine.M[session.game.module.layout.slots["bag"].base] = 0b1011  # to draw from
        session._keep()
    mirrors, draw = [Mirror(seen) for seen in everyone(session)], random.Random(seed)
    steps = 0
    while session.machine.asked is not None and steps < 150:
        steps += 1
        if draw.random() < 0.15:
            session.undo(past_chance=True)
        else:
            answer(session, draw)
        for mirror in mirrors:
            if draw.random() < 0.7:
                mirror.follow()
                mirror.check()
    for mirror in mirrors:
        mirror.follow()
        mirror.check()


def test_changes_of_a_shipped_set_add_up() -> None:
    """The same for a stretch of a large game."""
    session = played("vitp", 3, 400)
    mirrors, draw = [Mirror(seen) for seen in everyone(session)], random.Random(3)
    for _ in range(60):
        answer(session, draw)
        for mirror in mirrors:
            mirror.follow()
    for mirror in mirrors:
        mirror.check()


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    phases=[Phase.generate],
)
@given(programs(), st.integers(0, 2**32))
def test_changes_of_random_programs_add_up(program: ir.Program, seed: int) -> None:
    """Whatever the statements are, and who may see what they change."""
    try:
        session = Game(program, fuel=20_000).start(seed)
    except Fault:
        return
    mirrors = [Mirror(seen) for seen in everyone(session)]
    draw = random.Random(seed)
    for _ in range(12):
        if session.machine.asked is None:
            break
        try:
            answer(session, draw)
        except Fault:
            break
        if draw.random() < 0.2:
            session.undo(past_chance=True)
        for mirror in mirrors:
            mirror.follow()
    for mirror in mirrors:
        mirror.follow()
        mirror.check()


def test_answers_that_are_taken_back_are_counted() -> None:
    """Events up to the mark that are no longer so; then come those that happened instead."""
    session = played("fair", 2, 6)
    early = session.mark
    going_on(session, 2)
    late, told = session.mark, session.events
    for _ in range(3):
        session.undo(past_chance=True)
    change = session.since(late)

    assert told[: len(told) - change.undone] == session.events
    assert () == change.events
    assert session.since(early).undone < change.undone
    going_on(session, 1)
    again = session.since(late)
    assert told[: len(told) - again.undone] + again.events == session.events


def test_a_change_without_news_is_false() -> None:
    """Nothing has happened, nothing is told."""
    session = played("ferry", 1, 2)

    assert not session.since(session.mark)
    assert not session.view("Red").since(session.view("Red").mark)


def test_a_mark_belongs_to_its_session_and_side() -> None:
    """Any other is refused."""
    session = played("fair", 1, 3)
    red, blue = session.view("Red"), session.view("Blue")

    for mark, seen in ((red.mark, blue), (session.mark, red), (red.mark, session)):
        with pytest.raises(ValueError, match="another"):
            seen.since(mark)
    with pytest.raises(ValueError, match="another"):
        session.clone().since(session.mark)


def test_subscribers_are_told_of_every_change() -> None:
    """Answers and the way back; not what is refused, nor after they have left."""
    session = game("fair").start(1)
    told: list[SessionChange] = []
    stop = session.subscribe(told.append)
    seen: list[SessionChange] = []
    session.view("Blue").subscribe(seen.append)
    going_on(session, 3)
    with pytest.raises(Refused):
        session.choose("nobody at all")
    session.undo(past_chance=True)

    assert 4 == len(told) == len(seen)
    assert [0, 0, 0] == [change.undone for change in told[:3]]
    assert told[3].undone > 0
    stop()
    going_on(session, 1)
    assert (4, 5) == (len(told), len(seen))


def test_an_error_of_a_subscriber_does_not_keep_others_from_being_told() -> None:
    """It leaves `choose` after all are told, and the session has gone on."""
    session = game("fair").start(1)
    told: list[SessionChange] = []

    def fail(change: SessionChange) -> None:
        raise RuntimeError("no")

    session.subscribe(fail)
    session.subscribe(told.append)
    with pytest.raises(RuntimeError, match="no"):
        going_on(session, 1)

    assert (1, 1) == (len(told), session.answered)


def test_revisions_grow_with_answers_and_with_the_way_back() -> None:
    """No two moments share one."""
    session = game("fair").start(1)
    revisions = [session.revision]
    for _ in range(4):
        going_on(session, 1)
        revisions.append(session.revision)
        session.undo(past_chance=True)
        revisions.append(session.revision)

    assert sorted(set(revisions)) == revisions


def test_copies_are_clones() -> None:
    """A copy plays on separately, also one that `copy` makes; its subscribers are its own."""
    session = played("fair", 1, 5)
    session.subscribe(lambda change: None)
    for other in (copy.deepcopy(session), copy.copy(session)):
        assert session.save() == other.save()
        going_on(other, 2)
        assert session.answered + 2 == other.answered


SECRET = """
enum Side: Red, Blue, Green
state sum: 0..99
choice bid(side) by side:
    number from 1 to 3
sequence play:
    choose bid(side) for each side in Side as offered
    for each side in Side: add offered(side) to sum
    choose bid(Red)
"""


def test_open_secrets_stay_hidden_after_a_restore() -> None:
    """The trace begins in the middle of the answers that all give before any is shown."""
    from rulekit.testing import MANIFEST, compile_text, manifest

    made = compile_text(SECRET, {MANIFEST: f"{manifest(())}sequence: play\n"})
    assert made.program is not None
    play = Game(made.program)
    session = play.start()
    session.choose("3")
    again = play.restore(session.save())
    mirror = Mirror(again.view("Red"))
    again.choose("2")
    red = again.view("Red")

    assert [{}] == [event.fields for event in red.events]
    mirror.follow()
    mirror.check()
    again.choose("1")
    assert [2, 1] == [e.fields["value"] for e in again.view("Red").events if e.kind == "answer"]
    assert [2] == [event.fields["value"] for event in mirror.follow().shown if event.fields["side"] == "Blue"]


def test_touched_cells_need_no_comparison() -> None:
    """Events name every cell that changes, in a game where every kind of thing happens."""
    session = game("fair").start(4)
    touched, draw = session.game.touched, random.Random(4)
    first, end = session.game.module.layout.first_state, session.game.module.layout.first_derived
    while session.machine.asked is not None:
        before, length, late = session.machine.M[:], len(session.trace), session.machine.late[:]
        answer(session, draw)
        known = set(touched.addresses(session.trace.since(length))) | set(touched.waiting(late))
        assert {at for at in range(first, end) if before[at] != session.machine.M[at]} <= known


def test_hidden_is_one_value_in_every_copy() -> None:
    """Comparison by identity holds after a copy."""
    assert copy.deepcopy(HIDDEN) is HIDDEN
