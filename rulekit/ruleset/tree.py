"""A data file as it was written: text, lists and mappings, each with its place; nothing read into them yet.

`yaml` makes these from YAML or from the cache; `reading` and its callers read them.
"""

from __future__ import annotations

from typing import Any

from rulekit.base.frozen import frozen
from rulekit.base.source import Span


@frozen
class Scalar:
    """A stretch of text; `plain` if it was written without quotes, so that it may be a number."""

    text: str
    plain: bool
    span: Span


@frozen
class Items:
    """A list."""

    nodes: tuple[Node, ...]
    span: Span


@frozen
class Entries:
    """A mapping, in the order written; no key occurs twice."""

    pairs: tuple[tuple[Scalar, Node], ...]
    span: Span


Node = Scalar | Items | Entries


def to_json(node: Node) -> list[Any]:
    """For the cache: a scalar starts with its text, a list with 1, a mapping with 2."""
    span = node.span
    place = [span.line, span.column, span.end_line, span.end_column]
    match node:
        case Scalar(text, plain):
            return [text, int(plain), *place]
        case Items(nodes):
            return [1, [to_json(child) for child in nodes], *place]
        case Entries(pairs):
            return [2, [[to_json(key), to_json(value)] for key, value in pairs], *place]


def from_json(data: Any, file: str) -> Node:
    """The tree `to_json` wrote.

    Raises:
        ValueError, TypeError: It did not write this.
    """
    what, inner, *place = data
    span = Span(file, *place)
    if isinstance(what, str):
        return Scalar(what, bool(inner), span)
    if what == 1:
        return Items(tuple([from_json(child, file) for child in inner]), span)
    if what == 2:
        return Entries(tuple([(_scalar(key, file), from_json(value, file)) for key, value in inner]), span)
    raise ValueError("not a tree")


def _scalar(data: Any, file: str) -> Scalar:
    node = from_json(data, file)
    if not isinstance(node, Scalar):
        raise TypeError("not a key")
    return node
