"""Loop-invariant code: expressions that every run of a loop would repeat, evaluated once before it.

Taken out of a loop that asks nothing is what reads no local the loop sets and no state it writes, cannot
fault, and is more than a few look-ups.  It may be evaluated where no run would have: it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from rulekit.ir import Block, Const, Expr, ForEach, Let, Local, Repeat, Stmt, walk
from rulekit.runtime.optimise.context import OptimiserContext

SMALL = 4
"""Largest expression, in nodes, that is not worth a variable."""


def hoisted(context: OptimiserContext, block: Block) -> Block:
    """The block with its loops relieved, the innermost first."""
    found: list[Stmt] = []
    for stmt in block:
        stmt = walk.mapped(stmt, lambda e: e, lambda inner: hoisted(context, inner))
        if isinstance(stmt, ForEach | Repeat) and not context.facts.suspends(stmt):
            found += _relieved(context, stmt)
        else:
            found.append(stmt)
    return tuple(found)


def _relieved(context: OptimiserContext, loop: ForEach | Repeat) -> Block:
    """A loop after the statements that bind what does not change in it."""
    if isinstance(loop, Repeat) and loop.kind != "times":
        return (loop,)
    written = context.facts.written(loop.body)
    changing = frozenset(local.name for local in bound(loop.body))
    changing |= frozenset((loop.var.name,)) if isinstance(loop, ForEach) else frozenset()
    known: dict[Expr, Local] = {}

    def fixed(e: Expr) -> bool:
        if walk.free(e) & changing or walk.size(e) <= SMALL:
            return False
        return not context.facts.reads(e) & written and not context.facts.fallible(e)

    def change(e: Expr, inside: frozenset[str] = frozenset()) -> Expr:
        if isinstance(e, Const | Local):
            return e
        if fixed(e) and not walk.free(e) & inside:
            if e not in known:
                known[e] = Local(context.fresh("same"), e.type)
            return known[e]
        var, inner = walk.bound(e), walk.inner(e)
        parts = (
            change(part, inside | {var.name} if var is not None and part is inner else inside)
            for part in walk.children(e)
        )
        return walk.rebuild(e, tuple(parts))

    def through(block: Block) -> Block:
        return tuple(walk.mapped(stmt, change, through) for stmt in block)

    body = through(loop.body)
    return (*(Let(local, e, loop.site) for e, local in known.items()), replace(loop, body=body))


def bound(block: Block) -> Iterator[Local]:
    """The locals that a block binds."""
    for stmt in walk.statements(block):
        for field in fields(stmt):
            value = getattr(stmt, field.name)
            if isinstance(value, Local):
                yield value
