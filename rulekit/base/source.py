"""Text with a place: sources and spans.  Knows nothing of the language."""

from __future__ import annotations

from functools import lru_cache

from rulekit.base.frozen import frozen


@frozen
class Span:
    """A stretch of one file: half-open, lines and columns counted from 1.

    `file` is the path as the user gave it, or inside the rule set's folder as a relative path with `/`.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @staticmethod
    def at(file: str, line: int, column: int) -> Span:
        """Return the first character of something without a known end, such as a site of the IR."""
        return Span(file, line, column, line, column + 1)

    def to(self, other: Span) -> Span:
        """Return the stretch from the start of this span to the end of `other` (same file)."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def __lt__(self, other: Span) -> bool:
        return (self.file, self.line, self.column, self.end_line, self.end_column) < (
            other.file, other.line, other.column, other.end_line, other.end_column
        )  # fmt: skip

    def contains(self, other: Span) -> bool:
        """True if `other` is a stretch of this one, or the same."""
        return (
            self.file == other.file
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@frozen
class Source:
    """One file's text as it was read; `home` is the folder that `file` is in, where that is known."""

    file: str
    text: str
    home: str = ""

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its end; empty beyond the last."""
        lines = _lines(self.text)
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def rows(self, span: Span) -> list[str]:
        """Return the lines at a span, without their ends; none beyond the end of the text."""
        rows = list(_lines(self.text)[span.line - 1 : span.end_line])
        if len(rows) > span.end_line - span.line:
            rows[-1] = rows[-1][: span.end_column - 1]
        if rows:
            rows[0] = rows[0][span.column - 1 :]
        return rows

    def whole(self) -> Span:
        """Return the first character, for findings about a file as a whole."""
        return Span(self.file, 1, 1, 1, 1)


def option_of(file: str) -> str:
    """Return the option that a file of a rule set belongs to, by its path; empty if it is not an option's."""
    is_option = file.startswith("options/") and file.endswith(".rules")
    return file.removeprefix("options/").removesuffix(".rules") if is_option else ""


@lru_cache(maxsize=256)
def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.rstrip("\r") for line in text.split("\n"))
