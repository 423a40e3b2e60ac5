"""What happens: a statement or step left out, neighbours in the other order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.items import Amendment, EventDecl, Procedure

_BLOCKS = (Procedure, EventDecl, Amendment, s.ForEach, s.Step, s.When, s.Repeat, s.Together)
_SIMPLE = (
    s.Change, s.Mark, s.Move, s.Do, s.Choose, s.RollDice, s.Draw, s.Shuffle, s.Put, s.Dissolve, s.Return,
    s.Jump, s.Finish,
)  # fmt: skip
"""What may be left out.  What only tells (`say`, `reveal`) changes no game; in a `let` nothing happens."""


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each statement left out; steps and procedures run in the other order."""
    node = visit.node
    if not isinstance(node, _BLOCKS):
        return
    for field in fields(node):
        if field.name in ("body", "otherwise"):
            for span, now, block in _blocks(getattr(node, field.name), text):
                kept: dict[str, Any] = {field.name: block}
                yield Mutation(span, now, replace(node, **kept))
    if isinstance(node, s.When):
        for place, (condition, body) in enumerate(node.branches):
            for span, now, block in _blocks(body, text):
                branches = (*node.branches[:place], (condition, block), *node.branches[place + 1 :])
                yield Mutation(span, now, replace(node, branches=branches))


def _blocks(block: tuple[s.Statement, ...], text: Text) -> Iterator[tuple[Any, str, tuple[s.Statement, ...]]]:
    """What is underlined, what is told, and the block as it is then."""
    for place, each in enumerate(block):
        if isinstance(each, s.Step) or isinstance(each, _SIMPLE) and getattr(each, "name", None) is None:
            yield each.span, "(left out)", (*block[:place], *block[place + 1 :])
        if place + 1 < len(block) and _is_step(each) and _is_step(block[place + 1]):
            after = block[place + 1]
            swapped = (*block[:place], after, each, *block[place + 2 :])
            yield each.span, f"(after {_told(after, text)})", swapped


def _is_step(each: s.Statement) -> bool:
    return isinstance(each, s.Step | s.Do)


def _told(each: s.Statement, text: Text) -> str:
    if isinstance(each, s.Step):
        return f"{each.word} {each.name.text}"
    return text(each.span)
