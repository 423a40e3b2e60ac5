"""Run the garbage collector seldom, in work that keeps nearly all of its objects."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from threading import Lock
from typing import Final

SELDOM: Final = 10_000_000
"""New objects between two collections."""

_LOCK: Final = Lock()
_BEFORE: Final[list[tuple[int, int, int]]] = []
"""The thresholds that each open block found, in order: whichever block ends last restores the first."""


@contextlib.contextmanager
def few_collections() -> Iterator[None]:
    """Let the collector of reference cycles run seldom; reference counts free all other objects as usual.

    Blocks may overlap, in threads of one process.
    """
    with _LOCK:
        before = gc.get_threshold()
        _BEFORE.append(before)
        gc.set_threshold(max(SELDOM, before[0]), *before[1:])
    try:
        yield
    finally:
        with _LOCK:
            gc.set_threshold(*_BEFORE.pop())
