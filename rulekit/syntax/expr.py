"""Expressions as they are written.  Names are text; nothing is known of types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulekit.source import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written; `text` has its quotes removed and each space turned into `_`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Integer:
    span: Span
    value: int


@dataclass(frozen=True, slots=True)
class Date:
    """`Aug 1942`; `value` is `12 * year + month - 1`."""

    span: Span
    value: int


@dataclass(frozen=True, slots=True)
class RatioLiteral:
    """`3:1`."""

    span: Span
    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class FlagLiteral:
    span: Span
    value: bool


@dataclass(frozen=True, slots=True)
class NoneLiteral:
    span: Span


@dataclass(frozen=True, slots=True)
class It:
    span: Span


@dataclass(frozen=True, slots=True)
class Its:
    """`its speed`, `its shots(Day)`."""

    span: Span
    name: Name
    arguments: tuple[Expr, ...] | None


@dataclass(frozen=True, slots=True)
class Reference:
    span: Span
    name: Name


@dataclass(frozen=True, slots=True)
class Call:
    span: Span
    name: Name
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """`ship.speed`, `ship.shots(Day)`, `Port.Australia`."""

    span: Span
    base: Expr
    name: Name
    arguments: tuple[Expr, ...] | None


@dataclass(frozen=True, slots=True)
class Unmodified:
    """`unmodified shot`: the dice of a roll before its modifiers."""

    span: Span
    name: Name


@dataclass(frozen=True, slots=True)
class SetLiteral:
    span: Span
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Coalesce:
    """`(value otherwise fallback)`."""

    span: Span
    value: Expr
    fallback: Expr


@dataclass(frozen=True, slots=True)
class Conditional:
    """`(then when condition otherwise fallback)`."""

    span: Span
    then: Expr
    condition: Expr
    fallback: Expr


Way = Literal["down", "up", "nearest"]


@dataclass(frozen=True, slots=True)
class Binary:
    span: Span
    op: Literal["+", "-", "*", "mod"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Divide:
    span: Span
    left: Expr
    right: Expr
    way: Way


@dataclass(frozen=True, slots=True)
class Negative:
    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class PlacedAt:
    """`ships at area`."""

    span: Span
    pieces: Expr
    place: Expr


@dataclass(frozen=True, slots=True)
class Count:
    span: Span
    over: Expr


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`total speed in S` (`field`), or `total of E for s in S` (`body` and `var`)."""

    span: Span
    kind: Literal["total", "lowest", "highest"]
    field: Name | None
    body: Expr | None
    var: Name | None
    over: Expr


@dataclass(frozen=True, slots=True)
class Where:
    span: Span
    over: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class With:
    span: Span
    kind: Literal["lowest", "highest"]
    over: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class LinkedTo:
    span: Span
    over: Expr
    start: Expr
    relation: Name
    within: Expr | None


@dataclass(frozen=True, slots=True)
class Logic:
    span: Span
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    span: Span
    op: Literal["=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class NamePredicate:
    span: Span
    name: Name
    arguments: tuple[Expr, ...] | None


@dataclass(frozen=True, slots=True)
class NonePredicate:
    span: Span


@dataclass(frozen=True, slots=True)
class EmptyPredicate:
    span: Span


@dataclass(frozen=True, slots=True)
class AtPredicate:
    span: Span
    place: Expr


@dataclass(frozen=True, slots=True)
class FlagPredicate:
    """`is true`, `is false`."""

    span: Span
    value: bool


@dataclass(frozen=True, slots=True)
class ExprPredicate:
    """`is enemy.side`: equal to a value, or one of a set, that is no plain name."""

    span: Span
    value: Expr


Predicate = NamePredicate | NonePredicate | EmptyPredicate | AtPredicate | FlagPredicate | ExprPredicate


@dataclass(frozen=True, slots=True)
class Is:
    span: Span
    subject: Expr
    predicate: Predicate
    negated: bool


@dataclass(frozen=True, slots=True)
class Range:
    """`2..5`, `5..`, `..4`, after `in`."""

    span: Span
    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class In:
    span: Span
    value: Expr
    members: Expr | Range
    negated: bool


@dataclass(frozen=True, slots=True)
class Quantified:
    """`every e in S is P`, `some e in S has C`, `no e in S`; `test` is None for mere existence."""

    span: Span
    quantifier: Literal["every", "some", "no"]
    var: Name
    over: Expr
    test: Predicate | Expr | None
    negated: bool


@dataclass(frozen=True, slots=True)
class Outside:
    """An expression put in by an amendment: it sees no locals of where it stands.  Not in the grammar."""

    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class During:
    """Whether today is in a stretch of time; ends inclusive, None is open.  Not in the grammar."""

    span: Span
    first: int | None
    last: int | None


Expr = (
    Integer | Date | RatioLiteral | FlagLiteral | NoneLiteral | It | Its | Reference | Call | Field
    | Unmodified | SetLiteral | Coalesce | Conditional | Binary | Divide | Negative | PlacedAt | Count
    | Aggregate | Where | With | LinkedTo | Logic | Not | Compare | Is | In | Quantified | Outside
    | During
)  # fmt: skip
