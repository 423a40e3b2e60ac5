"""Generic access to what is written, for those who look through it for one sort of node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from rulekit.source import Span


def nodes(tree: object) -> Iterator[object]:
    """Every node of a piece of syntax (or of a tuple of such), itself first; places are no nodes."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
            continue
        parts = _parts(type(node))
        if parts is not None:
            yield node
            waiting.extend([getattr(node, part) for part in parts])


@cache
def _parts(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of a sort of node, the last first; None if it is none."""
    if not is_dataclass(kind) or issubclass(kind, Span):
        return None
    return tuple(field.name for field in reversed(fields(kind)))
