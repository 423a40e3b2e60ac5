"""The conditions of a rule set that can never hold where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.answers import Answer, Never, Seen, Unknown
from rulekit.analysis.prove.prover import Prover
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.model import Condition
from rulekit.ir import walk
from rulekit.ir.types import Flag, SetOf

BUDGET: Final = 6_000
"""Readings for one condition: most of those that can hold are seen to within a hundred."""


@frozen
class Dead:
    """A condition that never holds; `alone` if not even without what is given where it stands."""

    condition: Condition
    alone: bool


def dead(
    prover: Prover, conditions: Iterable[Condition], budget: int = BUDGET, *, among: bool = True
) -> tuple[list[Dead], list[tuple[Condition, Unknown]]]:
    """Those that never hold, and those that were not decided, with the reason.

    A condition that stands in several places at once (a clause of what is amended, a copied body) is dead
    only where it is so in all of them.

    Args:
        among: What a norm asks is asked of what there is to choose from.
    """
    found: list[Dead] = []
    undecided: list[tuple[Condition, Unknown]] = []
    offered = _Offered(prover.program.choices)

    known: dict[tuple[ir.Expr, ...], Answer] = {}

    def ask(tests: Sequence[ir.Expr]) -> Answer:
        asked = tuple(tests)
        if asked not in known:
            known[asked] = answered(prover, asked, budget)
        return known[asked]

    for standing in _by_place(conditions):
        first = standing[0]
        answers = [ask((*one.given, one.test, *(offered.beside(one) if among else ()))) for one in standing]
        if any(isinstance(answer, Seen) for answer in answers):
            continue
        # What is impossible by itself may be hidden by what is given, which is tried before it.
        if _all_never([ask((one.test,)) for one in standing]):
            found.append(Dead(first, alone=True))
        elif _all_never(answers):
            # Where nothing was left before it, the fault is told there.
            before = first.given[:-1] if first.role == "otherwise" else first.given
            if not (before and _all_never([ask(before)])):
                found.append(Dead(first, alone=False))
        else:
            undecided.append((first, next(each for each in answers if isinstance(each, Unknown))))
    return found, undecided


def _all_never(answers: Sequence[Answer]) -> bool:
    return all(isinstance(answer, Never) for answer in answers)


def answered(prover: Prover, tests: Sequence[ir.Expr], budget: int = BUDGET) -> Answer:
    """Whether some tests can hold together; what they read of locals may have any value of its type.

    What breaks an invariant or an assumption that speaks of nothing else is no situation.
    """
    test = tests[0] if len(tests) == 1 else ir.Op("and", tuple(tests), Flag())
    return prover.can_hold(parameters(test), test, budget, prover.promises(test, near=True), told=False)


class _Offered:
    """What is known of the locals of norms: items and options are among those of their choice."""

    def __init__(self, choices: Iterable[ir.Choice]) -> None:
        self._choices = {f"{choice.name}.{norm.name}": choice for choice in choices for norm in choice.norms}

    def beside(self, condition: Condition) -> Iterator[ir.Expr]:
        """That what a condition of a norm reads of the answer is there to choose."""
        choice = self._choices.get(condition.owner) if condition.role in ("norm", "unless", "when") else None
        if choice is None or choice.verb not in ("pick_one", "pick_set", "assign"):
            return
        read = walk.free(condition.test).union(*map(walk.free, condition.given))
        lets = walk.written_out(choice.lets)
        for local, among in ((choice.option, choice.candidates), (choice.item, choice.items)):
            if local is None or among is None or local.name not in read or not isinstance(among.type, SetOf):
                continue
            there = walk.substitute(among, lets)
            yield ir.Op("has", (local, there), Flag())
            read |= walk.free(there)


def _by_place(conditions: Iterable[Condition]) -> Iterator[list[Condition]]:
    places: dict[Span, list[Condition]] = {}
    for condition in conditions:
        places.setdefault(condition.span, []).append(condition)
    yield from places.values()


def parameters(test: ir.Expr) -> list[ir.Param]:
    """The locals of a test with their types: as declared, where some part reads them so."""
    wanted = walk.free(test)
    found: dict[str, ir.Param] = {}
    for node in walk.nodes(test):
        if isinstance(node, ir.Local) and node.name in wanted:
            if node.declared is None or node.name not in found:
                found[node.name] = ir.Param(node.name, node.type)
    return list(found.values())
