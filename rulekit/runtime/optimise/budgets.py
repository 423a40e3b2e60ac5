"""Norms on a pick of several that no further pick can heal: all picks must not cost more than there is.

`require (total of price(u) for u in chosen) <= purse` and `forbid 2 * count of chosen > 5` are such norms: a
number that each pick raises by a cost of its own, whatever else is picked, against one that the answer does
not change.  An option is legal while its cost fits; no search is needed.
"""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Const, Expr, Filter, Fold, If, Local, Op, walk
from rulekit.ir.conditions import FLAG
from rulekit.ir.types import Int, Type
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.norms import Sorted, breach
from rulekit.runtime.optimise.simplify import simple

ZERO, ONE = Const(0, Int(0, 0)), Const(1, Int(1, 1))


@frozen
class Allowance:
    """The cost of an option, and the most that all together may cost."""

    cost: Expr
    room: Expr


@frozen
class _Sum:
    """A number that rises by `cost` with each option of the answer, from `base` with none."""

    cost: Expr
    base: Expr


def budgets(context: OptimiserContext, choice: Choice, norms: Sorted) -> tuple[Allowance, ...]:
    """Return the judged norms as budgets, in their order; none, if any of them is something else.

    A cost may fault, where a search would: for an option that fits the budgets before.  Room cannot.
    """
    if choice.verb != "pick_set" or choice.low or choice.high or choice.chosen is None:
        return ()
    separate: list[Allowance] = []
    for norm in norms.judged:
        budget = _budget(context, choice, choice.chosen, simple(context, breach(choice, norm)))
        if norm.word == "permit" or budget is None:
            return ()
        if separate and separate[-1].cost == budget.cost:
            rooms = separate.pop().room, budget.room
            budget = Allowance(budget.cost, Op("smaller", rooms, budget.room.type))
        separate.append(budget)
    return tuple(separate)


def _budget(context: OptimiserContext, choice: Choice, chosen: Local, broken: Expr) -> Allowance | None:
    test = broken.operands[0] if isinstance(broken, Op) and broken.op == "not" else broken
    if not isinstance(test, Op) or test.op != ("gt" if test is broken else "le"):
        return None
    spent, limit = test.operands
    total = _sum(context, chosen.name, choice.option, spent)
    if total is None or walk.free(broken) & (choice.answer_locals | choice.part_locals) != {chosen.name}:
        return None
    assert isinstance(spent.type, Int) and isinstance(limit.type, Int)
    room = limit
    if total.base != ZERO:
        kind = Int(limit.type.low - spent.type.high, limit.type.high - spent.type.low)
        room = Op("sub", (limit, total.base), kind)
    if chosen.name in walk.free(room) or context.facts.fallible(room):
        return None
    return Allowance(simple(context, total.cost), simple(context, room))


def _sum(context: OptimiserContext, chosen: str, option: Local, e: Expr) -> _Sum | None:
    """An expression as a sum over the options of the answer; None if it is none, or if any may lessen it.

    A part that a search reads before anything is picked must not fault: only options have costs.
    """
    if chosen not in walk.free(e):
        return _Sum(ZERO, e)
    match e:
        case Op(op="add", operands=(left, right)):
            a, b = (_sum(context, chosen, option, part) for part in (left, right))
            if a is not None and b is not None:
                return _Sum(_plus(a.cost, b.cost, e.type), _plus(a.base, b.base, e.type))
        case Op(op="mul", operands=(left, right)):
            factor, number = (right, left) if chosen in walk.free(left) else (left, right)
            part = _sum(context, chosen, option, number)
            rises = isinstance(factor.type, Int) and factor.type.low >= 0 and chosen not in walk.free(factor)
            if part is not None and rises and not context.facts.fallible(factor):
                base = ZERO if part.base == ZERO else Op("mul", (factor, part.base), e.type)
                return _Sum(Op("mul", (factor, part.cost), e.type), base)
        case Op(op="count", operands=(counted,)):
            return _of_members(context, chosen, option, counted, ONE)
        case Fold(kind="total", body=body, type=Int()):
            rises = isinstance(body.type, Int) and body.type.low >= 0 and chosen not in walk.free(body)
            if rises:
                cost = walk.substitute(body, {e.var.name: option})
                return _of_members(context, chosen, option, e.over, cost)
    return None


def _plus(a: Expr, b: Expr, kind: Type) -> Expr:
    return b if a == ZERO else a if b == ZERO else Op("add", (a, b), kind)


def _of_members(context: OptimiserContext, chosen: str, option: Local, over: Expr, cost: Expr) -> _Sum | None:
    """The sum of a cost over those options of the answer that are in a set."""
    test: Expr | None = None
    match over:
        case Local(name=name) if name == chosen:
            return _Sum(cost, ZERO)
        case Op(op="inter", operands=(Local(name=name), others)) if (
            name == chosen and not context.facts.fallible(others)
        ):
            test = Op("has", (option, others), FLAG)
        case Filter(over=Local(name=name)) if name == chosen:
            test = walk.substitute(over.body, {over.var.name: option})
    if test is None or chosen in walk.free(test):
        return None
    return _Sum(If(test, cost, ZERO, cost.type), ZERO)
