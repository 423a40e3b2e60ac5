"""Whether what is stated of chances is so, by what was followed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulekit.base.frozen import frozen
from rulekit.ir import Example, Measure
from rulekit.ir.types import Int
from rulekit.runtime.odds.reading import Ended, FaultOutcome
from rulekit.runtime.odds.running import Followed, Marginal

RELATIONS = {"is": "", "at_least": "at least ", "at_most": "at most "}


@frozen
class Judgement:
    """The judgement of one measure.

    Attributes:
        measure: The measure, the `number`-th of its example.
        holds: Whether what is stated is so; None if that is undecided.
        low, high: The chance or mean is from the first to the second; equal if it is known.
        reason: Why it is not so, or undecided; empty if it is so.
        undefined: Whether there is no such mean.
    """

    measure: Measure
    number: int
    holds: bool | None
    low: Fraction
    high: Fraction
    reason: str
    undefined: bool = False


def judge(example: Example, followed: Followed) -> tuple[Judgement, ...]:
    """Judge all that an example states of chances and means."""
    stated = ((n, m) for n, m in enumerate(example.measures) if m.stated is not None)
    return tuple(_judge(measure, number, followed) for number, measure in stated)


def _judge(measure: Measure, number: int, followed: Followed) -> Judgement:
    part = followed.of(number)
    others = sum(w for value, w in part.weights.items() if isinstance(value, FaultOutcome | Ended))
    low = high = _size(measure, part)
    if measure.word == "mean" and others:
        share = text_of(Fraction(others, part.total))
        reason = f"the mean is not defined: {share} of all games end before it can be read"
        return Judgement(measure, number, False, low, low, reason, undefined=True)
    if part.left:
        left = Fraction(part.left, part.total)
        ends = (0, 1) if measure.word == "chance" else _ends(measure)
        if ends is None:
            return Judgement(measure, number, None, low, low, _reason_undecided(followed))
        low, high = low + left * ends[0], high + left * ends[1]
    holds = decide(measure, low, high)
    if holds:
        return Judgement(measure, number, True, low, high, "")
    if holds is None:
        reason = f"{_reason_undecided(followed)}; the {measure.word} is {text_of(low)} to {text_of(high)}"
        return Judgement(measure, number, None, low, high, reason)
    number_text = text_of(low) if low == high else f"{text_of(low)} to {text_of(high)}"
    return Judgement(
        measure, number, False, low, high, f"the {measure.word} is {number_text}, not {stated_text(measure)}"
    )


def _ends(measure: Measure) -> tuple[int, int] | None:
    kind = measure.of.type
    return (kind.low, kind.high) if isinstance(kind, Int) else None


def _size(measure: Measure, part: Marginal) -> Fraction:
    """The chance or mean in what was followed."""
    sum_ = Fraction(0)
    for value, weight in part.weights.items():
        if not isinstance(value, FaultOutcome | Ended):
            sum_ += weight * (value if measure.word == "mean" else bool(value))
    return sum_ / part.total


def _reason_undecided(followed: Followed) -> str:
    return f"not every outcome was followed in {followed.situations:,} situations"


def decide(measure: Measure, low: Fraction, high: Fraction) -> bool | None:
    """Whether a number between these bounds is as stated; None if that depends on where it is."""
    assert measure.stated is not None
    room = Fraction(1, 2 * measure.rounded) if measure.rounded else Fraction(0)
    least, most = measure.stated - room, measure.stated + room
    below = measure.relation != "at_least"  # whether a number may be too large
    above = measure.relation != "at_most"
    if (not above or low >= least) and (not below or high <= most):
        return True
    if above and high < least or below and low > most:
        return False
    return None


def stated_text(measure: Measure) -> str:
    """Return the stated number as it is written."""
    assert measure.stated is not None
    text = f"{measure.stated}"
    if measure.rounded:
        text = f"{measure.stated * measure.rounded} in {measure.rounded}, rounded"
    return RELATIONS[measure.relation] + text


def text_of(number: Fraction) -> str:
    """A number as a fraction where that is short, and as a decimal."""
    decimal = f"{float(number):.6g}"
    if number.denominator == 1:
        return str(number)
    return f"{number} ({decimal})" if len(str(number)) <= 24 else decimal


MOST_PARTS = 3


def largest_parts(judgement: Judgement, followed: Followed) -> str:
    """Where most of a chance or mean comes from, by the sums of the first roll; empty if there is none."""
    point, parts = followed.parts(judgement.number)
    if judgement.undefined:
        return ""
    sizes = []
    for sum_, chance, after in parts:
        size = _size(judgement.measure, after)
        if size:
            sizes.append((chance * size, sum_))
    if len(parts) < 2 or not sizes:
        return ""
    largest = sorted(sizes, key=lambda part: (-part[0], part[1]))[:MOST_PARTS]
    shown = ", ".join(f"{float(size):.4g} from {sum_}" for size, sum_ in largest)
    return f"by the first `{point}`: {shown}"


def worst_of(judgements: Sequence[Judgement]) -> Judgement | None:
    """The first that is not so, or else the first that is undecided; None if all is so."""
    wrong = (one for one in judgements if one.holds is False)
    return next(wrong, next((one for one in judgements if one.holds is None), None))
