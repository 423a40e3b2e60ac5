"""Distributions: the chances of values, exact, bounded or estimated, with what users do with them.

An exact one gives fractions.  A bounded one gives intervals that are certain: the part that was not followed
goes to both ends.  An estimated one gives estimates with intervals of 95 %.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Literal

from rulekit.base.frozen import frozen

NORMAL = 1.959963984540054
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""


class NotExact(TypeError):
    """An exact number was asked of a distribution that has none."""


class NoNumber(ValueError):
    """A number was asked of values that are none."""


@frozen
class Interval:
    """Certain bounds of a number: it is from `low` to `high`."""

    low: Fraction
    high: Fraction


@frozen
class Estimate:
    """An estimate of a number; in 95 of 100 such estimates, it is from `low` to `high`."""

    value: float
    low: float
    high: float


Number = Fraction | Interval | Estimate
"""A fraction of an exact distribution, an interval of a bounded one, an estimate of an estimated one."""


@frozen
class Failing:
    """A fault of play as an outcome: its code and name, its message, and the printed rules that it cites."""

    code: str
    name: str
    message: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"fault {self.code} {self.name}".strip()


@frozen
class GameOver:
    """The game ended before values of a procedure could be read."""

    result: Any

    def __str__(self) -> str:
        return "the game is over" if self.result is None else f"the game is over: {self.result}"


@frozen
class BestReply:
    """A choice that was answered so that a value is as high as it can be on average.

    Attributes:
        choice: The choice as the question names it: `aim`, `aim by Red`.
        objective: The value, as the question writes it.
        answers: The answers that are the best in some situation.
    """

    choice: str
    objective: str
    answers: tuple[Any, ...]


@frozen
class Assumptions:
    """The assumptions of a distribution, besides the rules.

    Attributes:
        given: Choices that were answered as the question says.
        answered: Other choices that were asked.
        by: How these were answered.
        rules: The printed rules of the points of chance and choices that were met.
        best: The choice that was answered in the best way; None if none was.
    """

    given: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    by: str = ""
    rules: tuple[str, ...] = ()
    best: BestReply | None = None


@frozen
class Effort:
    """The work that a distribution took: situations, steps, and seconds of processor time."""

    situations: int = 0
    steps: int = 0
    seconds: float = 0.0


Kind = Literal["exact", "bounded", "estimated"]


class Distribution(Mapping[Any, Fraction]):
    """The chances of what comes of a question: an exact one is a mapping from values to fractions.

    Values are numbers, flags, names, None for none, and tuples of these for sets and lists; with several
    `names`, a value is a tuple of one value for each.  Faults (`Failing`) and games that ended early
    (`GameOver`) are values of their own.

    Attributes:
        names: The expressions asked for, in the words of the question.
        kind: `exact`, `bounded` or `estimated`.
        assumed: Its assumptions.
        effort: The work that it took.
        seed: Of an estimated one, that of its dice; otherwise None.
    """

    def __init__(
        self,
        names: Sequence[str],
        weights: Mapping[Any, int],
        *,
        left: int = 0,
        estimated: bool = False,
        seed: int | str | None = None,
        ends: tuple[Fraction, Fraction] | None = None,
        assumed: Assumptions | None = None,
        effort: Effort | None = None,
    ) -> None:
        """A distribution by whole weights.

        Args:
            weights: The weight of each value; of an estimated one, how often it came.
            left: The weight of what was not followed.
            ends: The least and the greatest number that a value can be, if values are bounded numbers.
        """
        self.names, self.seed, self._ends = tuple(names), seed, ends
        self.assumed, self.effort = assumed or Assumptions(), effort or Effort()
        self._weights = {value: weights[value] for value in in_order(weights) if weights[value]}
        self._left, self._total = left, sum(self._weights.values()) + left
        if self._total <= 0 or left < 0 or min(self._weights.values(), default=1) < 0:
            raise ValueError("weights must be above 0")
        self.kind: Kind = "estimated" if estimated else "bounded" if left else "exact"

    @property
    def left(self) -> Fraction:
        """Of a bounded one, the chance of what was not followed; otherwise 0."""
        return Fraction(self._left, self._total)

    @property
    def trials(self) -> int:
        """Of an estimated one, how many games were played; otherwise 0."""
        return self._total if self.kind == "estimated" else 0

    # ------------------------------------------------------------ as a mapping

    def __getitem__(self, value: Any) -> Fraction:
        """The chance of a value; 0 for one that does not occur.

        Raises:
            NotExact: The distribution is bounded or estimated: use `chance`.
        """
        self._be_exact()
        return Fraction(self._weights.get(value, 0), self._total)

    def __contains__(self, value: object) -> bool:
        return value in self._weights

    def __iter__(self) -> Iterator[Any]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __repr__(self) -> str:
        about = f"{', '.join(self.names)}: {len(self)} values"
        return f"<{self.kind} distribution of {about}>"

    def _be_exact(self) -> None:
        if self.kind != "exact":
            raise NotExact(f"this distribution is {self.kind}, not exact: use `chance`")

    # ------------------------------------------------------------ chances

    def chance(self, what: Any) -> Number:
        """The chance of a value, or of all values for which a function gives true."""
        test: Callable[[Any], Any] = what if callable(what) else lambda value: value == what
        return self._number(sum(weight for value, weight in self._weights.items() if test(value)))

    def at_least(self, number: float | Fraction) -> Number:
        """The chance of this number or more."""
        return self.chance(lambda value: is_number(value) and value >= number)

    def at_most(self, number: float | Fraction) -> Number:
        """The chance of this number or less."""
        return self.chance(lambda value: is_number(value) and value <= number)

    def _number(self, weight: int) -> Number:
        """Return the number for a part of all that was followed, or played."""
        share = Fraction(weight, self._total)
        if self.kind == "exact":
            return share
        if self.kind == "bounded":
            return Interval(share, share + self.left)
        return Estimate(float(share), *wilson(weight, self._total))

    # ------------------------------------------------------------ numbers

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        """The values, all of which must be numbers."""
        for value in self._weights:
            if not is_number(value):
                what = "faults" if isinstance(value, Failing) else "values that are not numbers"
                hint = "look at the others with `d.where(lambda value: ...)`"
                raise NoNumber(f"the distribution has {what} ({value}): {hint}")
        return self._weights

    @property
    def mean(self) -> Number:
        """The mean.

        Raises:
            NoNumber: Some values are not numbers, such as faults; or the distribution is bounded, and its
                values are not.
        """
        mean = Fraction(sum(value * weight for value, weight in self._numbers.items())) / self._total
        if self.kind == "exact":
            return mean
        if self.kind == "bounded":
            if self._ends is None:
                raise NoNumber("the mean has no bounds: nothing bounds the values that were not followed")
            low, high = self._ends
            return Interval(mean + self.left * low, mean + self.left * high)
        error = NORMAL * sqrt(self._spread(mean) / self._total)
        return Estimate(float(mean), float(mean) - error, float(mean) + error)

    def _spread(self, mean: Fraction) -> Fraction:
        squares = Fraction(sum(value * value * weight for value, weight in self._numbers.items()))
        return squares / self._total - mean * mean

    @property
    def variance(self) -> Fraction:
        """The variance; of an estimated distribution, that of the games played.

        Raises:
            NotExact: The distribution is bounded.
            NoNumber: Some values are not numbers.
        """
        if self.kind == "bounded":
            self._be_exact()
        return self._spread(Fraction(sum(v * weight for v, weight in self._numbers.items())) / self._total)

    @property
    def sd(self) -> float:
        """The standard deviation; errors as for `variance`."""
        return sqrt(self.variance)

    @property
    def mode(self) -> Any:
        """The likeliest value: the first of them, if there are several."""
        return max(self._weights, key=lambda value: self._weights[value])

    def quantile(self, share: float | Fraction) -> Any:
        """The least value such that it, or a smaller one, has at least this chance (0 to 1).

        Raises:
            NotExact: The distribution is bounded, and what was not followed might change the value.
            NoNumber: Some values are not numbers.
        """
        least, sum_ = Fraction(share) * self._total, 0
        for value, weight in self._numbers.items():
            sum_ += weight
            if sum_ >= least:
                if self._left and sum_ - weight + self._left >= least:
                    self._be_exact()
                return value
        self._be_exact()
        return None

    @property
    def median(self) -> Any:
        """The quantile of one half."""
        return self.quantile(Fraction(1, 2))

    # ------------------------------------------------------------ others from this one

    @property
    def faults(self) -> dict[Failing, Number]:
        """The chance of each fault."""
        return {v: self._number(weight) for v, weight in self._weights.items() if isinstance(v, Failing)}

    def where(self, test: Callable[[Any], Any]) -> Distribution:
        """The distribution among the values for which a function gives true.

        Raises:
            ValueError: There are none.
            NotExact: The distribution is bounded.
        """
        if self.kind == "bounded":
            self._be_exact()
        weights = {value: weight for value, weight in self._weights.items() if test(value)}
        if not weights:
            raise ValueError("nothing that can happen is like this")
        return self._with(weights)

    def map(self, function: Callable[[Any], Any], name: str = "") -> Distribution:
        """The distribution of a function of the values; faults stay what they are."""
        weights: dict[Any, int] = {}
        for value, weight in self._weights.items():
            mapped = value if isinstance(value, Failing | GameOver) else function(value)
            weights[mapped] = weights.get(mapped, 0) + weight
        return self._with(weights, names=(name or ", ".join(self.names),), ends=None)

    def of(self, name: str) -> Distribution:
        """The distribution of one of several things asked for.

        Raises:
            KeyError: It was not asked for.
        """
        if name not in self.names:
            raise KeyError(name)
        place = self.names.index(name)
        return self if len(self.names) == 1 else self.map(lambda value: value[place], name)

    def _with(self, weights: Mapping[Any, int], **changes: Any) -> Distribution:
        settings: dict[str, Any] = {
            "names": self.names, "left": self._left, "estimated": self.kind == "estimated", "seed": self.seed,
            "ends": self._ends, "assumed": self.assumed, "effort": self.effort, **changes,
        }  # fmt: skip
        return Distribution(weights=weights, **settings)

    def compare(self, other: Distribution) -> tuple[ChanceShift, ...]:
        """The chance of each value here and in another distribution, in the order of values."""
        values = in_order([*self, *(value for value in other if value not in self)])
        return tuple(ChanceShift(value, self.chance(value), other.chance(value)) for value in values)

    # ------------------------------------------------------------ for programs

    def rows(self) -> tuple[tuple[Any, Number], ...]:
        """Each value with its chance, in order."""
        return tuple((value, self._number(weight)) for value, weight in self._weights.items())

    def json(self) -> dict[str, Any]:
        """All of it as plain data; see `schemas/odds.schema.json`."""
        data: dict[str, Any] = {
            "format": 1,
            "kind": self.kind,
            "names": list(self.names),
            "outcomes": [{**_plain(value), **_plain_number(chance)} for value, chance in self.rows()],
        }
        if self.kind == "bounded":
            data["left"] = _plain_number(self.left)
        if self.kind == "estimated":
            data |= {"trials": self.trials, "seed": self.seed}
        assumed, effort = self.assumed, self.effort
        data["assumed"] = {"given": list(assumed.given), "answered": list(assumed.answered), "by": assumed.by}
        if (best := assumed.best) is not None:
            data["assumed"]["best"] = {
                "choice": best.choice,
                "objective": best.objective,
                "answers": list(map(_plain_value, best.answers)),
            }
        data["rules"] = list(assumed.rules)
        data["effort"] = {
            "situations": effort.situations, "steps": effort.steps, "seconds": round(effort.seconds, 6)
        }  # fmt: skip
        return data

    def csv(self) -> str:
        """A line for each value with its chance: as a fraction and decimal, or its bounds."""
        heads = {
            "exact": ("chance", "fraction"),
            "bounded": ("low", "high"),
            "estimated": ("chance", "low", "high"),
        }
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow((*self.names, *heads[self.kind]))
        for value, number in self.rows():
            shown = value if len(self.names) > 1 and isinstance(value, tuple) else (value,)
            shown = (*shown, *[""] * (len(self.names) - len(shown)))
            match number:
                case Fraction():
                    columns: tuple[Any, ...] = (float(number), number)
                case Interval(low=low, high=high):
                    columns = (float(low), float(high))
                case Estimate(value=middle, low=least, high=most):
                    columns = (middle, least, most)
            writer.writerow((*map(text_of, shown), *columns))
        return out.getvalue()


@frozen
class ChanceShift:
    """The chance of a value in two distributions."""

    value: Any
    one: Number
    other: Number


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """The interval of 95 % for a chance of which so many of the trials came true, after Wilson."""
    share, z = hits / trials, NORMAL**2 / trials
    middle, half = share + z / 2, NORMAL * sqrt(share * (1 - share) / trials + z / (4 * trials))
    low, high = (middle - half) / (1 + z), (middle + half) / (1 + z)
    return max(min(low, share), 0.0), min(max(high, share), 1.0)


def text_of(value: Any) -> str:
    """A value in words, as rules write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return f"{{{', '.join(map(text_of, value))}}}"
        case _:
            return str(value)


def is_number(value: Any) -> bool:
    """Whether a value is a number, which a flag is not."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def in_order(values: Iterable[Any]) -> list[Any]:
    """Numbers by size and no before yes; all else as it comes, and faults last."""
    known = list(values)
    plain = [value for value in known if not isinstance(value, Failing | GameOver)]
    others = [value for value in known if isinstance(value, Failing | GameOver)]
    if all(isinstance(value, int | Fraction) for value in plain):
        plain.sort()
    return plain + others


def _plain(value: Any) -> dict[str, Any]:
    """A value as JSON."""
    match value:
        case Failing():
            cited = list(value.rules)
            return {
                "fault": {"code": value.code, "name": value.name, "message": value.message, "rules": cited}
            }
        case GameOver():
            return {"over": _plain_value(value.result)}
        case _:
            return {"value": _plain_value(value)}


def _plain_value(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return [_plain_value(part) for part in value] if isinstance(value, tuple) else value


def _plain_number(number: Number) -> dict[str, Any]:
    match number:
        case Fraction():
            return {"chance": float(number), "fraction": f"{number.numerator}/{number.denominator}"}
        case Interval(low=low, high=high):
            return {"low": float(low), "high": float(high)}
        case Estimate(value=value, low=least, high=most):
            return {"chance": value, "low": least, "high": most}
