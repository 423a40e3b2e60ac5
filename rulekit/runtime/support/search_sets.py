"""Which options may be added to the set of an item, found by trying: `assign` with several for each item.

As in `search`: depth first, items that share options with the one asked before others, within a budget of
partial answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.runtime.support.build import SEARCH_NODES
from rulekit.runtime.support.search import Judge, Own, PartialAnswers, TooLong, nearest_first


def assign_sets(
    state: list[Any],
    own: Own,
    items: Sequence[int],
    lists: Sequence[int],
    lows: Sequence[int],
    highs: Sequence[int],
    frees: Sequence[bool],
    each: int,
    sets: tuple[int, ...],
    chosen: int,
    broken: Judge | None,
    hopeless: Judge | None,
) -> tuple[int, bool]:
    """As `completion.set_options`, whatever the norms read; `items` are those that sets are for."""
    task = _Task(items, lists, lows, highs, frees, each)
    completion = _Completion(PartialAnswers(state, own, broken, hopeless), task, sets)
    rest = lists[len(sets)] & ~chosen
    mask = 0
    if chosen.bit_count() < highs[len(sets)]:
        for option in members(rest):
            one = 1 << option
            if task.has_room(option, (*sets, chosen)) and completion.exists(chosen | one, rest & ~one):
                mask |= one
    return mask, task.may_end(len(sets), chosen) and completion.exists(chosen, 0)


@frozen
class _Task:
    """The items and their possible sets."""

    items: Sequence[int]
    lists: Sequence[int]
    lows: Sequence[int]
    highs: Sequence[int]
    frees: Sequence[bool]
    limit: int

    def may_end(self, place: int, chosen: int) -> bool:
        """Whether the item at a place may have just this."""
        count = chosen.bit_count()
        return self.lows[place] <= count <= self.highs[place] if count else self.frees[place]

    def has_room(self, option: int, sets: Sequence[int]) -> bool:
        """Whether one more item may get an option."""
        return self.limit < 0 or sum(own >> option & 1 for own in sets) < self.limit


class _Completion:
    """Finds out whether sets for all items can be completed; see `search`.

    It begins with what costs next to nothing: the rest of the answer that it found last, and nothing for all
    others.
    """

    def __init__(self, search: PartialAnswers, task: _Task, sets: tuple[int, ...]) -> None:
        self.search, self.task, self.sets = search, task, sets
        place = len(sets)
        self.order = (*range(place + 1), *nearest_first(task.lists, place))
        self._lists = tuple(task.lists[one] for one in self.order)
        self._turns = tuple(map(self.order.index, range(len(self.order))))
        """For each item when its turn is in the search."""
        behind = self.order[place + 1 :]
        self.tails = [(0,) * len(behind)] if all(task.frees[one] for one in behind) else []
        self.ahead = SEARCH_NODES // 4
        """Partial answers that may still be looked at with nothing first."""

    def exists(self, chosen: int, rest: int) -> bool:
        """Whether some finished answer gives the item these options, and perhaps some of the rest."""
        if self._is_doomed(self.sets, chosen, rest):
            return False
        if self.task.may_end(len(self.sets), chosen):
            if any(self._is_fine((*self.sets, chosen, *tail)) for tail in self.tails):
                return True
        whole: tuple[int, ...] | None
        try:
            whole = self._complete(self.sets, chosen, rest, nothing_first=True)
        except TooLong:
            whole = self._complete(self.sets, chosen, rest, nothing_first=False)
        if whole is not None:
            self.tails = [whole[len(self.sets) + 1 :], *self.tails[-1:]]
        return whole is not None

    def _in_order_of_items(self, sets: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(sets.__getitem__, self._turns))

    def _is_doomed(self, done: tuple[int, ...], chosen: int, rest: int) -> bool:
        """Whether nothing can complete these sets: `done` of the first items, `chosen` of the next."""
        if self.search.hopeless is None:
            self.search.spend()
            return False
        later = self._lists[len(done) + 1 :]
        least = self._in_order_of_items((*done, chosen, *(0,) * len(later)))
        most = self._in_order_of_items((*done, chosen | rest, *later))
        return self.search.is_doomed(self.task.items, least, most)

    def _is_fine(self, sets: tuple[int, ...]) -> bool:
        """Whether sets for all items, in the order of the search, are a legal answer."""
        if self.task.limit >= 0:
            given = [option for own in sets for option in members(own)]
            if any(given.count(option) > self.task.limit for option in set(given)):
                return False
        return self.search.fine(self.task.items, self._in_order_of_items(sets))

    def _complete(
        self, done: tuple[int, ...], chosen: int, rest: int, *, nothing_first: bool
    ) -> tuple[int, ...] | None:
        """The first legal answer that begins so, by depth-first search; these sets are not doomed."""
        if nothing_first:
            whole = self._end(done, chosen, nothing_first=True)
            if whole is not None:
                return whole
        place = self.order[len(done)]
        if chosen.bit_count() < self.task.highs[place]:
            for option in members(rest):
                rest &= ~(1 << option)
                if not self.task.has_room(option, (*done, chosen)):
                    continue
                self.ahead -= nothing_first
                if self.ahead < 0 and nothing_first:
                    raise TooLong
                more = chosen | 1 << option
                if not self._is_doomed(done, more, rest):
                    whole = self._complete(done, more, rest, nothing_first=nothing_first)
                    if whole is not None:
                        return whole
        return None if nothing_first else self._end(done, chosen, nothing_first=False)

    def _end(self, done: tuple[int, ...], chosen: int, *, nothing_first: bool) -> tuple[int, ...] | None:
        """The first legal answer in which the item at hand has just this."""
        if not self.task.may_end(self.order[len(done)], chosen):
            return None
        done = (*done, chosen)
        if len(done) == len(self.order):
            return done if self._is_fine(done) else None
        following = self._lists[len(done)]
        if self._is_doomed(done, 0, following):
            return None
        return self._complete(done, 0, following, nothing_first=nothing_first)
