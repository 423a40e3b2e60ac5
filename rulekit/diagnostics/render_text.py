"""Text as a terminal shows it, for all renderers of findings.

Columns count characters, a screen counts cells: a tab takes up to four, an ideograph two, an accent none.
Characters that would steer the terminal, or turn the reading direction, are shown as open signs: `\\u{202e}`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from rulekit.base.source import Span
from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.kinds import Severity

TextOf = Callable[[str], str]
"""A file's text by the name its spans use; empty, or an OSError, KeyError or UnicodeError, if it has none."""

TAB = 4
_UNSHOWN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_UNMOVING = frozenset(("Mn", "Me"))


def printable_character(character: str, cell: int = 0) -> str:
    """Return the character as it may be printed when the cursor is in `cell` (from 0)."""
    if " " <= character < "\x7f":
        return character
    if character == "\t":
        return " " * (TAB - cell % TAB)
    return open_sign(character) if unicodedata.category(character) in _UNSHOWN else character


def open_sign(character: str) -> str:
    """Return the number of a character in the way of text: `\\u{202e}`."""
    return f"\\u{{{ord(character):x}}}"


def width(text: str) -> int:
    """Return the cells that printable text takes."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _UNMOVING:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def printable(text: str) -> str:
    """Return one line of text, safe to print; line breaks become spaces."""
    if text.isprintable():
        return text
    return "".join(map(printable_character, " ".join(text.splitlines())))


class Lines:
    """Lines of files, each file fetched and cut once."""

    def __init__(self, text_of: TextOf) -> None:
        self._text_of = text_of
        self._files: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """Return line `number` (from 1) without its end; None if the file has none of that number."""
        if file not in self._files:
            self._files[file] = self._read(file)
        lines = self._files[file]
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def under(self, span: Span) -> str:
        """Return the text that a span covers on its first line."""
        line = self.line(span.file, span.line) or ""
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        return line[max(span.column - 1, 0) : max(end, 0)]

    def _read(self, file: str) -> list[str]:
        try:
            text = self._text_of(file)
        except (OSError, KeyError, UnicodeError):
            return []
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if text else []


def count(diagnostics: Iterable[Diagnostic]) -> str:
    """Return how many there are of each severity: `2 errors, 1 warning`; `no findings` if there are none."""
    severities = [diagnostic.kind.severity for diagnostic in diagnostics]
    parts = [
        f"{number:,} {severity}{'s' if number > 1 and severity is not Severity.UNDECIDED else ''}"
        for severity in Severity
        if (number := severities.count(severity))
    ]
    return ", ".join(parts) or "no findings"
