"""Suggestions: the known names that look most like an unknown one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence

LONGEST = 200
"""Characters that are compared: comparison is quadratic in them, and a name may be a megabyte."""
MOST_COMPARED = 200_000
"""Known names that one run compares with unknown ones, which takes some seconds."""


class _Left:
    """The comparisons left to the run."""

    number: float = float("inf")


@contextlib.contextmanager
def few_hints() -> Iterator[None]:
    """Bound the comparisons of a run; the names that come later get no hint.

    The bound holds for each run anew, also within another one: hints do not depend on what ran before.
    """
    before, _Left.number = _Left.number, MOST_COMPARED
    try:
        yield
    finally:
        _Left.number = before


def has_hints() -> bool:
    """Return whether the run may still compare names; else the known names need not be gathered."""
    return _Left.number > 0


def nearest(name: str, known: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return the names most like `name`, the nearest first; the order of `known` does not count.

    Args:
        cutoff: How alike they must be, from 0 for anything to 1 for the name itself.
    """
    from difflib import get_close_matches  # only ever needed to report a mistake

    if not has_hints():
        return []
    names = sorted(known)
    _Left.number -= len(names)
    return get_close_matches(name[:LONGEST], names, n=most, cutoff=cutoff)


def meant(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return a hint with the known name that is most like `name`, or None."""
    near = nearest(name, known, cutoff=cutoff)
    return f"did you mean `{near[0]}`?" if near else None


def suggestion(name: str, known: Sequence[str], otherwise: str = "") -> str:
    """Return the hint after "unknown ...;": the name most like it, else `otherwise`, else all names."""
    return meant(name, known) or otherwise or f"choose from {', '.join(known)}"
