"""Independent calls together: powers and products give what adding one call after the other gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.runtime.odds.combining import TooMany, combine, groups_of
from rulekit.runtime.odds.kernels import kernel_of
from rulekit.runtime.odds.pending import NUMBER, Deltas, Element, Kernel
from tests.unit.runtime.odds.asking import followed

NUMBERS: list[Element] = [(cell, NUMBER) for cell in (3, 7)]
FLAGS: list[Element] = [(cell, bit) for cell in (10, 12) for bit in range(4)]


@st.composite
def kernels(draw: Any, number: int = 0) -> Kernel:
    """A call that adds to up to two numbers, below 0 too, and sets up to eight flags."""
    numbers = st.dictionaries(st.sampled_from(NUMBERS), st.integers(-3, 3).filter(bool))
    flags = st.dictionaries(st.sampled_from(FLAGS), st.just(1), max_size=3)
    deltas = st.tuples(numbers, flags).map(lambda both: tuple(sorted((both[0] | both[1]).items())))
    weights = draw(st.dictionaries(deltas, st.integers(1, 9), min_size=1, max_size=4))
    return kernel_of(number, weights, late=False)


@st.composite
def groups(draw: Any) -> list[tuple[Kernel, int]]:
    """Calls, each so often."""
    count = draw(st.integers(1, 3))
    return [(draw(kernels(number)), draw(st.integers(1, 3))) for number in range(count)]


def one_after_the_other(group: list[tuple[Kernel, int]]) -> dict[Deltas, int]:
    weights: dict[Deltas, int] = {(): 1}
    for kernel in [kernel for kernel, count in group for _ in range(count)]:
        longer: dict[Deltas, int] = {}
        for before, weight in weights.items():
            for deltas, more in kernel.weights.items():
                sums = dict(before)
                for element, delta in deltas:
                    sums[element] = sums.get(element, 0) + delta if element[1] == NUMBER else 1
                after = tuple(sorted((element, value) for element, value in sums.items() if value))
                longer[after] = longer.get(after, 0) + weight * more
        weights = longer
    return weights


@settings(max_examples=300, deadline=None)
@given(groups())
def test_powers_and_products_are_repeated_sums(group: list[tuple[Kernel, int]]) -> None:
    """The weights are exactly those of adding one call after the other, and make a whole."""
    joint = combine(group)
    weights = {
        tuple(sorted((e, v) for e, v in zip(joint.elements, values, strict=True) if v)): weight
        for values, weight in joint.weights.items()
    }
    assert weights == one_after_the_other(group)
    assert sum(weights.values()) == joint.total


@settings(max_examples=100, deadline=None)
@given(groups())
def test_groups_have_nothing_in_common(pending: list[tuple[Kernel, int]]) -> None:
    """Every kernel is in one group, and no element in two."""
    parts = groups_of(pending)
    assert sorted(k.number for part in parts for k, _ in part) == sorted(k.number for k, _ in pending)
    owners = [{element for kernel, _ in part for element in kernel.elements} for part in parts]
    assert sum(map(len, owners)) == len(set().union(*owners))


def test_a_group_of_too_many_outcomes_is_refused_at_once() -> None:
    """Not after minutes: many calls, each with many outcomes, that share a flag."""
    marks = tuple(((20, bit), 1) for bit in range(7))
    weights = {(((cell, NUMBER), more), *marks): 1 for cell in range(3, 13) for more in range(1, 100)}
    with pytest.raises(TooMany):
        combine([(kernel_of(0, weights, late=False), 4)])


def test_changes_of_a_block_that_only_together_stay_in_range() -> None:
    """What is taken away at the end of a `together` is made good by what was put off."""
    rules = """state left: 0..9
roll fire: d6
procedure shoot:
    together:
        take 2 from left
        repeat 2 times:
            roll fire as shot
            add 2 to left
            when shot = 6: add 1 to left
"""
    of = followed(rules, "when do shoot", "left")
    assert of.chances == {(2,): Fraction(25, 36), (3,): Fraction(10, 36), (4,): Fraction(1, 36)}


def test_to_add_nothing_to_what_is_set_is_a_conflict() -> None:
    """Also where the addition could be put off: of 0, nothing would be left that disagrees."""
    rules = """state left: 0..9
roll fire: d6
procedure volley:
    repeat 2 times:
        roll fire as shot
        add 0 to left
procedure shoot:
    together:
        do volley
        set left to 3
"""
    (end,) = followed(rules, "when do shoot", "left").chances
    assert end.name == "simultaneous-conflict"


TAKEN = """enum Side: Red, Blue
piece Ship:
    members Alpha, Beta
    state struck: flag
    state damage: 0..99
roll fire: d6
state left: 0..99
procedure shoot(target: Ship):
    roll fire as shot
    when shot > 4:
        mark target as struck
        add 1 to target.damage
procedure volley:
    do shoot(Alpha)
    {change}
    do shoot(Beta)
    do shoot(Alpha)
    roll fire as other
    when Alpha is struck: add 10 to left
    add Alpha.damage to left
"""


@pytest.mark.parametrize(
    ("change", "mean"),
    [
        ("unmark Alpha as struck", Fraction(10 + 2, 3)),
        ("set Alpha.damage to 0", Fraction(50, 9) + Fraction(1, 3)),
        ("set Alpha.damage to Beta.damage", Fraction(50, 9) + Fraction(1, 3)),
        ("unmark Ship as struck", Fraction(10 + 2, 3)),
    ],
)
def test_what_was_put_off_may_be_overwritten(change: str, mean: Fraction) -> None:
    """A flag that is taken away, or a number that is set, is known from then on."""
    of = followed(TAKEN.format(change=change), "when do volley", "left")
    assert sum(outcome[0] * chance for outcome, chance in of.chances.items()) == mean
