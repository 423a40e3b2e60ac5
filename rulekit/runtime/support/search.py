"""Which parts can still be completed, found by trying: depth first, within a budget of partial answers.

Used where norms read the finished answer in ways that nothing quicker can tell.  `broken` judges a
finished answer and `hopeless` a partial one; both get the state, then the choice's own values in `own`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import NONE
from rulekit.runtime.support.build import SEARCH_NODES

Judge = Callable[..., bool]
Own = tuple[Any, ...]


@dataclass
class PartialAnswers:
    """The common part of all searches; `left` counts the partial answers that may still be looked at.

    `broken` is None where no norm needs a finished answer.
    """

    state: list[Any]
    own: Own
    broken: Judge | None
    hopeless: Judge | None = None
    left: int = SEARCH_NODES

    def spend(self) -> None:
        """Count one partial answer; a fault if there have been too many."""
        self.left -= 1
        if self.left < 0:
            raise Fault("undecided-choice", texts.search_limit(SEARCH_NODES))

    def fine(self, *answer: Any) -> bool:
        """Whether a finished answer satisfies all norms."""
        self.spend()
        return self.broken is None or not self.broken(self.state, *self.own, *answer)

    def is_doomed(self, *partial: Any) -> bool:
        """Whether nothing can complete a partial answer."""
        self.spend()
        return self.hopeless is not None and self.hopeless(self.state, *self.own, *partial)


def pick_set(
    state: list[Any],
    own: Own,
    candidates: int,
    chosen: int,
    low: int,
    high: int,
    broken: Judge,
    hopeless: Judge | None,
) -> tuple[int, bool]:
    """Options for the next pick, and whether the picks so far may be the whole answer."""
    search = PartialAnswers(state, own, broken, hopeless)
    count = chosen.bit_count()
    done = count >= low and search.fine(chosen)
    rest = candidates & ~chosen
    mask = 0
    if count < high:
        for option in members(rest):
            if _set_completes(search, chosen | 1 << option, rest & ~(1 << option), low, high):
                mask |= 1 << option
    return mask, done


def _set_completes(search: PartialAnswers, chosen: int, rest: int, low: int, high: int) -> bool:
    """Whether some of `rest` can be added so that the answer is fine."""
    count = chosen.bit_count()
    if count >= low and search.fine(chosen):
        return True
    if count >= high or count + rest.bit_count() < low or search.is_doomed(chosen, rest):
        return False
    for option in members(rest):
        rest &= ~(1 << option)
        if _set_completes(search, chosen | 1 << option, rest, low, high):
            return True
    return False


def assign(
    state: list[Any],
    own: Own,
    items: Sequence[int],
    lists: Sequence[int],
    picks: tuple[int, ...],
    free: Sequence[bool],
    each: int,
    broken: Judge,
    hopeless: Judge | None,
) -> tuple[int, bool]:
    """Options for the next item, and whether it may have none; `each` as in `assigned_options`."""
    place = len(picks)
    completion = _Completion(
        PartialAnswers(state, own, broken, hopeless), _Task(items, lists, free, each), place
    )
    mask = 0
    for option in completion.task.options(place, picks):
        if completion.exists((*picks, option)):
            mask |= 1 << option
    return mask, free[place] and completion.exists((*picks, NONE))


@frozen
class _Task:
    """The items and their possible answers."""

    items: Sequence[int]
    lists: Sequence[int]
    free: Sequence[bool]
    limit: int

    def options(self, place: int, picks: tuple[int, ...]) -> list[int]:
        """The possible answers for the item at a place, beside none.

        Options used least so far come first: conditions on whole answers often ask to spread.
        """
        options = sorted(members(self.lists[place]), key=picks.count)
        if self.limit < 0:
            return options
        return [option for option in options if picks.count(option) < self.limit]

    def suits(self, picks: tuple[int, ...]) -> bool:
        """Whether no option is given more often than it may be."""
        return self.limit < 0 or all(option < 0 or picks.count(option) <= self.limit for option in picks)


def nearest_first(lists: Sequence[int], place: int) -> list[int]:
    """The places after one, nearest first; `lists` has the options of each.

    Near are those with an option in common; then those that have one in common with these; and so on.
    Then come the neighbours of the items answered before, then all others.  So the search refuses an
    answer before it tries items that have nothing to do with the reason.
    """
    left = list(range(place + 1, len(lists)))
    order: list[int] = []
    for start in range(place, -1, -1):
        reached = lists[start]
        while near := [one for one in left if lists[one] & reached]:
            order += near
            left = [one for one in left if one not in near]
            for one in near:
                reached |= lists[one]
    return order + left


class _Completion:
    """Finds out whether answers for all items up to a place can be completed.

    The search begins with answers that cost next to nothing: the completion that it found last, and
    nothing for all others.  Then it tries the items after that place in order of nearness, none first;
    and if that takes too long, none last.
    """

    def __init__(self, search: PartialAnswers, task: _Task, place: int) -> None:
        self.search, self.task = search, task
        self.order = (*range(place + 1), *nearest_first(task.lists, place))
        self.items = [task.items[one] for one in self.order]
        behind = self.order[place + 1 :]
        self.rests = [0]
        for one in reversed(behind):
            self.rests.append(self.rests[-1] | task.lists[one])
        self.tails = [(NONE,) * len(behind)] if all(task.free[one] for one in behind) else []
        self.ahead = SEARCH_NODES // 4
        """Partial answers that may still be looked at with none first."""

    def exists(self, picks: tuple[int, ...]) -> bool:
        """Whether some finished answer that begins so is fine."""
        if self._is_doomed(picks):
            return False
        if any(self._is_fine(picks + tail) for tail in self.tails):
            return True
        if len(picks) == len(self.order):
            return False
        completed: tuple[int, ...] | None
        try:
            completed = self._complete(picks, none_first=True)
        except TooLong:
            completed = self._complete(picks, none_first=False)
        if completed is not None:
            self.tails = [completed[len(picks) :], *self.tails[-1:]]
        return completed is not None

    def _is_doomed(self, picks: tuple[int, ...]) -> bool:
        return self.search.is_doomed(self.items, picks, self.rests[len(self.order) - len(picks)])

    def _is_fine(self, picks: tuple[int, ...]) -> bool:
        """Whether answers for all items, in the order of the search, are a legal answer."""
        if not self.task.suits(picks):
            return False
        whole = dict(zip(self.order, picks, strict=True))
        return self.search.fine(self.task.items, tuple(whole[place] for place in range(len(whole))))

    def _complete(self, picks: tuple[int, ...], *, none_first: bool) -> tuple[int, ...] | None:
        """The first legal answer that begins so, by depth-first search; `picks` are not doomed."""
        if len(picks) == len(self.order):
            return picks if self._is_fine(picks) else None
        place = self.order[len(picks)]
        options = self.task.options(place, picks)
        if self.task.free[place]:
            options.insert(0 if none_first else len(options), NONE)
        for option in options:
            self.ahead -= none_first
            if self.ahead < 0 and none_first:
                raise TooLong
            more = (*picks, option)
            if self._is_doomed(more):
                continue
            if whole := self._complete(more, none_first=none_first):
                return whole
        return None


class TooLong(Exception):
    """A way of searching has had its share."""


def split(
    state: list[Any],
    own: Own,
    things: Sequence[int],
    parts: tuple[int, ...],
    low: int,
    high: int,
    broken: Judge | None,
    hopeless: Judge | None,
) -> tuple[int, ...]:
    """Numbers of the parts, from 1, that the next thing may join; one more than there are is a new part."""
    place = sum(part.bit_count() for part in parts)
    if broken is None:
        left = len(things) - place - 1
        old = range(1, len(parts) + 1) if len(parts) + left >= low else ()
        new = (len(parts) + 1,) if len(parts) < high and len(parts) + 1 + left >= low else ()
        return (*old, *new)
    search = PartialAnswers(state, own, broken, hopeless)
    return tuple(
        number
        for number in range(1, min(len(parts) + 1, high) + 1)
        if _split_completes(search, things, join_part(parts, number, things[place]), place + 1, low, high)
    )


def join_part(parts: tuple[int, ...], number: int, thing: int) -> tuple[int, ...]:
    """The parts after a thing has joined the one with this number."""
    if number > len(parts):
        return (*parts, 1 << thing)
    return (*parts[: number - 1], parts[number - 1] | 1 << thing, *parts[number:])


def _split_completes(
    search: PartialAnswers, things: Sequence[int], parts: tuple[int, ...], place: int, low: int, high: int
) -> bool:
    if place == len(things):
        return len(parts) >= low and search.fine(parts)
    rest = 0
    for thing in things[place:]:
        rest |= 1 << thing
    if len(parts) + len(things) - place < low or search.is_doomed(parts, rest):
        return False
    return any(
        _split_completes(search, things, join_part(parts, number, things[place]), place + 1, low, high)
        for number in range(1, min(len(parts) + 1, high) + 1)
    )


def arrange(
    state: list[Any],
    own: Own,
    everyone: int,
    order: tuple[int, ...],
    step: Callable[..., int] | None,
    broken: Judge | None,
) -> int:
    """Members that may come next; `step` gives those that may follow a member, of those left."""
    left = everyone
    for one in order:
        left &= ~(1 << one)
    if step is None and broken is None:
        return left
    search = PartialAnswers(state, own, broken)
    mask = 0
    for option in members(_following(search, order, left, step)):
        if _order_completes(search, (*order, option), left & ~(1 << option), step):
            mask |= 1 << option
    return mask


def _following(
    search: PartialAnswers, order: tuple[int, ...], left: int, step: Callable[..., int] | None
) -> int:
    before = order[-1] if order else NONE
    return left if step is None else step(search.state, *search.own, left, before)


def _order_completes(
    search: PartialAnswers, order: tuple[int, ...], left: int, step: Callable[..., int] | None
) -> bool:
    if not left:
        return search.fine(order)
    search.spend()
    if step is not None and not _reaches_all(search, order, left, step):
        return False
    return any(
        _order_completes(search, (*order, option), left & ~(1 << option), step)
        for option in members(_following(search, order, left, step))
    )


def _reaches_all(
    search: PartialAnswers, order: tuple[int, ...], left: int, step: Callable[..., int] | None
) -> bool:
    """False if some member left follows none that can come before it: no order places it."""
    reached, fresh = 0, _following(search, order, left, step)
    while fresh:
        reached |= fresh
        after = 0
        for one in members(fresh):
            after |= _following(search, (one,), left, step)
        fresh = after & ~reached
    return reached == left


def share(
    state: list[Any],
    own: Own,
    items: Sequence[int],
    allowed: Sequence[Sequence[int]],
    picks: tuple[int, ...],
    total: int,
    broken: Judge | None,
) -> tuple[int, ...]:
    """Numbers that the next item may get so that exactly `total` is shared in the end."""
    sums = _sums(allowed, total)
    place, left = len(picks), total - sum(picks)
    able = [number for number in allowed[place] if number <= left and sums[place + 1] >> left - number & 1]
    if broken is None:
        return tuple(able)
    search = PartialAnswers(state, own, broken)
    return tuple(
        number
        for number in able
        if _share_completes(search, items, allowed, sums, (*picks, number), left - number)
    )


def room(allowed: Sequence[Sequence[int]], total: int) -> int:
    """The most that can be shared of `total`; -1 if some item can get nothing, not even 0."""
    return _sums(allowed, max(total, 0))[0].bit_length() - 1


def _sums(allowed: Sequence[Sequence[int]], total: int) -> list[int]:
    """For each place, the sums that it and all after it can make: bit `n` for a sum of `n`."""
    sums = [1]
    for numbers in reversed(allowed):
        able = 0
        for number in numbers:
            able |= sums[-1] << number
        sums.append(able & (1 << total + 1) - 1)
    return sums[::-1]


def _share_completes(
    search: PartialAnswers,
    items: Sequence[int],
    allowed: Sequence[Sequence[int]],
    sums: Sequence[int],
    picks: tuple[int, ...],
    left: int,
) -> bool:
    place = len(picks)
    if place == len(items):
        return search.fine(items, picks)
    search.spend()
    return any(
        _share_completes(search, items, allowed, sums, (*picks, number), left - number)
        for number in allowed[place]
        if number <= left and sums[place + 1] >> left - number & 1
    )
