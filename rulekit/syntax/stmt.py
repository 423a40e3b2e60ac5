"""Statements as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulekit.source import Span
from rulekit.syntax.expr import Call, Expr, Field, Name, Reference
from rulekit.syntax.types import TypeExpr


@dataclass(frozen=True, slots=True)
class Cite:
    """`[7.5, 7.55]`: ids as written, and what stands before an id naming another edition or source."""

    span: Span
    ids: tuple[str, ...]


Target = Reference | Call | Field
"""What a statement changes: a state, a field, a local."""


@dataclass(frozen=True, slots=True)
class Let:
    span: Span
    cite: Cite | None
    name: Name
    type: TypeExpr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Change:
    """`set t to v`, `add v to t`, `take v from t`."""

    span: Span
    cite: Cite | None
    op: Literal["set", "add", "take"]
    target: Target
    value: Expr


@dataclass(frozen=True, slots=True)
class Mark:
    span: Span
    cite: Cite | None
    on: bool
    members: Expr
    flag: Name


@dataclass(frozen=True, slots=True)
class Move:
    """`place` is None for `remove`."""

    span: Span
    cite: Cite | None
    pieces: Expr
    place: Expr | None


@dataclass(frozen=True, slots=True)
class Do:
    span: Span
    cite: Cite | None
    call: Call
    name: Name | None


@dataclass(frozen=True, slots=True)
class Choose:
    """`var` and `over` are set for `choose c(..) for each var in over`."""

    span: Span
    cite: Cite | None
    call: Call
    var: Name | None
    over: Expr | None
    name: Name | None


@dataclass(frozen=True, slots=True)
class RollDice:
    span: Span
    cite: Cite | None
    call: Call
    name: Name | None


@dataclass(frozen=True, slots=True)
class Draw:
    """`draw n by lot from S` (`by_lot`) or `draw n from cup`."""

    span: Span
    cite: Cite | None
    count: Expr
    by_lot: bool
    source: Expr
    name: Name


@dataclass(frozen=True, slots=True)
class Shuffle:
    span: Span
    cite: Cite | None
    stack: Target


@dataclass(frozen=True, slots=True)
class Put:
    span: Span
    cite: Cite | None
    value: Expr
    top: bool
    stack: Target


@dataclass(frozen=True, slots=True)
class Form:
    span: Span
    cite: Cite | None
    group: Name
    name: Name


@dataclass(frozen=True, slots=True)
class Dissolve:
    span: Span
    cite: Cite | None
    group: Expr


@dataclass(frozen=True, slots=True)
class Reveal:
    span: Span
    cite: Cite | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Return:
    span: Span
    cite: Cite | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Jump:
    span: Span
    cite: Cite | None
    word: Literal["leave", "next"]


@dataclass(frozen=True, slots=True)
class Finish:
    span: Span
    cite: Cite | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Say:
    span: Span
    cite: Cite | None
    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """How a loop orders its members; `value` is None for `by lot`."""

    span: Span
    kind: Literal["first", "lowest", "highest", "lot", "chosen"]
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Loop:
    """`for each x in S, orders` or `alternating x in S, orders, while C`."""

    span: Span
    var: Name
    over: Expr
    orders: tuple[Order, ...]
    alternating: Expr | None


@dataclass(frozen=True, slots=True)
class ForEach:
    span: Span
    cite: Cite | None
    loop: Loop
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Step:
    span: Span
    cite: Cite | None
    word: Literal["phase", "segment", "step"]
    name: Name
    title: str
    loop: Loop | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class When:
    """`branches` are the conditions in order, each with its block; `otherwise` may be empty."""

    span: Span
    cite: Cite | None
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    span: Span
    cite: Cite | None
    kind: Literal["times", "until", "while"]
    control: Expr
    limit: Expr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Together:
    span: Span
    cite: Cite | None
    body: tuple[Statement, ...]


Simple = (
    Let | Change | Mark | Move | Do | Choose | RollDice | Draw | Shuffle | Put | Form | Dissolve | Reveal
    | Return | Jump | Finish | Say
)  # fmt: skip
Statement = Simple | ForEach | Step | When | Repeat | Together
