"""A data file as it was written: text, lists and mappings, each with its place; nothing read into them yet.

`yaml` makes these from YAML or from the cache; `reading` and its callers read them.
"""

from __future__ import annotations

from typing import Any

from rulekit.base.codec import Codec, Encoding
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


def _write_span(span: Span, file: str) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]


def _read_span(plain: Any, file: str) -> Span:
    return Span(file, *plain)


CODEC: Codec[Node] = Codec(Node, Encoding(Span, list, _write_span, _read_span))
"""Trees as plain JSON; the context is the file."""
