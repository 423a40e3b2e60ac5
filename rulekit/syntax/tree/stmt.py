"""Statements as they are written."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.syntax.tree.expr import Call, Expr, Field, Name, Reference
from rulekit.syntax.tree.types import TypeExpr


@frozen
class Cite:
    """`[7.5, 7.55]`: ids as written, with the name of another edition or source before an id."""

    span: Span
    ids: tuple[str, ...]


Target = Reference | Call | Field
"""The target of a change: a state, a field, a local."""


@frozen
class Let:
    span: Span
    cite: Cite | None
    name: Name
    type: TypeExpr | None
    value: Expr


@frozen
class Change:
    """`set t to v`, `add v to t`, `take v from t`."""

    span: Span
    cite: Cite | None
    op: Literal["set", "add", "take"]
    target: Target
    value: Expr


@frozen
class Mark:
    span: Span
    cite: Cite | None
    on: bool
    members: Expr
    flag: Name


@frozen
class Move:
    """`place` is None for `remove`."""

    span: Span
    cite: Cite | None
    pieces: Expr
    place: Expr | None


@frozen
class Do:
    span: Span
    cite: Cite | None
    call: Call
    name: Name | None


@frozen
class Choose:
    """`var` and `over` are set for `choose c(..) for each var in over`."""

    span: Span
    cite: Cite | None
    call: Call
    var: Name | None
    over: Expr | None
    name: Name | None


@frozen
class RollDice:
    """`roll r as x`; `known_to` are the sides that see the result, all without it."""

    span: Span
    cite: Cite | None
    call: Call
    name: Name | None
    known_to: Expr | None


@frozen
class Draw:
    """`draw n by lot from S` (`by_lot`) or `draw n from cup`; `known_to` are the sides that see it."""

    span: Span
    cite: Cite | None
    count: Expr
    by_lot: bool
    source: Expr
    name: Name
    known_to: Expr | None


@frozen
class Shuffle:
    span: Span
    cite: Cite | None
    stack: Target


@frozen
class Put:
    span: Span
    cite: Cite | None
    value: Expr
    top: bool
    stack: Target


@frozen
class Form:
    span: Span
    cite: Cite | None
    group: Name
    name: Name


@frozen
class Dissolve:
    span: Span
    cite: Cite | None
    group: Expr


@frozen
class Reveal:
    """`reveal T`; `known_to` are the sides that see it, all without it."""

    span: Span
    cite: Cite | None
    value: Expr
    known_to: Expr | None


@frozen
class Return:
    span: Span
    cite: Cite | None
    value: Expr | None


@frozen
class Jump:
    span: Span
    cite: Cite | None
    word: Literal["leave", "next"]


@frozen
class Finish:
    span: Span
    cite: Cite | None
    value: Expr | None


@frozen
class Say:
    span: Span
    cite: Cite | None
    text: Expr


@frozen
class Order:
    """How a loop orders its members; `value` is None for `by lot`."""

    span: Span
    kind: Literal["first", "lowest", "highest", "lot", "chosen"]
    value: Expr | None


@frozen
class Loop:
    """`for each x in S, orders` or `alternating x in S, orders, while C`."""

    span: Span
    var: Name
    over: Expr
    orders: tuple[Order, ...]
    alternating: Expr | None


@frozen
class ForEach:
    span: Span
    cite: Cite | None
    loop: Loop
    body: tuple[Statement, ...]


@frozen
class Step:
    span: Span
    cite: Cite | None
    word: Literal["phase", "segment", "step"]
    name: Name
    title: str
    loop: Loop | None
    body: tuple[Statement, ...]


@frozen
class When:
    """`branches` are the conditions in order, each with its block; `otherwise` may be empty.

    `cite` is that of the first line, `below` those of the `otherwise` lines in order.
    """

    span: Span
    cite: Cite | None
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]
    below: tuple[Cite | None, ...] = ()

    def cite_of(self, branch: int) -> Cite | None:
        """The citation of the line of a branch, or of `otherwise`, which comes after the last branch."""
        if branch == 0:
            return self.cite
        return self.below[branch - 1] if branch <= len(self.below) else None


@frozen
class Repeat:
    span: Span
    cite: Cite | None
    kind: Literal["times", "until", "while"]
    control: Expr
    limit: Expr | None
    body: tuple[Statement, ...]


@frozen
class Together:
    span: Span
    cite: Cite | None
    body: tuple[Statement, ...]


Simple = (
    Let | Change | Mark | Move | Do | Choose | RollDice | Draw | Shuffle | Put | Form | Dissolve | Reveal
    | Return | Jump | Finish | Say
)  # fmt: skip
Statement = Simple | ForEach | Step | When | Repeat | Together
