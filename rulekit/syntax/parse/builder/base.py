"""The builder: everything that the rules of the grammar share, and the register of functions for their trees.

Before: a tree of the grammar, as the parser read it.  After: a node of `syntax.tree` for it.  Most rules
are declared by their shape (`plain`, `line`, `item`); the others are functions marked `builds`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import fields
from typing import Any, NoReturn, TypeVar, cast

from rulekit.base.source import Span
from rulekit.diagnostics import Diagnostic, Kind, kinds
from rulekit.syntax.parse.tree import Token, Tree
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree.components import Param
from rulekit.syntax.tree.stmt import Cite, Statement

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


class Builder:
    """Builds nodes of `file`, whose lines are `offset` further down than the parser saw them.

    A simple statement's citation follows it on its line: `line_cite` is that of the line being built.
    """

    def __init__(self, file: str, offset: int) -> None:
        self.file = file
        self.offset = offset
        self.depth = 0
        self.line_cite: Cite | None = None

    def span(self, node: Node | Token) -> Span:
        return Span(
            self.file, node.line + self.offset, node.column, node.end_line + self.offset, node.end_column
        )

    def build(self, node: Node) -> Any:
        """The node of our own for a tree, whatever its rule."""
        if node.data in LEAVES:
            return RULES[node.data](self, node)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            message, hint = (
                f"more than {MAX_DEPTH} levels of nesting",
                "name parts of it with `let` or `define`",
            )
            self.refuse(kinds.TOO_DEEP, message, node, hint)
        built = RULES[node.data](self, node)
        self.depth -= 1
        return built

    def build_all(self, node: Node, *rules: str) -> tuple[Any, ...]:
        """Build the children that are trees, in order; of these `rules` only, if any is given."""
        return tuple(self.build(child) for child in children(node) if not rules or child.data in rules)

    def build_in(self, node: Node | None) -> Any:
        """Build the one child of a tree such as `initial` or `result`; None without the tree."""
        return self.build(children(node)[0]) if node else None

    def refuse(self, kind: Kind, message: str, node: Node | Token, hint: str | None = None) -> NoReturn:
        """Give the item up at a node.

        Raises:
            ItemRefused: Always.
        """
        raise ItemRefused(Diagnostic(kind, message, self.span(node), hint=hint))

    # -- numbers

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
        message = f"`{token}` is not 1 to {MAX_DICE} dice of 2 to {MAX_SIDES:,} sides"
        self.refuse(kinds.TOO_LARGE, message, token)

    def ratio_of(self, token: object) -> tuple[int, int]:
        """`3:2` as (3, 2)."""
        assert isinstance(token, Token)
        if len(token) > MAX_DIGITS:
            self.refuse(kinds.TOO_LARGE, f"odds have more than {MAX_DIGITS} characters", token)
        above, below = token.split(":")
        return int(above), int(below)

    # -- names, citations

    def name(self, node: Node) -> x.Name:
        token = cast(Token, node.children[0])
        if token.type != "QUOTED" and token in RESERVED:
            hint = f"to use it as a name, write `'{token}'`"
            hint = f"write `count of ..` before what is counted; {hint}" if token == "count" else hint
            self.refuse(kinds.SYNTAX_ERROR, f"`{token}` is a keyword", token, hint)
        if token.type != "QUOTED" and token.isascii():
            return x.Name(self.span(token), str(token))
        text = token[1:-1] if token.type == "QUOTED" else str(token)
        if not text.strip():
            self.refuse(kinds.SYNTAX_ERROR, "empty name", token, "enter a name")
        return x.Name(self.span(token), "_".join(unicodedata.normalize("NFC", text).split()))

    def names(self, node: Node | None) -> tuple[x.Name, ...]:
        """The names in the list of names under a node; none without the node."""
        listed = first(node, "names") if node else None
        return tuple(map(self.name, children(listed))) if listed else ()

    def head(self, node: Node) -> x.Name:
        """The first name in a node, such as the one after the item's keyword."""
        return self.name(next(child for child in children(node) if child.data == "name"))

    def head_of(self, node: Node | None) -> x.Name | None:
        """The name in a clause such as `favours SIDE`; None without the clause."""
        return self.head(node) if node else None

    def read_cite(self, node: Node) -> Cite:
        token = cast(Token, node.children[0])
        ids = tuple(" ".join(part.split()) for part in token[1:-1].split(",") if part.strip())
        return Cite(self.span(token), ids)

    def cite(self, node: Node) -> Cite | None:
        """The citation at the end of the node's own line."""
        return self.cite_of(first(node, "cite"))

    def cite_of(self, node: Node | None) -> Cite | None:
        """The citation that a node is; None if it is another node, or none."""
        return self.read_cite(node) if node is not None and node.data == "cite" else None

    def params(self, node: Node) -> tuple[Param, ...]:
        child = first(node, "params")
        return self.build_all(child) if child else ()

    # -- blocks

    def suite(self, node: Node) -> tuple[tuple[Statement, ...], Cite | None]:
        """The statements of a block, and the citation after the header's colon."""
        parts = children(node)
        if parts and parts[0].data == "cite":
            return self.block(parts[1:]), self.read_cite(parts[0])
        inline = len(parts) == 2 and parts[1].data == "cite"
        return self.block(parts), (self.read_cite(parts[1]) if inline else None)

    def block(self, parts: list[Node]) -> tuple[Statement, ...]:
        """Statements of a run of siblings, each with the citation that follows it."""
        statements: list[Statement] = []
        for part, after in zip(parts, [*parts[1:], None], strict=False):
            if part.data != "cite":
                self.line_cite = self.cite_of(after)
                statements.append(self.build(part))
        return tuple(statements)

    def take_cite(self) -> Cite | None:
        """The citation of the line being built; to be taken once, before its parts are built."""
        cite, self.line_cite = self.line_cite, None
        return cite


# ---------------------------------------------------------------- trees of the grammar


def children(node: Node) -> list[Node]:
    """The children that are trees (tokens are read where they matter)."""
    return [child for child in node.children if isinstance(child, Tree)]


def parts_of(node: Node) -> list[Node]:
    """The children that are trees, without citation and parameters."""
    return [child for child in children(node) if child.data not in ("cite", "params")]


def first(node: Node, rule: str) -> Node | None:
    """The first child made by `rule`, if there is one."""
    return next((child for child in children(node) if child.data == rule), None)


def tokens(node: Node, *types: str) -> list[Token]:
    """The children that are tokens; of these types only, if any is given."""
    return [
        child for child in node.children if isinstance(child, Token) and (not types or child.type in types)
    ]


def text_of(node: Node | None) -> str:
    """The text of a title or reason; empty without one."""
    return str(node.children[0])[1:-1] if node else ""


def word(node: Node, prefix: str = "") -> Any:
    """The word of a rule that keeps no token: its own name, without a prefix."""
    return str(node.data).removeprefix(prefix)


# ---------------------------------------------------------------- the register

Rule = Callable[[Builder, Node], Any]
RULES: dict[str, Rule] = {
    "name": Builder.name,
    "cite": Builder.read_cite,
    "arguments": Builder.build_all,
    "as_name": Builder.head,
    "known": Builder.build_in,
}
"""The function that builds the trees of each rule of the grammar."""
LEAVES = {*RULES, "call", "signed"}
"""Rules whose trees do not count as a level of nesting."""
_R = TypeVar("_R", bound=Rule)


def builds(*rules: str) -> Callable[[_R], _R]:
    """Register the function that builds the trees of some rules."""

    def register(function: _R) -> _R:
        RULES.update(dict.fromkeys(rules, function))
        return function

    return register


def words(*rules: str, prefix: str = "") -> None:
    """Register rules that are a word of the language: their names without the prefix."""
    RULES.update({prefix + rule: lambda builder, node: word(node, prefix) for rule in rules})
    LEAVES.update(prefix + rule for rule in rules)


def plain(kind: Callable[..., Any], /, **constants: object) -> Rule:
    """A node whose fields are `constants`, and else the children in order; None for missing children."""
    names = [field.name for field in fields(cast(Any, kind))][1:]
    read = _in_order(names, constants)

    def build(builder: Builder, node: Node) -> Any:
        return kind(builder.span(node), *read(builder, node))

    return build


def line(kind: Callable[..., Any], /, **constants: object) -> Rule:
    """A simple statement: as `plain`, with the citation of its line."""
    names = [field.name for field in fields(cast(Any, kind))][2:]
    read = _in_order(names, constants)

    def build(builder: Builder, node: Node) -> Any:
        cite = builder.take_cite()
        return kind(builder.span(node), cite, *read(builder, node))

    return build


def _in_order(names: list[str], constants: dict[str, object]) -> Callable[[Builder, Node], list[Any]]:
    places = [(place, constants[name]) for place, name in enumerate(names) if name in constants]
    most = len(names) - len(places)

    def parts(builder: Builder, node: Node) -> list[Any]:
        built = [builder.build(child) for child in node.children if isinstance(child, Tree)]
        while len(built) < most:
            built.append(None)
        for place, constant in places:
            built.insert(place, constant)
        return built

    return parts


def item(kind: Callable[..., Any], /, **parts: Any) -> Rule:
    """A node whose fields are read by name, as usual or as `parts` say: by a function, or a constant."""
    readers = [parts.get(field.name, USUAL.get(field.name)) for field in fields(cast(Any, kind))]

    def build(builder: Builder, node: Node) -> Any:
        return kind(*[reader(builder, node) if callable(reader) else reader for reader in readers])

    return build


def all_of(*rules: str) -> Rule:
    """Reads the children made by some rules."""
    return lambda builder, node: builder.build_all(node, *rules)


def inside(rule: str) -> Rule:
    """Reads the one child of the first child made by a rule; None without it."""
    return lambda builder, node: builder.build_in(first(node, rule))


def child(place: int) -> Rule:
    """Reads the child of a place; citations and parameters do not count."""
    return lambda builder, node: builder.build(parts_of(node)[place])


def has(rule: str) -> Rule:
    """Reads whether there is a child made by a rule."""
    return lambda builder, node: first(node, rule) is not None


def own_word(prefix: str = "") -> Rule:
    """Reads the word that the node's own rule is named after."""
    return lambda builder, node: word(node, prefix)


USUAL: dict[str, Rule] = {
    "span": Builder.span,
    "cite": Builder.cite,
    "name": Builder.head,
    "params": Builder.params,
    "title": lambda builder, node: text_of(first(node, "title")),
    "result": inside("result"),
    "initial": inside("initial"),
    "known_to": inside("known"),
    "needs": lambda builder, node: builder.names(first(node, "needed")),
    "rows": all_of("row"),
    "notes": all_of("note"),
    "stacking": all_of("stack_line"),
}
"""How the fields of items are read that the grammar writes alike everywhere."""
