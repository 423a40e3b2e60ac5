"""Showing that a mutant changes nothing: the same done, or an expression that never comes out otherwise.

Asked of the prover, of states that the types allow, whatever is promised: what is not shown so counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from rulekit import ir
from rulekit.analysis.mutate.normalise import tidied
from rulekit.analysis.prove.conditions import parameters
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.verdicts import Proved
from rulekit.base.frozen import frozen
from rulekit.ir import walk
from rulekit.ir.expr import Expr
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Flag, Int, Member, Month, Optional, SetOf

BUDGET = 20_000
"""Readings that a question may take; most of what can be shown takes a few hundred."""
MOST_ASKED = 4
"""Expressions around a change that are asked about, the innermost first."""

_EXPRESSIONS = get_args(Expr)
_COMPARED = (Flag, Int, Member, Month, SetOf)


@frozen
class _Pair:
    """An expression before and after."""

    before: Expr
    after: Expr


def shown_same(before: ir.Program, after: ir.Program) -> str:
    """How it is known that a changed program does what a tidied one does; empty if it is not."""
    other = tidied(after)
    if before == other:
        return "the program does the same"
    changed = list(_changed(before, other))
    if len(changed) != 1 or not isinstance(changed[0], _Pair):
        return ""
    # What both programs have in common is asked of the first: a change elsewhere would be a second one.
    facts, prover = Facts(before), Prover(before)
    around = [pair for pair in _around(changed[0]) if _comparable(pair)]
    for pair in around[-MOST_ASKED:][::-1]:
        if facts.fallible(pair.before) or facts.fallible(pair.after):
            return ""
        differs = ir.Op("ne", (pair.before, pair.after), Flag())
        if isinstance(prover.prove_never(parameters(differs), differs, BUDGET, told=False), Proved):
            return "no state that the types allow tells it from what was there"
    return ""


def _changed(one: Any, other: Any) -> Iterator[_Pair | None]:
    """The outermost expressions that differ; None for anything else that does."""
    if one == other:
        return
    if isinstance(one, _EXPRESSIONS) and isinstance(other, _EXPRESSIONS):
        yield _Pair(one, other)
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            yield from _changed(a, b)
    elif type(one) is type(other) and is_dataclass(one) and not isinstance(one, type):
        for field in fields(one):
            yield from _changed(getattr(one, field.name), getattr(other, field.name))
    else:
        yield None


def _around(pair: _Pair) -> Sequence[_Pair]:
    """The pair and the only pairs in it that differ, the outermost first."""
    found = [pair]
    while True:
        before, after = found[-1].before, found[-1].after
        parts, others = walk.children(before), walk.children(after)
        if type(before) is not type(after) or len(parts) != len(others):
            return found
        unlike = [(a, b) for a, b in zip(parts, others, strict=True) if a != b]
        if len(unlike) != 1 or replace(walk.rebuild(after, parts), type=before.type) != before:
            return found
        found.append(_Pair(*unlike[0]))


def _comparable(pair: _Pair) -> bool:
    """Whether both are values of one sort, of which equality can be asked."""
    one, other = pair.before.type, pair.after.type
    if isinstance(one, Optional) or isinstance(other, Optional):
        return False
    return type(one) is type(other) and isinstance(one, _COMPARED)
