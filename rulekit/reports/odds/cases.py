"""The same question in several cases, such as months or options: one table, and one picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulekit.reports.odds.table import MOST_SMALL, SMALL, middle_of, number_text, statistics
from rulekit.runtime.odds.distribution import Distribution, in_order, is_number, text_of

Cases = Mapping[str, Distribution]
"""The distribution of one thing in each case, by the words for the case."""


def values_of(cases: Cases) -> list[Any]:
    """All values of some cases, in order."""
    return in_order(dict.fromkeys(value for part in cases.values() for value in part))


def _with_ends_joined(cases: Cases) -> tuple[list[Any], Cases]:
    """All values, with one for unlikely numbers at an end, such as `18..`, and cases with these."""
    values = values_of(cases)
    if len(values) < MOST_SMALL or not all(map(is_number, values)):
        return values, cases
    low, high = _unlikely(cases, values), _unlikely(cases, values[::-1])

    def label_of(value: Any) -> Any:
        if low > 1 and value <= values[low - 1]:
            return f"..{text_of(values[low - 1])}"
        return f"{text_of(values[-high])}.." if high > 1 and value >= values[-high] else value

    return list(dict.fromkeys(map(label_of, values))), {
        case: part.map(label_of) for case, part in cases.items()
    }


def _unlikely(cases: Cases, values: Sequence[Any]) -> int:
    """The number of the first values that are unlikely together, in each case."""
    sums = dict.fromkeys(cases, 0.0)
    for number, value in enumerate(values):
        for case, part in cases.items():
            sums[case] += middle_of(part.chance(value))
        if max(sums.values()) >= SMALL:
            return number
    return 0


def lines(cases: Cases, *, fractions: bool = False) -> Iterator[str]:
    """Yield the lines of a table with a column for each case: the mean of numbers, then each value."""
    rows = [("", *cases)]
    numbers = [statistics(part) for part in cases.values()]
    if all(numbers):
        rows.append(("mean", *(text.split(",")[0].removeprefix("mean ") for text in numbers)))
    values, cases = _with_ends_joined(cases)
    for value in values:
        shown = (number_text(part.chance(value), fractions=fractions) for part in cases.values())
        rows.append((value if isinstance(value, str) else text_of(value), *shown))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = map(str.rjust, others, wide[1:])
        yield f"  {first.ljust(wide[0])}  {'  '.join(cells)}".rstrip()


def as_csv(cases: Mapping[str, Sequence[Distribution]]) -> str:
    """A line for each value of each thing in each case; see `Distribution.csv`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number in range(len(next(iter(cases.values())))):
        heads = None
        for case, parts in cases.items():
            head, *rows = csv.reader(io.StringIO(parts[number].csv()))
            if head != heads:
                writer.writerow(("case", *head))
                heads = head
            writer.writerows((case, *row) for row in rows)
    return out.getvalue()
