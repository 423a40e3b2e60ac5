"""Threads share a game: each plays sessions of its own, and all come out as they would alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from rulekit.ir import Program
from rulekit.runtime.play import Game
from tests.unit.runtime.play.games import going_on, program

THREADS = 8


@pytest.fixture(autouse=True)
def _often() -> Iterator[None]:
    """Change threads as often as Python does."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def course(game: Game, seed: int) -> list[Any]:
    """How a game goes, with all that a session is asked for on the way."""
    session = game.start(seed)
    rows: list[Any] = []
    mark = session.mark
    while (decision := session.decision) is not None and session.answered < 40:
        view = session.view(decision.side)
        kind = session.game.program.choices[session.machine.asked[0]].option.type  # type: ignore[index]
        rows.append([decision, len(view.events), str(kind)])
        if decision.legal_answers[0].name.isalpha():
            rows.append([reason.text for reason in session.why("none")])
        if session.answered % 5 == 4:
            session = game.restore(session.save())
            mark = session.mark
        going_on(session, 1)
        change = session.since(mark)
        mark = change.mark
        rows.append(change.cells)
    return rows


@pytest.mark.parametrize("name", ["fair", "ferry"])
def test_threads_do_not_disturb_each_other(name: str) -> None:
    """With a game that nobody has played before."""
    fresh = partial(_copy, program(name))
    alone = Game(fresh())
    expected = [course(alone, seed) for seed in range(THREADS)]
    shared = Game(fresh())
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(partial(course, shared), range(THREADS)))

    assert expected == found


def test_threads_may_make_the_same_game(name: str = "fair") -> None:
    """Each asks for the code of one program, which is made once."""
    one = _copy(program(name))
    with ThreadPoolExecutor(THREADS) as pool:
        games = list(pool.map(lambda _: Game(one), range(THREADS)))

    assert 1 == len({id(game.module) for game in games})


def _copy(original: Program) -> Program:
    """An equal program, of which nothing is known yet."""
    from dataclasses import replace

    return replace(original, title=original.title)
