"""Weights of graphs: random chains with loops against elimination by hand, and games with known answers."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.runtime.odds.graph import ENDLESS, LEFT, Budget
from rulekit.runtime.odds.reading import FaultOutcome
from rulekit.runtime.odds.weights import weigh
from tests.unit.runtime.odds.asking import followed


def graph(edges: list[list[tuple[int, int]] | None]) -> Any:
    """A graph of these edges; outcomes are numbers below 0, and None is what was not followed."""
    nodes = [SimpleNamespace(edges=ways, total=sum(weight for _, weight in ways or ())) for ways in edges]
    return SimpleNamespace(nodes=nodes)


def by_elimination(edges: list[list[tuple[int, int]] | None], start: int) -> dict[int, Fraction]:
    """The chances of outcomes by substituting the last situation first, with dense rows of fractions."""
    rows: list[dict[int, Fraction]] = []
    for ways in edges:
        total = sum(weight for _, weight in ways or ())
        rows.append(
            {to: Fraction(weight, total) for to, weight in ways} if ways is not None else {~LEFT: Fraction(1)}
        )
    for number in reversed(range(len(rows))):
        again = rows[number].pop(number, Fraction(0))
        if again == 1:
            rows[number] = {~ENDLESS: Fraction(1)}
        else:
            rows[number] = {to: share / (1 - again) for to, share in rows[number].items()}
        for other in range(len(rows)):
            share = rows[other].pop(number, None) if other != number else None
            for to, chance in rows[number].items() if share is not None else ():
                rows[other][to] = rows[other].get(to, Fraction(0)) + share * chance
    return {~to: chance for to, chance in rows[start].items()}


@st.composite
def chains(draw: Any) -> list[list[tuple[int, int]] | None]:
    """Graphs of a few situations that lead anywhere, themselves included."""
    size = draw(st.integers(1, 8))
    to = st.integers(-5, size - 1).filter(lambda number: number not in (~ENDLESS, ~LEFT))
    ways = st.lists(st.tuples(to, st.integers(1, 4)), min_size=1, max_size=4, unique_by=lambda way: way[0])
    edges: list[list[tuple[int, int]] | None] = draw(st.lists(st.none() | ways, min_size=size, max_size=size))
    return edges


@settings(max_examples=300, deadline=None)
@given(chains())
def test_loops_are_followed_to_their_end(edges: list[list[tuple[int, int]] | None]) -> None:
    """Whatever leads to what, the chances are those of elimination in another order, and make a whole."""
    weights = weigh(graph(edges), 0)
    found = {n: Fraction(weight, weights.total) for n, weight in weights.of.items() if weight}

    assert {outcome: chance for outcome, chance in by_elimination(edges, 0).items() if chance} == found
    assert sum(found.values()) == 1


def test_a_long_chain_needs_no_recursion() -> None:
    """A hundred thousand situations, half of them in one loop."""
    size = 20_000
    edges: list[list[tuple[int, int]] | None] = [[(n + 1, 1), (~2, 1)] for n in range(size - 1)]
    edges.append([(size // 2, 1), (~3, 1)])

    weights = weigh(graph(edges), 0)

    assert sum(weights.of.values()) == weights.total
    assert 0 < Fraction(weights.of[3], weights.total) < Fraction(1, 2**19_000)


DUEL = """enum Side: Red, Blue
roll fire: d6
state winner: Side or none
state lead: 0..99
procedure duel:
    repeat while winner is none:
        for each side in Side:
            roll fire as shot
            when shot = 6:
                set winner to side
                leave
procedure climb:
    repeat until lead = 3:
        roll fire as shot
        when shot > 2: add 1 to lead
        otherwise: set lead to 0
procedure wait:
    roll fire as shot
    repeat while shot > 3: roll fire as other
"""


SALVO = """roll fire: d6
state hits: 0..99
procedure shoot:
    repeat while true, at most 3 times:
        roll fire as shot
        when shot = 6: leave
procedure salvo:
    repeat 6 times:
        roll fire as shot
        when shot > 4: add 1 to hits
"""


@pytest.mark.parametrize(
    ("procedure", "measure", "expected"),
    [
        ("duel", "winner is Red", Fraction(6, 11)),
        ("climb", "lead = 3", Fraction(1)),
        ("wait", "lead = 0", Fraction(1, 2)),
    ],
)
def test_games_that_go_round(procedure: str, measure: str, expected: Fraction) -> None:
    """Loops without a limit have exact chances, however often they go round."""
    result = followed(DUEL, f"when do {procedure}", measure)

    assert expected == sum(chance for outcome, chance in result.chances.items() if outcome == (1,))
    assert result.left == 0
    assert result.situations < 20


def test_what_never_ends_is_an_outcome() -> None:
    """With its chance."""
    result = followed(DUEL, "when do wait", "lead = 0")

    (endless,) = (outcome for outcome in result.chances if isinstance(outcome, FaultOutcome))
    assert (endless.name, result.chances[endless]) == ("endless-loop", Fraction(1, 2))


def test_a_stated_limit_is_a_rule() -> None:
    """A loop of at most three runs faults in the cases that need more."""
    result = followed(SALVO, "when do shoot", "1 = 1")

    (fault,) = (outcome for outcome in result.chances if isinstance(outcome, FaultOutcome))
    assert (fault.name, result.chances[fault]) == ("endless-loop", Fraction(125, 216))


def test_bounds_hold_what_is_true() -> None:
    """However little is followed, the exact chance is between what was found and what may be."""
    exact = followed(SALVO, "when do salvo", "hits")
    true = sum((chance for (hits,), chance in exact.chances.items() if hits > 2), Fraction(0))
    for situations in (1, 3, 6, 10, 15):
        part = followed(SALVO, "when do salvo", "hits", Budget(situations))
        low = sum((chance for (hits,), chance in part.chances.items() if hits > 2), Fraction(0))
        assert low <= true <= low + Fraction(part.left, part.total)
        assert (part.left > 0) == (situations < exact.situations)
