"""Modules with a log: the events of sessions, one by one, in each engine."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rulekit import compile_rules, ir
from rulekit.ir import types as t
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.names import Naming
from rulekit.runtime.machine.simulate import RandomPolicy
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeSession
from rulekit.runtime.native.log.describing import describe_events
from rulekit.runtime.native.log.reading import events_of, message_of
from rulekit.runtime.native.log.table import EventTable, LoggedEvent
from rulekit.runtime.native.lower import unit
from rulekit.runtime.native.lower.memory import Shapes, value_words
from rulekit.runtime.native.refusals import BuildRefused
from rulekit.runtime.native.sections import NotAModule
from rulekit.runtime.play import Game
from tests.unit.runtime import make
from tests.unit.runtime.agree import FUEL
from tests.unit.runtime.native.test_games import ROOT, SMALL
from tests.unit.runtime.test_agreement import QUIET
from tests.unit.runtime.worlds import programs

Events = list[dict[str, Any]]


def in_python(game: Game, seed: int) -> Iterator[Events]:
    """The events of a session from one question to the next, answered by the random policy."""
    policy, session, found = RandomPolicy(game.program, seed), game.start(seed), 0
    while True:
        events = session.events[found:]
        found += len(events)
        yield [event.as_json for event in events]
        if session.machine.asked is None:
            return
        session.choose(policy(*session.machine.asked))


def in_module(
    session: NativeSession, program: ir.Program, seed: int, straying: float = 0
) -> Iterator[Events]:
    """The same of a module; `straying` is how often it goes astray for some answers, and back to a copy."""
    policy, random = RandomPolicy(program, seed), Random(seed)
    session.start(seed)
    while True:
        yield session.events()
        if not session.numbers:
            return
        if random.random() < straying:
            stray(session, random)
        choice, side, item, *options = session.numbers
        session.answer(options.index(policy(choice, side, item, options)))


def stray(session: NativeSession, random: Random) -> None:
    """Answer at random for a while, and go back."""
    copy = session.copy()
    for _ in range(random.randrange(30)):
        if session.numbers:
            session.answer(random.randrange(len(session.numbers) - 3))
    session.restore(copy)


def check_events(name: str, seeds: range, questions: int | None = None, straying: float = 0) -> None:
    """Hold that all events of some games are equal, or those up to so many questions.

    Args:
        straying: How often the module goes astray and back to a copy.
    """
    program = for_play(compile_rules(ROOT / name))
    game, session = Game(program), NativeSession(build(program, stops=True, log=True))
    for seed in seeds:
        expected = islice(in_python(game, seed), questions)
        for events, found in zip(
            expected, in_module(session, program, seed, straying), strict=questions is None
        ):
            assert events == found


@pytest.mark.parametrize("name", SMALL)
def test_events_of_small_games_are_equal(name: str) -> None:
    """Boards, cards and the sets of the documents."""
    check_events(name, range(5))


@pytest.mark.parametrize(("name", "questions"), [("vitp", 600), ("fcn", 40), ("pacwar", 40), ("atp", 60)])
def test_events_of_shipped_games_are_equal(name: str, questions: int) -> None:
    """Placement, battles, chits, records: each kind of value that they tell."""
    check_events(f"rules/{name}", range(1), questions)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seeds"), [("vitp", 10), ("fcn", 4), ("pacwar", 4), ("atp", 10)])
def test_events_of_whole_games_are_equal(name: str, seeds: int) -> None:
    """To the end of the game."""
    check_events(f"rules/{name}", range(seeds))


def test_copies_leave_no_trace() -> None:
    """Sessions that often go astray, and back to a copy, leave the same events."""
    check_events("tests/sets/ferry", range(10), straying=0.3)
    check_events("examples/cards/two-lanterns", range(5), straying=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vitp", "fcn", "pacwar", "atp"])
def test_copies_of_shipped_games_leave_no_trace(name: str) -> None:
    """Fifty sessions each, to the end."""
    check_events(f"rules/{name}", range(50), straying=0.02)


@settings(max_examples=60, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_random_programs_leave_equal_events(program: ir.Program, seed: int) -> None:
    """From question to question; a fault, which both have, ends it."""
    program = for_play(program)
    try:
        session = NativeSession(build(program, stops=True, log=True))
    except BuildRefused:
        return
    session.budget = FUEL
    expected, found = in_python(Game(program, fuel=FUEL), seed), in_module(session, program, seed)
    for _ in range(200):
        events, fault = next_or_fault(expected)
        own, other = next_or_fault(found)
        assert fault == other
        assert events == own
        if events is None:
            break


def next_or_fault(events: Iterator[Events]) -> tuple[Events | None, Any]:
    """The next events, or the fault: its name, its site and its message."""
    try:
        return next(events, None), None
    except Fault as fault:
        return None, (fault.name, fault.site, fault.message)


def test_a_module_that_plays_whole_games_tells_the_last_one() -> None:
    """From the set-up to the end; a batch leaves the events of its last game."""
    program = for_play(compile_rules(ROOT / "tests/sets/ferry"))
    game = NativeGame(build(program, log=True))
    expected = [event for events in in_python(Game(program), 7) for event in events]

    game.play(7)
    assert expected == game.events()
    game.playouts(5, 3)
    assert expected == game.events()


SIDE, NUMBER, LARGE = t.Member("Side", "Side"), t.Int(-5, 200), t.Int(-5, 10**9)
VALUES: list[tuple[t.Type, Any]] = [
    (NUMBER, -3),
    (t.Optional(NUMBER), t.NONE),
    (t.Flag(), 1),
    (SIDE, 1),
    (t.Optional(SIDE), t.NONE),
    (t.Month(1942 * 12, 1945 * 12), 1942 * 12 + 7),
    (t.Ratio(), Fraction(3, 2)),
    (t.Text(), t.TextValue("a line")),
    (t.SetOf(SIDE), 0b11),
    (t.SetOf(t.Int(0, 200)), 1 << 199 | 1 << 64 | 1),
    (t.ListOf(SIDE, 5), (1, 0, 1)),
    (t.ListOf(t.SetOf(t.Int(0, 70)), 3), (1 << 70, 0)),
    (t.Record(("one", "other"), (SIDE, t.Int(2, 6))), 1 * 5 + 3),
    (t.Record(("far", "side", "near"), (LARGE, SIDE, LARGE)), (999_999_999 * 2 + 1) * (10**9 + 6) + 8),
]


def every_type() -> tuple[dict[str, Any], list[int], dict[str, Any]]:
    """The section of a module with one event, the words of that, and the event."""
    program = make.program()
    shapes, naming, log = Shapes(program.by_name.sizes), Naming(program), EventTable(100)
    fields = tuple((f"field {number}", kind) for number, (kind, _) in enumerate(VALUES))
    words = [log.number(LoggedEvent("reveal", "all", 0, None, fields))]
    event: dict[str, Any] = {"kind": "reveal", "subject": "all", "rules": ["1.2"]}
    for (name, _), (kind, value) in zip(fields, VALUES, strict=True):
        words += map(_with_sign, value_words(shapes, kind, value))
        event[name] = naming.to_json(kind, value)
    names = describe_events(log, shapes) | {
        "texts": list(shapes.texts),
        "sites": {"0": ["play", ["1.2"], "", 1, 1]},
        "domains": {item.name: list(item.members) for item in program.domains},
    }
    return names, words, event


def test_every_type_is_read() -> None:
    """The words of a value are read as the JSON that logs have for it."""
    names, words, event = every_type()
    assert [event] == events_of(words, names)


def _with_sign(word: int) -> int:
    return word - (1 << 64) if word >> 63 == 1 else word


def test_maps_are_read() -> None:
    """A map is the set of its keys, and room for a value of each."""
    program = make.program()
    log, shapes = EventTable(100), Shapes(program.by_name.sizes)
    kind = t.MapOf(SIDE, t.SetOf(t.Int(0, 70)))
    log.number(LoggedEvent("roll", "luck", 0, None, (), (("given", kind),)))
    names = describe_events(log, shapes) | {
        "sites": {"0": ["play", [], "", 1, 1]},
        "domains": {item.name: list(item.members) for item in program.domains},
    }
    side = program.by_name.domains["Side"].members[1]

    (event,) = events_of([0, 0b10, 99, 99, 5, 1], names)

    assert {"given": {side: [0, 2, 64]}} == event["arguments"]


def test_a_value_in_a_message_is_not_read_as_a_place() -> None:
    """A set of one number looks like the place of another value."""
    types = [["set", 1, ["number"]], ["number"], ["number"]]
    names = {"messages": [["`aim({0}, {1})` of {2:,}", types]]}

    assert "`aim({1}, 5)` of 1,000" == message_of(1, [0b10, 5, 1000], names)


def test_a_log_that_is_full_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """No event is left out: the budget is at its end, and what came before can be read."""
    monkeypatch.setattr(unit, "ROOM_OF_GAMES", 30)
    program = for_play(compile_rules(ROOT / "tests/sets/ferry"))
    game = NativeGame(build(program, log=True))

    with pytest.raises(Fault) as caught:
        game.play(7)

    assert "budget" == caught.value.name
    found = game.events()
    expected = [event for events in in_python(Game(program), 7) for event in events]
    assert expected[: len(found)] == found
    assert 3 < len(found) < len(expected)


def test_a_copy_has_no_events() -> None:
    """They belong to the answer that left them."""
    session = NativeSession(build(compile_rules(ROOT / "tests/sets/duel"), stops=True, log=True))
    session.start(1)
    copy = session.copy()
    session.answer(0)
    assert session.events()

    session.restore(copy)

    assert [] == session.events()


def test_a_module_without_a_log_says_so() -> None:
    """Its section has no events."""
    game = NativeGame(build(make.program(make.procedure("play"))))
    with pytest.raises(NotAModule, match="--log"):
        game.events()
