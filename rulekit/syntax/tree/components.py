"""Items as written: components, states, definitions."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.expr import Expr, Name
from rulekit.syntax.tree.stmt import Cite
from rulekit.syntax.tree.types import TypeExpr

Stagger = Literal[
    "", "odd rows", "even rows", "each row", "odd columns", "even columns", "each column"
]  # fmt: skip


@frozen
class Param:
    """A parameter; without a type it takes the kind of its own name (`side` -> `Side`)."""

    span: Span
    name: Name
    type: TypeExpr | None


@frozen
class Member:
    span: Span
    name: Name
    title: str
    cite: Cite | None


@frozen
class LinesDecl:
    """All straight lines of a number of spaces on the board of a kind."""

    span: Span
    length: int
    kind: Name


@frozen
class Enum:
    """Members that are listed, or lines of a board, which have no names in the rules."""

    span: Span
    cite: Cite | None
    name: Name
    members: tuple[Member, ...]
    lines: LinesDecl | None


@frozen
class FieldDecl:
    """One field; a line that declares several becomes several."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    type: TypeExpr
    changes: bool
    initial: Expr | None
    known_to: Expr | None
    counted: bool = False


@frozen
class KindUnion:
    """A union of kinds; each of them has the union's `fields` too."""

    span: Span
    cite: Cite | None
    name: Name
    kinds: tuple[Name, ...]
    fields: tuple[FieldDecl, ...]


@frozen
class Axis:
    """The columns or the rows of a board: the labels of the first and the last, as printed."""

    span: Span
    first: str
    last: str


@frozen
class BoardDecl:
    """A board of squares or hexes: its columns from left to right, its rows from top to bottom.

    Attributes:
        rows_first: True if a coordinate begins with the label of its row.
        stagger: Which lines of hexes are half a hex further right or down; empty for squares.
    """

    span: Span
    columns: Axis
    rows: Axis
    rows_first: bool
    stagger: Stagger


@frozen
class Population:
    """A `piece` or `space` kind: its members come from a data file, are named, or are counted.

    Those of a space kind with a board are its squares or hexes, or the ones among these that are named.
    `owner`: of an extern kind, the owner's file, and `source` then the sampler; `needed` are the members that
    both must have.
    """

    span: Span
    cite: Cite | None
    sort: Literal["piece", "space"]
    name: Name
    source: str | None
    source_span: Span | None
    members: tuple[Member, ...]
    count: int | None
    board: BoardDecl | None
    fields: tuple[FieldDecl, ...]
    owner: str
    needed: tuple[Name, ...]


@frozen
class Group:
    span: Span
    cite: Cite | None
    name: Name
    most: int
    fields: tuple[FieldDecl, ...]


@frozen
class StateDecl:
    """`state`, `track` (`clamp`), `cup` and `stack`."""

    span: Span
    cite: Cite | None
    sort: Literal["state", "track", "cup", "stack"]
    name: Name
    params: tuple[Param, ...]
    type: TypeExpr
    initial: Expr | None
    known_to: Expr | None
    counted: bool


@frozen
class Calendar:
    span: Span
    cite: Cite | None
    name: Name
    first: int
    last: int
    value: Expr


@frozen
class DateSpan:
    """`from`, `until`, `during`; both ends inclusive, None is open."""

    span: Span
    first: int | None
    last: int | None


@frozen
class Case:
    """One line of a definition; `test` is a condition, a stretch of time, or None (`otherwise`)."""

    span: Span
    cite: Cite | None
    test: Expr | DateSpan | None
    value: Expr


@frozen
class CaseLet:
    span: Span
    cite: Cite | None
    name: Name
    value: Expr


@frozen
class Define:
    """`define` or `value`; one expression is one `otherwise` case."""

    span: Span
    cite: Cite | None
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    cases: tuple[Case | CaseLet, ...]
