"""Rolls that, with all that modifies them, leave the range of what they are given to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rulekit import ir
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.prove.roll_uses import Rolled, Use, among
from rulekit.analysis.prove.situation import Situation, find_situation
from rulekit.analysis.verdicts import Judged, NotChecked, Obligation, Proved, Refuted, Undecided, Verdict
from rulekit.base.frozen import frozen
from rulekit.diagnostics import kinds
from rulekit.ir import walk
from rulekit.ir.types import Flag, Int, Type

BUDGET: Final = 40_000
FLAG: Final = Flag()


@frozen
class OutOfRange:
    """A use of a roll, and a situation in which it comes to less or more than there is room for.

    `procedure` is that which rolls; `use` says what the roll is given to; `end` is the bound that it passes.
    `because` are the modifiers that do it: the first that does so alone, else all of the roll's, of which
    there may be none.
    """

    procedure: ir.Procedure
    roll: ir.Roll
    use: str
    end: int
    above: bool
    site: int
    situation: Situation
    because: tuple[ir.Modifier, ...]


JudgedUse = Judged[Use, tuple[OutOfRange, ...]]


def judge_uses(prover: Prover, rolled: Rolled, procedure: ir.Procedure) -> Iterator[JudgedUse]:
    """Prove of each use of the rolls of a procedure that no roll leaves its range.

    Uses that read one roll are judged, and else at most what the procedure is given; conditions around them
    count as far as they read no state, which might have changed between.
    """
    for use in rolled.uses(procedure):
        name = use.value.detail.replace("`", "")
        subject = f"{use.roll.point} for {name}" if name else use.roll.point
        span = prover.program.sites[use.site].span
        obligation = Obligation("roll", use, subject, span, kinds.OFF_THE_TABLE)
        yield Judged(obligation, _judge_use(prover, rolled, procedure, use))


def _judge_use(
    prover: Prover, rolled: Rolled, procedure: ir.Procedure, use: Use
) -> Verdict[tuple[OutOfRange, ...]]:
    known = use.given if use.plain else _conditions_at(rolled, procedure, use)
    if known is None:
        return NotChecked("it depends on more than the roll and the parameters of the procedure")
    ends = [_beyond(prover, procedure, replace(use, given=known), above=above) for above in (False, True)]
    beyond = tuple(end for end in ends if isinstance(end, OutOfRange))
    if beyond:
        return Refuted(beyond)
    return next((end for end in ends if isinstance(end, Undecided)), Proved())


def _conditions_at(rolled: Rolled, procedure: ir.Procedure, use: Use) -> tuple[ir.Expr, ...] | None:
    """What is known where a use is that reads more than the roll; None: too little to ask."""
    known = list(use.given)
    read = frozenset().union(*map(walk.free, (use.value.operands[0], *known)))
    for param in procedure.params:
        if param.name not in read:
            continue
        members = rolled.members(procedure, param.name)
        if members is None:
            return None
        one = among(param, members)
        if one is None and members >= 0:
            return None
        known += [] if one is None else [one]
    return tuple(known)


def _beyond(
    prover: Prover, procedure: ir.Procedure, use: Use, *, above: bool
) -> OutOfRange | Undecided | None:
    value, low, high = use.value.operands
    end = high if above else low
    if not isinstance(end, ir.Const) or not isinstance(end.value, int):
        return None
    kind = value.type
    if isinstance(kind, Int) and not (kind.high > end.value if above else kind.low < end.value):
        return None
    roll = use.roll
    test: ir.Expr = ir.Op("gt" if above else "lt", (value, end), FLAG)
    if use.given:
        test = ir.Op("and", (*use.given, test), FLAG)
    test = walk.substitute(test, {use.name: roll.modified or roll.raw})
    modifiers = tuple(modifier for modifier in prover.program.modifiers if modifier.point == roll.point)
    for alone in modifiers:
        idle = [_idle(other, roll) for other in modifiers if other is not alone]
        answer = _situation(prover, ir.Op("and", (*idle, test), FLAG) if idle else test, roll)
        if isinstance(answer, Refuted):
            situation = answer.evidence
            return OutOfRange(
                procedure, roll, use.value.detail, end.value, above, use.site, situation, (alone,)
            )
    answer = _situation(prover, test, roll)
    if not isinstance(answer, Refuted):
        return answer if isinstance(answer, Undecided) else None
    return OutOfRange(
        procedure, roll, use.value.detail, end.value, above, use.site, answer.evidence, modifiers
    )


def _idle(modifier: ir.Modifier, roll: ir.Roll) -> ir.Expr:
    """That a modifier does not act on a roll."""
    if not modifier.acts:
        return ir.Const(False, FLAG)
    kind = Int(0, len(modifier.clauses))
    clause = ir.Apply(modifier.acts, (roll.raw, *roll.arguments), kind)
    return ir.Op("ne", (clause, ir.Const(0, kind)), FLAG)


def _situation(prover: Prover, test: ir.Expr, roll: ir.Roll) -> Refuted[Situation] | Proved | Undecided:
    params = [_rename(ir.Param(name, type_), roll) for name, type_ in _locals(test).items()]
    test = walk.substitute(test, {roll.raw.name: ir.Local("rolled", roll.raw.type)})
    return find_situation(prover, params, test, BUDGET)


def _rename(param: ir.Param, roll: ir.Roll) -> ir.Param:
    return ir.Param("rolled", param.type) if param.name == roll.raw.name else param


def _locals(test: ir.Expr) -> dict[str, Type]:
    wanted = walk.free(test)
    nodes = (node for node in walk.nodes(test) if isinstance(node, ir.Local) and node.name in wanted)
    return {node.name: node.declared or node.type for node in nodes}
