"""The blocks inside statements as written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from rulekit.syntax.tree import stmt as s

Block = tuple[s.Statement, ...]


def blocks(statement: s.Statement) -> tuple[Block, ...]:
    """The blocks of a statement, in the order in which they are written."""
    match statement:
        case s.When():
            return (*(body for _, body in statement.branches), statement.otherwise)
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return (statement.body,)
        case (
            s.Let() | s.Change() | s.Mark() | s.Move() | s.Do() | s.Choose() | s.RollDice() | s.Draw()
            | s.Shuffle() | s.Put() | s.Form() | s.Dissolve() | s.Reveal() | s.Return() | s.Jump()
            | s.Finish() | s.Say()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(statement)


def with_blocks(statement: s.Statement, change: Callable[[Block], Block]) -> s.Statement:
    """The statement with each of its blocks changed."""
    match statement:
        case s.When():
            branches = tuple((test, change(body)) for test, body in statement.branches)
            return replace(statement, branches=branches, otherwise=change(statement.otherwise))
        case s.ForEach() | s.Step() | s.Repeat() | s.Together():
            return replace(statement, body=change(statement.body))
        case (
            s.Let() | s.Change() | s.Mark() | s.Move() | s.Do() | s.Choose() | s.RollDice() | s.Draw()
            | s.Shuffle() | s.Put() | s.Form() | s.Dissolve() | s.Reveal() | s.Return() | s.Jump()
            | s.Finish() | s.Say()
        ):  # fmt: skip
            return statement
        case _:
            assert_never(statement)
