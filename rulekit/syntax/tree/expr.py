"""Expressions as they are written.  Names are text; nothing is known of types."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span


@frozen
class Name:
    """A name as written; `text` has its quotes removed and each space turned into `_`."""

    span: Span
    text: str


@frozen
class Integer:
    span: Span
    value: int


@frozen
class Date:
    """`Aug 1942`; `value` is `12 * year + month - 1`."""

    span: Span
    value: int


@frozen
class RatioLiteral:
    """`3:1`."""

    span: Span
    numerator: int
    denominator: int


@frozen
class FlagLiteral:
    span: Span
    value: bool


@frozen
class TextLiteral:
    """`"Hold at any cost"`."""

    span: Span
    text: str


@frozen
class NoneLiteral:
    span: Span


@frozen
class It:
    span: Span


@frozen
class Its:
    """`its speed`, `its shots(Day)`."""

    span: Span
    name: Name
    arguments: tuple[Expr, ...] | None


@frozen
class Reference:
    span: Span
    name: Name


@frozen
class Call:
    span: Span
    name: Name
    arguments: tuple[Expr, ...]


@frozen
class Field:
    """`ship.speed`, `ship.shots(Day)`, `Port.Australia`."""

    span: Span
    base: Expr
    name: Name
    arguments: tuple[Expr, ...] | None


@frozen
class Unmodified:
    """`unmodified shot`: the dice of a roll before its modifiers."""

    span: Span
    name: Name


@frozen
class SetLiteral:
    span: Span
    items: tuple[Expr, ...]


@frozen
class Coalesce:
    """`(value otherwise fallback)`."""

    span: Span
    value: Expr
    fallback: Expr


@frozen
class Conditional:
    """`(then when condition otherwise fallback)`."""

    span: Span
    then: Expr
    condition: Expr
    fallback: Expr


Way = Literal["down", "up", "nearest"]


@frozen
class Binary:
    span: Span
    op: Literal["+", "-", "*", "mod"]
    left: Expr
    right: Expr


@frozen
class Divide:
    span: Span
    left: Expr
    right: Expr
    way: Way


@frozen
class Negative:
    span: Span
    value: Expr


@frozen
class PlacedAt:
    """`ships at area`."""

    span: Span
    pieces: Expr
    place: Expr


@frozen
class Count:
    span: Span
    over: Expr


@frozen
class Aggregate:
    """`total speed in S` (`field`), or `total of E for s in S` (`body` and `var`), as of `join` and `map`."""

    span: Span
    kind: Literal["total", "lowest", "highest", "join", "map"]
    field: Name | None
    body: Expr | None
    var: Name | None
    over: Expr


@frozen
class Where:
    span: Span
    over: Expr
    condition: Expr


@frozen
class With:
    span: Span
    kind: Literal["lowest", "highest"]
    over: Expr
    key: Expr


@frozen
class LinkedTo:
    span: Span
    over: Expr
    start: Expr
    relation: Name
    given: tuple[Expr, ...]
    within: Expr | None
    cost: Expr | None
    stop: Expr | None


@frozen
class CheapestWay:
    span: Span
    start: Expr
    goal: Expr
    over: Expr | None
    relation: Name
    given: tuple[Expr, ...]
    within: Expr | None
    cost: Expr | None
    stop: Expr | None


@frozen
class Logic:
    span: Span
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@frozen
class Not:
    span: Span
    value: Expr


@frozen
class Compare:
    span: Span
    op: Literal["=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen
class NamePredicate:
    span: Span
    name: Name
    arguments: tuple[Expr, ...] | None


@frozen
class NonePredicate:
    span: Span


@frozen
class EmptyPredicate:
    span: Span


@frozen
class AtPredicate:
    span: Span
    place: Expr


@frozen
class WithinPredicate:
    span: Span
    within: Expr
    goal: Expr
    relation: Name


@frozen
class FlagPredicate:
    """`is true`, `is false`."""

    span: Span
    value: bool


@frozen
class ExprPredicate:
    """`is enemy.side`: equal to a value, or one of a set, that is no plain name."""

    span: Span
    value: Expr


Predicate = (
    NamePredicate | NonePredicate | EmptyPredicate | AtPredicate | WithinPredicate | FlagPredicate
    | ExprPredicate
)  # fmt: skip


@frozen
class Is:
    span: Span
    subject: Expr
    predicate: Predicate
    negated: bool


@frozen
class Range:
    """`2..5`, a set of numbers; after `in` also `5..` and `..4`, of anything in order."""

    span: Span
    low: Expr | None
    high: Expr | None


@frozen
class In:
    span: Span
    value: Expr
    members: Expr
    negated: bool


@frozen
class Quantified:
    """`every e in S is P`, `some e in S has C`, `no e in S`; `test` is None for mere existence."""

    span: Span
    quantifier: Literal["every", "some", "no"]
    var: Name
    over: Expr
    test: Predicate | Expr | None
    negated: bool


@frozen
class Outside:
    """An expression put in by an amendment: it sees no locals of where it stands.  Not in the grammar."""

    span: Span
    value: Expr


@frozen
class During:
    """True if today is in a stretch of time; ends inclusive, None is open.  Not in the grammar."""

    span: Span
    first: int | None
    last: int | None


Expr = (
    Integer | Date | RatioLiteral | FlagLiteral | TextLiteral | NoneLiteral | It | Its | Reference | Call
    | Field | Unmodified | SetLiteral | Coalesce | Conditional | Binary | Divide | Negative | PlacedAt | Count
    | Aggregate | Where | With | LinkedTo | CheapestWay | Logic | Not | Compare | Is | Range | In | Quantified
    | Outside | During
)  # fmt: skip
