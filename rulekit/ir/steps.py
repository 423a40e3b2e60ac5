"""Steps from member to member: the fewest by a fixed relation, a row at a time, and those that have costs."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Final, TypeVar, overload

from rulekit.base.bits import member_ids
from rulekit.ir.types import NONE

MOST_ALL_KEPT: Final = 4096
"""Members of a domain between which all steps are kept; of larger ones only as many rows as fit."""
MOST_WAYS: Final = 4096
"""Ways of one relation that are kept."""
MOST_COST: Final = 2**31
"""More than any way costs."""

Entry = TypeVar("Entry", covariant=True)


class StepRows(dict[int, "array[int]"]):
    """For each member looked up so far, the fewest steps to every member; `NONE` where no way leads."""

    __slots__ = ("_most", "_near", "touching")

    def __init__(self, touching: tuple[int, ...]) -> None:
        super().__init__()
        self.touching = touching
        self._near: list[tuple[int, ...]] = []
        self._most = MOST_ALL_KEPT**2 // max(len(touching), 1)

    def __missing__(self, start: int) -> array[int]:
        touching = self.touching
        if not 0 <= start < len(touching):
            raise IndexError(start)
        if not self._near:
            self._near = list(map(member_ids, touching))
        if len(self) >= self._most:
            self.clear()
        near, row = self._near, [NONE] * len(touching)
        row[start] = steps = 0
        front = [start]
        while front:
            steps += 1
            beyond = []
            for at in front:
                for to in near[at]:
                    if row[to] == NONE:
                        row[to] = steps
                        beyond.append(to)
            front = beyond
        numbers = self[start] = array("i", row)
        return numbers


class DenseTable(Sequence[Entry]):
    """The entries of a table over two members of one domain, row-major, each worked out when it is read."""

    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.size = size

    @abstractmethod
    def entry(self, start: int, end: int) -> Entry:
        """Return the entry for two members."""

    def __len__(self) -> int:
        return self.size * self.size

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        if not 0 <= at < len(self):
            raise IndexError(at)
        return self.entry(*divmod(at, self.size))


class Steps(DenseTable[int]):
    """The entries of a table of steps.

    Args:
        relation: For each member the mask of those one step away; less than 0 where there is no such field.
    """

    __slots__ = ("rows",)

    def __init__(self, relation: Sequence[object]) -> None:
        super().__init__(len(relation))
        self.rows = StepRows(_masks(relation))

    def entry(self, start: int, end: int) -> int:
        return self.rows[start][end]

    def __iter__(self) -> Iterator[int]:
        for start in range(self.size):
            yield from self.rows[start]

    def __repr__(self) -> str:
        return f"Steps({self.rows.touching})"


class WayRows(dict[int, "WaysFrom"]):
    """For each member and each other the members of a shortest way between them, both ends included.

    Of several ways the one that goes to the lowest member, at the first step where they differ; empty where
    no way leads.  Besides, the steps to members that were a goal are kept: for
    the first start only from those as near as that, from the second one on from all.
    """

    __slots__ = ("_back", "_turned", "count", "touching")

    def __init__(self, touching: tuple[int, ...]) -> None:
        super().__init__()
        self.touching = touching
        self.count = 0
        self._turned = [0] * len(touching)
        for at, mask in enumerate(touching):
            for to in member_ids(mask):
                self._turned[to] |= 1 << at
        self._back: dict[int, dict[int, int]] = {}

    def __missing__(self, start: int) -> WaysFrom:
        if not 0 <= start < len(self.touching):
            raise IndexError(start)
        ways = self[start] = WaysFrom(self, start)
        return ways

    def find(self, start: int, goal: int) -> tuple[int, ...]:
        """Return the way from one member to another, found anew."""
        left = self._steps_to(goal, start)
        if start not in left:
            return ()
        way = [start]
        while start != goal:
            closer = left[start] - 1
            start = next(to for to in member_ids(self.touching[start]) if left.get(to) == closer)
            way.append(start)
        return tuple(way)

    def _steps_to(self, goal: int, start: int) -> dict[int, int]:
        """Return the steps to a goal, at least from a member and from all that are nearer."""
        kept = self._back.get(goal)
        if kept is not None and start in kept:
            return kept
        steps, ring = {goal: 0}, [goal]
        while ring and (kept is not None or start not in steps):
            beyond, away = 0, steps[ring[0]] + 1
            for at in ring:
                beyond |= self._turned[at]
            ring = [at for at in member_ids(beyond) if at not in steps]
            steps.update(dict.fromkeys(ring, away))
        if len(self._back) * len(self.touching) >= MOST_ALL_KEPT**2:
            self._back.clear()
        self._back[goal] = steps
        return steps


class WaysFrom(dict[int, tuple[int, ...]]):
    """The ways from one member, by their goal; of all rows together, `MOST_WAYS` are kept."""

    __slots__ = ("_rows", "_start")

    def __init__(self, rows: WayRows, start: int) -> None:
        super().__init__()
        self._rows, self._start = rows, start

    def __missing__(self, goal: int) -> tuple[int, ...]:
        rows = self._rows
        if rows.count >= MOST_WAYS:
            for ways in list(rows.values()):
                ways.clear()
            rows.count = 0
        way = self[goal] = rows.find(self._start, goal)
        rows.count += 1
        return way


class Ways(DenseTable[tuple[int, ...]]):
    """The entries of a table of shortest ways, as `Steps` are those of a table of steps."""

    __slots__ = ("rows",)

    def __init__(self, relation: Sequence[object]) -> None:
        super().__init__(len(relation))
        self.rows = WayRows(_masks(relation))

    def entry(self, start: int, end: int) -> tuple[int, ...]:
        return self.rows[start][end]

    def __repr__(self) -> str:
        return f"Ways({self.rows.touching})"


def _masks(relation: Sequence[object]) -> tuple[int, ...]:
    """Return what each member touches; nothing where there is no such field."""
    return tuple(max(mask, 0) if isinstance(mask, int) else 0 for mask in relation)


def reach_of(touching: Sequence[int], over: int, start: int, most: int) -> int:
    """Return the members of a mask that are at most so many steps from a member, by members of the mask."""
    return flood(touching, over, 1 << start, most) & over


def flood(touching: Sequence[int], over: int, start: int, most: int = -1) -> int:
    """Return some members and all that they reach by members of `over`, in `most` steps (below 0: in any)."""
    reached = front = start
    while front and most:
        most -= 1
        beyond = 0
        for at in member_ids(front):
            beyond |= touching[at]
        front = beyond & over & ~reached
        reached |= front
    return reached


def reached_at_cost(over: int, start: int, most: int, touched: Callable[[int], Sequence[int]]) -> int:
    """Return the members of a mask that can be reached from others at a cost of at most `most`.

    Args:
        touched: For a mask of members, those one step away from some of them, in masks by the cost of the
            step: 0, 1, ...; it is called with each member that is reached once, the cheapest first.
    """
    reached = 0
    waiting = {0: start}
    while waiting and (spent := min(waiting)) <= most:
        front = waiting.pop(spent) & ~reached
        while front:
            reached |= front
            free, *others = touched(front)
            for cost, mask in enumerate(others, spent + 1):
                if mask:
                    waiting[cost] = waiting.get(cost, 0) | mask & over
            front = free & over & ~reached
    return reached & over


def touched_together(front: int, steps: Callable[[int], Sequence[int]]) -> list[int]:
    """Return what the members of a mask touch, in masks by the cost; `steps` says it of each member."""
    together = [0]
    for at in member_ids(front):
        for cost, mask in enumerate(steps(at)):
            if cost == len(together):
                together.append(0)
            together[cost] |= mask
    return together


def cheapest_way(
    over: int, start: int, goal: int, most: int, steps: Callable[[int], Sequence[int]]
) -> tuple[int, ...]:
    """Return the members of the cheapest way from one mask to another, both ends included, if there is one.

    Of ways that cost the same the one with the fewest steps, of these the one with the lowest member where
    they first differ.

    Args:
        most: The most that the way may cost.
        steps: For a member, those one step away, in masks by the cost of the step: 0, 1, ...; it is called
            with each member to which a better way leads than to the goal, the cheapest first, then those with
            the fewest steps, then the lowest.
    """
    if most < 0:
        return ()
    ways: dict[int, tuple[int, int, tuple[int, ...]]] = {at: (0, 1, (at,)) for at in member_ids(start)}
    waiting = [(0, 1, at) for at in ways]
    left = 0
    end = min((ways[at] for at in member_ids(goal & start)), default=None)
    while waiting and (end is None or waiting[0][:2] < end[:2]):
        spent, length, at = heappop(waiting)
        if left >> at & 1:
            continue
        left |= 1 << at
        way = ways[at][2]
        for cost, mask in enumerate(steps(at)[: max(most - spent + 1, 0)], spent):
            for to in member_ids(mask & over & ~left):
                new = (cost, length + 1, (*way, to))
                if to not in ways or new < ways[to]:
                    ways[to] = new
                    heappush(waiting, (cost, length + 1, to))
                    if goal >> to & 1 and (end is None or new < end):
                        end = new
    return () if end is None else end[2]
