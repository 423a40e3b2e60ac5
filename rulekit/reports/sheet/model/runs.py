"""Text as runs, for those who make a sheet and those who render one."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.reports.sheet.model.document import Run, Runs


def text(words: str) -> Runs:
    """Plain words as runs; none for none."""
    return (Run("text", words),) if words else ()


def strong(words: str) -> Runs:
    """Weighty words as runs; none for none."""
    return (Run("strong", words),) if words else ()


def refs(numbers: Iterable[str]) -> Runs:
    """Printed numbers as runs."""
    return tuple(Run("ref", number) for number in numbers)
