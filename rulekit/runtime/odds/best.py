"""Best replies: the answers to one choice that make a value as high as it can be on average.

The chooser knows the whole situation, hidden states too, and how all other choices are answered.  The
worth of each situation is found from the ends back to the start.  Where situations go round, answers are
improved until none is better (policy iteration): each round solves what the answers chosen so far give, and
changes an answer only for a better one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulekit.runtime.odds.graph import Graph
from rulekit.runtime.odds.weights import components

Worth = tuple[Fraction, Fraction]
"""The chance to come to an end at which the value is read, and the sum of values there times their chances.

The first counts before the second: an answer is better if it leads less often to a fault or an endless loop.
"""

Ways = Mapping[int, Fraction]
"""Where an answer leads, by number as in edges, each with its chance."""

NO_WORTH: Worth = (Fraction(0), Fraction(0))


class NotFollowed(Exception):
    """Something was not followed to its end, so that no answer is known to be the best."""


def take_best(graph: Graph, value_of: Callable[[Any], Fraction | None]) -> tuple[int, ...]:
    """Keep, of each choice that was left open in a graph, only the best answer; of equals the first.

    The answers that are then given in some situation, each once, the first ones first.

    Args:
        value_of: The value of an outcome; None if it has none.

    Raises:
        NotFollowed: A situation was not worked out.
    """
    nodes = graph.nodes
    if any(node.edges is None for node in nodes):
        raise NotFollowed
    ends = [_worth_of_end(value_of(outcome)) for outcome in graph.outcomes]
    worths = _Worths(graph, ends)
    for group in reversed(list(components(nodes, set(range(len(nodes)))))):
        worths.settle(group)
    for number, place in worths.chosen.items():
        _, edges = graph.open[number][place]
        nodes[number].edges, nodes[number].total = edges, sum(weight for _, weight in edges)
    return _answers_of(graph, worths.chosen)


def _answers_of(graph: Graph, chosen: Mapping[int, int]) -> tuple[int, ...]:
    """The answers that are given in some situation that can be reached, each once, the first ones first."""
    answers: dict[int, None] = {}
    seen, waiting = {0}, [0]
    for number in waiting:
        if number in chosen:
            answers[graph.open[number][chosen[number]][0]] = None
        followers = [to for to, _ in graph.nodes[number].edges or () if to >= 0 and to not in seen]
        seen.update(followers)
        waiting += dict.fromkeys(followers)
    return tuple(answers)


def _worth_of_end(value: Fraction | None) -> Worth:
    return NO_WORTH if value is None else (Fraction(1), value)


class _Worths:
    """The worth of situations, the last ones first.

    Attributes:
        chosen: The place of the best answer at each choice that was left open.
    """

    def __init__(self, graph: Graph, ends: Sequence[Worth]) -> None:
        self._graph, self._ends = graph, ends
        self._of: dict[int, Worth] = {}
        self.chosen: dict[int, int] = {}

    def settle(self, group: Sequence[int]) -> None:
        """Find the worth of situations that lead to one another, and the best answers among them."""
        ways = {number: self._all_ways(number) for number in group}
        self.chosen |= {number: 0 for number in group if number in self._graph.open}
        inside = set(group)
        if all(inside.isdisjoint(way) for answers in ways.values() for way in answers):
            self._improve(ways)
            self._of |= {n: self._sum(ways[n][self.chosen.get(n, 0)]) for n in group}
            return
        while True:
            self._of |= self._solve({n: ways[n][self.chosen.get(n, 0)] for n in group})
            if not self._improve(ways):
                return

    def _improve(self, ways: Mapping[int, Sequence[Ways]]) -> bool:
        """Change each answer for the best one, if there is a better one; whether any was changed."""
        changed = False
        for number in ways.keys() & self._graph.open.keys():
            worths = [self._sum(way) for way in ways[number]]
            best = max(worths)
            if best > worths[self.chosen[number]]:
                self.chosen[number], changed = worths.index(best), True
        return changed

    def _all_ways(self, number: int) -> Sequence[Ways]:
        """Where each answer to an open choice leads; the only way of any other situation."""
        node = self._graph.nodes[number]
        if number in self._graph.open:
            return [_chances(edges) for _, edges in self._graph.open[number]]
        return [_chances(node.edges or ())]

    def _sum(self, ways: Ways) -> Worth:
        parts = [(chance, self._of[to] if to >= 0 else self._ends[~to]) for to, chance in ways.items()]
        reached = sum((chance * worth[0] for chance, worth in parts), Fraction(0))
        return reached, sum((chance * worth[1] for chance, worth in parts), Fraction(0))

    def _solve(self, onward: dict[int, Ways]) -> dict[int, Worth]:
        """The worth of situations that lead to one another, with one way each, by elimination."""
        rows: dict[int, tuple[dict[int, Fraction], Worth]] = {}
        for number, ways in onward.items():
            inner = {to: chance for to, chance in ways.items() if to in onward}
            rows[number] = inner, self._sum({to: c for to, c in ways.items() if to not in onward})
        order = list(rows)
        for place, number in enumerate(order):
            inner, worth = rows[number]
            again = inner.pop(number, Fraction(0))
            if again == 1:  # it only leads to itself
                inner, worth = {}, NO_WORTH
            else:
                inner = {to: chance / (1 - again) for to, chance in inner.items()}
                worth = (worth[0] / (1 - again), worth[1] / (1 - again))
            rows[number] = inner, worth
            for other in order[place + 1 :]:
                rows[other] = _put_in(rows[other], number, rows[number])
        worths: dict[int, Worth] = {}
        for number in reversed(order):
            inner, (reached, value) = rows[number]
            for to, chance in inner.items():
                reached += chance * worths[to][0]
                value += chance * worths[to][1]
            worths[number] = reached, value
        return worths


def _put_in(
    row: tuple[dict[int, Fraction], Worth], number: int, solved: tuple[dict[int, Fraction], Worth]
) -> tuple[dict[int, Fraction], Worth]:
    """A row, with a situation in it replaced by what that leads to."""
    inner, (reached, value) = row
    chance = inner.pop(number, None)
    if chance is None:
        return row
    for to, share in solved[0].items():
        inner[to] = inner.get(to, Fraction(0)) + chance * share
    return inner, (reached + chance * solved[1][0], value + chance * solved[1][1])


def _chances(edges: Iterable[tuple[int, int]]) -> Ways:
    pairs = list(edges)
    total = sum(weight for _, weight in pairs)
    ways: dict[int, Fraction] = {}
    for to, weight in pairs:
        ways[to] = ways.get(to, Fraction(0)) + Fraction(weight, total)
    return ways
