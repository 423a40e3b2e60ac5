"""Unknown numbers and flags: a test of one gives what it gives for every value, or asks to look."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.runtime.odds.pending import UnknownFlags, UnknownNumber, Unresolved

COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
ARITHMETIC = [operator.add, operator.sub]
MASKS = [operator.and_, operator.or_, operator.xor]
OTHERS: list[Callable[[Any], Any]] = [
    hash, int, bool, str, abs, lambda v: v * 2, lambda v: 2 * v, lambda v: 7 - v, lambda v: v // 2,
    lambda v: v % 2, lambda v: [10, 20, 30][v], lambda v: {0: 1}.get(v), lambda v: 1 << v, lambda v: v & 1,
]  # fmt: skip
small = st.integers(-6, 6)
mask = st.integers(0, 31)


def told(of: Any, use: Callable[[Any], Any]) -> Any:
    """What a use gives; None if it asks to look."""
    try:
        return use(of)
    except Unresolved:
        return None


@settings(max_examples=300, deadline=None)
@given(small, st.integers(0, 4), small, small, st.sampled_from(ARITHMETIC), st.sampled_from(COMPARISONS))
def test_tests_of_numbers_hold_for_every_value(
    low: int, width: int, moved: int, limit: int, move: Any, compare: Any
) -> None:
    """Whatever the number is within its bounds, moved by a known number, a test is as it says."""
    unknown = UnknownNumber(5, 0, low, low + width)
    result = told(unknown, lambda number: compare(move(number, moved), limit))
    each = {compare(move(value, moved), limit) for value in range(low, low + width + 1)}
    assert each == ({True, False} if result is None else {result})


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2), st.integers(0, 2), st.sampled_from(OTHERS))
def test_other_uses_of_numbers_look(low: int, width: int, use: Callable[[Any], Any]) -> None:
    """Nothing else can be done with an unknown number, except what all its values agree on."""
    result = told(UnknownNumber(5, 0, low, low + width), use)
    assert result is None or {use(value) for value in range(low, low + width + 1)} == {result}


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

    result = told(UnknownFlags(known, unknown, 0, lambda bit: (9, bit)), use)
    if unknown and result is not None:
        values = {use(known | part) for part in range(32) if not part & ~unknown}
        if type(result) is UnknownFlags:
            assert all(value & ~result.unknown == result.known for value in values)
        else:
            assert values == {result}
