"""The named things that an expression reads: tables, states and definitions."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.ir import expr as x
from rulekit.ir import walk

Named = x.Static | x.Read | x.Flagged | x.Apply


def outermost(e: x.Expr) -> Iterable[Named]:
    """The named things that an expression reads, not those that are only their keys."""
    if isinstance(e, Named):
        yield e
        return
    for part in walk.children(e):
        yield from outermost(part)


def name_of(e: Named) -> str:
    """Return the name of the table, state or definition."""
    match e:
        case x.Static():
            return e.table
        case x.Read() | x.Flagged():
            return e.state
        case x.Apply():
            return e.function
