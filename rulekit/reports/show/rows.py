"""Lines of the rules in force, each with its place; and the words of a condition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rulekit.base.frozen import frozen
from rulekit.base.source import Source, Span, option_of
from rulekit.compiler.names import Names
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

INDENT = "    "


@frozen
class RuleLine:
    """One line.

    Attributes:
        text: As written, indented for its new place.
        file: Where it is written; a line that was put together has the place of what made it.
        by: The exception or option that adds it; empty for the base.
        cited: The citation, in brackets; None for a text as written, which ends in its own.
    """

    text: str
    file: str
    line: int
    by: str = ""
    cited: str | None = None

    @property
    def depth(self) -> int:
        """Spaces before the text."""
        return len(self.text) - len(self.text.lstrip(" "))


class Texts:
    """Cuts lines and words out of the sources of a rule set."""

    def __init__(self, sources: Iterable[Source], names: Names) -> None:
        self._sources = {source.file: source for source in sources}
        self._variants: Mapping[str, i.Variant] = names.variants

    def brought_by(self, file: str, line: int) -> str:
        """The variant that a line belongs to; in a file of options the option itself."""
        for name, variant in self._variants.items():
            span = variant.span
            if span.file == file and span.line <= line <= self.last(span):
                return name
        return option_of(file)

    def last(self, span: Span) -> int:
        """The last line of a span that has anything of it but spaces and comments."""
        line, last = self._sources[span.file].line, span.end_line
        if last > span.line and not line(last)[: span.end_column - 1].strip():
            last -= 1
        while last > span.line and line(last).lstrip()[:1] in ("", "#"):
            last -= 1
        return last

    def row(self, file: str, line: int) -> RuleLine:
        """A line as written."""
        return RuleLine(self._sources[file].line(line).rstrip(), file, line, self.brought_by(file, line))

    def block(self, span: Span) -> tuple[RuleLine, ...]:
        """The lines of a span, whole."""
        return tuple(self.row(span.file, line) for line in range(span.line, self.last(span) + 1))

    def before(self, span: Span) -> str:
        """Return the text before a span on its first line, and before its opening bracket."""
        return self._sources[span.file].line(span.line)[: span.column - 1].rstrip(" (")

    def rest(self, span: Span) -> tuple[RuleLine, ...]:
        """The lines of a span, without the text before it on its first line."""
        if not self.before(span).strip():
            return self.block(span)
        first, *more = self.block(span)
        return (replace(first, text=first.text[len(self.before(span)) :].lstrip()), *more)

    def words(self, span: Span) -> str:
        """The text of a span on one line, without comments and citations at its lines' ends."""
        rows = self._sources[span.file].rows(span)
        return " ".join(filter(None, (re.sub(r"\s*#.*$", "", row).strip() for row in rows)))

    def line_for(self, text: str, span: Span) -> RuleLine:
        """A composed line for the place of a span."""
        return RuleLine(text, span.file, span.line, self.brought_by(span.file, span.line))

    def condition(self, e: x.Expr | i.DateSpan) -> str:
        """A condition in the words it was written in, also where it was put together from several."""
        if isinstance(e, x.Outside):
            return self.condition(e.value)
        if isinstance(e, x.Logic) and e.span in (e.left.span, e.right.span):
            return f"{self.condition(e.left)} {e.op} {self.condition(e.right)}"
        if isinstance(e, x.Not) and (e.span == e.value.span or self.words(e.span).startswith("unless")):
            return f"not ({self.condition(e.value)})"
        if isinstance(e, x.Conditional) and e.span == e.then.span:
            held, other = self.condition(e.condition), self.condition(e.fallback)
            return f"({self.condition(e.then)} when {held} otherwise {other})"
        return self.words(e.span)


def indent_rows(rows: Iterable[RuleLine], depth: int) -> Iterator[RuleLine]:
    """Rows of one block with the first of them at a depth, and the others as deep below it as before."""
    shift: int | None = None
    for row in rows:
        if shift is None:
            shift = depth - row.depth
        stripped = row.text.lstrip(" ")
        yield replace(row, text=" " * max(0, row.depth + shift) + stripped if stripped else "")
