"""Common subexpressions, evaluated once where no state is written between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulekit.ir import Const, Expr, Local, walk
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
    found: list[Expr] = []
    for part in sorted(seen, key=walk.size, reverse=True):
        if seen[part] < 2 or walk.size(part) <= small:
            continue
        within = sum(seen[other] for other in found if part in _parts(other))
        if seen[part] > within and walk.free(part) <= known and not context.facts.fallible(part):
            found.append(part)
    return found[::-1]


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


def replaced(e: Expr, values: Mapping[Expr, Local]) -> Expr:
    """The expression with whole parts of it replaced."""
    if not values or isinstance(e, Const | Local):
        return e
    if e in values:
        return values[e]
    return walk.rebuild(e, tuple(replaced(part, values) for part in walk.children(e)))
