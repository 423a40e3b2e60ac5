"""Simulations as text for people: tables with intervals and bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import floor
from typing import Any

from rulekit.reports.odds.table import MOST_ROWS, decimal, number_text, statistics, table
from rulekit.runtime.odds.distribution import Distribution, Estimate, is_number, text_of
from rulekit.runtime.simulation.results import Difference, Simulation

MOST_NUMBERS = 30
"""Numbers that are shown one by one, if they are not far apart."""

RANGES = 16
"""Ranges that more numbers are shown in."""


def summary(simulation: Simulation) -> str:
    """The games that were played, in a line."""
    players = dict.fromkeys(simulation.agents.values())
    who = (
        next(iter(players), "random")
        if len(players) < 2
        else ", ".join(f"{side} {who}" for side, who in simulation.agents.items())
    )
    counted = simulation.counted
    games = f"{simulation.games:,} game{'' if simulation.games == 1 else 's'}"
    if counted != simulation.games:
        games = f"{counted:,} of {games} counted"
    return f"{games} · agents {who} · seed {simulation.seed} · intervals of 95 %"


def tables(simulation: Simulation) -> Iterator[tuple[str, list[str]]]:
    """For each measure a heading, and the lines of its table."""
    for name in simulation.names:
        chances = simulation.distribution(name)
        numbers = statistics(chances)
        head = f"{name}  {numbers}" if numbers else name
        if simulation.against is None:
            yield head, list(table(in_ranges(chances)))
        else:
            yield head, _comparison(simulation, name)


def in_ranges(chances: Distribution) -> Distribution:
    """A distribution of many numbers as one of ranges; any other as it is."""
    range_of = ranges(chances)
    return chances if range_of is None else chances.map(range_of)


def ranges(values: Iterable[Any]) -> Callable[[Any], Any] | None:
    """A function that gives the range of a number, as text; None if there are few numbers."""
    numbers = [value for value in values if is_number(value)]
    if len(numbers) <= RANGES or max(len(numbers), max(numbers) - min(numbers)) < MOST_NUMBERS:
        return None
    step = next(
        factor * 10**power
        for power in range(30)
        for factor in (1, 2, 5)
        if (max(numbers) - min(numbers)) / (factor * 10**power) <= RANGES
    )

    def range_of(value: Any) -> Any:
        if not is_number(value):
            return value
        low = floor(value / step) * step
        return f"{low}..{low + step - 1}" if step > 1 else str(low)

    return range_of


def differences(simulation: Simulation, name: str) -> tuple[Difference, ...]:
    """The differences of the chances of values, or of their ranges if there are many."""
    both = dict.fromkeys([*simulation.distribution(name), *simulation.distribution(name, against=True)])
    rows = simulation.differences(name, ranges(both) or (lambda value: value))
    if len(rows) <= MOST_ROWS:
        return rows
    likeliest = sorted(rows, key=lambda row: -max(row.one.value, row.other.value))[:MOST_ROWS]
    return tuple(row for row in rows if row in likeliest)


def _comparison(simulation: Simulation, name: str) -> list[str]:
    """The chances by both rules, and their difference in points of a hundred."""
    rows = differences(simulation, name)
    cells = [("", "with", "against", "difference"), *map(_cells, rows)]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        f"  {row[0].ljust(wide[0])}  {'  '.join(map(str.rjust, row[1:], wide[1:]))}".rstrip() for row in cells
    ]
    mean = simulation.mean_difference(name)
    if mean is not None and len(rows) > 1:
        lines.append(f"  the mean differs by {_with_sign(mean, 1)}")
    return lines


def _cells(row: Difference) -> tuple[str, str, str, str]:
    return text_of(row.value), number_text(row.one), number_text(row.other), points(row.shift)


def points(shift: Estimate) -> str:
    """A difference of two chances in points, with its interval; marked if the interval is without zero."""
    sure = " *" if shift.low > 0 or shift.high < 0 else "  "
    return f"{100 * shift.value:+.1f} ± {50 * (shift.high - shift.low):.1f}{sure}"


def _with_sign(number: Estimate, scale: int) -> str:
    half = (number.high - number.low) / 2 * scale
    sign = "+" if number.value > 0 else ""
    return f"{sign}{decimal(number.value * scale)} ± {decimal(half)}"
