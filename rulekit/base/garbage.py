"""Seldom looking for garbage, in work that keeps nearly all of its objects."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Final

SELDOM: Final = 10_000_000
"""New objects between two collections."""


@contextlib.contextmanager
def few_collections() -> Iterator[None]:
    """Let the collector of reference cycles run seldom; all other objects are freed at once, as ever."""
    before = gc.get_threshold()
    gc.set_threshold(max(SELDOM, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
