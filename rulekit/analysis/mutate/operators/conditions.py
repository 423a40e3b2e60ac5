"""Conditions: an edge off by one, the other way round, `and` for `or`, a part left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text, Visit
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.items import Case, Norm, UnlessClause, WhenClause

_EDGE: dict[str, Any] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_REVERSED: dict[str, Any] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OTHERS: dict[str, Any] = {"every": "some", "some": "every", "no": "some"}


def comparison_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
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
            yield _other_quantifier(node, _OTHERS[node.quantifier], text)
        case x.Quantified() as node:
            yield _other_quantifier(node, "some" if node.quantifier == "no" else "no", text)


def _other_quantifier(node: x.Quantified, now: Any, text: Text) -> Mutation:
    words = text(node.span).replace(node.quantifier, now, 1)
    return Mutation(node.span, words, replace(node, quantifier=now))


_TURNED_ELSEWHERE = (x.Compare, x.Is, x.In, x.Quantified, x.Logic, x.Not)
"""Conditions that other operators turn."""


def logic_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The other connective, each part alone, and plain conditions the other way round."""
    match visit.node:
        case x.Logic() as node:
            op: Any = "or" if node.op == "and" else "and"
            left, right = text(node.left.span), text(node.right.span)
            yield Mutation(node.span, f"{left} {op} {right}", replace(node, op=op))
            yield Mutation(node.span, left, node.left)
            yield Mutation(node.span, right, node.right)
        case x.Not() as node:
            yield Mutation(node.span, text(node.value.span), node.value)
        case x.Conditional() as node:
            then, other = text(node.then.span), text(node.fallback.span)
            now = f"{other} when {text(node.condition.span)} otherwise {then}"
            yield Mutation(node.span, now, replace(node, then=node.fallback, fallback=node.then))
        case node if _is_plain_condition(visit):
            yield Mutation(node.span, f"not ({text(node.span)})", x.Not(node.span, node))


def _is_plain_condition(visit: Visit) -> bool:
    """Whether a node is all of a condition, and nothing that is turned round by itself."""
    if not visit.path or isinstance(visit.node, _TURNED_ELSEWHERE) or not hasattr(visit.node, "span"):
        return False
    match visit.around[-1], visit.path:
        case ((WhenClause() | UnlessClause() | Norm() | x.Where()), (*_, "condition")):
            return True
        case Case(), (*_, "test"):
            return isinstance(visit.node, x.Reference | x.Call | x.Field | x.Its)
        case s.When(), (*_, "branches", int(), 0):
            return True
        case s.Repeat(kind="while" | "until"), (*_, "control"):
            return True
        case _:
            return False
