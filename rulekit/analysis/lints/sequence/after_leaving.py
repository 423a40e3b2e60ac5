"""Statements after one that always goes elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.compiler.names import name_of
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import Block, blocks, nodes

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each block that goes on after it has left."""
    compiled = rules.compiled
    for module in compiled.modules:
        for item in module.items:
            if not isinstance(item, i.Procedure | i.EventDecl | i.Variant):
                continue
            for node in nodes(item, expressions=False):
                for block in _blocks(node):
                    for before, after in zip(block, block[1:], strict=False):
                        if _leaves(before) and in_scope(compiled, after.span):
                            yield _finding(name_of(item), before, after)
                            break


def _blocks(node: object) -> tuple[Block, ...]:
    if isinstance(node, s.Statement):
        return blocks(node)
    return (node.body,) if isinstance(node, i.Procedure | i.EventDecl | i.Amendment) else ()


def _leaves(stmt: s.Statement) -> bool:
    """Whether nothing after a statement is ever done: it leaves on every way through it."""
    match stmt:
        case s.Return() | s.Jump() | s.Finish():
            return True
        case s.When():
            ways = [*(body for _, body in stmt.branches), stmt.otherwise]
            return all(any(map(_leaves, way)) for way in ways)
        case s.Together():
            return any(map(_leaves, stmt.body))
        case s.Step():
            return stmt.loop is None and any(map(_leaves, stmt.body))
        case (
            s.Let() | s.Change() | s.Mark() | s.Move() | s.Do() | s.Choose() | s.RollDice() | s.Draw()
            | s.Shuffle() | s.Put() | s.Form() | s.Dissolve() | s.Reveal() | s.Say() | s.ForEach()
            | s.Repeat()
        ):  # fmt: skip
            return False
        case _:
            assert_never(stmt)


def _finding(owner: str, before: s.Statement, after: s.Statement) -> Diagnostic:
    word = _word(before)
    label = Label(before.span, f"`{word}` here" if word else "every way through this leaves")
    message = "unreachable: " + (
        f"it follows `{word}`" if word else "every way through the statement before it leaves"
    )
    return Diagnostic(
        kinds.AFTER_LEAVING,
        message,
        after.span,
        (label,),
        "move it up, or remove it",
        key=(f"procedure {owner}", word or "when"),
    )


def _word(stmt: s.Statement) -> str | None:
    if isinstance(stmt, s.Jump):
        return stmt.word
    if isinstance(stmt, s.Return):
        return "return" if stmt.value is None else "result"
    return "finish" if isinstance(stmt, s.Finish) else None
