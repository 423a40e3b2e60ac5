"""Comments: where a line's comment begins, and citations that one swallows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, kinds

_SIGN = re.compile(r"[\"'\[#(){}]")
_CLOSING = {'"': re.compile('"'), "'": re.compile(r"'(?!\w)"), "[": re.compile(r"\]")}
_SAID_BEHIND = re.compile(r"\s*(\[[^\[\]]*\])?\s*(#.*)?$")
_GOES_ON = re.compile(
    r"\s*(?:(?:and|or|where|has|linked|within)\b|costing\s+[\w({]|stopping\s+at\b|with\s+(?:lowest|highest)\b|[+*\-])"
)
"""The words that `CONTINUATION` of the grammar has."""


def code_of(line: str) -> str:
    """Return a line without its comment and the space before it; a `#` in quotes or citations is text."""
    return line[: _scan_line(line)[0]].rstrip()


def without_citation(line: str) -> str:
    """Return a line, or the end of one, without citation and comment."""
    return _SAID_BEHIND.sub("", line)


def _scan_line(line: str) -> tuple[int, int]:
    """Return where a line's comment begins (or its end), and how many more brackets it opens than closes.

    Takes time linear in the line's length: it looks once for the end of an unclosed text.
    """
    at, depth, unclosed = 0, 0, set()
    while (match := _SIGN.search(line, at)) is not None:
        sign, at = match[0], match.end()
        if sign == "#":
            return match.start(), depth
        if sign in "({":
            depth += 1
        elif sign in ")}":
            depth -= 1
        elif sign not in unclosed:
            closing = _CLOSING[sign].search(line, at)
            if closing is None:
                unclosed.add(sign)
            else:
                at = closing.end()
    return len(line), depth


def count_continuing(lines: Sequence[str]) -> int:
    """Return how many lines continue the first one: in its brackets, after its comma, or with an `and`."""
    depth, count, goes_on = 0, 0, True
    for number, line in enumerate(lines):
        start, opened = _scan_line(line)
        code = line[:start].rstrip()
        if code:
            if not goes_on and not _GOES_ON.match(code):
                break
            count, depth = number, depth + opened
            goes_on = depth > 0 or code.endswith(",")
    return count


def find_swallowed(source: Source) -> Iterator[Diagnostic]:
    """Yield a warning for each citation at the end of a comment, where the code before it could have it.

    Lines that go on in the next one can have none, and a line with a citation of its own needs none.
    """
    lines = source.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not any("#" in line and line.rstrip().endswith("]") for line in lines):
        return
    depth = 0
    for number, line in enumerate(lines, 1):
        start, opened = _scan_line(line)
        depth += opened
        code, comment = line[:start].rstrip(), line[start:].rstrip()
        if depth > 0 or not code or code.endswith((",", "]")) or not _ends_in_citation(comment):
            continue
        if _GOES_ON.match(next((below for below in lines[number:] if code_of(below)), "")):
            continue
        at = start + comment.rfind("[")
        span = Span(source.file, number, at + 1, number, start + len(comment) + 1)
        message = f"citation `{line[at : start + len(comment)]}` inside a comment has no effect"
        yield Diagnostic(kinds.CITATION_IN_COMMENT, message, span, hint="move it before the `#`")


def _ends_in_citation(comment: str) -> bool:
    inner = comment[comment.rfind("[") + 1 : -1]
    return comment.endswith("]") and "[" in comment and "]" not in inner and any(map(str.isalnum, inner))
