"""Comparisons: an edge off by one, the other way round, and the quantifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree import expr as x

_EDGE: dict[str, Any] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_REVERSED: dict[str, Any] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OTHERS: dict[str, Any] = {"every": "some", "some": "every", "no": "some"}


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The comparison's edge moved, and its sense turned."""
    match visit.node:
        case x.Compare(op="=") as node:
            yield Mutation(node.span, f"not ({text(node.span)})", x.Not(node.span, node))
        case x.Compare() as node:
            for op in (_EDGE[node.op], _REVERSED[node.op]):
                now = f"{text(node.left.span)} {op} {text(node.right.span)}"
                yield Mutation(node.span, now, replace(node, op=op))
        case x.Is() | x.In() as node:
            now = f"not ({text(node.span)})"
            yield Mutation(node.span, now, replace(node, negated=not node.negated))
        case x.Quantified() as node if node.test is not None:
            yield _quantified(node, _OTHERS[node.quantifier], text)
        case x.Quantified() as node:
            yield _quantified(node, "some" if node.quantifier == "no" else "no", text)
        case _:
            pass


def _quantified(node: x.Quantified, now: Any, text: Text) -> Mutation:
    words = text(node.span).replace(node.quantifier, now, 1)
    return Mutation(node.span, words, replace(node, quantifier=now))
