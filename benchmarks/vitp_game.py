"""One whole random game: plain Python, the program without stops, and the program as a session.

python -m benchmarks.vitp_game [--games N]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks import plain
from benchmarks.common import (
    SCENARIO,
    Ratio,
    answer,
    assert_same,
    assert_same_dice,
    board,
    compare,
    policy,
    program,
)
from rulekit.runtime.codegen.assemble import generate
from rulekit.runtime.machine.simulate import run_direct
from rulekit.runtime.play import Game, Session
from rulekit.runtime.support.build import SIMULATION

GAMES = 40


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended: its last state and its result, a side's number or None."""

    seed: int
    result: int | None
    state: Any


def plain_game(seed: int) -> Callable[[], Ended]:
    """From the counters in their box to the last turn."""
    pieces, choose = board(), policy(seed)

    def run() -> Ended:
        game = plain.Game(pieces, choose, seed)
        plain.set_up(game)
        return Ended(seed, plain.play(game), game)

    return run


def direct_game(seed: int) -> Callable[[], Ended]:
    """The same by the program, in the build for simulation."""
    rules, choose = program(), policy(seed)

    def run() -> Ended:
        outcome = run_direct(rules, SCENARIO, choose, seed)
        return Ended(seed, outcome.result, outcome.cells)

    return run


def session_game(seed: int) -> Callable[[], Ended]:
    """The same as a session, which traces every event and can undo every answer."""
    choose = policy(seed)

    def run() -> Ended:
        session = played().start(seed, SCENARIO)
        answer(session, choose)
        return _ended(seed, session)

    return run


def named_session_game(seed: int) -> Callable[[], Ended]:
    """The same, looking at every decision with its options by name, as a person's front end does."""
    choose = policy(seed)

    def run() -> Ended:
        session = played().start(seed, SCENARIO)
        while (decision := session.decision) is not None:
            session.choose(choose(decision.choice, decision.side, decision.part, decision.legal_answers))
        return _ended(seed, session)

    return run


def _ended(seed: int, session: Session) -> Ended:
    sides = {"Japan": 0, "Allies": 1}
    return Ended(seed, sides.get(session.result), session.machine.M)


_played: list[Game] = []


def played() -> Game:
    """The program as something to play, made once."""
    if not _played:
        _played.append(Game(program()))
    return _played[0]


def same(expected: Ended, actual: Ended) -> None:
    """Result, state and dice of two games are equal."""
    layout = generate(program(), SIMULATION).layout
    if expected.result != actual.result:
        raise AssertionError(f"game {expected.seed}: {expected.result} against {actual.result}")
    assert_same(expected.state, layout, actual.state)
    assert_same_dice(expected.state, expected.seed, layout, actual.state)


def measure(games: int = GAMES) -> list[Ratio]:
    """Ratios over so many games."""
    others = {
        "direct, no trace": direct_game,
        "session: trace and undo": session_game,
        "session, every legal answer named": named_session_game,
    }
    return compare(plain_game, others, same, games)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="One whole random game of VITP against plain Python.")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games to time (default {GAMES})")
    for ratio in measure(parser.parse_args().games):
        print(ratio.line())


if __name__ == "__main__":
    main()
