"""Parts of rules: one left out, statements in another order, another side that decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text, Visit
from rulekit.analysis.mutate.operators.expressions import ENDS
from rulekit.base.source import Span
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import Block


def _omissions(
    node: Any, field: str, kinds: type | tuple[type, ...] = object, words: str = "(left out)"
) -> Iterator[Mutation]:
    """Omit each part of these kinds from a field."""
    parts = getattr(node, field)
    for place, part in enumerate(parts):
        if isinstance(part, kinds):
            rest = (*parts[:place], *parts[place + 1 :])
            yield Mutation(parts[place].span, words, replace(node, **{field: rest}))


def clause_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each `when` and each stretch of time of a norm or modifier left out, and each case of a definition."""
    match visit.node:
        case i.Norm() | i.Modifier() as node:
            yield from _omissions(node, "clauses", (i.WhenClause, i.SpanClause, i.StacksClause))
        case i.Define() as node:
            for change, case in zip(_omissions(node, "cases"), node.cases, strict=True):
                if isinstance(case, i.Case) and case.test is not None:
                    yield change


def exception_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each `unless` left out; of an exception each thing that it changes, and what it waits for."""
    match visit.node:
        case i.Norm() | i.Modifier() as node:
            yield from _omissions(node, "clauses", i.UnlessClause)
        case i.Variant() as node:
            yield from _omissions(node, "force", words="(always in force)")
            yield from _omissions(node, "amendments")


def norm_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each norm of a choice left out."""
    match visit.node:
        case i.Choice() as node:
            yield from _omissions(node, "norms")
        case i.Amendment(norms=(_, _, *_)) as node:  # an only norm is left out with the amendment
            yield from _omissions(node, "norms")


def modifier_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The modifier taken away."""
    if isinstance(visit.node, i.Modifier) and not visit.path:
        yield Mutation(visit.node.span, "(left out)", None)


_BLOCKS = (i.Procedure, i.EventDecl, i.Amendment, s.ForEach, s.Step, s.When, s.Repeat, s.Together)
_SIMPLE = (
    s.Change, s.Mark, s.Move, s.Do, s.Choose, s.RollDice, s.Draw, s.Shuffle, s.Put, s.Dissolve, s.Return,
    s.Jump, s.Finish,
)  # fmt: skip
"""Statements to leave out; `say`, `reveal` and `let` change no game."""


def step_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each statement left out; steps and procedures run in the other order."""
    node = visit.node
    if not isinstance(node, _BLOCKS):
        return
    for field in ("body", "otherwise"):
        for span, now, block in _other_blocks(getattr(node, field, ()), text):
            yield Mutation(span, now, replace(node, **{field: block}))  # type: ignore[arg-type]
    if isinstance(node, s.When):
        for place, (condition, body) in enumerate(node.branches):
            for span, now, block in _other_blocks(body, text):
                branches = (*node.branches[:place], (condition, block), *node.branches[place + 1 :])
                yield Mutation(span, now, replace(node, branches=branches))


def _other_blocks(block: Block, text: Text) -> Iterator[tuple[Span, str, Block]]:
    """Yield the span to underline, the change in words, and the changed block."""
    for place, stmt in enumerate(block):
        if isinstance(stmt, s.Step) or isinstance(stmt, _SIMPLE) and getattr(stmt, "name", None) is None:
            yield stmt.span, "(left out)", (*block[:place], *block[place + 1 :])
        after = block[place + 1] if place + 1 < len(block) else None
        if isinstance(stmt, s.Step | s.Do) and isinstance(after, s.Step | s.Do):
            name = f"{after.word} {after.name.text}" if isinstance(after, s.Step) else text(after.span)
            yield stmt.span, f"(after {name})", (*block[:place], after, stmt, *block[place + 2 :])


_AMOUNTS: dict[str, Any] = {"exactly": "up_to", "up_to": "exactly", "at_least": "any", "some": "any"}


def decider_changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The other side decides, or comes first; an answer becomes optional, or required."""
    match visit.node:
        case i.Choice() as node:
            span = node.decider.span
            yield Mutation(span, f"other({text(span)})", replace(node, decider=_other(node.decider)))
        case i.Verb() as node:
            if node.able != "must":
                yield Mutation(node.span, "(must)", replace(node, able="must"))
            elif _asks_for_something(node):
                yield Mutation(node.span, "(or none)", replace(node, able="none"))
            if node.amount in _AMOUNTS:
                words = _AMOUNTS[node.amount]
                bound = None if words == "any" else node.bound
                now = f"({words.replace('_', ' ')})"
                yield Mutation(node.span, now, replace(node, amount=words, bound=bound))
        case s.Order(kind="first", value=value) as node if value is not None:
            yield Mutation(node.span, f"other({text(value.span)}) first", replace(node, value=_other(value)))
        case s.Order(kind="lowest" | "highest") as node:
            kind = ENDS[node.kind]
            yield Mutation(node.span, text(node.span).replace(node.kind, kind, 1), replace(node, kind=kind))


def _asks_for_something(verb: i.Verb) -> bool:
    """True if an answer has to name something; `pick any` allows none."""
    return verb.word in ("assign", "pick") and verb.amount not in ("any", "up_to")


def _other(side: x.Expr) -> x.Expr:
    return x.Call(side.span, x.Name(side.span, "other"), (side,))
