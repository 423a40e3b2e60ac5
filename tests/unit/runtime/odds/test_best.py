"""Best replies: against every way to answer, in random graphs with loops."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.ir.types import NONE
from rulekit.runtime.odds.best import NotFollowed, take_best
from rulekit.runtime.odds.graph import Budget
from rulekit.runtime.odds.policies import OpenChoice
from rulekit.runtime.odds.running import OddsRunner
from tests.unit.runtime.odds.asking import question
from tests.unit.runtime.odds.test_weights import by_elimination, graph

Ways = list[tuple[int, int]]
VALUES: list[Fraction | None] = [None, None, Fraction(-1), Fraction(0), Fraction(3), None]
"""The values of outcomes by their numbers; the first two are what never ends and what was not followed."""


@st.composite
def games(draw: Any) -> list[list[Ways]]:
    """For each situation the answers, one where nobody is asked, and what follows each."""
    size = draw(st.integers(1, 6))
    to = st.integers(-6, size - 1).filter(lambda number: number not in (-1, -2))
    ways = st.lists(st.tuples(to, st.integers(1, 3)), min_size=1, max_size=3, unique_by=lambda way: way[0])
    answers = st.lists(ways, min_size=1, max_size=3)
    game: list[list[Ways]] = draw(st.lists(answers, min_size=size, max_size=size))
    return game


def worth(game: list[list[Ways]], chosen: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """How often a value is read, and their sum, with these answers from the start."""
    edges: list[Ways | None] = [answers[place] for answers, place in zip(game, chosen, strict=True)]
    ends = {outcome: chance for outcome, chance in by_elimination(edges, 0).items() if chance}
    read = [(chance, value) for n, chance in ends.items() if (value := VALUES[n]) is not None]
    return sum((c for c, _ in read), Fraction(0)), sum((c * v for c, v in read), Fraction(0))


@settings(max_examples=200, deadline=None)
@given(games())
def test_no_other_answers_are_better(game: list[list[Ways]]) -> None:
    """Of all ways to answer in each situation, none gives more."""
    whole = graph([[way for ways in answers for way in ways] for answers in game])
    whole.outcomes = list(range(len(VALUES)))
    whole.open = {n: list(enumerate(answers)) for n, answers in enumerate(game) if len(answers) > 1}
    take_best(whole, lambda outcome: VALUES[outcome])
    chosen = tuple(
        answers.index(whole.nodes[n].edges) if n in whole.open else 0 for n, answers in enumerate(game)
    )

    assert worth(game, chosen) == max(
        worth(game, other) for other in product(*(range(len(answers)) for answers in game))
    )


PRESS = """enum Side: Red, Blue
roll fire: d6
state hits: 0..9
state tries: 0..4
choice again(side) by side:
    decide
procedure press:
    repeat while tries < 4:
        roll fire as shot
        add 1 to tries
        when shot < 3:
            set hits to 0
            leave
        add 1 to hits
        choose again(Red) as more
        when not more: leave
"""


def test_a_game_of_pressing_ones_luck() -> None:
    """With one hit, two thirds of two are more than one; with three, two thirds of four are less."""
    program = question(PRESS, "when do press", ("hits", "hits"))
    found = OddsRunner(program).follow(program.examples[0], None, Budget(), left_open=OpenChoice(0, NONE))

    assert sum(outcome[0] * chance for outcome, chance in found.chances.items()) == Fraction(8, 9)
    assert set(found.best) == {0, 1}


def test_what_was_not_followed_has_no_best_answer() -> None:
    """The rest might be better."""
    program = question(PRESS, "when do press", ("hits", "hits"))
    with pytest.raises(NotFollowed):
        OddsRunner(program).follow(program.examples[0], None, Budget(2), left_open=OpenChoice(0, NONE))
