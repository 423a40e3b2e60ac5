"""The search for legal answers to `assign`: the same as by listing every finished answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from rulekit.base.bits import members
from rulekit.ir.types import NONE
from rulekit.runtime.support import search

Answer = tuple[int, ...]


class Puzzle:
    """Up to four items with options of their own, and norms made by lot.

    A norm says that of two options given to two items one or the other must not be, or that whoever gets
    an option obliges another item, or that so many options at most are given.
    """

    def __init__(self, rnd: Random) -> None:
        self.items = tuple(rnd.sample(range(20), rnd.randint(1, 4)))
        self.lists = tuple(rnd.randrange(1, 32) & rnd.randrange(32) for _ in self.items)
        self.free = tuple(rnd.random() < 0.7 for _ in self.items)
        self.each = rnd.choice((-1, -1, 1, 2))
        self.most = rnd.choice((9, 2, 1))
        self.owed = [(rnd.choice(self.items), rnd.randrange(5), rnd.randrange(5)) for _ in range(2)]
        self.barred = [(rnd.choice(self.items), rnd.randrange(5)) for _ in range(rnd.randint(0, 2))]

    def broken(self, _state: list[Any], items: Answer, picks: Answer) -> bool:
        """Whether a finished answer breaks a norm."""
        given = dict(zip(items, picks, strict=True))
        some = {pick for pick in picks if pick != NONE}
        owed = any(given[item] == option and other not in some for item, option, other in self.owed)
        return owed or len(some) > self.most or any(given[item] == option for item, option in self.barred)

    def hopeless(self, _state: list[Any], items: Answer, picks: Answer, _rest: int) -> bool:
        """Whether what is given already is too much."""
        given = dict(zip(items, picks, strict=False))
        some = {pick for pick in picks if pick != NONE}
        return len(some) > self.most or any(given.get(item) == option for item, option in self.barred)

    def answers(self) -> Iterator[Answer]:
        """All legal finished answers."""
        ways = [
            [*members(options), *([NONE] if free else [])]
            for options, free in zip(self.lists, self.free, strict=True)
        ]
        for picks in product(*ways):
            often = max((picks.count(option) for option in picks if option != NONE), default=0)
            if (self.each < 0 or often <= self.each) and not self.broken([], self.items, picks):
                yield picks


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("bounded", [True, False])
def test_what_is_offered_is_what_some_legal_answer_takes(seed: int, bounded: bool) -> None:
    puzzle = Puzzle(Random(seed))
    legal = list(puzzle.answers())
    beginnings = {answer[:place] for answer in legal for place in range(len(puzzle.items))}
    for picks in sorted(beginnings | {()}):
        following = {answer[len(picks)] for answer in legal if answer[: len(picks)] == picks}
        mask, may_decline = search.assign(
            [],
            (),
            puzzle.items,
            puzzle.lists,
            picks,
            puzzle.free,
            puzzle.each,
            puzzle.broken,
            puzzle.hopeless if bounded else None,
        )
        assert set(members(mask)) == following - {NONE}
        assert may_decline == (NONE in following)


def test_fronts_that_share_nothing_are_searched_apart() -> None:
    """Forty fronts of two: who attacks the first hex obliges the other to attack the second."""
    items = tuple(range(80))
    lists = tuple(3 << item % 40 * 2 for item in items)

    def owes(given: dict[int, int], hexes: int) -> bool:
        return any(pick != NONE and 3 << item % 40 * 2 & ~hexes for item, pick in given.items())

    def broken(_state: list[Any], them: Answer, picks: Answer) -> bool:
        return owes(dict(zip(them, picks, strict=True)), sum({1 << pick for pick in picks if pick != NONE}))

    def hopeless(_state: list[Any], them: Answer, picks: Answer, rest: int) -> bool:
        given = sum({1 << pick for pick in picks if pick != NONE})
        return owes(dict(zip(them, picks, strict=False)), given | rest)

    begun = tuple(item * 2 for item in range(20))
    assert search.assign([], (), items, lists, begun, (True,) * 80, -1, broken, hopeless) == (3 << 40, True)


def test_norms_that_want_much_are_met_although_nothing_is_tried_first() -> None:
    """Nothing but the judge of finished answers says that everybody but the first must get something."""

    def broken(_state: list[Any], _items: Answer, picks: Answer) -> bool:
        return NONE in picks[1:]

    options = search.assign([], (), tuple(range(30)), (6,) * 30, (), (True,) * 30, -1, broken, None)
    assert options == (6, True)
