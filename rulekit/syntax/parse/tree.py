"""Trees of the grammar, before nodes are built of them: tokens, and trees by its rules, with their places.

Lines and columns are counted from 1; ends are exclusive.
"""

from __future__ import annotations

from typing import Any


class Token(str):
    """A terminal's text."""

    __slots__ = ("type", "line", "column", "end_line", "end_column")

    type: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __new__(
        cls, type_: str, text: str, line: int = 0, column: int = 0, end_line: int = 0, end_column: int = 0
    ) -> Token:
        token = super().__new__(cls, text)
        token.type = type_
        token.line, token.column = line, column
        token.end_line, token.end_column = end_line, end_column
        return token


class Tree:
    """A tree that a rule of the grammar has read; `data` is the rule's name."""

    __slots__ = ("data", "children", "line", "column", "end_line", "end_column")

    line: int
    column: int
    end_line: int
    end_column: int

    def __init__(self, data: str, children: list[Any]) -> None:
        self.data = data
        self.children = children
