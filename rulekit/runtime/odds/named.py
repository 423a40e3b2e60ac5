"""Distributions in the game's own names, from what was followed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, assert_never

from rulekit.ir import Example, Finish, Program, walk
from rulekit.ir.semantics.faults import KINDS
from rulekit.ir.semantics.names import Naming
from rulekit.ir.types import (
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
    Text,
    Type,
)
from rulekit.runtime.odds.distribution import Assumptions, BestReply, Distribution, Effort, Failing, GameOver
from rulekit.runtime.odds.reading import Ended, FaultOutcome
from rulekit.runtime.odds.running import Followed, Marginal, TrialCounts


def joint_distribution(
    program: Program,
    example: Example,
    followed: Followed,
    names: Sequence[str],
    by: str,
    best: tuple[str, str] | None = None,
) -> Distribution:
    """Return the distribution of all measures of an example together, which were read together.

    Args:
        names: The measures, in words.
        by: How choices were answered that the example does not answer.
        best: The choice and the objective of a best reply, in words; None if there is none.
    """
    types = [measure.of.type for measure in example.measures]
    part = Marginal(followed.weights, followed.left, followed.total)
    return _distribution(
        ValueReader(program), types, part, followed, names, _assumptions(program, followed, by, best)
    )


def distributions_of(
    program: Program,
    example: Example,
    followed: Followed,
    names: Sequence[str],
    by: str,
    best: tuple[str, str] | None = None,
) -> tuple[Distribution, ...]:
    """Return the distribution of each measure of an example; arguments as for `joint_distribution`."""
    reader = ValueReader(program)
    distributions = []
    assumed = _assumptions(program, followed, by, best)
    for number, (measure, name) in enumerate(zip(example.measures, names, strict=True)):
        part = followed.of(number)
        part = Marginal({_as_tuple(value): w for value, w in part.weights.items()}, part.left, part.total)
        distributions.append(_distribution(reader, [measure.of.type], part, followed, [name], assumed))
    return tuple(distributions)


def _assumptions(program: Program, followed: Followed, by: str, best: tuple[str, str] | None) -> Assumptions:
    """Return what was assumed of choices, in words."""
    return Assumptions(
        followed.given,
        followed.answered,
        by if followed.answered else "",
        followed.rules,
        None if best is None else BestReply(*best, _best_answers(program, followed)),
    )


def _best_answers(program: Program, followed: Followed) -> tuple[Any, ...]:
    """The answers to the choice that was left open, as distributions have values."""
    left_open, reader = followed.left_open, ValueReader(program)
    if left_open is None:
        return ()
    kind = program.choices[left_open.choice].option.type
    return tuple(reader.value(kind, answer) for answer in followed.best)


def _as_tuple(value: Any) -> Any:
    return value if isinstance(value, FaultOutcome | Ended) else (value,)


def _distribution(
    reader: ValueReader,
    types: Sequence[Type],
    part: Marginal,
    followed: Followed,
    names: Sequence[str],
    assumed: Assumptions,
) -> Distribution:
    weights: dict[Any, int] = {}
    for outcome in sorted(part.weights, key=_order):
        value = reader.outcome(outcome, types)
        weights[value] = weights.get(value, 0) + part.weights[outcome]
    kind = types[0] if len(types) == 1 else None
    return Distribution(
        names,
        weights,
        left=part.left,
        ends=(Fraction(kind.low), Fraction(kind.high)) if isinstance(kind, Int) else None,
        assumed=assumed,
        effort=Effort(followed.situations, followed.runs, followed.seconds),
    )


def estimate_of(
    program: Program,
    example: Example,
    played: TrialCounts,
    names: Sequence[str],
    seed: int | str,
    by: str,
    seconds: float,
) -> Distribution:
    """Return how often each outcome came, as an estimated distribution; else as for `joint_distribution`."""
    types = [measure.of.type for measure in example.measures]
    reader = ValueReader(program)
    weights: dict[Any, int] = {}
    for outcome in sorted(played.came, key=_order):
        value = reader.outcome(outcome, types)
        weights[value] = weights.get(value, 0) + played.came[outcome]
    return Distribution(
        names,
        weights,
        estimated=True,
        seed=seed,
        assumed=Assumptions(played.given, played.answered, by if played.answered else ""),
        effort=Effort(0, played.came.total(), seconds),
    )


def _order(outcome: Any) -> tuple[bool, Any]:
    """Values by their numbers, as members are declared; all else after them."""
    plain = isinstance(outcome, tuple) and all(isinstance(value, int | Fraction) for value in outcome)
    return (not plain, outcome if plain else repr(outcome))


class ValueReader:
    """Reads values of the IR as distributions have them."""

    def __init__(self, program: Program) -> None:
        self._naming = Naming(program)
        results = {
            stmt.result.type
            for procedure in program.procedures
            for stmt in walk.statements(procedure.body)
            if isinstance(stmt, Finish) and stmt.result is not None
        }
        self._result = results.pop() if len(results) == 1 else None

    def outcome(self, outcome: Any, types: Sequence[Type]) -> Any:
        """An outcome of a graph; of several measures a tuple."""
        match outcome:
            case FaultOutcome(name=name, site=site, message=message):
                code = KINDS[name].code if name in KINDS else ""
                return Failing(code, name, message, () if site is None else site.rules)
            case Ended(result=result):
                return GameOver(self.result(result))
            case _:
                values = tuple(self.value(kind, value) for kind, value in zip(types, outcome, strict=True))
                return values[0] if len(values) == 1 else values

    def result(self, result: Any) -> Any:
        """The result of a game; None if it has none."""
        return None if result is None or self._result is None else self.value(self._result, result)

    def value(self, kind: Type, value: Any) -> Any:
        """A value of a type: a number, a flag, a name, None, or a tuple of these."""
        match kind:
            case Optional(of=of):
                return None if value == NONE else self.value(of, value)
            case Int():
                return int(value)
            case Ratio():
                return Fraction(value)
            case SetOf() | ListOf():
                return tuple(map(_hashable, self._naming.to_json(kind, value)))
            case MapOf():
                return tuple(sorted(map(_hashable, self._naming.to_json(kind, value).items())))
            case Record():
                return _hashable(list(self._naming.to_json(kind, value).values()))
            case Flag() | Month() | Member() | Row() | Nothing() | Text():
                return self._naming.to_json(kind, value)
            case _:
                assert_never(kind)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value
