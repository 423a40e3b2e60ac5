"""The small games by hand are those of the rules: equal answers lead to equal ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks import plain_boards
from rulekit import compile_rules
from rulekit.ir.reachable import for_play
from rulekit.runtime.machine.simulate import RandomPolicy, run_direct


class Counted(RandomPolicy):
    """Counts its answers."""

    count = 0

    def __call__(self, choice: int, side: int, item: Any, options: Sequence[int]) -> int:
        self.count += 1
        return super().__call__(choice, side, item, options)

    def choose(self, options: Sequence[Any]) -> Any:
        """Answer a game by hand, which also asks where one option is left."""
        return options[0] if len(options) == 1 else self(0, 0, None, options)


@pytest.mark.parametrize("name", plain_boards.GAMES)
def test_games_by_hand_end_alike(name: str) -> None:
    """Forty games: the same winner after as many answers."""
    program = for_play(compile_rules(f"examples/boards/{name}"))
    for seed in range(40):
        by_rules, by_hand = Counted(program, seed), Counted(program, seed)
        assert run_direct(program, None, by_rules, seed).result == plain_boards.GAMES[name](by_hand.choose)
        assert by_rules.count == by_hand.count
