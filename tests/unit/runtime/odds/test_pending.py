"""Unknown numbers and flags: a test of one gives what it gives for every value, or asks to look."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import compress, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.runtime.odds.pending import (
    NUMBER,
    Element,
    UnknownFlags,
    UnknownNumber,
    Unresolved,
    as_sum,
    own_terms,
)

COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
ARITHMETIC = [operator.add, operator.sub]
MASKS = [operator.and_, operator.or_, operator.xor]
OTHERS: list[Callable[[Any], Any]] = [
    hash, int, bool, str, abs, lambda v: v // 2,
    lambda v: v % 2, lambda v: [10, 20, 30, 40, 50][v], lambda v: {0: 1}.get(v), lambda v: 1 << v,
    lambda v: v & 1,
]  # fmt: skip
small = st.integers(-6, 6)
height = st.integers(0, 3)
mask = st.integers(0, 31)


OTHER: Element = (6, NUMBER)


def told(of: Any, use: Callable[[Any], Any]) -> Any:
    """What a use gives, or how it asks to look."""
    try:
        return use(of)
    except Unresolved as look:
        return look


@settings(max_examples=500, deadline=None)
@given(
    small, st.integers(0, 4), small, st.integers(-3, 3).filter(bool), small, small,
    st.sampled_from(ARITHMETIC), st.sampled_from(COMPARISONS),
)  # fmt: skip
def test_tests_of_numbers_hold_for_every_value(
    base: int, most: int, least: int, factor: int, moved: int, limit: int, move: Any, compare: Any
) -> None:
    """Whatever the number is within its bounds: a test is as it says, or cuts its values."""

    def use(number: Any) -> Any:
        return compare(move(number * factor, moved), limit)

    added = range(min(least, most), max(least, most) + 1)
    unknown = UnknownNumber(own_terms(5), base, base + added[0], base + added[-1])
    result = told(unknown, use)
    if isinstance(result, Unresolved):
        assert result.element == (5, NUMBER) and result.cuts
        parts: dict[int, set[bool]] = {}
        for value in added:
            parts.setdefault(bisect_right(result.cuts, value), set()).add(use(base + value))
        assert len(parts) > 1 and all(len(answers) == 1 for answers in parts.values())
    else:
        assert {use(base + value) for value in added} == {result}


@settings(max_examples=300, deadline=None)
@given(small, small, height, height, small, st.sampled_from([*ARITHMETIC, operator.mul]))
def test_sums_of_unknown_numbers(a: int, b: int, first: int, second: int, by: int, last: Any) -> None:
    """Sums and differences of unknown numbers are those of their values, and inside their bounds."""
    one, other = UnknownNumber(own_terms(5), a, a, a + first), UnknownNumber(((OTHER, 1),), b, b, b + second)
    for combine in ARITHMETIC:
        form = last(combine(one, other), by)
        if type(form) is int:
            assert by == 0
            continue
        factors = dict(form.terms)
        for x, y in product(range(first + 1), range(second + 1)):
            value = last(combine(a + x, b + y), by)
            assert form.base + factors[5, NUMBER] * x + factors[OTHER] * y == value
            assert form.low <= value <= form.high
    assert one - one == 0


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2), st.integers(0, 2), st.sampled_from(OTHERS))
def test_other_uses_of_numbers_look(low: int, width: int, use: Callable[[Any], Any]) -> None:
    """Nothing else can be done with an unknown number, except what all its values agree on."""
    result = told(UnknownNumber(own_terms(5), low, low, low + width), use)
    values = {use(value) for value in range(low, low + width + 1)}
    assert isinstance(result, Unresolved) or values == {result}


def subsets(values: list[int]) -> Iterator[list[int]]:
    for kept in product((0, 1), repeat=len(values)):
        yield list(compress(values, kept))


@settings(max_examples=500, deadline=None)
@given(
    mask, mask, st.lists(st.tuples(st.sampled_from(MASKS), mask), max_size=3), st.integers(0, 3), mask,
    st.sampled_from([bool, lambda m: m == 5, lambda m: m != 3, lambda m: (m >> 1) & 1, lambda m: m & 4]),
)  # fmt: skip
def test_uses_of_flags_hold_for_every_value(
    known: int, unknown: int, changes: list[tuple[Any, int]], moved: int, kept: int, test: Any
) -> None:
    """Whatever the unknown flags are: masks, moves and tests of them are as they say."""
    unknown &= ~known

    def use(flags: Any) -> Any:
        for change, other in changes:
            flags = change(flags, other)
        return test(flags >> moved & kept if moved else flags)

    result = told(UnknownFlags(known, unknown, known, lambda bit: Unresolved((9, bit))), use)
    if unknown and not isinstance(result, Unresolved):
        values = {use(known | part) for part in range(32) if not part & ~unknown}
        if type(result) is UnknownFlags:
            assert all(value & ~result.unknown == result.known for value in values)
            shown = as_sum(result)
            assert {shown.base + sum(bits) for bits in subsets([f for _, f in shown.terms])} >= values
        else:
            assert values == {result}


@settings(max_examples=300, deadline=None)
@given(mask, mask, mask, mask)
def test_flags_without_a_mask_are_known_or_looked_at(
    known: int, unknown: int, before: int, others: int
) -> None:
    """All but a mask is a number if no flag of it is unknown; else the look is at a flag that is."""
    unknown &= ~known
    flags = UnknownFlags(known, unknown, before, lambda bit: Unresolved((9, bit)))
    result = told(flags, lambda m: others & ~m)
    if not unknown:
        assert others & ~known == result
    else:
        assert isinstance(result, Unresolved)
        assert unknown >> result.element[1] & 1


@settings(max_examples=300, deadline=None)
@given(mask, mask, mask)
def test_a_look_is_at_a_flag_that_may_differ(known: int, unknown: int, before: int) -> None:
    """One that is unknown; or, if none is, one that is sure now and was not, or the other way round."""
    unknown &= ~known
    if unknown or known != before:
        look = told(UnknownFlags(known, unknown, before, lambda bit: Unresolved((9, bit))), hash)
        assert (unknown or known ^ before) >> look.element[1] & 1
