"""Types as they are written."""

from __future__ import annotations

from typing import Literal

from rulekit.base.frozen import frozen
from rulekit.base.source import Span


@frozen
class PlainType:
    """`flag`, `month`, `ratio`, `text`."""

    span: Span
    word: Literal["flag", "month", "ratio", "text"]


@frozen
class RangeType:
    """`lo..hi`; dice are the range of their sums."""

    span: Span
    low: int
    high: int


@frozen
class NamedType:
    span: Span
    name: str


@frozen
class SetType:
    span: Span
    of: TypeExpr


@frozen
class ListType:
    span: Span
    of: TypeExpr
    most: int | None


@frozen
class MapType:
    span: Span
    key: str
    value: TypeExpr


@frozen
class OptionalType:
    span: Span
    of: TypeExpr


TypeExpr = PlainType | RangeType | NamedType | SetType | ListType | MapType | OptionalType
