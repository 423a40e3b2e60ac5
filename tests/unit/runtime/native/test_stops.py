"""Modules that stop: the same games as in Python, question by question; copies; wrong answers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rulekit import compile_rules, ir
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import optimised_program
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.native import lir, stops, verify
from rulekit.runtime.native.build import build
from rulekit.runtime.native.host import NativeGame, NativeQuestion, NativeSession
from rulekit.runtime.native.lower.module import lower
from rulekit.runtime.native.refusals import BuildRefused
from rulekit.runtime.native.sections import NotAModule
from rulekit.testing import compile_text
from tests.unit.runtime import make
from tests.unit.runtime.agree import by_direct, by_native_session
from tests.unit.runtime.native.test_games import ROOT, SMALL
from tests.unit.runtime.play.test_fault_messages import HEAD, MANIFEST, TOGETHER, lines
from tests.unit.runtime.test_agreement import BUDGET, OPERANDS, QUIET
from tests.unit.runtime.worlds import programs


class Player:
    """Plays a session as a policy chooses, asked in the numbers of the rules."""

    def __init__(self, program: ir.Program, session: NativeSession) -> None:
        self.program, self.session = program, session

    def take(self, policy: RandomPolicy) -> NativeQuestion | None:
        """Answer the open question."""
        choice, side, item, *options = self.session.numbers
        return self.session.answer(options.index(policy(choice, side, item, options)))

    def play(self, seed: int) -> list[Any]:
        """Play a whole game; the cells at its end, without what is left of the budget."""
        policy, question = RandomPolicy(self.program, seed), self.session.start(seed)
        while question is not None:
            question = self.take(policy)
        return self.session.cells()[1:]


def player(folder: str) -> Player:
    """A player of a set."""
    program = for_play(compile_rules(ROOT / folder))
    return Player(program, NativeSession(build(program, stops=True)))


@pytest.mark.parametrize("name", SMALL)
def test_small_games_stop_at_every_question(name: str) -> None:
    """Answered from outside, each game ends as the one that a policy inside plays."""
    playing = player(name)
    for seed in range(10):
        expected = run_direct(playing.program, None, RandomPolicy(playing.program, seed), seed)
        assert expected.cells[1:] == playing.play(seed)


def test_victory_in_the_pacific_stops_and_goes_on_from_copies() -> None:
    """A copy taken in the middle plays on to the same end, after another game was played from there."""
    playing = player("rules/vitp")
    session, policy, program = playing.session, RandomPolicy(playing.program, 5), playing.program
    expected = run_direct(program, None, RandomPolicy(program, 5), 5)
    question, count = session.start(5), 0
    while question is not None:
        count += 1
        if count % 500 == 0:
            copy = session.copy()
            for _ in range(20):
                session.answer(0)
            assert question == session.restore(copy)
        question = playing.take(policy)

    assert count > 1000
    assert expected.cells[1:] == session.cells()[1:]


@settings(max_examples=40, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
@given(programs(), st.integers(0, 2**32))
def test_random_programs_stop_and_go_on(program: ir.Program, seed: int) -> None:
    """They end as those that a policy inside plays, unless one exceeds its budget."""
    try:
        found = by_native_session(program, seed)
    except BuildRefused:
        return
    expected = by_direct(for_play(program), seed, OPERANDS)
    if BUDGET in (found.end, expected.end):
        return  # A session has this budget for each step, a direct game for all.
    assert expected.end == found.end
    if expected.end[0] == "result":
        assert expected.state == found.state


# ------------------------------------------------------------ questions and answers


@pytest.fixture(scope="module")
def duel() -> NativeSession:
    """A session of the duel."""
    return NativeSession(build(compile_rules(ROOT / "tests/sets/duel"), stops=True))


def test_a_question_names_everything(duel: NativeSession) -> None:
    """Choice, side and options have their names."""
    assert NativeQuestion("act", "Red", None, ("Strike", "Parry")) == duel.start(1)
    assert NativeQuestion("act", "Blue", None, ("Strike", "Parry")) == duel.answer(1)


def test_options_of_several_names() -> None:
    """The moves of breakthrough have two squares each."""
    board = NativeSession(build(compile_rules(ROOT / "examples/boards/breakthrough"), stops=True))

    question = board.start(1)

    assert question is not None
    assert ("a2", "a3") == question.options[0]


def test_a_wrong_answer_changes_nothing(duel: NativeSession) -> None:
    """Too low, too high, and where nothing is asked."""
    question = duel.start(2)
    before = duel.copy()
    for option in (-1, 2, 2**40, 2**63, 2**64, -(2**64)):
        with pytest.raises(IndexError, match=f"no open question has an option {option}$"):
            duel.answer(option)
    assert (before, question) == (duel.copy(), duel.question)

    while duel.question is not None:
        duel.answer(0)
    with pytest.raises(IndexError):
        duel.answer(0)


def test_another_copy_is_refused(duel: NativeSession) -> None:
    """A copy of another size, or of another memory."""
    copy = duel.copy()
    for wrong in (copy[:-8], bytes(len(copy))):
        with pytest.raises(ValueError, match="begins with `rulekit`"):
            duel.restore(wrong)


def test_each_kind_of_module_has_its_host() -> None:
    """The message says which."""
    program = compile_rules(ROOT / "tests/sets/duel")

    with pytest.raises(NotAModule, match="asks its host: load it as a `NativeSession`"):
        NativeGame(build(program, stops=True))
    with pytest.raises(NotAModule, match="plays whole games: load it as a `NativeGame`"):
        NativeSession(build(program))


def test_a_fault_in_the_middle_leaves_copies_usable() -> None:
    """After a fault the session goes back to before the answer."""
    choice = make.choice("one", "pick_one", candidates=make.const(0b11, make.PIECES))
    one = make.local("one", make.PIECE)
    test = make.op("eq", one, make.const(1, make.PIECE))
    body = (ir.Choose("one", (), one, 0), ir.When(test, (ir.Fail("no-such-thing", "", 2),), (), 1))
    session = NativeSession(build(make.program(make.procedure("play", *body), choices=(choice,)), stops=True))
    question = session.start()
    copy = session.copy()

    with pytest.raises(Fault, match="no-such-thing"):
        session.answer(1)
    assert question == session.restore(copy)
    assert session.answer(0) is None


def test_a_game_that_is_left_in_a_block_leaves_nothing() -> None:
    """What was noted to land at the end of a `together` block is forgotten with the question in it."""
    choice = make.choice("one", "pick_one", candidates=make.const(0b11, make.PIECES))
    add = make.write("add", "turn", (), make.const(1))
    block = ir.Together((add, ir.Choose("one", (), make.local("one", make.PIECE), 0)), 1)
    session = NativeSession(build(make.program(make.procedure("play", block), choices=(choice,)), stops=True))
    session.start()
    session.answer(0)
    expected = session.cells()

    session.start()
    session.start()
    session.answer(0)

    assert expected == session.cells()


def session_of(rules: str) -> tuple[NativeSession, NativeQuestion]:
    """A session of rules in a module, and its first question."""
    program = compile_text(rules, MANIFEST).program
    assert program is not None
    session = NativeSession(build(program, stops=True))
    question = session.start()
    assert question is not None
    return session, question


@pytest.mark.parametrize(("pair", "said"), TOGETHER.items())
def test_a_conflict_across_a_question_is_that_of_the_copy(pair: tuple[str, str], said: str) -> None:
    """Both answers from one copy, by turns: only the first one makes a change that disagrees."""
    block = lines(f"{pair[0]}; choose also as yes; when yes:", 2) + lines(pair[1], 3)
    rules = f"choice also by Red:\n    decide\n{HEAD}    together:\n{block}"
    session, question = session_of(rules)
    copy = session.copy()
    kept = []
    for _ in range(2):
        with pytest.raises(Fault) as caught:
            session.answer(question.options.index(True))
        assert f"{said} at once, by `play` [TEXT.3.1] and by `play` [TEXT.3.2]" == caught.value.message
        assert question == session.restore(copy)
        assert session.answer(question.options.index(False)) is None
        kept.append(session.cells())
        assert question == session.restore(copy)

    assert kept[0] == kept[1]


@pytest.mark.parametrize(
    "folder",
    [
        "tests/sets/harbour",
        "examples/cards/two-lanterns",
        "rules/vitp",
        pytest.param("rules/fcn", marks=pytest.mark.slow),
        pytest.param("rules/pacwar", marks=pytest.mark.slow),
    ],
)
def test_nothing_lasts_that_a_copy_leaves_out(folder: str) -> None:
    """With garbage there at each question a game ends as it should."""
    playing = player(folder)
    policy, session = RandomPolicy(playing.program, 3), playing.session
    lowered = lower(optimised_program(playing.program, plain=False), stops=True).module
    end = len(session.copy())
    garbage = b"\xa5" * (lowered.changing - end)
    assert garbage
    expected = run_direct(playing.program, None, RandomPolicy(playing.program, 3), 3)

    question = session.start(3)
    while question is not None:
        session._module.write_all(end, garbage)
        question = playing.take(policy)

    assert expected.cells[1:] == session.cells()[1:]


@pytest.mark.parametrize(("pair", "said"), TOGETHER.items())
def test_a_conflict_is_forgotten_with_the_copy_from_before(pair: tuple[str, str], said: str) -> None:
    """A copy of a question before the block has no notes: those of the answer that failed are gone."""
    block = lines(pair[0], 2) + lines("when yes:", 2) + lines(pair[1], 3)
    rules = f"choice also by Red:\n    decide\n{HEAD}    choose also as yes\n    together:\n{block}"
    session, question = session_of(rules)
    copy = session.copy()
    session.answer(question.options.index(False))
    expected = session.cells()

    session.restore(copy)
    with pytest.raises(Fault) as caught:
        session.answer(question.options.index(True))
    session.restore(copy)
    session.answer(question.options.index(False))

    assert caught.value.message.startswith(f"{said} at once")
    assert expected == session.cells()


# ------------------------------------------------------------ the pass


def test_only_what_reaches_a_question_can_stop() -> None:
    """Through calls in statements and in expressions."""
    asks = lir.LowFunction("asks", (), True, (lir.LowReturn(lir.LowCall("ask", (lir.ZERO, lir.ONE))),))
    calls = lir.LowFunction("calls", (), False, (lir.Set("x", lir.LowCall("asks")),))
    other = lir.LowFunction("other", (), False, ())

    assert {"asks", "calls"} == stops.stopping((asks, calls, other))


def test_a_frame_holds_what_is_read_after_a_stop() -> None:
    """A local of one part alone is not kept, nor is one that nothing reads again."""
    ask = lir.LowCall("ask", (lir.ZERO, lir.ONE))
    add = lir.LowBinary("add", lir.Get("before"), lir.Get("answer"))
    body = (
        lir.Set("within", lir.Get("n")),
        lir.Set("before", lir.Get("within")),
        lir.Set("answer", ask),
        lir.LowReturn(add),
    )
    function, words = stops.make_stoppable(lir.LowFunction("f", ("n",), True, body), {"ask"}, 0)
    asking = lir.LowFunction("ask", ("choice", "count"), True, (lir.LowReturn(lir.ZERO),))

    verify.verify(lir.LowModule((function, asking), 64, 0, (), ()))
    assert 1 + len(("n", "before", "answer")) == words
