"""Generic access to what is written, for those who look through it for one sort of node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulekit.source import Span


def nodes(tree: object) -> Iterator[object]:
    """Every node of a piece of syntax (or of a tuple of such), itself first; places are no nodes."""
    if isinstance(tree, tuple):
        for part in tree:
            yield from nodes(part)
    elif is_dataclass(tree) and not isinstance(tree, Span):
        yield tree
        for field in fields(tree):
            yield from nodes(getattr(tree, field.name))
