"""Signs: plus and minus, more and less, up and down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.items import Modifier

_EFFECTS: dict[str, Any] = {"add": "subtract", "subtract": "add", "least": "most", "most": "least"}
_WORDS = {
    "add": ("+", "-"),
    "subtract": ("-", "+"),
    "least": ("at least", "at most"),
    "most": ("at most", "at least"),
}
_CALLS = {"larger": "smaller", "smaller": "larger"}
ENDS: dict[str, Any] = {"lowest": "highest", "highest": "lowest"}
_WAYS: dict[str, Any] = {"down": "up", "up": "down", "nearest": "down"}


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The sign turned round."""
    match visit.node:
        case x.Binary(op="+" | "-") as node:
            op: Any = "-" if node.op == "+" else "+"
            now = f"{text(node.left.span)} {op} {text(node.right.span)}"
            yield Mutation(node.span, now, replace(node, op=op))
        case x.Divide() as node:
            way = _WAYS[node.way]
            yield Mutation(node.span, _swapped(text(node.span), node.way, way), replace(node, way=way))
        case x.Negative() as node:
            yield Mutation(node.span, text(node.value.span), node.value)
        case x.Call() as node if node.name.text in _CALLS:
            now = _CALLS[node.name.text]
            words = _swapped(text(node.span), node.name.text, now)
            yield Mutation(node.span, words, replace(node, name=replace(node.name, text=now)))
        case x.Aggregate() | x.With() as node if node.kind in ENDS:
            words = _swapped(text(node.span), node.kind, ENDS[node.kind])
            yield Mutation(node.span, words, replace(node, kind=ENDS[node.kind]))
        case Modifier() as node if node.effect in _EFFECTS:
            words = _swapped(text(node.span), *_WORDS[node.effect])
            yield Mutation(node.span, words, replace(node, effect=_EFFECTS[node.effect]))
        case s.Change(op="add" | "take") as node:
            target, value = text(node.target.span), text(node.value.span)
            now = f"take {value} from {target}" if node.op == "add" else f"add {value} to {target}"
            yield Mutation(node.span, now, replace(node, op="take" if node.op == "add" else "add"))
        case _:
            pass


def _swapped(text: str, was: str, now: str) -> str:
    """The text with the last occurrence of a word replaced, as rounding stands behind what is rounded."""
    head, found, tail = text.rpartition(was)
    return f"{head}{now}{tail}" if found else f"({now}) {text}"
