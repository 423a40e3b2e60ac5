"""Distributions as text for people: a table with a bar for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import sqrt

from rulekit.runtime.odds.distribution import (
    Distribution,
    Effort,
    Estimate,
    Failing,
    Interval,
    NoNumber,
    Number,
    text_of,
)

EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
BAR = 30
"""Cells of the bar of a certain thing."""

MOST_ROWS = 40
"""Values that are shown one by one."""

MOST_SMALL = 12
"""Values of a distribution that are shown one by one, however small their chances."""

SMALL = Fraction(1, 500)
"""The chance of all values at an end that are shown as one."""

MOST_DIGITS = 24
"""Digits of a fraction that is shown; longer ones are decimals."""


def summary(distribution: Distribution) -> str:
    """The kind of a distribution, and the work that it took."""
    effort = distribution.effort
    match distribution.kind:
        case "exact":
            return f"exact ({_situations(effort)})" if effort.situations else "exact"
        case "bounded":
            left = percent(distribution.left)
            return f"bounded: {left} not followed ({_situations(effort)})"
        case "estimated":
            return f"estimated from {distribution.trials:,} trials (seed {distribution.seed}; 95 % intervals)"


def _situations(effort: Effort) -> str:
    number = effort.situations
    return f"{number:,} situation{'' if number == 1 else 's'}{_seconds(effort.seconds)}"


def _seconds(seconds: float) -> str:
    return "" if seconds < 1 else f", {seconds:.0f} s"


def assumption(distribution: Distribution) -> str:
    """How choices were answered, in a sentence; empty if none was asked."""
    assumed, parts = distribution.assumed, []
    if assumed.given:
        parts.append(f"{_names(assumed.given)} as given")
    if (best := assumed.best) is not None:
        answers = ", ".join(map(text_of, best.answers)) or "never asked"
        parts.append(f"`{best.choice}` by the best answer for `{best.objective}` ({answers})")
    if assumed.answered:
        parts.append(f"{_names(assumed.answered)} by {assumed.by}")
    return f"assumed: {'; '.join(parts)}" if parts else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def table(distribution: Distribution, *, fractions: bool = False) -> Iterator[str]:
    """The lines of a distribution of one thing: each value with its chance and a bar."""
    rows = _with_ends_joined(distribution)
    shown = rows if len(rows) <= MOST_ROWS else _likeliest(rows)
    words = [value if isinstance(value, str) else text_of(value) for value, _ in shown]
    numbers = [number_text(number, fractions=fractions) for _, number in shown]
    plain = [word for word, (value, _) in zip(words, shown, strict=True) if not isinstance(value, Failing)]
    left, middle = max(map(len, plain), default=0), max(map(len, numbers), default=0)
    for word, number, (value, chance) in zip(words, numbers, shown, strict=True):
        is_number = isinstance(value, int | Fraction) and not isinstance(value, bool)
        name = word.rjust(left) if is_number else word.ljust(left)
        yield f"  {name}  {number.rjust(middle)}  {bar(chance)}".rstrip()
    if len(shown) < len(rows):
        yield f"  and {len(rows) - len(shown):,} less likely values"


def _with_ends_joined(distribution: Distribution) -> Sequence[tuple[object, Number]]:
    """The rows of a distribution, those of small chances at the ends of numbers as one each: `18..`."""
    rows = distribution.rows()
    numbers = [
        value for value, _ in rows if isinstance(value, int | Fraction) and not isinstance(value, bool)
    ]
    if distribution.kind != "exact" or len(numbers) < len(rows) or len(rows) < MOST_SMALL:
        return rows
    first, last = 0, len(rows) - 1
    while sum(distribution[number] for number in numbers[: first + 1]) < SMALL:
        first += 1
    while sum(distribution[number] for number in numbers[last:]) < SMALL:
        last -= 1
    joined: list[tuple[object, Number]] = list(rows[max(first - 1, 0) : last + 2])
    if first > 1:
        joined[0] = (f"..{text_of(numbers[first - 1])}", distribution.at_most(numbers[first - 1]))
    if last < len(rows) - 2:
        joined[-1] = (f"{text_of(numbers[last + 1])}..", distribution.at_least(numbers[last + 1]))
    return joined


def _likeliest(rows: Sequence[tuple[object, Number]]) -> Sequence[tuple[object, Number]]:
    """The likeliest values, in order."""
    ranked = sorted(range(len(rows)), key=lambda n: -middle_of(rows[n][1]))[:MOST_ROWS]
    return [rows[n] for n in sorted(ranked)]


def middle_of(number: Number) -> float:
    """One number for any kind of number."""
    match number:
        case Fraction():
            return float(number)
        case Interval(low=low, high=high):
            return float(low + high) / 2
        case Estimate(value=value):
            return value


def statistics(distribution: Distribution) -> str:
    """Mean and standard deviation in words; empty if the values are not numbers."""
    if len(distribution) < 2 or any(isinstance(value, bool) for value in distribution):
        return ""
    try:
        mean = distribution.mean
    except NoNumber:
        return ""
    match mean:
        case Fraction():
            return f"mean {decimal(mean)}, sd {decimal(distribution.sd)}"
        case Interval(low=low, high=high):
            return f"mean {decimal(low)} to {decimal(high)}"
        case Estimate(value=value, low=least, high=most):
            error = max(most - value, value - least)
            return f"mean {decimal(value)} ± {decimal(error)}, sd {decimal(sqrt(distribution.variance))}"


def decimal(number: float | Fraction) -> str:
    """A number to three decimals, without zeros at its end."""
    text = f"{float(number):.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def percent(share: float | Fraction) -> str:
    """A share in hundredths with one decimal; a share too small or too large for that as a bound."""
    value = 100 * float(share)
    if 0 < value < 0.05:
        return "< 0.1 %"
    if 99.95 <= value < 100 and share != 1:
        return "> 99.9 %"
    return f"{value:.1f} %"


def number_text(number: Number, *, fractions: bool = False) -> str:
    """A chance in words."""
    match number:
        case Fraction():
            text = f"{number.numerator}/{number.denominator}" if number.denominator > 1 else str(number)
            return text if fractions and len(text) <= MOST_DIGITS else percent(number)
        case Interval(low=low, high=high):
            return percent(low) if low == high else f"{percent(low)[:-2]} to {percent(high)}"
        case Estimate(value=value, low=least, high=most):
            return f"{percent(value)[:-2]} ± {100 * (most - least) / 2:.1f} %"


def bar(number: Number, cells: int = BAR) -> str:
    """A bar as long as a chance, of so many cells at most; of a bounded one, what is certain."""
    share = float(number.low) if isinstance(number, Interval) else middle_of(number)
    eighths = round(share * cells * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8]
