"""Findings about files and data, in words."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from rulekit.base.characters import code_point, lacks_end
from rulekit.base.source import Span
from rulekit.base.spelling import meant
from rulekit.diagnostics import Diagnostic, Label, kinds


def did_you_mean(name: str, known: Collection[str]) -> str | None:
    """A hint naming the known name nearest to `name`, or all of them when they are few."""
    if hint := meant(name, known):
        return hint
    if 0 < len(known) <= 12:
        return "known here: " + ", ".join(f"`{word}`" for word in sorted(known))
    return None


def short(text: str) -> str:
    """The author's text in backticks, on one line, cut where it gets long."""
    text = text.replace("\n", "\\n")
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


def direction_mark(mark: str, text: str, span: Span) -> Diagnostic:
    """A mark that turns the direction of `text`, a line of a file or a value of it."""
    never = ", and nothing ends it" if lacks_end(text) else ""
    message = f"`{code_point(mark)}`, {unicodedata.name(mark).lower()}, turns the direction of text{never}"
    hint = "remove it; if the text needs it to be read, accept this finding"
    return Diagnostic(kinds.DIRECTION_MARK, message, span, hint=hint, under=code_point(mark))


def unknown_key(name: str, span: Span, known: Collection[str], where: str) -> Diagnostic:
    """`where` names what has no such key: "a data file"."""
    message = f"{where} has no {short(name)}"
    return Diagnostic(kinds.UNKNOWN_KEY, message, span, hint=did_you_mean(name, known), under="unknown")


def missing_key(name: str, span: Span, where: str, value: str = "...") -> Diagnostic:
    """`where` names what lacks it: "a data file"; `value` is the value to write, if there is only one."""
    return Diagnostic(kinds.MISSING_KEY, f"{where} must have `{name}`", span, hint=f"add `{name}: {value}`")


def duplicate(name: str, span: Span, first: Span) -> Diagnostic:
    """A key of a mapping, or a column, that was given before."""
    return Diagnostic(
        kinds.DUPLICATE_KEY,
        f"{short(name)} is given twice",
        span,
        (Label(first, "given here first"),),
        hint="keep one of them",
        under="given again",
    )


def wrong_shape(message: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A value of the wrong shape; `message` names the expected one and the one found."""
    return Diagnostic(kinds.WRONG_SHAPE, message, span, hint=hint)


def missing_column(name: str, span: Span, where: str) -> Diagnostic:
    """`where` names the population or table, as its author does."""
    message, hint = (
        f"{short(where)} has no column `{name}`",
        f"add `{name}` to `columns`, and its cell to every row",
    )
    return Diagnostic(kinds.MISSING_COLUMN, message, span, hint=hint)


def beyond(limit: str, most: int, span: Span) -> Diagnostic:
    """More than `most` of something a limit bounds."""
    hint = "split the file, or make it simpler"
    return Diagnostic(kinds.DATA_LIMIT, f"more than {most:,} {limit}", span, hint=hint, under="here")
