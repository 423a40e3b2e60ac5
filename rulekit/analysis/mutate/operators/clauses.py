"""Clauses and cases: a condition less."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.operators.omitting import left_out
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree.items import Case, Define, Modifier, Norm, SpanClause, StacksClause, WhenClause


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each `when` and each stretch of time of a norm or modifier left out, and each case of a definition."""
    match visit.node:
        case Norm() | Modifier() as node:
            yield from left_out(node, "clauses", (WhenClause, SpanClause, StacksClause))
        case Define() as node:
            for change, case in zip(left_out(node, "cases"), node.cases, strict=True):
                if isinstance(case, Case) and case.test is not None:
                    yield change
        case _:
            pass
