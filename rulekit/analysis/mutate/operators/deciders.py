"""Who decides, who comes first, and whether one must."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.operators.signs import ENDS
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.items import Choice, Verb

_AMOUNTS: dict[str, Any] = {"exactly": "up_to", "up_to": "exactly", "at_least": "any"}


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The other side decides, or comes first; what must be done may be left, and the other way."""
    match visit.node:
        case Choice() as node:
            decider = _other(node.decider)
            yield Mutation(
                node.decider.span, f"other({text(node.decider.span)})", replace(node, decider=decider)
            )
        case Verb() as node:
            if node.able != "must":
                yield Mutation(node.span, "(must)", replace(node, able="must"))
            elif _asks_for_something(node):
                yield Mutation(node.span, "(or none)", replace(node, able="none"))
            if node.amount in _AMOUNTS:
                words = _AMOUNTS[node.amount]
                made = replace(node, amount=words, bound=None if words == "any" else node.bound)
                yield Mutation(node.span, f"({words.replace('_', ' ')})", made)
        case s.Order(kind="first", value=value) as node if value is not None:
            yield Mutation(node.span, f"other({text(value.span)}) first", replace(node, value=_other(value)))
        case s.Order(kind="lowest" | "highest") as node:
            kind = ENDS[node.kind]
            yield Mutation(node.span, text(node.span).replace(node.kind, kind, 1), replace(node, kind=kind))
        case _:
            pass


def _asks_for_something(verb: Verb) -> bool:
    """Whether an answer has to name something; who may pick any may pick none."""
    return verb.word == "assign" or verb.word == "pick" and verb.amount not in ("any", "up_to")


def _other(side: x.Expr) -> x.Expr:
    return x.Call(side.span, x.Name(side.span, "other"), (side,))
