"""The conditions of a rule set that can never hold where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rulekit import ir
from rulekit.ir import walk
from rulekit.model import Condition
from rulekit.prove.answers import Answer, Never, Seen, Unknown
from rulekit.prove.prover import Prover
from rulekit.source import Span
from rulekit.types import Flag

BUDGET: Final = 12_000
"""Readings for one condition: most of those that can hold are seen to within a hundred."""


@dataclass(frozen=True, slots=True)
class Dead:
    """A condition that never holds; `alone` if not even without what is given where it stands."""

    condition: Condition
    alone: bool


def dead(prover: Prover, conditions: Iterable[Condition]) -> tuple[list[Dead], list[tuple[Condition, str]]]:
    """Those that never hold, and those that were not decided, with the reason.

    A condition that stands in several places at once (a clause of what is amended, a copied body) is dead
    only where it is so in all of them.
    """
    found: list[Dead] = []
    undecided: list[tuple[Condition, str]] = []
    for standing in _by_place(conditions):
        first = standing[0]
        answers = [answered(prover, (*one.given, one.test)) for one in standing]
        if any(isinstance(answer, Seen) for answer in answers):
            continue
        # What is impossible by itself may be hidden by what is given, which is tried before it.
        if _all_never([answered(prover, (one.test,)) for one in standing]):
            found.append(Dead(first, alone=True))
        elif _all_never(answers):
            # Where nothing was left before it, the fault is told there.
            before = first.given[:-1] if first.role == "otherwise" else first.given
            if not (before and _all_never([answered(prover, before)])):
                found.append(Dead(first, alone=False))
        else:
            undecided.append((first, next(each.reason for each in answers if isinstance(each, Unknown))))
    return found, undecided


def _all_never(answers: Sequence[Answer]) -> bool:
    return all(isinstance(answer, Never) for answer in answers)


def answered(prover: Prover, tests: Sequence[ir.Expr]) -> Answer:
    """Whether some tests can hold together; what they read of locals may have any value of its type."""
    test = tests[0] if len(tests) == 1 else ir.Op("and", tuple(tests), Flag())
    return prover.can_hold(_free(test), test, BUDGET, told=False)


def _by_place(conditions: Iterable[Condition]) -> Iterator[list[Condition]]:
    places: dict[Span, list[Condition]] = {}
    for condition in conditions:
        places.setdefault(condition.span, []).append(condition)
    yield from places.values()


def _free(test: ir.Expr) -> list[ir.Param]:
    """The locals of a test with their types: as declared, where some part reads them so."""
    wanted = walk.free(test)
    found: dict[str, ir.Param] = {}
    for node in walk.nodes(test):
        if isinstance(node, ir.Local) and node.name in wanted:
            if node.declared is None or node.name not in found:
                found[node.name] = ir.Param(node.name, node.type)
    return list(found.values())
