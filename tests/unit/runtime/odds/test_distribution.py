"""Distributions: what they say of themselves, against sums over their values."""

from __future__ import annotations

import csv
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.runtime.odds.distribution import (
    Distribution,
    Estimate,
    Failing,
    Interval,
    NoNumber,
    NotExact,
    wilson,
)

FAULT = Failing("RK701", "out-of-range", "too much", ("S.1",))
WEIGHTS = st.dictionaries(st.integers(-5, 20), st.integers(1, 9), min_size=1, max_size=8)


def exact(weights: dict[int, int]) -> Distribution:
    """The distribution with these weights."""
    return Distribution(["n"], weights)


@given(WEIGHTS)
def test_statistics_are_those_of_the_values_written_out(weights: dict[int, int]) -> None:
    """Mean, spread, quantiles and shares, of a list with each value as often as it weighs."""
    d, written = exact(weights), sorted(value for value, weight in weights.items() for _ in range(weight))
    mean = Fraction(sum(written), len(written))

    assert mean == d.mean
    assert d.variance == sum((value - mean) ** 2 for value in written) / Fraction(len(written))
    assert d.sd == sqrt(d.variance)
    assert weights[d.mode] == max(weights.values())
    assert d.median == written[(len(written) - 1) // 2]
    for share in (Fraction(1, 10), Fraction(1, 3), Fraction(9, 10), Fraction(1)):
        least = next(v for v in sorted(weights) if sum(w <= v for w in written) >= share * len(written))
        assert d.quantile(share) == least
    for number in range(-6, 22):
        assert d[number] == d.chance(number) == Fraction(written.count(number), len(written))
        assert d.at_least(number) == Fraction(sum(value >= number for value in written), len(written))
        assert d.at_most(number) == Fraction(sum(value <= number for value in written), len(written))
    assert list(d) == sorted(weights)
    assert sum(d.values()) == 1


@given(WEIGHTS, WEIGHTS)
def test_parts_and_functions_of_a_distribution(weights: dict[int, int], others: dict[int, int]) -> None:
    """Conditions, functions and comparisons keep the chances that they are made of."""
    d, other = exact(weights), exact(others)
    even = {value: weight for value, weight in weights.items() if value % 2 == 0}
    if even:
        assert dict(d.where(lambda value: value % 2 == 0)) == dict(exact(even))
    halves = d.map(lambda value: value // 2)
    assert all(halves[half] == d.chance(lambda value, half=half: value // 2 == half) for half in halves)
    for shift in d.compare(other):
        assert (shift.one, shift.other) == (d[shift.value], other[shift.value])
    assert {shift.value for shift in d.compare(other)} == {*weights, *others}


def test_a_bounded_distribution_bounds() -> None:
    """Each number is an interval, and nothing pretends to be exact."""
    d = Distribution(["n"], {1: 1, 3: 2}, left=1, ends=(Fraction(0), Fraction(9)))

    assert d.kind == "bounded"
    assert d.chance(3) == Interval(Fraction(1, 2), Fraction(3, 4))
    assert d.at_least(2) == Interval(Fraction(1, 2), Fraction(3, 4))
    assert d.mean == Interval(Fraction(7, 4), Fraction(4))
    with pytest.raises(NotExact):
        d[3]
    with pytest.raises(NotExact):
        assert d.sd
    with pytest.raises(NotExact):
        d.quantile(Fraction(1, 4))


def test_an_estimate_has_intervals() -> None:
    """Of 100 trials, 20 in which it came."""
    d = Distribution(["x"], {True: 20, False: 80}, estimated=True, seed=3)

    assert d.kind == "estimated"
    chance = d.chance(True)
    assert isinstance(chance, Estimate)
    assert (chance.value, round(chance.low, 4), round(chance.high, 4)) == (0.2, 0.1334, 0.2888)
    with pytest.raises(NotExact):
        d[True]


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (10, 10), (1, 3)])
def test_intervals_stay_within_certainty(hits: int, trials: int) -> None:
    """However few trials there are."""
    low, high = wilson(hits, trials)

    assert 0 <= low <= hits / trials <= high <= 1


def test_faults_are_values_that_are_no_numbers() -> None:
    """They are listed, and no mean hides them."""
    d = Distribution(["n"], {1: 3, FAULT: 1})

    assert d.faults == {FAULT: Fraction(1, 4)}
    assert list(d) == [1, FAULT]
    with pytest.raises(NoNumber, match="faults"):
        assert d.mean
    assert d.where(lambda value: value != FAULT).mean == 1
    assert d.json()["outcomes"][1]["fault"]["code"] == "RK701"
    assert d.map(lambda value: value + 1)[FAULT] == Fraction(1, 4)


def test_several_things_at_once() -> None:
    """Each by itself is a distribution of its own."""
    d = Distribution(["n", "x"], {(1, True): 2, (2, True): 1, (2, False): 1})

    assert d.of("n").mean == Fraction(3, 2)
    assert dict(d.of("x")) == {False: Fraction(1, 4), True: Fraction(3, 4)}
    with pytest.raises(KeyError):
        d.of("y")
    rows = list(csv.reader(d.csv().splitlines()))
    assert rows[0] == ["n", "x", "chance", "fraction"]
    assert rows[1] == ["1", "yes", "0.5", "1/2"]


def test_weights_are_above_nothing() -> None:
    """Anything else is a mistake, found at once."""
    for weights in ({}, {1: 0}, {1: -1, 2: 3}):
        with pytest.raises(ValueError, match="above 0"):
            Distribution(["n"], weights)
