"""Exceptions: one that is not made, and one that does not end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.mutate.mutant import Change, Text
from rulekit.mutate.tree import Visit
from rulekit.syntax.items import Modifier, Norm, UnlessClause, Variant


def changes(visit: Visit, text: Text) -> Iterator[Change]:
    """Each `unless` left out; of an exception each thing that it changes, and what it waits for."""
    match visit.node:
        case Norm() | Modifier() as node:
            for place, clause in enumerate(node.clauses):
                if isinstance(clause, UnlessClause):
                    rest = (*node.clauses[:place], *node.clauses[place + 1 :])
                    yield Change(clause.span, "(left out)", replace(node, clauses=rest))
        case Variant() as node:
            for place, force in enumerate(node.force):
                left = (*node.force[:place], *node.force[place + 1 :])
                yield Change(force.span, "(always in force)", replace(node, force=left))
            for place, amendment in enumerate(node.amendments):
                kept = (*node.amendments[:place], *node.amendments[place + 1 :])
                yield Change(amendment.span, "(left out)", replace(node, amendments=kept))
        case _:
            pass
