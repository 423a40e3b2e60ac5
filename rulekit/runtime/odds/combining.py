"""Combines independent calls that only add, exactly, by powers and products.

Calls that can change one thing belong together; groups that have nothing in common are independent.  In a
group numbers add up and flags stay set.  For every set of flags, the weights of all outcomes that set no
other flags are the coefficients of a polynomial in the numbers.  Those of many calls are its powers and
products: one multiplication each, if all coefficients are written into one long integer.  Inclusion and
exclusion then give the weights of the outcomes that set exactly these flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, product
from math import prod
from struct import unpack
from typing import Final

from rulekit.base.frozen import frozen
from rulekit.runtime.odds.pending import NUMBER, Element, Kernel

MOST_FLAGS: Final = 6
"""Flags of a group up to which polynomials are used."""

WORD: Final = 8
"""Bytes of a machine word."""

MOST_DIGITS: Final = 4_000_000
"""Coefficients of all polynomials of a group, above which outcomes are combined one by one."""


class TooMany(Exception):
    """A group has more outcomes than are followed."""


MOST_OUTCOMES: Final = 200_000
"""Outcomes of a group that are followed."""

MOST_PRODUCTS: Final = 3_000_000
"""Pairs of outcomes of a group that are added one by one, some seconds of work."""


@frozen
class Joint:
    """The changes that the calls of one group make together.

    Attributes:
        elements: Everything that they may change, the numbers first.
        weights: For each combination of what is added to numbers and set of flags, in the order of the
            elements, its weight; together `total`.
    """

    elements: tuple[Element, ...]
    weights: Mapping[tuple[int, ...], int]
    total: int


def groups_of(pending: Iterable[tuple[Kernel, int]]) -> list[list[tuple[Kernel, int]]]:
    """The kernels, with how often each is pending, in groups that have no element in common."""
    groups: dict[int, list[tuple[Kernel, int]]] = {}
    where: dict[Element, int] = {}
    for number, (kernel, count) in enumerate(pending):
        groups[number] = [(kernel, count)]
        for other in {where[element] for element in kernel.elements if element in where}:
            groups[number] += groups.pop(other)
        for member, _ in groups[number]:
            for element in member.elements:
                where[element] = number
    return list(groups.values())


def combine(group: Sequence[tuple[Kernel, int]]) -> Joint:
    """Return the changes that the calls of one group make together.

    Raises:
        TooMany: There are too many outcomes.
    """
    elements = sorted({element for kernel, _ in group for element in kernel.elements})
    numbers = [element for element in elements if element[1] == NUMBER]
    flags = [element for element in elements if element[1] != NUMBER]
    total = prod(kernel.total**count for kernel, count in group)
    spans = [_span(group, cell) for cell, _ in numbers]
    size = prod(high - low + 1 for low, high in spans) << len(flags)
    if len(flags) <= MOST_FLAGS and size <= MOST_DIGITS:
        weights = _by_polynomials(group, numbers, flags, spans, total)
    else:
        weights = _one_by_one(group, numbers, flags)
    return Joint((*numbers, *flags), weights, total)


def _span(group: Sequence[tuple[Kernel, int]], cell: int) -> tuple[int, int]:
    """The least and the most that is added to a number."""
    low = high = 0
    for kernel, count in group:
        for at, least, most in kernel.numbers:
            if at == cell:
                low, high = low + count * least, high + count * most
    return low, high


def product_of(joints: Sequence[Joint]) -> Joint:
    """Return independent groups as one."""
    if len(joints) == 1:
        return joints[0]
    weights = {}
    for choice in product(*(joint.weights.items() for joint in joints)):
        together = tuple([value for values, _ in choice for value in values])
        weights[together] = prod([weight for _, weight in choice])
    elements = tuple(element for joint in joints for element in joint.elements)
    return Joint(elements, weights, prod(joint.total for joint in joints))


Weights = dict[tuple[int, ...], int]


def _by_polynomials(
    group: Sequence[tuple[Kernel, int]],
    numbers: Sequence[Element],
    flags: Sequence[Element],
    spans: Sequence[tuple[int, int]],
    total: int,
) -> Weights:
    """The weights of all combinations; `spans` are the least and the most of each number."""
    places, size = dict[Element, int](), 1
    for element, (low, high) in zip(reversed(numbers), reversed(spans), strict=True):
        places[element] = size
        size *= high - low + 1
    width = _width(total)
    bits = {element: bit for bit, element in enumerate(reversed(flags))}
    within = [1] * (1 << len(flags))
    for kernel, count in group:
        terms = _terms(kernel, places, bits)
        for allowed in range(len(within)):
            value = 0
            for mask, place, weight in terms:
                if not mask & ~allowed:
                    value += weight << 8 * width * place
            within[allowed] *= value**count
    rows = [_coefficients(value, width, size) for value in within]
    for bit in range(len(flags)):
        for mask in range(len(rows)):
            if mask >> bit & 1:
                without = rows[mask ^ 1 << bit]
                rows[mask] = [a - b for a, b in zip(rows[mask], without, strict=True)]
    keys = product(*(range(low, high + 1) for low, high in spans), *[(0, 1)] * len(flags))
    weights = chain.from_iterable(zip(*rows, strict=True))
    return {key: weight for key, weight in zip(keys, weights, strict=True) if weight}


def _terms(
    kernel: Kernel, places: Mapping[Element, int], bits: Mapping[Element, int]
) -> list[tuple[int, int, int]]:
    """For each outcome of a call the flags that it sets, its place among the coefficients, and its weight."""
    lowest = {(cell, NUMBER): low for cell, low, _ in kernel.numbers}
    shift = -sum(low * places[element] for element, low in lowest.items())
    terms = []
    for deltas, weight in kernel.weights.items():
        mask, place = 0, shift
        for element, delta in deltas:
            if element[1] == NUMBER:
                place += delta * places[element]
            else:
                mask |= 1 << bits[element]
        terms.append((mask, place, weight))
    return terms


def _width(total: int) -> int:
    """Bytes for coefficients up to a total: those of a machine word, if it fits."""
    return max((total.bit_length() + 7) // 8, WORD)


def _coefficients(value: int, width: int, size: int) -> list[int]:
    """The digits of a long integer, each of so many bytes."""
    text = value.to_bytes(width * size, "little")
    if width == WORD:
        return list(unpack(f"<{size}Q", text))
    read = int.from_bytes
    return [read(text[start : start + width], "little") for start in range(0, len(text), width)]


def _one_by_one(
    group: Sequence[tuple[Kernel, int]], numbers: Sequence[Element], flags: Sequence[Element]
) -> Weights:
    """The weights of all combinations, by adding one call after the other.

    Raises:
        TooMany: There are too many combinations.
    """
    places = {element: place for place, element in enumerate((*numbers, *flags))}
    weights: Weights = {(0,) * len(places): 1}
    products = 0
    for kernel, count in group:
        for _ in range(count):
            products += len(weights) * len(kernel.weights)
            if products > MOST_PRODUCTS:
                raise TooMany
            longer: Weights = {}
            for values, weight in weights.items():
                for deltas, more in kernel.weights.items():
                    sum_ = list(values)
                    for element, delta in deltas:
                        place = places[element]
                        sum_[place] = sum_[place] + delta if element[1] == NUMBER else 1
                    key = tuple(sum_)
                    longer[key] = longer.get(key, 0) + weight * more
            if len(longer) > MOST_OUTCOMES:
                raise TooMany
            weights = longer
    return weights
