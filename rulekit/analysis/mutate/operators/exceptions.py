"""Exceptions: one that is not made, and one that does not end."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.operators.omitting import left_out
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree.items import Modifier, Norm, UnlessClause, Variant


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each `unless` left out; of an exception each thing that it changes, and what it waits for."""
    match visit.node:
        case Norm() | Modifier() as node:
            yield from left_out(node, "clauses", UnlessClause)
        case Variant() as node:
            yield from left_out(node, "force", told="(always in force)")
            yield from left_out(node, "amendments")
        case _:
            pass
