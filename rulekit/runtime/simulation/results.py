"""The totals of a simulation in the game's own names: distributions, differences and single games."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Final

from rulekit.base.frozen import frozen
from rulekit.runtime.odds.distribution import (
    NORMAL,
    Assumptions,
    Distribution,
    Estimate,
    Failing,
    in_order,
    is_number,
    text_of,
)
from rulekit.runtime.simulation.plan import Plan
from rulekit.runtime.simulation.tally import Failed, Key, Tally, TallyEntry

ALL: Final = "all"
"""The player of rules without sides."""


@frozen
class Difference:
    """How much more often a value occurs by the rules than by those they are compared with.

    Attributes:
        one: The chance by the rules, and `other` by those they are compared with.
        shift: The first less the second, from games with the same seeds.
    """

    value: Any
    one: Estimate
    other: Estimate
    shift: Estimate


class Simulation:
    """The totals of a simulation.

    Attributes:
        names: The measures, in the words in which they were asked for.
        games: How many games were played by each of the rules.
        seed: That of the simulation; that of game number n is `seed/n`.
        agents: The agent of each side; of `all` if the rules have no sides.
        scenario: The scenario, or None if the rules have none.
        options: The options of the rules, and `against` of those they are compared with, or None.
    """

    def __init__(
        self, plan: Plan, names: Sequence[str], tally: Tally, *, against: Sequence[str] | None = None
    ) -> None:
        """`against` are the words for the rules that the plan compares with, if it has any."""
        program = plan.rules[0].program
        domain = program.by_name.domains.get(program.sides)
        sides = (ALL,) if domain is None else domain.members
        scenarios = [item.name for item in program.scenarios]
        self.plan, self.tally = plan, tally
        self.names, self.games, self.seed = tuple(names), tally.games, plan.seed
        self.agents: Mapping[str, str] = dict(zip(sides, plan.agent_names, strict=True))
        self.scenario = plan.rules[0].scenario or (scenarios[0] if scenarios else None)
        self.options = tuple(program.options)
        self.against = None if against is None else tuple(against)

    def __repr__(self) -> str:
        return f"<simulation of {self.games} games: {', '.join(self.names)}>"

    @property
    def counted(self) -> int:
        """The number of games that `where` counts; all if there is none."""
        return sum(entry.count for key, entry in self.tally.ends(0) if key is not None)

    # ------------------------------------------------------------ measures

    def distribution(self, name: str, *, against: bool = False) -> Distribution:
        """How often each value of a measure occurred, as an estimated distribution.

        Args:
            against: By the rules that are compared with, instead of the rules.

        Raises:
            KeyError: It is not measured.
            ValueError: No game is counted, or nothing is compared.
        """
        place, weights = self._place(name), Counter[Any]()
        for key, entry in self._ends(against=against):
            weights[key[place] if isinstance(key, tuple) else self._failing(key)] += entry.count
        if not weights:
            raise ValueError("no game is like that: `where` counts none")
        return Distribution(
            [name], _in_natural_order(weights), estimated=True, seed=self.seed, assumed=Assumptions()
        )

    def __getitem__(self, name: str) -> Distribution:
        """The distribution of a measure; errors as for `distribution`."""
        return self.distribution(name)

    def together(self, one: str, other: str) -> dict[Any, Counter[Any]]:
        """For each value of one measure, how often each value of another occurred with it."""
        first, second = self._place(one), self._place(other)
        counts: dict[Any, Counter[Any]] = {}
        for key, entry in self._ends():
            if isinstance(key, tuple):
                counts.setdefault(key[first], Counter())[key[second]] += entry.count
        return counts

    def means_by(self, name: str, by: str) -> dict[Any, Estimate]:
        """For each value of one measure the mean of another, with an interval of 95 %.

        Only games in which that is a number count.

        Raises:
            KeyError: One of them is not measured.
        """
        numbers = {
            place: {value: count for value, count in counts.items() if is_number(value)}
            for place, counts in self.together(by, name).items()
        }
        return {place: _mean_of(counts) for place, counts in numbers.items() if counts}

    def losses(self) -> dict[str, dict[Any, Estimate]]:
        """For each side the mean of its losses by the end of each value of the plan's clock.

        Games that have not come so far do not count there.  Empty if the plan has no clock, or no side.
        """
        if self.plan.rules[0].clock is None:
            return {}
        counts: dict[Any, list[Counter[int]]] = {}
        for key, entry in self._ends():
            for at, lost in key[-1] if isinstance(key, tuple) else ():
                by_side = counts.setdefault(at, [Counter() for _ in lost])
                for number, side in zip(lost, by_side, strict=True):
                    side[number] += entry.count
        order = sorted(counts) if all(map(is_number, counts)) else list(counts)
        return {
            side: {at: _mean_of(counts[at][place]) for at in order}
            for place, side in enumerate(self.agents)
            if all(place < len(by_side) for by_side in counts.values())
        }

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(name)
        return self.names.index(name)

    def _ends(self, *, against: bool = False) -> Iterator[tuple[Key, TallyEntry]]:
        if against and self.against is None:
            raise ValueError("nothing is compared")
        return (end for end in self.tally.ends(int(against)) if end[0] is not None)

    # ------------------------------------------------------------ differences

    def differences(
        self, name: str, by: Callable[[Any], Any] = lambda value: value
    ) -> tuple[Difference, ...]:
        """The chance of each value by both rules, in order, and how they differ.

        Args:
            by: Compare the chances of a function of the values, such as a range.

        Raises:
            KeyError, ValueError: As for `distribution`.
        """
        one, other = self.distribution(name), self.distribution(name, against=True)
        values = dict.fromkeys(_map_end(by, value) for value in in_order(dict.fromkeys([*one, *other])))
        one, other = one.map(by), other.map(by)
        pairs = Counter[tuple[Any, Any]]()
        for (first, second), count in self._pairs(name).items():
            pairs[_map_end(by, first), _map_end(by, second)] += count
        return tuple(
            Difference(
                value,
                _estimate(one.chance(value)),
                _estimate(other.chance(value)),
                _mean_of(Counter({
                    shift: sum(n for (a, b), n in pairs.items() if (a == value) - (b == value) == shift)
                    for shift in (-1, 0, 1)
                })),
            )
            for value in values
        )  # fmt: skip

    def mean_difference(self, name: str) -> Estimate | None:
        """How much greater the mean of a measure is by the rules; None if some values are not numbers."""
        shifts: Counter[Any] = Counter()
        for (one, other), count in self._pairs(name).items():
            if not is_number(one) or not is_number(other):
                return None
            shifts[one - other] += count
        return _mean_of(shifts)

    def _pairs(self, name: str) -> Counter[tuple[Any, Any]]:
        """The values of both rules in games of one number, where both count."""
        place, pairs = self._place(name), Counter[tuple[Any, Any]]()
        for keys, entry in self.tally.sorted_entries():
            if None not in keys:
                one, other = (k[place] if isinstance(k, tuple) else self._failing(k) for k in keys[:2])
                pairs[one, other] += entry.count
        return pairs

    # ------------------------------------------------------------ single games

    @cached_property
    def faults(self) -> dict[Failing, TallyEntry]:
        """Each fault of the rules: how often it occurred, and the first such game."""
        faults: dict[Failed, TallyEntry] = {}
        for key, entry in self._ends():
            if isinstance(key, Failed):
                known = faults.get(key)
                count = entry.count + (known.count if known else 0)
                first = known or entry
                faults[key] = TallyEntry(count, first.first, first.message)
        return {Failing(key.code, key.name, entry.message, key.rules): entry for key, entry in faults.items()}

    def _failing(self, key: Any) -> Failing:
        """A fault as a value of distributions, with the message of its first game."""
        known = (f for f in self.faults if (f.code, f.name, f.rules) == (key.code, key.name, key.rules))
        return next(known, Failing(key.code, key.name, "", key.rules))

    def extremes(self, name: str) -> tuple[tuple[Any, int], tuple[Any, int]] | None:
        """The least and the greatest value of a measure, each with the number of the first such game.

        None if no value is a number.
        """
        place = self._place(name)
        ends = [
            (key[place], entry.first)
            for key, entry in self._ends()
            if isinstance(key, tuple) and is_number(key[place])
        ]
        if not ends:
            return None
        return min(ends), min(ends, key=lambda end: (-end[0], end[1]))

    # ------------------------------------------------------------ for programs

    def json(self) -> dict[str, Any]:
        """All of it as plain data; see `schemas/simulation.schema.json`."""
        measures = []
        for name in self.names:
            part: dict[str, Any] = {"name": name, "distribution": self.distribution(name).json()}
            if self.against is not None:
                part["against"] = self.distribution(name, against=True).json()
                part["differences"] = [
                    {"value": _plain(item.value), **_plain_estimate(item.shift)}
                    for item in self.differences(name)
                ]
                mean = self.mean_difference(name)
                part["mean_difference"] = None if mean is None else _plain_estimate(mean)
            measures.append(part)
        return {
            "format": 1,
            "games": self.games,
            "counted": self.counted,
            "seed": self.seed,
            "agents": dict(self.agents),
            "scenario": self.scenario,
            "options": list(self.options),
            "against": None if self.against is None else list(self.against),
            "measures": measures,
            "faults": [
                {
                    "code": fault.code,
                    "name": fault.name,
                    "message": fault.message,
                    "rules": list(fault.rules),
                    "games": entry.count,
                    "first": entry.first,
                }
                for fault, entry in self.faults.items()
            ],
        }

    def csv(self) -> str:
        """A line for each value of each measure: how often it occurred, its chance and interval."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("measure", "value", "games", "chance", "low", "high"))
        for name in self.names:
            distribution = self.distribution(name)
            for value, number in distribution.rows():
                chance = _estimate(number)
                count = round(chance.value * distribution.trials)
                writer.writerow((name, text_of(value), count, chance.value, chance.low, chance.high))
        return out.getvalue()


def _in_natural_order(weights: Counter[Any]) -> dict[Any, int]:
    """Names by the alphabet, so that the order does not depend on what happened first."""
    return {value: weights[value] for value in sorted(weights, key=lambda value: (value is None, str(value)))}


def _map_end(by: Callable[[Any], Any], value: Any) -> Any:
    return value if isinstance(value, Failing) else by(value)


def _mean_of(counts: Mapping[Any, int]) -> Estimate:
    """The mean of numbers by how often they occurred, with an interval of 95 %."""
    total = sum(counts.values())
    if not total:
        return Estimate(0.0, 0.0, 0.0)
    mean = Fraction(sum(value * count for value, count in counts.items())) / total
    squares = Fraction(sum(value * value * count for value, count in counts.items())) / total
    error = NORMAL * sqrt(max(squares - mean * mean, Fraction(0)) / total)
    return Estimate(float(mean), float(mean) - error, float(mean) + error)


def _estimate(number: Any) -> Estimate:
    assert isinstance(number, Estimate)
    return number


def _plain(value: Any) -> Any:
    if isinstance(value, Failing):
        return str(value)
    if isinstance(value, Fraction):
        return str(value)
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _plain_estimate(number: Estimate) -> dict[str, float]:
    return {"difference": number.value, "low": number.low, "high": number.high}
