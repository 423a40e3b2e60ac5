"""Equivalent mutants: the tidied programs are the same, or an expression never has another value.

The prover looks at every state that the types allow; a mutant that it does not prove equivalent counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from rulekit import ir
from rulekit.analysis.prove.conditions import parameters
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.verdicts import Proved
from rulekit.base.frozen import frozen
from rulekit.ir import walk
from rulekit.ir.expr import Expr
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Flag, Int, Member, Month, Optional, SetOf


def tidy(program: ir.Program) -> ir.Program:
    """The program without sites, and without what does nothing.

    That is a `return` where the procedure ends anyway, and procedures, steps and blocks with nothing in them;
    nothing that may fault.  Two programs that are alike after this do the same.
    """
    facts = Facts(program)
    idle: frozenset[str] = frozenset()
    while True:
        procedures = tuple(_procedure(item, facts, idle) for item in program.procedures)
        more = frozenset(item.name for item in procedures if not item.body)
        if more == idle:
            break
        idle = more
    bare: dict[str, Any] = {
        name: tuple(replace(item, site=0) for item in getattr(program, name))
        for name in ("functions", "points", "states", "invariants")
    }
    choices = tuple(map(_choice, program.choices))
    modifiers = tuple(replace(item, site=0, clauses=()) for item in program.modifiers)
    return replace(program, sites=(), procedures=procedures, choices=choices, modifiers=modifiers, **bare)


def _choice(choice: ir.Choice) -> ir.Choice:
    return replace(choice, site=0, verb_site=-1, norms=tuple(replace(norm, site=0) for norm in choice.norms))


def _procedure(item: ir.Procedure, facts: Facts, idle: frozenset[str]) -> ir.Procedure:
    return replace(item, site=0, body=_without_last_return(_block(item.body, facts, idle)))


def _block(block: ir.Block, facts: Facts, idle: frozenset[str]) -> ir.Block:
    """The statements that do something."""

    def inner(part: ir.Block) -> ir.Block:
        return _block(part, facts, idle)

    tidy = (replace(walk.map_parts(stmt, lambda e: e, inner), site=0) for stmt in block)
    return tuple(stmt for stmt in tidy if not _does_nothing(stmt, facts, idle))


def _does_nothing(stmt: ir.Stmt, facts: Facts, idle: frozenset[str]) -> bool:
    if isinstance(stmt, ir.Do):
        nothing = stmt.local is None and stmt.procedure in idle
    elif isinstance(stmt, ir.ForEach):
        nothing = stmt.order is None and stmt.alternating is None and not stmt.body
    else:
        nothing = isinstance(stmt, ir.Step | ir.Together | ir.When) and not any(walk.blocks(stmt))
    return nothing and not any(facts.fallible(e) for e in walk.expressions(stmt))


def _without_last_return(block: ir.Block) -> ir.Block:
    """The block without a plain `return` where the procedure ends after it."""
    while block and isinstance(block[-1], ir.Return) and block[-1].value is None:
        block = block[:-1]
    if block and isinstance(block[-1], ir.When):
        last = block[-1]
        then, otherwise = _without_last_return(last.then), _without_last_return(last.otherwise)
        if then or otherwise:
            block = (*block[:-1], replace(last, then=then, otherwise=otherwise))
    return block


BUDGET = 20_000
"""Readings that a question may take; most proofs take a few hundred."""
MOST_ASKED = 4
"""Expressions around a change that are compared, the innermost first."""

_EXPRESSIONS = get_args(Expr)
_COMPARED = (Flag, Int, Member, Month, SetOf)


@frozen
class _Pair:
    """An expression before and after."""

    before: Expr
    after: Expr


def shown_same(before: ir.Program, after: ir.Program) -> str:
    """Return why a changed program does the same as a tidied one; empty if that is not proved."""
    other = tidy(after)
    if before == other:
        return "the program does the same"
    changed = list(_changes(before, other))
    if len(changed) != 1 or not isinstance(changed[0], _Pair):
        return ""
    # The parts that both programs share are those of the first: a change elsewhere would be a second one.
    facts, prover = Facts(before), Prover(before)
    around = [pair for pair in _around(changed[0]) if _comparable(pair)]
    for pair in around[-MOST_ASKED:][::-1]:
        if facts.fallible(pair.before) or facts.fallible(pair.after):
            return ""
        differs = ir.Op("ne", (pair.before, pair.after), Flag())
        if isinstance(prover.prove_never(parameters(differs), differs, BUDGET, shown=False), Proved):
            return "it has the same value in every state that the types allow"
    return ""


def _changes(one: Any, other: Any) -> Iterator[_Pair | None]:
    """The outermost expressions that differ; None for anything else that does."""
    if one == other:
        return
    if isinstance(one, _EXPRESSIONS) and isinstance(other, _EXPRESSIONS):
        yield _Pair(one, other)
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            yield from _changes(a, b)
    elif type(one) is type(other) and is_dataclass(one) and not isinstance(one, type):
        for field in fields(one):
            yield from _changes(getattr(one, field.name), getattr(other, field.name))
    else:
        yield None


def _around(pair: _Pair) -> Sequence[_Pair]:
    """The pair and the only pairs in it that differ, the outermost first."""
    pairs = [pair]
    while True:
        before, after = pairs[-1].before, pairs[-1].after
        parts, others = walk.children(before), walk.children(after)
        if type(before) is not type(after) or len(parts) != len(others):
            return pairs
        unlike = [(a, b) for a, b in zip(parts, others, strict=True) if a != b]
        if len(unlike) != 1 or replace(walk.rebuild(after, parts), type=before.type) != before:
            return pairs
        pairs.append(_Pair(*unlike[0]))


def _comparable(pair: _Pair) -> bool:
    """True if both are values of one type with equality."""
    one, other = pair.before.type, pair.after.type
    if isinstance(one, Optional) or isinstance(other, Optional):
        return False
    return type(one) is type(other) and isinstance(one, _COMPARED)
