"""The yardstick of the benchmarks plays the rule set's game: the same questions, dice, states and results."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from benchmarks import plain, vitp_action, vitp_game
from benchmarks.common import (
    LOCAL,
    SCENARIO,
    assert_same,
    assert_same_dice,
    board,
    plain_state,
    policy,
    program,
)
from benchmarks.plain.dice import dice
from benchmarks.plain.game import DONE
from rulekit.ir.types import DONE as NO_MORE
from rulekit.ir.types import NONE
from rulekit.runtime import chance
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct
from rulekit.runtime.support.build import SIMULATION

QUICK_GAMES = range(6)
MANY_GAMES = range(6, 406)

Question = tuple[str, int, int | None, tuple[int, ...]]


def ask_program(seed: int) -> tuple[list[Question], list[int], Any, list[Any]]:
    """A game by the program: its questions, the places of the answers, the result and the last state."""
    rules, draw = program(), random.Random(seed).random
    questions: list[Question] = []
    places: list[int] = []

    def agent(choice: int, side: int, item: Any, options: Sequence[int]) -> int:
        places.append(int(draw() * len(options)))
        questions.append((rules.choices[choice].name, side, item, tuple(options)))
        return options[places[-1]]

    outcome = run_direct(rules, SCENARIO, agent, seed)
    return questions, places, outcome.result, outcome.cells


def follow(questions: Sequence[Question], places: Sequence[int], asked: list[Question]) -> Callable[..., Any]:
    """Answers the yardstick's questions from the same places, and fails at the first that differs."""

    def choose(choice: str, side: int, item: Any, options: Sequence[Any]) -> Any:
        now = len(asked)
        asked.append((choice, side, None if item is None else item.number, values(options)))
        expected = questions[now] if now < len(questions) else None
        assert expected is not None and expected[:3] == asked[-1][:3], f"question {now}"
        # Groups are numbered by their places in the program, and are themselves in plain Python.
        assert len(expected[3]) == len(options) if choice == "pursuit" else expected == asked[-1]
        return options[places[now]]

    return choose


def values(options: Sequence[Any]) -> tuple[int, ...]:
    """Options of the yardstick as the program has them."""

    def value(option: Any) -> int:
        if option is None:
            return NONE
        if option is DONE:
            return NO_MORE
        return int(option) if isinstance(option, int) else getattr(option, "number", -1)

    return tuple(map(value, options))


def assert_same_game(seed: int) -> None:
    """One whole game, question by question."""
    questions, places, result, cells = ask_program(seed)
    asked: list[Question] = []
    game = plain.Game(board(), follow(questions, places, asked), seed)
    plain.set_up(game)
    actual = plain.play(game)
    layout = generate(program(), SIMULATION).layout

    assert len(questions) == len(asked)
    assert (None if result == NONE else result) == actual
    assert_same(game, layout, cells)
    assert_same_dice(game, seed, layout, cells)


@pytest.mark.parametrize("seed", QUICK_GAMES)
def test_plain_game_equals_the_program(seed: int) -> None:
    """Every question with its options in order, the last state, the result and the next dice are equal."""
    assert_same_game(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(MANY_GAMES.start, MANY_GAMES.stop, 50))
def test_many_plain_games_equal_the_program(first: int) -> None:
    """The same over enough games to meet what is rare."""
    for seed in range(first, first + 50):
        assert_same_game(seed)


@pytest.mark.slow
def test_many_games_ask_every_question() -> None:
    """No choice of the rule set is left out of the comparison."""
    expected = {choice.name for choice in program().choices}
    games = (*QUICK_GAMES, *MANY_GAMES)

    assert expected == {question[0] for seed in games for question in ask_program(seed)[0]}


def test_keyed_policy_plays_the_same_game() -> None:
    """A policy with a stream for each choice leads both through the same game, too."""
    seed, names = 11, [choice.name for choice in program().choices]
    keyed = RandomPolicy(program(), seed)
    outcome = run_direct(program(), SCENARIO, RandomPolicy(program(), seed), seed)
    game = plain.Game(board(), lambda choice, *question: keyed(names.index(choice), *question), seed)
    plain.set_up(game)
    result = plain.play(game)

    assert (None if outcome.result == NONE else outcome.result) == result
    assert_same(game, generate(program(), SIMULATION).layout, outcome.cells)


@pytest.mark.parametrize("play", [vitp_game.session_game, vitp_game.named_session_game])
def test_sessions_play_the_same_game(play: Callable[[int], Callable[[], vitp_game.Ended]]) -> None:
    """What is timed as a session ends as the yardstick does."""
    vitp_game.same(vitp_game.plain_game(5)(), play(5)())


@pytest.mark.parametrize("name", vitp_action.POSITIONS)
def test_actions_are_the_same(name: str) -> None:
    """What is timed as one action ends alike in plain Python, in the program and in a session."""
    check = vitp_action.same(name)

    check(vitp_action.plain_actions(name, 0)(), vitp_action.direct_actions(name, 0)())
    check(vitp_action.plain_actions(name, 0)(), vitp_action.session_actions(name, 0)())


def test_a_difference_is_seen() -> None:
    """The comparison would notice one point of damage."""
    seed = 0
    outcome = run_direct(program(), SCENARIO, policy(seed), seed)
    game = vitp_game.plain_game(seed)().state
    game.units[0].damage += 1

    with pytest.raises(AssertionError, match=r"piece\.damage"):
        assert_same(game, generate(program(), SIMULATION).layout, outcome.cells)


def test_all_state_is_compared() -> None:
    """Every state of the rule set is either compared or known to be local in the yardstick."""
    states = {state.name for state in program().states}
    game = vitp_game.plain_game(0)().state

    assert states == set(plain_state(game)) | LOCAL & states


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_dice_are_the_keyed_ones(seed: int) -> None:
    """The yardstick's own dice show what the generator of the language shows."""
    expected = chance.Dice(chance.stream_base(seed, "vitp.attack"), 6)
    actual = dice(seed, "vitp.attack")

    assert [expected[n] for n in range(500)] == [next(actual) for _ in range(500)]
