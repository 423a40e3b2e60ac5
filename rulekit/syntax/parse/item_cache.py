"""Parsed items kept in the cache, so that what is unchanged is not parsed again.

One entry a file of rules holds every sound item of it by the hash of the item's text; an item found there is
rebuilt at its present line, whatever else in the file has changed.  Entries are plain JSON: lists that begin
with a class's number.  Whatever does not rebuild is parsed anew.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from rulekit.base import cache
from rulekit.base.results import DAMAGED, ResultStore, ResultTable, code_digest, plain_table, same
from rulekit.base.source import Source, Span
from rulekit.syntax.tree import expr, items, stmt, types

_ITEMS: ResultStore[Mapping[str, Any]] = ResultStore("parsed-items", same, plain_table)
_TUPLE, _SPAN = -1, -2


@functools.cache
def _classes() -> tuple[type, ...]:
    """Every class of the tree, in an order that follows from their names."""
    classes = {
        value
        for module in (expr, items, stmt, types)
        for value in vars(module).values()
        if dataclasses.is_dataclass(value) and isinstance(value, type) and value is not Span
    }
    return tuple(sorted(classes, key=lambda made: made.__qualname__))


@functools.cache
def _numbers() -> Mapping[type, tuple[int, tuple[str, ...]]]:
    return {cls: (n, tuple(f.name for f in dataclasses.fields(cls))) for n, cls in enumerate(_classes())}


def text_hash(text: str) -> str:
    """Return the name of an item in the cache."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class ItemCache:
    """The items of one file; `save` keeps those that this run has used."""

    def __init__(self, source: Source, grammar: str) -> None:
        self._file = source.file
        key = cache.key_of(code_digest("syntax"), grammar, source.home, source.file)
        self._items: ResultTable[Any] = ResultTable(_ITEMS, key)

    def get(self, text: str, offset: int) -> items.Item | None:
        """Return the item of a text that begins `offset` lines into the file; None if it is not known."""
        stored = self._items.get(text_hash(text))
        try:
            item = None if stored is None else _rebuilt(stored, self._file, offset)
        except DAMAGED:
            return None
        return item if isinstance(item, items.Item) else None

    def put(self, text: str, offset: int, item: items.Item) -> None:
        """Keep a sound item."""
        self._items.put(text_hash(text), _flat(item, offset))

    def save(self) -> None:
        """Write the items that the file has now, if any is new."""
        self._items.save()


def _flat(value: Any, offset: int) -> Any:
    """A node as lists, its lines counted from the item's first."""
    kinds = _numbers()

    def flat(value: Any) -> Any:
        kind = value.__class__
        if kind is Span:
            return [_SPAN, value.line - offset, value.column, value.end_line - offset, value.end_column]
        if kind is tuple:
            return [_TUPLE, *[flat(part) for part in value]]
        number_and_names = kinds.get(kind)
        if number_and_names is None:
            return value
        number, names = number_and_names
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
        cls: Callable[..., Any] = classes[number]
        return cls(*[build(part) for part in value[1:]])

    return build(stored)
