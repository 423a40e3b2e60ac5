"""The parts of blocks: text as runs, lines, marks of the sides that act, heads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rulekit.base.frozen import frozen

RunKind = Literal[
    "text", "strong", "faint", "ref", "die", "side", "tag", "factor", "circled", "yes", "no", "note", "odds"
]
"""Kinds of runs: plain, strong and faint words; rule numbers; the name of a roll; a side's mark (its text is
the index of the side in `Sheet.sides`); a tag; a printed factor, and one in a circle; permission and
prohibition (without text); a footnote's mark; an exact chance."""


@frozen
class Run:
    """A stretch of text of one kind."""

    kind: RunKind
    text: str


Runs = tuple[Run, ...]


@frozen
class Side:
    """A side; `letter` identifies it in a mark."""

    name: str
    letter: str


@frozen
class Who:
    """The sides that act: indexes into `Sheet.sides`, in this order, and how they act together."""

    sides: tuple[int, ...]
    joint: Literal["alone", "then", "turns", "together", "either"]


Status = Literal["", "changed", "added", "removed"]
"""The effect of an option in force on a line, shown by a bar in the margin."""


@frozen
class Line:
    """One thing that a player reads.

    Attributes:
        number: As printed; empty where the booklet has none.
        title: A few words, where there are such.
        see: Further printed numbers.
        rolls: Names of what is rolled.
        depth: How many rounds it is inside of.
        instead: What holds in its place while an exception is in force.
        by: Tags of the options that `status` is about.
        soft: Whether the fact is not from the booklet.
    """

    number: str = ""
    title: Runs = ()
    text: Runs = ()
    see: tuple[str, ...] = ()
    who: Who | None = None
    rolls: tuple[str, ...] = ()
    depth: int = 0
    instead: tuple[Line, ...] = ()
    by: tuple[str, ...] = ()
    status: Status = ""
    soft: bool = False


@frozen
class Head:
    """The head of a block.

    Attributes:
        id: By which it is asked for alone: `table:effect`.  No two blocks of a sheet have the same.
        see: The printed numbers that it is about.
        by: Tags of the options that brought the whole block.
        remark: A word beside the title, such as the status of an option.
        lead: A sentence before it.
        wide: Whether it wants the whole width of a page.
        notes: Under it; the number of a note is its mark.
    """

    id: str
    title: str
    see: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    remark: str = ""
    lead: Runs = ()
    wide: bool = False
    notes: tuple[Line, ...] = ()


def text(words: str) -> Runs:
    """Return words as runs of plain text; no runs for no words."""
    return (Run("text", words),) if words else ()


def strong(words: str) -> Runs:
    """Return words as runs of strong text; no runs for no words."""
    return (Run("strong", words),) if words else ()


def refs(numbers: Iterable[str]) -> Runs:
    """Return rule numbers as runs."""
    return tuple(Run("ref", number) for number in numbers)
