"""Results kept from one run to the next, each under a key made of everything that decides it.

A key has a digest of what was read, and where code decides the result too, `code_digest`.  `ResultStore` has
each result in an entry of its own; `ResultTable` reads and writes many small results in one.  Both are
plain JSON in the cache; an entry that does not decode is a miss.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Generic, TypeVar

from rulekit.base import cache
from rulekit.base.frozen import frozen
from rulekit.base.resources import PACKAGE

V = TypeVar("V")

DAMAGED = (ValueError, TypeError, IndexError, KeyError, AttributeError, RecursionError)
"""Errors that decoding may raise for an entry that another program wrote."""


def same(value: V) -> V:
    """Return the value itself: the codec of results that are plain JSON."""
    return value


@frozen
class ResultStore(Generic[V]):
    """Results of one kind.

    `encode` makes plain JSON of a result; `decode` makes the result of it, or raises one of `DAMAGED`.
    """

    kind: str
    encode: Callable[[V], Any]
    decode: Callable[[Any], V]

    def get(self, key: str) -> V | None:
        """Return the result kept for a key; None if there is none that decodes."""
        entry = cache.get(self.kind, key)
        try:
            return None if entry is None else self.decode(json.loads(entry))
        except DAMAGED:
            return None

    def put(self, key: str, result: V) -> None:
        """Keep a result, if the disk allows; not one that is nested too deeply."""
        with suppress(RecursionError):
            plain = self.encode(result)  # which has no circles
            text = json.dumps(plain, separators=(",", ":"), check_circular=False)
            cache.put(self.kind, key, text.encode())


class ResultTable(Generic[V]):
    """Small results in one entry, such as those about one rule set, by name.

    Args:
        results: Reads and writes the whole table.
        key: None: nothing is read or written, and results last as long as the table.
        most: The number of results kept, those asked for last; None for those of this run only.
    """

    def __init__(
        self, results: ResultStore[Mapping[str, V]], key: str | None, most: int | None = None
    ) -> None:
        self._results, self._key, self._most = results, key, most
        self._used: dict[str, V] = {}
        self._new: dict[str, V] = {}

    @functools.cached_property
    def _stored(self) -> Mapping[str, V]:
        return {} if self._key is None else self._results.get(self._key) or {}

    def load(self) -> None:
        """Read the entry now, so that forks of this process need not."""
        self._stored  # noqa: B018  # a property that reads when it is asked for

    def get(self, name: str) -> V | None:
        """Return the result of this name; None if there is none."""
        result = self._used.get(name)
        if result is None:
            result = self._stored.get(name)
            if result is not None:
                self._used[name] = result
        return result

    def put(self, name: str, result: V) -> None:
        """Keep a result."""
        self._used[name] = self._new[name] = result

    @property
    def new(self) -> Mapping[str, V]:
        """The results that this run has added."""
        return self._new

    def add(self, results: Mapping[str, V]) -> None:
        """Take over the new results of another process."""
        self._used.update(results)
        self._new.update(results)

    def save(self) -> None:
        """Write the table, if any result is new."""
        if self._key is None or not self._new:
            return
        kept = self._used
        if self._most is not None:
            others = {name: result for name, result in self._stored.items() if name not in kept}
            kept = dict(list({**others, **kept}.items())[-self._most :])
        self._results.put(self._key, kept)


def plain_table(plain: Any) -> Mapping[str, Any]:
    """Decode a table of results that are plain JSON.

    Raises:
        TypeError: It is not a table.
    """
    if not isinstance(plain, dict):
        raise TypeError("not a table of results")
    return plain


_CODE: ResultStore[str] = ResultStore("code", same, str)


@functools.cache
def code_digest(part: str = "") -> str:
    """Return a digest of rulekit's code, or of a part of it such as `syntax`.

    It follows from the content of the files, which is read only when a size or a time is new.
    """
    files = sorted(_code_files(os.path.join(PACKAGE, part)))
    key = cache.key_of(*(f"{path}:{size}:{time}" for path, size, time in files))
    digest = _CODE.get(key)
    if digest is None:
        digest = cache.key_of(*(part for path, _, _ in files for part in (_name(path), _content(path))))
        _CODE.put(key, digest)
    return digest


def _code_files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the modules under a folder: path, size, time.  `Path.rglob` would take three times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _code_files(entry.path) if entry.name != "__pycache__" else ()
            elif entry.name.endswith(".py"):
                about = entry.stat()
                yield entry.path, about.st_size, about.st_mtime_ns


def _name(path: str) -> str:
    return path.removeprefix(f"{PACKAGE}{os.sep}").replace(os.sep, "/")


def _content(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()
