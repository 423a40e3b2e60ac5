"""Legal answers to `assign` with several for each item: the same as by listing every finished answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product
from random import Random
from typing import Any

import pytest

from rulekit.base.bits import mask_of, members
from rulekit.runtime.support import search_sets
from rulekit.runtime.support.completion import set_options

Sets = tuple[int, ...]


class Puzzle:
    """Up to three items with four options: by lot, what each needs, what covers need, what is barred."""

    def __init__(self, rnd: Random) -> None:
        count = rnd.randint(1, 3)
        self.items = tuple(rnd.sample(range(20), count))
        self.lists = tuple(rnd.randrange(16) | rnd.randrange(16) for _ in self.items)
        self.lows = tuple(rnd.choice((0, 1, 1, 2)) for _ in self.items)
        self.highs = tuple(rnd.choice((1, 2, 9)) for _ in self.items)
        self.frees = tuple(low == 0 or rnd.random() < 0.4 for low in self.lows)
        self.each = rnd.choice((-1, -1, 1, 2))
        own = tuple(rnd.randrange(16) & options for options in self.lists)
        self.classes = [(own, rnd.randrange(16) & rnd.randrange(16))] * rnd.randint(0, 1)
        self.always = rnd.choice((0, 0, rnd.randrange(16) & rnd.randrange(16)))
        self.most = rnd.choice((9, 3, 2))

    @property
    def jumps(self) -> bool:
        """Whether an item has nothing or several, and options may run out: only a search can tell then."""
        return self.each >= 0 and any(
            low > 1 and free for low, free in zip(self.lows, self.frees, strict=True)
        )

    def covered(self, sets: Sets) -> bool:
        """Whether all is there that covers need."""
        given = mask_of(chain.from_iterable(map(members, sets)))
        for own, needed in self.classes:
            if any(mine & one for mine, one in zip(own, sets, strict=True)) and needed & ~given:
                return False
        return not self.always & ~given

    def answers(self) -> Iterator[Sets]:
        """All finished answers that bounds, limits and covers allow."""
        ways = []
        for options, low, high, free in zip(self.lists, self.lows, self.highs, self.frees, strict=True):
            own = list(members(options))
            sizes = [size for size in range(1, len(own) + 1) if low <= size <= high]
            ways.append(
                [
                    mask_of(group)
                    for size in [*sizes, *([0] if free else [])]
                    for group in combinations(own, size)
                ]
            )
        for sets in product(*ways):
            often = [sum(mine >> one & 1 for mine in sets) for one in range(4)]
            if (self.each < 0 or max(often) <= self.each) and self.covered(sets):
                yield sets

    def broken(self, _state: list[Any], _items: Sets, sets: Sets) -> bool:
        """Whether a finished answer breaks a norm: so many options at most, and all that covers need."""
        return self.given(sets) > self.most or not self.covered(sets)

    def hopeless(self, _state: list[Any], _items: Sets, least: Sets, _most: Sets) -> bool:
        """Whether what is given already is too much."""
        return self.given(least) > self.most

    @staticmethod
    def given(sets: Sets) -> int:
        """How many options are given."""
        return sum(map(int.bit_count, sets))


def steps(legal: list[Sets]) -> Iterator[tuple[Sets, int, set[int], bool]]:
    """Every beginning: finished sets, what the next one has, what may be added, whether it may end."""
    for place in range(len(legal[0]) if legal else 0):
        for done in sorted({sets[:place] for sets in legal}):
            ways = [sets[place] for sets in legal if sets[:place] == done]
            for chosen in range(16):
                above = [way for way in ways if not chosen & ~way]
                if above:
                    yield (
                        done,
                        chosen,
                        {one for way in above for one in members(way & ~chosen)},
                        chosen in ways,
                    )


@pytest.mark.parametrize("seed", range(80))
def test_matching_offers_what_some_legal_answer_has(seed: int) -> None:
    puzzle = Puzzle(Random(seed))
    if puzzle.jumps:
        puzzle.each = -1
    for done, chosen, more, end in steps(list(puzzle.answers())):
        bounds = (puzzle.lists, puzzle.lows, puzzle.highs, puzzle.frees)
        mask, may_end = set_options(*bounds, puzzle.classes, puzzle.always, done, chosen, puzzle.each)
        assert (set(members(mask)), may_end) == (more, end)


@pytest.mark.parametrize("seed", range(80))
@pytest.mark.parametrize("bounded", [True, False])
def test_searching_offers_what_some_legal_answer_has(seed: int, bounded: bool) -> None:
    puzzle = Puzzle(Random(seed))
    legal = [sets for sets in puzzle.answers() if not puzzle.broken([], puzzle.items, sets)]
    for done, chosen, more, end in steps(legal):
        hopeless = puzzle.hopeless if bounded else None
        bounds = (puzzle.items, puzzle.lists, puzzle.lows, puzzle.highs, puzzle.frees, puzzle.each)
        mask, may_end = search_sets.assign_sets([], (), *bounds, done, chosen, puzzle.broken, hopeless)
        assert (set(members(mask)), may_end) == (more, end)


def test_where_nothing_is_legal_nothing_is_offered() -> None:
    assert set_options((3, 3), (2, 2), (9, 9), (False, False), (), 0, (), 0, 1) == (0, False)
    assert set_options((1,), (2,), (9,), (False,), (), 0, (), 0, -1) == (0, False)
