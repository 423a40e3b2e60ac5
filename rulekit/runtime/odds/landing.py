"""Looking at what is pending: one situation becomes one for each class of outcomes that the look tells apart.

A class holds everything else that the calls may have added, as a kernel of its own: the look at one target's
damage says nothing about its other flags, and nothing about other targets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import gcd, lcm
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.runtime.odds.combining import Joint, TooMany, combine, groups_of
from rulekit.runtime.odds.deferring import KernelSource
from rulekit.runtime.odds.pending import Deltas, Pending, Terms, Unresolved

MOST_RESULTS = 200_000
"""Combinations of values that are kept apart."""


@frozen
class LandingClass:
    """Outcomes that a look does not tell apart.

    Attributes:
        weight: Their weight.
        sure: The changes that are in all of them.
        pending: All that is pending then, these included as far as they differ.
    """

    weight: int
    sure: Deltas
    pending: Pending


def classes_of(source: KernelSource, pending: Pending, look: Unresolved) -> list[LandingClass]:
    """Return what a look at something pending tells apart.

    Raises:
        TooMany: The calls that may have changed it have too many outcomes.
    """
    group = next(
        group
        for group in groups_of((source.kernel(number), count) for number, count in pending)
        if any(look.element in kernel.elements for kernel, _ in group)
    )
    joint = combine(group)
    numbers = {kernel.number for kernel, _ in group}
    rest = [entry for entry in pending if entry[0] not in numbers]
    late = look.element[0] < 0
    parts = _parts(joint, look)
    return [_class(source, joint, outcomes, rest, late=late) for outcomes in parts]


Outcomes = list[tuple[tuple[int, ...], int]]


def _parts(joint: Joint, look: Unresolved) -> Iterable[Outcomes]:
    """The outcomes by what the look tells: one part at least for each of its answers."""
    place = joint.elements.index(look.element)
    cuts = look.cuts
    parts: dict[int, Outcomes] = {}
    for values, weight in joint.weights.items():
        value = values[place]
        parts.setdefault(value if cuts is None else bisect_right(cuts, value), []).append((values, weight))
    if cuts is not None and len(parts) == 1:
        return _parts(joint, Unresolved(look.element))
    return parts.values()


def _class(
    source: KernelSource, joint: Joint, outcomes: Outcomes, rest: Sequence[tuple[int, int]], *, late: bool
) -> LandingClass:
    least = [min(column) for column in zip(*(values for values, _ in outcomes), strict=True)]
    sure = tuple((element, low) for element, low in zip(joint.elements, least, strict=True) if low)
    weights: dict[Deltas, int] = {}
    common = gcd(*(weight for _, weight in outcomes))
    order = sorted(range(len(joint.elements)), key=lambda place: joint.elements[place])
    for values, weight in outcomes:
        deltas = tuple([(joint.elements[n], values[n] - least[n]) for n in order if values[n] != least[n]])
        weights[deltas] = weight // common
    more = [] if len(weights) == 1 else [(source.intern(weights, late=late), 1)]
    return LandingClass(sum(weight for _, weight in outcomes), sure, tuple(sorted([*rest, *more])))


Spread = tuple[dict[Any, int], int]
"""Values, each with its weight, and the weight of all."""


def spread_of(source: KernelSource, pending: Pending, forms: Sequence[Any]) -> Spread:
    """Return the joint distribution of values, of which some are sums of what is unknown.

    Raises:
        TooMany: There are too many combinations.
    """
    unknown = [(n, form.terms) for n, form in enumerate(forms) if hasattr(form, "terms")]
    base = tuple([getattr(form, "base", form) for form in forms])
    if not unknown:
        return {base: 1}, 1
    wanted = frozenset(element for _, terms in unknown for element, _ in terms)
    kernels = [(source.part(number, wanted), count) for number, count in pending]
    sums: dict[tuple[int, ...], int] = {(0,) * len(unknown): 1}
    total = 1
    for group in groups_of((kernel, count) for kernel, count in kernels if kernel.elements):
        joint = combine(group)
        contributions = _contributions(joint, [terms for _, terms in unknown])
        sums = _convolve(sums, contributions)
        total *= joint.total
    if len(unknown) == len(forms) and not any(base):
        return sums, total
    return _complete(sums, base, [n for n, _ in unknown]), total


def _contributions(joint: Joint, sums: Sequence[Terms]) -> dict[tuple[int, ...], int]:
    """Return how much a group adds to each of some sums, with weights."""
    if tuple(sums) == tuple(((element, 1),) for element in joint.elements):
        return dict(joint.weights)
    columns = dict(zip(joint.elements, zip(*joint.weights, strict=True), strict=True))
    count = len(joint.weights)
    added: list[Sequence[int]] = []
    for terms in sums:
        parts: list[Sequence[int]] = []
        for element, factor in terms:
            column = columns.get(element)
            if column is not None:
                parts.append(column if factor == 1 else [factor * value for value in column])
        if len(parts) == 1:
            added.append(parts[0])
        else:
            added.append([sum(row) for row in zip(*parts, strict=True)] if parts else (0,) * count)
    keys = list(zip(*added, strict=True))
    together = dict(zip(keys, joint.weights.values(), strict=True))
    if len(together) == count:
        return together
    together = dict.fromkeys(keys, 0)
    for key, weight in zip(keys, joint.weights.values(), strict=True):
        together[key] += weight
    return together


def _convolve(
    before: dict[tuple[int, ...], int], more: dict[tuple[int, ...], int]
) -> dict[tuple[int, ...], int]:
    if len(before) == 1:
        ((sums, weight),) = before.items()
        if weight == 1 and not any(sums):
            return more
    together: dict[tuple[int, ...], int] = {}
    for sums, weight in before.items():
        for added, share in more.items():
            key = tuple([a + b for a, b in zip(sums, added, strict=True)])
            together[key] = together.get(key, 0) + weight * share
        if len(together) > MOST_RESULTS:
            raise TooMany
    return together


def _complete(
    sums: dict[tuple[int, ...], int], base: tuple[Any, ...], places: Sequence[int]
) -> dict[tuple[Any, ...], int]:
    """The values for sums of what is unknown: added to what they begin with, among those that are known."""
    columns = list(zip(*sums, strict=True))
    values: list[Iterable[Any]] = [(part,) * len(sums) for part in base]
    for column, place in zip(columns, places, strict=True):
        begin = base[place]
        values[place] = [begin + value for value in column] if begin else column
    return dict(zip(zip(*values, strict=True), sums.values(), strict=True))


def join_spreads(parts: Sequence[tuple[int, Spread]]) -> Spread:
    """Return distributions, each with a weight, as one."""
    common = lcm(*(total for _, (_, total) in parts))
    together: dict[Any, int] = {}
    for share, (weights, total) in parts:
        factor = share * (common // total)
        for value, weight in weights.items():
            together[value] = together.get(value, 0) + factor * weight
    return together, common * sum(share for share, _ in parts)
