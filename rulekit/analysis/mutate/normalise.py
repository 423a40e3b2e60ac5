"""A program without what only tells where it stands or does nothing: two that are then alike do the same.

Left out are sites, a `return` where the procedure ends anyway, and what has nothing in it: procedures of
which that is all, steps, blocks.  Nothing that may fault is.
"""

from __future__ import annotations

from dataclasses import replace

from rulekit import ir
from rulekit.ir import walk
from rulekit.ir.semantics.facts import Facts


def tidied(program: ir.Program) -> ir.Program:
    """See the module."""
    facts = Facts(program)
    idle: frozenset[str] = frozenset()
    while True:
        procedures = tuple(_procedure(each, facts, idle) for each in program.procedures)
        more = frozenset(each.name for each in procedures if not each.body)
        if more == idle:
            break
        idle = more
    return replace(
        program,
        sites=(),
        procedures=procedures,
        functions=tuple(replace(each, site=0) for each in program.functions),
        choices=tuple(_choice(each) for each in program.choices),
        points=tuple(replace(each, site=0) for each in program.points),
        states=tuple(replace(each, site=0) for each in program.states),
        invariants=tuple(replace(each, site=0) for each in program.invariants),
        modifiers=tuple(replace(each, site=0, clauses=()) for each in program.modifiers),
    )


def _choice(choice: ir.Choice) -> ir.Choice:
    norms = tuple(replace(norm, site=0) for norm in choice.norms)
    return replace(choice, site=0, norms=norms)


def _procedure(item: ir.Procedure, facts: Facts, idle: frozenset[str]) -> ir.Procedure:
    return replace(item, site=0, body=_ended(_block(item.body, facts, idle)))


def _block(block: ir.Block, facts: Facts, idle: frozenset[str]) -> ir.Block:
    """The statements that do something."""

    def inner(part: ir.Block) -> ir.Block:
        return _block(part, facts, idle)

    made = (replace(walk.mapped(stmt, _same, inner), site=0) for stmt in block)
    return tuple(stmt for stmt in made if not _does_nothing(stmt, facts, idle))


def _same(e: ir.Expr) -> ir.Expr:
    return e


def _does_nothing(stmt: ir.Stmt, facts: Facts, idle: frozenset[str]) -> bool:
    if isinstance(stmt, ir.Do):
        nothing = stmt.local is None and stmt.procedure in idle
    elif isinstance(stmt, ir.ForEach):
        nothing = stmt.order is None and stmt.alternating is None and not stmt.body
    else:
        nothing = isinstance(stmt, ir.Step | ir.Together | ir.When) and not any(walk.blocks(stmt))
    return nothing and not any(facts.fallible(e) for e in walk.expressions(stmt))


def _ended(block: ir.Block) -> ir.Block:
    """The block without a plain `return` where the procedure ends behind it."""
    while block and isinstance(block[-1], ir.Return) and block[-1].value is None:
        block = block[:-1]
    if block and isinstance(block[-1], ir.When):
        last = block[-1]
        then, otherwise = _ended(last.then), _ended(last.otherwise)
        if then or otherwise:
            block = (*block[:-1], replace(last, then=then, otherwise=otherwise))
    return block
