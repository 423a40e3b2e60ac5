"""Expressions that would be evaluated again and again, evaluated once.

Common subexpressions, where no state is written between them; and loop-invariant code, before the loop: in a
loop that asks nothing, what reads no local the loop sets and no state it writes, cannot fault, and is more
than a few look-ups. It may be evaluated where no run would have: it changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulekit.ir import Block, Const, Expr, ForEach, Let, Local, Repeat, Stmt, walk
from rulekit.runtime.optimise import sets
from rulekit.runtime.optimise.context import OptimiserContext

SMALL = 3
"""Largest expression, in nodes, that is not worth a variable."""


def common(
    context: OptimiserContext, expressions: Iterable[Expr], known: frozenset[str], small: int = SMALL
) -> list[Expr]:
    """Parts that occur more than once, read no other locals than those known, and cannot fault; larger last.

    A part that stands only within another one that is shared is none of its own.
    """
    seen = Counter(part for e in expressions for part in _parts(e))
    shared: list[Expr] = []
    for part in sorted(seen, key=walk.size, reverse=True):
        if seen[part] < 2 or walk.size(part) <= small:
            continue
        within = sum(seen[other] for other in shared if part in _parts(other))
        if seen[part] > within and walk.free(part) <= known and not context.facts.fallible(part):
            shared.append(part)
    return shared[::-1]


def invariant(context: OptimiserContext, e: Expr, known: frozenset[str]) -> list[Expr]:
    """The largest costly parts that read no locals but those known and cannot fault, each once."""
    if isinstance(e, Const | Local):
        return []
    if walk.free(e) <= known and sets.dear(e):
        return [] if context.facts.fallible(e) else [e]
    return list(dict.fromkeys(one for part in walk.children(e) for one in invariant(context, part, known)))


def _parts(e: Expr) -> Iterator[Expr]:
    """The expression and everything in it that is more than a name or a number."""
    if not isinstance(e, Const | Local):
        yield e
        for part in walk.children(e):
            yield from _parts(part)


HOISTED = 5
"""Smallest expression, in nodes, that is worth a variable before a loop."""


def hoist(context: OptimiserContext, block: Block) -> Block:
    """The block with its loops relieved, the innermost first."""
    stmts: list[Stmt] = []
    for stmt in block:
        stmt = walk.map_parts(stmt, lambda e: e, lambda inner: hoist(context, inner))
        if isinstance(stmt, ForEach | Repeat) and not context.facts.suspends(stmt):
            stmts += _hoist_from(context, stmt)
        else:
            stmts.append(stmt)
    return tuple(stmts)


def _hoist_from(context: OptimiserContext, loop: ForEach | Repeat) -> Block:
    """A loop after the statements that bind what does not change in it."""
    if isinstance(loop, Repeat) and loop.kind != "times":
        return (loop,)
    written = context.facts.changes_in(loop.body)
    changing = frozenset(local.name for local in bound_locals(loop.body))
    changing |= frozenset((loop.var.name,)) if isinstance(loop, ForEach) else frozenset()
    known: dict[Expr, Local] = {}

    def is_invariant(e: Expr) -> bool:
        if walk.free(e) & changing or walk.size(e) < HOISTED:
            return False
        return not context.facts.reads(e) & written and not context.facts.fallible(e)

    def change(e: Expr, inside: frozenset[str] = frozenset()) -> Expr:
        if isinstance(e, Const | Local):
            return e
        if is_invariant(e) and not walk.free(e) & inside:
            if e not in known:
                known[e] = Local(context.fresh("same"), e.type)
            return known[e]
        var, inner = walk.bound_local(e), walk.inner(e)
        parts = (
            change(part, inside | {var.name} if var is not None and part is inner else inside)
            for part in walk.children(e)
        )
        return walk.rebuild(e, tuple(parts))

    def through(block: Block) -> Block:
        return tuple(walk.map_parts(stmt, change, through) for stmt in block)

    body = through(loop.body)
    return (*(Let(local, e, loop.site) for e, local in known.items()), replace(loop, body=body))


def bound_locals(block: Block) -> Iterator[Local]:
    """The locals that a block binds."""
    for stmt in walk.statements(block):
        yield from walk.bindings(stmt).values()
