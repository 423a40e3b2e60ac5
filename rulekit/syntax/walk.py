"""Generic access to what is written, for those who look through it for one sort of node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
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


def _parts(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of a sort of node, the last first; None if it is none."""
    if kind not in _known:
        node = is_dataclass(kind) and not issubclass(kind, Span)
        _known[kind] = tuple(field.name for field in reversed(fields(kind))) if node else None
    return _known[kind]


_known: dict[type[Any], tuple[str, ...] | None] = {}
