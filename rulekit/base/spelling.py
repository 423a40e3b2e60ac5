"""What somebody may have meant: the known names that look most like one that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LONGEST = 200
"""Characters that are compared: comparing is quadratic in them, and a stranger's name may be a megabyte."""


def nearest(name: str, known: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """The names most like `name`, the nearest first; the order in which they are known means nothing.

    Args:
        cutoff: How alike they must be, from 0 for anything to 1 for nothing but itself.
    """
    from difflib import get_close_matches  # only ever needed to report a mistake

    return get_close_matches(name[:LONGEST], sorted(known), n=most, cutoff=cutoff)


def meant(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """A hint with the known name that is most like `name`; None where none is."""
    near = nearest(name, known, cutoff=cutoff)
    return f"did you mean `{near[0]}`?" if near else None


def suggestion(name: str, known: Sequence[str], otherwise: str = "") -> str:
    """Return the hint after "unknown ...;": the name most like it, else `otherwise`, else all names."""
    return meant(name, known) or otherwise or f"choose from {', '.join(known)}"
