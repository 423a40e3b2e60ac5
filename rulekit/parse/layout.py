"""Indentation and items: what happens to a text around lark's parser.

`items_of` cuts a text where a line begins at the left edge, so that one damaged item costs no other.
`Layout` stands between lexer and parser and turns the white space before a line into `_INDENT` and
`_DEDENT`; inside brackets a line's end means nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token
from lark.lark import PostLex

_ITEM_START = re.compile(r"^(?=[^\s#])", re.MULTILINE)
_OPEN, _CLOSE = ("LPAR", "LBRACE"), ("RPAR", "RBRACE")


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one item, which begins `offset` lines into the file."""

    text: str
    offset: int


class UnevenIndentation(Exception):
    """A line goes back to a depth that no line before it has."""

    def __init__(self, token: Token) -> None:
        super().__init__(str(token.line))
        self.line = (token.end_line or 1) + 0


class Layout(PostLex):
    """Yields the tokens of one item with indents and dedents put in.  One instance serves one parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depths = [0]
        brackets = 0
        for token in stream:
            if token.type == "_NL":
                if not brackets:
                    yield token
                    yield from self._change(token, depths)
                continue
            if token.type in _OPEN:
                brackets += 1
            elif token.type in _CLOSE:
                brackets = max(0, brackets - 1)
            yield token
        while len(depths) > 1:
            depths.pop()
            yield Token("_DEDENT", "")

    def _change(self, token: Token, depths: list[int]) -> Iterator[Token]:
        depth = len(token.rsplit("\n", 1)[1])
        if depth > depths[-1]:
            depths.append(depth)
            yield Token.new_borrow_pos("_INDENT", "", token)
        while depth < depths[-1]:
            depths.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)
        if depth != depths[-1]:
            raise UnevenIndentation(token)


def items_of(text: str) -> Iterator[Piece]:
    """The items of a text, in order; what stands before the first one (comments) belongs to none."""
    starts = [match.start() for match in _ITEM_START.finditer(text)]
    line, at = 0, 0
    for start, end in itertools.pairwise([*starts, len(text)]):
        line += text.count("\n", at, start)
        at = start
        yield Piece(text[start:end].rstrip() + "\n", line)
