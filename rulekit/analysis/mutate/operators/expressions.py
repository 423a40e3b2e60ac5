"""Changes of expressions: numbers one more and one less, signs, comparisons, connectives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text, Visit
from rulekit.ir.types import month_text
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.components import DateSpan
from rulekit.syntax.tree.items import Case, Modifier, Norm, Roll, UnlessClause, WhenClause


def number_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The number with one added, and one taken away."""
    if visit.path[-1:] == ("limit",):
        return  # of a loop: it only stops one that would not end
    match visit.node:
        case x.Integer() as node:
            yield Mutation(node.span, str(node.value + 1), replace(node, value=node.value + 1))
            less: Any = replace(node, value=node.value - 1)
            if node.value == 0:
                less = x.Negative(node.span, x.Integer(node.span, 1))
            yield Mutation(node.span, str(node.value - 1), less)
        case x.Date() as node:
            for value in (node.value + 1, node.value - 1):
                yield Mutation(node.span, month_text(value), replace(node, value=value))
        case x.RatioLiteral() as node:
            more = node.numerator + 1
            yield Mutation(node.span, f"{more}:{node.denominator}", replace(node, numerator=more))
        case DateSpan() as node:
            yield from _stretch_changes(node)
        case Roll() as node:
            yield from _dice_changes(node)


def _stretch_changes(node: DateSpan) -> Iterator[Mutation]:
    """The ends of a stretch of time, a month sooner and a month later."""
    for end in ("first", "last"):
        value = getattr(node, end)
        if value is None:
            continue
        word = "from" if end == "first" else "until"
        for month in (value + 1, value - 1):
            ends: dict[str, Any] = {end: month}
            moved = replace(node, **ends)
            if moved.first is None or moved.last is None or moved.first <= moved.last:
                yield Mutation(node.span, f"{word} {month_text(month)}", moved)


def _dice_changes(node: Roll) -> Iterator[Mutation]:
    """A die more, a die fewer, a side fewer; no example could throw the number of another side."""
    number, size = node.dice, node.sides
    for dice, sides in ((number + 1, size), (number - 1, size), (number, size - 1)):
        if dice > 0 and sides > 1:
            now = f"{node.name.text}: {'' if dice == 1 else dice}d{sides}"
            yield Mutation(node.name.span, now, replace(node, dice=dice, sides=sides))


_EFFECTS: dict[str, Any] = {"add": "subtract", "subtract": "add", "least": "most", "most": "least"}
_WORDS = {"add": "+", "subtract": "-", "least": "at least", "most": "at most"}
_SIDES = {"add": "right", "subtract": "left"}
_CALLS = {"larger": "smaller", "smaller": "larger"}
ENDS: dict[str, Any] = {"lowest": "highest", "highest": "lowest"}
_WAYS: dict[str, Any] = {"down": "up", "up": "down", "nearest": "down"}


def sign_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The sign turned round."""
    match visit.node:
        case x.Binary(op="+" | "-") as node:
            op: Any = "-" if node.op == "+" else "+"
            now = f"{text(node.left.span)} {op} {text(node.right.span)}"
            yield Mutation(node.span, now, replace(node, op=op))
        case x.Divide() as node:
            way = _WAYS[node.way]
            yield Mutation(node.span, _swap(text(node.span), node.way, way), replace(node, way=way))
        case x.Negative() as node:
            yield Mutation(node.span, text(node.value.span), node.value)
        case x.Call() as node if node.name.text in _CALLS:
            now = _CALLS[node.name.text]
            words = _swap(text(node.span), node.name.text, now)
            yield Mutation(node.span, words, replace(node, name=replace(node.name, text=now)))
        case x.Aggregate() | x.With() as node if node.kind in ENDS:
            words = _swap(text(node.span), node.kind, ENDS[node.kind])
            yield Mutation(node.span, words, replace(node, kind=ENDS[node.kind]))
        case Modifier() as node if node.effect in _EFFECTS:
            effect = _EFFECTS[node.effect]
            side = _SIDES if node.on == "table" and node.effect in _SIDES else _WORDS
            yield Mutation(
                node.span,
                _swap(text(node.span), side[node.effect], side[effect]),
                replace(node, effect=effect),
            )
        case s.Change(op="add" | "take") as node:
            target, value = text(node.target.span), text(node.value.span)
            now = f"take {value} from {target}" if node.op == "add" else f"add {value} to {target}"
            yield Mutation(node.span, now, replace(node, op="take" if node.op == "add" else "add"))


def _swap(text: str, was: str, now: str) -> str:
    """The text with the last occurrence of a word replaced, as rounding follows the expression."""
    head, word, tail = text.rpartition(was)
    return f"{head}{now}{tail}" if word else f"({now}) {text}"


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
        case x.Quantified() as node:
            alone: Any = "some" if node.quantifier == "no" else "no"
            now = alone if node.test is None else _OTHERS[node.quantifier]
            words = text(node.span).replace(node.quantifier, now, 1)
            yield Mutation(node.span, words, replace(node, quantifier=now))


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
    """True if a node is a whole condition that no other operator turns."""
    if not visit.path or isinstance(visit.node, _TURNED_ELSEWHERE) or not hasattr(visit.node, "span"):
        return False
    match visit.around[-1], visit.path:
        case ((WhenClause() | UnlessClause() | Norm() | x.Where()), (*_, "condition")):
            return True
        case Case(), (*_, "test"):
            return isinstance(visit.node, x.Reference | x.Call | x.Field | x.Its)
        case (s.When(), (*_, "branches", int(), 0)) | (s.Repeat(kind="while" | "until"), (*_, "control")):
            return True
    return False
