"""Results for trees that occur again in another program of the set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Trees:
    """Results by the identity of frozen trees, all of which it keeps alive."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[object, Any]] = {}

    def get(self, what: str, tree: object) -> Any:
        """Return the result kept for a tree; None if there is none."""
        known = self._known.get((what, id(tree)))
        return known[1] if known is not None else None

    def put(self, what: str, tree: object, value: Any) -> None:
        """Keep a result for a tree."""
        self._known[what, id(tree)] = tree, value

    def of(self, what: str, tree: object, make: Callable[[Any], T]) -> T:
        """Return the result of `make` for a tree, which depends on the tree alone and is not None."""
        known: T | None = self.get(what, tree)
        if known is None:
            known = make(tree)
            self.put(what, tree, known)
        return known
