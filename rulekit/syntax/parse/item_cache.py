"""Parsed items kept in the cache, so that what is unchanged is not parsed again.

One entry a file of rules holds every sound item of it by the hash of the item's text; an item found there is
rebuilt at its present line, whatever else in the file has changed.  Whatever does not rebuild is parsed anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from rulekit.base import cache
from rulekit.base.codec import Codec, Encoding
from rulekit.base.results import DAMAGED, ResultStore, ResultTable, code_digest, plain_table, same
from rulekit.base.source import Source, Span
from rulekit.syntax.tree.items import Item

_ITEMS: ResultStore[Mapping[str, Any]] = ResultStore("parsed-items", same, plain_table)
_Place = tuple[str, int]
"""The file of an item, and how many lines into it the item begins."""


def _write_span(span: Span, place: _Place) -> list[int]:
    offset = place[1]
    return [span.line - offset, span.column, span.end_line - offset, span.end_column]


def _read_span(plain: Any, place: _Place) -> Span:
    offset = place[1]
    return Span(place[0], plain[0] + offset, plain[1], plain[2] + offset, plain[3])


CODEC: Codec[Item] = Codec(Item, Encoding(Span, list, _write_span, _read_span))
"""Items as plain JSON; the context is a `_Place`."""


def text_hash(text: str) -> str:
    """Return the name of an item in the cache."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class ItemCache:
    """The items of one file; `save` keeps those that this run has used."""

    def __init__(self, source: Source, grammar: str) -> None:
        self._file = source.file
        key = cache.key_of(code_digest("syntax"), code_digest("base"), grammar, source.home, source.file)
        self._items: ResultTable[Any] = ResultTable(_ITEMS, key)

    def get(self, text: str, offset: int) -> Item | None:
        """Return the item of a text that begins `offset` lines into the file; None if it is not known."""
        stored = self._items.get(text_hash(text))
        try:
            return None if stored is None else CODEC.decode(stored, (self._file, offset))
        except DAMAGED:
            return None

    def put(self, text: str, offset: int, item: Item) -> None:
        """Keep a sound item."""
        self._items.put(text_hash(text), CODEC.encode(item, (self._file, offset)))

    def save(self) -> None:
        """Write the items that the file has now, if any is new."""
        self._items.save()
