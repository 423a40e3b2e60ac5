"""Norms sorted by when they can be judged.

*Final* norms speak of one option and never change their mind: they filter the candidates.  *Cover* norms
forbid some options unless every member of a set is in the finished answer: they are counted or matched.
Whatever else reads the finished answer is judged on it, by search (see `bounds` and `search`).
"""

from __future__ import annotations

from rulekit.base.frozen import frozen
from rulekit.ir import Choice, Const, Expr, Filter, Norm, Op, walk
from rulekit.ir.conditions import FLAG, conjunction, disjunction, negation
from rulekit.ir.program import COUNTED
from rulekit.ir.types import SetOf
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.simplify import simple
from rulekit.runtime.support.completion import MOST_CLASSES

AT_ONCE = frozenset(("pick_one", "pick_record", "decide", "number"))
"""Verbs whose first part is the whole answer, so that every norm is final."""


@frozen
class Cover:
    """Options for which `test` holds need all of `needed` in the finished answer.

    With `always`, the answer itself needs them, whatever is picked.
    """

    test: Expr
    needed: Expr
    always: bool
    norm: Norm


@frozen
class Sorted:
    """The norms of a choice: tests for one option and for declining, covers, and the rest.

    `option` and `declining` say what must hold; among `judged`, permissions are alternatives.  With
    `searched` nothing quicker than a search tells what is legal, whether or not there are norms to judge.
    """

    option: Expr
    declining: Expr
    covers: tuple[Cover, ...]
    judged: tuple[Norm, ...]
    searched: bool


def sort(context: OptimiserContext, choice: Choice) -> Sorted:
    """The norms of a choice by when they are judged."""
    answer, part = choice.answer_locals, choice.part_locals
    options: list[Expr] = []
    covers: list[Cover] = []
    judged: list[Norm] = []
    declining = [negation(norm.test) for norm in choice.norms if norm.declining]
    permits = [norm for norm in choice.norms if norm.word == "permit"]
    for norm in choice.norms:
        if norm.word == "permit" or norm.declining:
            continue
        if choice.verb in AT_ONCE:
            options.append(negation(breach(choice, norm, at_once=True)))
        elif walk.free(norm.test) & answer or norm.whole is not None:
            judged.append(norm)
        elif norm.cover is not None:
            counted = choice.verb in COUNTED and not walk.free(norm.cover) & (answer | part)
            if counted and len(covers) < MOST_CLASSES:
                covers.append(Cover(norm.test, norm.cover, not walk.free(norm.test) & part, norm))
            else:
                judged.append(norm)
        elif choice.verb == "split":
            judged.append(norm)
        else:
            options.append(negation(norm.test))
    if permits and choice.verb in AT_ONCE:
        options.append(disjunction(*(breach(choice, norm, at_once=True) for norm in permits)))
    elif any(norm.cover or norm.whole for norm in permits) or permits and choice.verb == "split":
        judged += permits
    elif permits:
        options.append(disjunction(*(norm.test for norm in permits)))
    searched = bool(judged) or _jumps(choice)
    if searched:
        judged += [cover.norm for cover in covers]
        covers = []
    return Sorted(
        simple(context, conjunction(*options)),
        simple(context, conjunction(*declining)),
        tuple(Cover(simple(context, c.test), simple(context, c.needed), c.always, c.norm) for c in covers),
        tuple(judged),
        searched,
    )


def _jumps(choice: Choice) -> bool:
    """Whether an item gets either nothing, or two options and more, of which there are not enough for all."""
    if choice.verb != "assign_set" or choice.each is None or choice.able == "must" or choice.low is None:
        return False
    return not (isinstance(choice.low, Const) and isinstance(choice.low.value, int) and choice.low.value < 2)


def look_through(context: OptimiserContext, choice: Choice) -> None:
    """Simplify what is asked of a choice's options, so that all its tests are known."""
    norms = sort(context, choice)
    if choice.candidates is not None:
        for test in (norms.option, *(cover.test for cover in norms.covers)):
            simple(context, Filter(choice.candidates, choice.option, test, choice.candidates.type))


def breach(choice: Choice, norm: Norm, *, at_once: bool = False) -> Expr:
    """That the norm is broken by a finished answer, for one of its options.

    For a permission: that it permits.  With `at_once` the one option is the whole answer.
    """
    healed: list[Expr] = []
    if norm.cover is not None:
        healed.append(Op("within", (norm.cover, answer_set(choice)), FLAG))
    if norm.whole is not None:
        healed.append(norm.whole)
    if norm.word == "permit":
        test = conjunction(norm.test, *([disjunction(*healed)] if healed else []))
    else:
        test = conjunction(norm.test, *map(negation, healed))
    if at_once and choice.chosen is not None:
        return walk.substitute(test, {choice.chosen.name: answer_set(choice)})
    return test


def answer_set(choice: Choice) -> Expr:
    """The set of members that are in the answer, as an expression over the answer's locals."""
    option = choice.option
    if choice.verb == "pick_one":
        return Op("single", (option,), SetOf(option.type))  # type: ignore[arg-type]
    if choice.chosen is None or choice.verb in AT_ONCE:
        return Const(0, SetOf(option.type))  # type: ignore[arg-type]
    match choice.verb:
        case "arrange":
            return Op("to_set", (choice.chosen,), SetOf(option.type))  # type: ignore[arg-type]
        case "split":
            return choice.candidates or choice.items or choice.chosen
        case "share":
            return choice.items or choice.chosen
        case _:
            return choice.chosen
