"""Clauses and cases: a condition less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.mutate.mutant import Change, Text
from rulekit.mutate.tree import Visit
from rulekit.syntax.items import Case, Define, Modifier, Norm, SpanClause, StacksClause, WhenClause


def changes(visit: Visit, text: Text) -> Iterator[Change]:
    """Each `when` and each stretch of time of a norm or modifier left out, and each case of a definition."""
    match visit.node:
        case Norm() | Modifier() as node:
            for place, clause in enumerate(node.clauses):
                if isinstance(clause, WhenClause | SpanClause | StacksClause):
                    rest = (*node.clauses[:place], *node.clauses[place + 1 :])
                    yield Change(clause.span, "(left out)", replace(node, clauses=rest))
        case Define() as node:
            for place, case in enumerate(node.cases):
                if isinstance(case, Case) and case.test is not None:
                    others = (*node.cases[:place], *node.cases[place + 1 :])
                    yield Change(case.span, "(left out)", replace(node, cases=others))
        case _:
            pass
