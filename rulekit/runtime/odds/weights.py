"""The weight of every outcome of a graph, exactly.

Situations are taken in an order in which all that lead to one come before it, so that one pass suffices.
Loops such as "again until one side withdraws" are absorbing chains: their situations are eliminated one by
one, each replaced by what it leads to in the long run.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

from rulekit.base.frozen import frozen
from rulekit.runtime.odds.graph import ENDLESS, LEFT, Graph
from rulekit.runtime.odds.nodes import Node

Ways = dict[int, Fraction]
"""Where something leads, by number as in edges, each with its chance."""


@frozen
class Weights:
    """The weight of each outcome by its number, `ENDLESS` and `LEFT` among them; together exactly `total`."""

    of: dict[int, int]
    total: int


def weigh(graph: Graph, start: int) -> Weights:
    """Return the weight of each outcome that follows a situation, or of an outcome alone."""
    if start < 0:
        return Weights({~start: 1}, 1)
    edges = graph.nodes[start].edges
    if edges is not None and all(follower < 0 for follower, _ in edges):
        return Weights({~follower: weight for follower, weight in edges}, graph.nodes[start].total)
    weights = _Weigher(graph.nodes, start).weights()
    total = sum(weights.of.values())
    assert total == weights.total, f"all chances together are {Fraction(total, weights.total)}"
    return weights


class _Weigher:
    """Hands the weight of the start on, from situation to situation, until all of it has come to an end."""

    def __init__(self, nodes: Sequence[Node], start: int) -> None:
        self._nodes = nodes
        self._above, self._below = [0] * len(nodes), [1] * len(nodes)
        self._above[start] = 1
        self._ends: dict[int, dict[int, int]] = {}
        """By denominator, the numerators of outcomes."""

    def weights(self) -> Weights:
        """See `weigh`."""
        self._pass_all_on()
        if len(self._ends) == 1:
            ((total, weights),) = self._ends.items()
            return Weights(weights, total)
        total = lcm(*self._ends)
        together: dict[int, int] = {}
        for below, weights in self._ends.items():
            factor = total // below
            for outcome, above in weights.items():
                together[outcome] = together.get(outcome, 0) + above * factor
        return Weights(together, total)

    def _pass_all_on(self) -> None:
        before = [0] * len(self._nodes)
        for node in self._nodes:
            for follower, _ in node.edges or ():
                if follower >= 0:
                    before[follower] += 1
        ready = deque(number for number, count in enumerate(before) if not count)
        done = 0
        while ready:
            number = ready.popleft()
            done += 1
            self._pass_on(number)
            for follower, _ in self._nodes[number].edges or ():
                if follower >= 0:
                    before[follower] -= 1
                    if not before[follower]:
                        ready.append(follower)
        if done < len(self._nodes):
            for group in components(self._nodes, {n for n, count in enumerate(before) if count}):
                self._pass_on_together(group)

    def _pass_on(self, number: int) -> None:
        """Give the weight of a node to what follows it."""
        above, below, node = self._above[number], self._below[number], self._nodes[number]
        if not above:
            return
        if node.edges is None:
            self._give(~LEFT, above, below)
            return
        common = gcd(node.total, *(weight for _, weight in node.edges))
        below *= node.total // common
        for follower, weight in node.edges:
            self._give(follower, above * (weight // common), below)

    def _give(self, to: int, above: int, below: int) -> None:
        """Add a weight to that of a node or outcome."""
        if to < 0:
            weights = self._ends.setdefault(below, {})
            weights[~to] = weights.get(~to, 0) + above
            return
        here = self._below[to]
        if not self._above[to]:
            self._above[to], self._below[to] = above, below
        elif here == below:
            self._above[to] += above
        else:
            common = lcm(here, below)
            self._above[to] = self._above[to] * (common // here) + above * (common // below)
            self._below[to] = common

    # ------------------------------------------------------------ what goes round

    def _pass_on_together(self, group: Sequence[int]) -> None:
        """Give the weight of situations that lead to one another to what follows them in the end."""
        first = group[0]
        if len(group) == 1 and all(follower != first for follower, _ in self._nodes[first].edges or ()):
            self._pass_on(first)
            return
        onward = {number: self._ways(number) for number in group}
        into: dict[int, set[int]] = {number: set() for number in group}
        for number, ways in onward.items():
            for follower in ways.keys() & into.keys():
                into[follower].add(number)
        waiting = [(len(into[number]) * len(onward[number]), number) for number in group]
        heapq.heapify(waiting)
        while waiting:
            known, number = heapq.heappop(waiting)
            cost = len(into[number]) * len(onward[number])
            if cost > known:
                heapq.heappush(waiting, (cost, number))
            else:
                self._eliminate(number, onward, into)

    def _ways(self, number: int) -> Ways:
        node = self._nodes[number]
        assert node.edges is not None
        return {follower: Fraction(weight, node.total) for follower, weight in node.edges}

    def _eliminate(self, number: int, onward: dict[int, Ways], into: dict[int, set[int]]) -> None:
        """Replace a node by what it leads to in the long run, in all that lead to it."""
        ways = onward.pop(number)
        again = ways.pop(number, Fraction(0))
        sources = into.pop(number) - {number}
        ways = {follower: chance / (1 - again) for follower, chance in ways.items()} or {
            ~ENDLESS: Fraction(1)
        }
        weight = Fraction(self._above[number], self._below[number])
        for follower, chance in ways.items():
            if weight:
                part = weight * chance
                self._give(follower, part.numerator, part.denominator)
            if follower in into:
                into[follower].discard(number)
                into[follower] |= sources
        for source in sources:
            towards = onward[source]
            here = towards.pop(number)
            for follower, chance in ways.items():
                towards[follower] = towards.get(follower, Fraction(0)) + here * chance


def components(nodes: Sequence[Node], among: set[int]) -> Iterator[list[int]]:
    """The groups of situations that lead to one another; groups that lead to others come first.

    By the algorithm of Tarjan, without recursion.
    """
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_: list[int] = []
    is_open: set[int] = set()
    groups: list[list[int]] = []
    for root in among:
        if root in order:
            continue
        path = [(root, iter(nodes[root].edges or ()))]
        order[root] = lowest[root] = len(order)
        open_.append(root)
        is_open.add(root)
        while path:
            number, edges = path[-1]
            for follower, _ in edges:
                if follower not in among:
                    continue
                if follower not in order:
                    order[follower] = lowest[follower] = len(order)
                    open_.append(follower)
                    is_open.add(follower)
                    path.append((follower, iter(nodes[follower].edges or ())))
                    break
                if follower in is_open:
                    lowest[number] = min(lowest[number], order[follower])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[number])
                if lowest[number] == order[number]:
                    group = [open_.pop()]
                    while group[-1] != number:
                        group.append(open_.pop())
                    is_open.difference_update(group)
                    groups.append(group)
    yield from reversed(groups)
