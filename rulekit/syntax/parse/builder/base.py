"""What all building of syntax from trees shares: places, numbers, names and citations, refusals."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Kind, kinds
from rulekit.syntax.parse.tree import Token, Tree
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree.stmt import Cite

Node = Tree

MAX_DEPTH = 120
"""Nesting of one expression or block beyond which a text is refused (spec 2.7)."""
MAX_CASES = 200
"""Lines of one definition, branches of one `when` (spec 2.7)."""
MAX_DIGITS = 18
"""Digits of one number (spec 2.7)."""
MAX_DICE, MAX_SIDES = 100, 1_000_000
"""Of one roll (spec 7.1)."""


class ItemRefused(Exception):
    """Raised where the grammar allows what the language does not; carries the finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


RESERVED = frozenset(
    "and or not is in has it its every some no none true false count of total lowest highest at where with "
    "linked unmodified otherwise when unless from to until during mod rounded within as by for each".split()
)
"""Words that are never names, even where the parser could tell them apart."""


class _Methods(dict[str, str]):
    """The name of the method that builds the trees of a rule."""

    def __missing__(self, rule: str) -> str:
        self[rule] = "on_" + str(rule).lstrip("_")
        return self[rule]


_METHODS = _Methods()


class BuilderBase:
    """Builds nodes of `file`, whose lines are `offset` further down than the parser saw them."""

    def __init__(self, file: str, offset: int) -> None:
        self.file = file
        self.offset = offset
        self.depth = 0

    def span(self, node: Node | Token) -> Span:
        return Span(
            self.file, node.line + self.offset, node.column, node.end_line + self.offset, node.end_column
        )

    def build(self, node: Node) -> Any:
        """The node of our own for a tree, whatever its rule."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(
                kinds.TOO_DEEP,
                f"more than {MAX_DEPTH} levels of nesting",
                node,
                "name parts of it with `let` or `define`",
            )
        built = cast(Callable[[Node], Any], getattr(self, _METHODS[node.data]))(node)
        self.depth -= 1
        return built

    def refuse(self, kind: Kind, message: str, node: Node | Token, hint: str | None = None) -> NoReturn:
        """Give the item up at a node.

        Raises:
            ItemRefused: Always.
        """
        raise ItemRefused(Diagnostic(kind, message, self.span(node), hint=hint))

    def number(self, token: object) -> int:
        """A whole number of at most `MAX_DIGITS` digits."""
        assert isinstance(token, Token)
        if len(token) > MAX_DIGITS:
            self.refuse(kinds.TOO_LARGE, f"a number has more than {MAX_DIGITS} digits", token)
        return int(token)

    def dice_of(self, token: object) -> tuple[int, int]:
        """`3d6` as (3, 6): 1 to 100 dice of 2 to 1,000,000 sides."""
        assert isinstance(token, Token)
        if len(token) <= MAX_DIGITS:
            many, sides = token.split("d")
            dice = int(many or "1"), int(sides)
            if 1 <= dice[0] <= MAX_DICE and 2 <= dice[1] <= MAX_SIDES:
                return dice
        self.refuse(
            kinds.TOO_LARGE,
            f"`{token}` is not 1 to {MAX_DICE} dice of 2 to {MAX_SIDES:,} sides",
            token,
        )

    def ratio_of(self, token: object) -> tuple[int, int]:
        """`3:2` as (3, 2)."""
        assert isinstance(token, Token)
        if len(token) > MAX_DIGITS:
            self.refuse(kinds.TOO_LARGE, f"odds have more than {MAX_DIGITS} characters", token)
        above, below = token.split(":")
        return int(above), int(below)

    def children(self, node: Node) -> list[Node]:
        """The children that are trees (tokens are read where they matter)."""
        return [child for child in node.children if isinstance(child, Tree)]

    def all(self, nodes: Sequence[Node]) -> tuple[Any, ...]:
        return tuple(self.build(node) for node in nodes)

    def first(self, node: Node, rule: str) -> Node | None:
        """The first child made by `rule`, if there is one."""
        return next((child for child in self.children(node) if child.data == rule), None)

    def cite(self, node: Node) -> Cite | None:
        """The citation at the end of the node's own line."""
        child = self.first(node, "cite")
        return self.on_cite(child) if child else None

    # -- names, citations

    def on_name(self, node: Node) -> x.Name:
        token = cast(Token, node.children[0])
        if token.type != "QUOTED" and token in RESERVED:
            hint = f"to use it as a name, write `'{token}'`"
            self.refuse(kinds.SYNTAX_ERROR, f"`{token}` is a keyword", token, hint)
        text = token[1:-1] if token.type == "QUOTED" else str(token)
        if not text.strip():
            self.refuse(kinds.SYNTAX_ERROR, "empty name", token, "enter a name")
        return x.Name(self.span(token), "_".join(unicodedata.normalize("NFC", text).split()))

    def on_cite(self, node: Node) -> Cite:
        token = cast(Token, node.children[0])
        ids = tuple(" ".join(part.split()) for part in token[1:-1].split(",") if part.strip())
        return Cite(self.span(token), ids)

    def names(self, node: Node | None) -> tuple[x.Name, ...]:
        return tuple(self.on_name(child) for child in self.children(node)) if node else ()

    def text(self, node: Node | None) -> str:
        """A title's or reason's text; empty without one."""
        return str(node.children[0])[1:-1] if node else ""


def word(node: Node) -> Any:
    """The word that a keeps-no-token rule stands for: its own name."""
    return str(node.data)


def way_of(node: Node) -> Any:
    """`round_down` and its fellows as `down`, `up`, `nearest`."""
    return str(node.data).removeprefix("round_")
