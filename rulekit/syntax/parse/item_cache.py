"""Parsed items kept in the cache, so that what is unchanged is not parsed again.

One entry a file of rules holds every sound item of it by the hash of the item's text; an item found there is
rebuilt at its present line, whatever else in the file has changed.  Entries are plain JSON: lists that begin
with a class's number.  Whatever does not rebuild is parsed anew.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rulekit.base import cache
from rulekit.base.source import Source, Span
from rulekit.syntax.tree import expr, items, stmt, types

_KIND = "parsed-items"
_FORMAT = "1"
_TUPLE, _SPAN = -1, -2


@functools.cache
def _classes() -> tuple[type, ...]:
    """Every class of the tree, in an order that follows from their names."""
    found = {
        value
        for module in (expr, items, stmt, types)
        for value in vars(module).values()
        if dataclasses.is_dataclass(value) and isinstance(value, type) and value is not Span
    }
    return tuple(sorted(found, key=lambda made: made.__qualname__))


@functools.cache
def _numbers() -> Mapping[type, tuple[int, tuple[str, ...]]]:
    return {made: (n, tuple(f.name for f in dataclasses.fields(made))) for n, made in enumerate(_classes())}


@functools.cache
def _shape() -> str:
    """A digest of the classes, their fields and this code: a tree written by another is not read."""
    text = ";".join(f"{made.__qualname__}({','.join(names)})" for made, (_, names) in _numbers().items())
    package = Path(__file__).parent
    times = max(path.stat().st_mtime_ns for path in package.glob("*.py"))
    return hashlib.sha256(f"{_FORMAT};{times};{text}".encode()).hexdigest()


def text_hash(text: str) -> str:
    """What an item is found by."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Store:
    """The stored items of one file; `save` writes back what this run has used."""

    def __init__(self, source: Source, grammar: str) -> None:
        self._file = source.file
        self._key = cache.key_of(_shape(), grammar, source.home, source.file)
        self._used: dict[str, Any] = {}
        self._stored = self._load()
        self._changed = False

    def _load(self) -> dict[str, Any]:
        stored = cache.get(_KIND, self._key)
        try:
            loaded = json.loads(stored) if stored else {}
        except ValueError:
            return {}
        return loaded if isinstance(loaded, dict) else {}

    def get(self, text: str, offset: int) -> items.Item | None:
        """The item of a text that begins `offset` lines into the file; None if it is not known."""
        key = text_hash(text)
        stored = self._stored.get(key)
        if stored is None:
            return None
        try:
            made = _rebuilt(stored, self._file, offset)
        except (ValueError, TypeError, IndexError, KeyError, RecursionError):
            return None
        if not isinstance(made, items.Item):
            return None
        self._used[key] = stored
        return made

    def put(self, text: str, offset: int, item: items.Item) -> None:
        """Keep a sound item."""
        self._used[text_hash(text)] = _flat(item, offset)
        self._changed = True

    def save(self) -> None:
        """Write what the file holds now, if that is not what is stored."""
        if self._changed:
            cache.put(_KIND, self._key, json.dumps(self._used, separators=(",", ":")).encode())


def _flat(value: Any, offset: int) -> Any:
    """A node as lists, its lines counted from the item's first."""
    kinds = _numbers()

    def flat(value: Any) -> Any:
        kind = value.__class__
        if kind is Span:
            return [_SPAN, value.line - offset, value.column, value.end_line - offset, value.end_column]
        if kind is tuple:
            return [_TUPLE, *[flat(part) for part in value]]
        found = kinds.get(kind)
        if found is None:
            return value
        number, names = found
        return [number, *[flat(getattr(value, name)) for name in names]]

    return flat(value)


def _rebuilt(stored: Any, file: str, offset: int) -> Any:
    """The node that was flattened."""
    classes = _classes()

    def build(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        number = value[0]
        if number == _SPAN:
            return Span(file, value[1] + offset, value[2], value[3] + offset, value[4])
        if number == _TUPLE:
            return tuple([build(part) for part in value[1:]])
        made: Callable[..., Any] = classes[number]
        return made(*[build(part) for part in value[1:]])

    return build(stored)
