"""Statements after one that always goes elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints.lint import When
from rulekit.analysis.uses import in_scope
from rulekit.compiler.names import name_of
from rulekit.diagnostics import Diagnostic, Label, kinds
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

WHEN = When()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each block that goes on after it has left."""
    compiled = rules.compiled
    for module in compiled.modules:
        for item in module.items:
            if not isinstance(item, i.Procedure | i.Event | i.Variant):
                continue
            for node in nodes(item):
                for block in _blocks(node):
                    for before, after in zip(block, block[1:], strict=False):
                        if _leaves(before) and in_scope(compiled, after.span):
                            yield _finding(name_of(item), before, after)
                            break


def _blocks(node: object) -> Iterator[tuple[s.Statement, ...]]:
    match node:
        case s.When():
            yield from (body for _, body in node.branches)
            yield node.otherwise
        case i.Procedure() | i.Event() | i.Amendment() | s.ForEach() | s.Repeat() | s.Together() | s.Step():
            yield node.body
        case _:
            pass


def _leaves(stmt: s.Statement) -> bool:
    """Whether nothing after a statement is ever done: it leaves on every way through it."""
    match stmt:
        case s.Return() | s.Jump() | s.Finish():
            return True
        case s.When():
            ways = [*(body for _, body in stmt.branches), stmt.otherwise]
            return all(any(map(_leaves, way)) for way in ways)
        case s.Step(loop=None) | s.Together():
            return any(map(_leaves, stmt.body))
        case _:
            return False


def _finding(owner: str, before: s.Statement, after: s.Statement) -> Diagnostic:
    said = _word(before)
    label = Label(before.span, f"`{said}` here" if said else "every way through this leaves")
    message = "unreachable: " + (
        f"it follows `{said}`" if said else "every way through the statement before it leaves"
    )
    return Diagnostic(
        kinds.AFTER_LEAVING,
        message,
        after.span,
        (label,),
        "move it up, or remove it",
        key=(f"procedure {owner}", said or "when"),
    )


def _word(stmt: s.Statement) -> str | None:
    match stmt:
        case s.Jump():
            return stmt.word
        case s.Return():
            return "return" if stmt.value is None else "result"
        case s.Finish():
            return "finish"
        case _:
            return None
