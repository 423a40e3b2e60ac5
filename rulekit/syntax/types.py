"""Types as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulekit.source import Span


@dataclass(frozen=True, slots=True)
class PlainType:
    """`flag`, `month`, `ratio`."""

    span: Span
    word: Literal["flag", "month", "ratio"]


@dataclass(frozen=True, slots=True)
class RangeType:
    """`lo..hi`; dice are the range of their sums."""

    span: Span
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class NamedType:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class SetType:
    span: Span
    of: TypeExpr


@dataclass(frozen=True, slots=True)
class ListType:
    span: Span
    of: TypeExpr
    most: int | None


@dataclass(frozen=True, slots=True)
class MapType:
    span: Span
    key: str
    value: TypeExpr


@dataclass(frozen=True, slots=True)
class OptionalType:
    span: Span
    of: TypeExpr


TypeExpr = PlainType | RangeType | NamedType | SetType | ListType | MapType | OptionalType
