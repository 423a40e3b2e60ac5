"""Findings for people: place, line, underlined text, other places, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.render_text import Lines, TextOf, printable, printable_character, width

WIDTH = 110
"""Cells a line may take; longer source lines are cut around what is underlined."""
MIN_WIDTH = 40
MOST_ROWS = 24
"""Lines of an example that are shown."""

Piece = tuple[str, str]
"""A stretch of text and its role: a severity, `message`, `frame`, `place`, `label`, `hint`, or empty."""

Paint = Callable[[str, str], str]
"""Gives a text the style of its role."""

_WORD = re.compile(r"(?:`[^`]*`|\S)+")


def render(
    diagnostics: Iterable[Diagnostic],
    text_of: TextOf,
    paint: Paint | None = None,
    *,
    width: int = WIDTH,
    fold: bool = False,
) -> str:
    """Return every finding with its places, a blank line between two; empty if there are none.

    Args:
        paint: Gives each stretch of text its style; None for plain text.
        width: Cells of a line of the screen.
        fold: Break messages and labels between words, for a screen that would break them anywhere.
    """
    lines = Lines(text_of)
    room = max(width, MIN_WIDTH)
    return "\n".join(
        "".join(_paint(row, paint) + "\n" for row in _finding(finding, lines, room, fold=fold))
        for finding in diagnostics
    )


def _paint(row: Sequence[Piece], paint: Paint | None) -> str:
    if paint is None:
        return "".join(text for text, _ in row).rstrip()
    return "".join(paint(text, role) if role else text for text, role in row)


def _finding(found: Diagnostic, lines: Lines, width: int, *, fold: bool) -> Iterator[Sequence[Piece]]:
    kind = found.kind
    severity = "accepted" if found.accepted else str(kind.severity)
    head = f"{severity}[{kind.code} {kind.name}]"
    first, *rest = [printable(found.message)]
    if fold:
        words = [head + ":", *_WORD.findall(first)]
        first, *rest = _fold_text(words, width)
        first = first.removeprefix(f"{head}: ")
    yield (head, severity), (f": {first}", "message")
    yield from (((f"  {row}", "message"),) for row in rest)
    places = [_Place(found.span, printable(found.under), severity)]
    places += [_Place(label.span, printable(label.text), "label") for label in found.labels]
    digits = max(2, *(len(str(place.span.line)) for place in places))
    yield from _Excerpt(lines, digits, width, fold).rows(places)
    remarks = list(_remarks(found))
    if remarks:
        yield ((f"{'':{digits}}│", "frame"),)
    for word, text in remarks:
        yield from _remark(word, text, digits, width)
    if found.replay is not None and not found.accepted:
        yield (f"{'':{digits}}= ", "frame"), ("replay", "hint")
        for row in found.replay.words:
            yield (f"{'':{digits}}    ", "frame"), (printable(row), "")
    if found.example and not found.accepted:
        yield (f"{'':{digits}}= ", "frame"), ("example", "hint")
        rows = found.example.splitlines()
        for row in rows if len(rows) <= MOST_ROWS else rows[: MOST_ROWS - 1]:
            yield ((f"{'':{digits}}    {printable(row)}", ""),)
        if len(rows) > MOST_ROWS:
            left = f"and {len(rows) - MOST_ROWS + 1} lines more, which `--write-examples FILE` writes down"
            yield ((f"{'':{digits}}    {left}", "hint"),)


def _remarks(finding: Diagnostic) -> Iterator[tuple[str, str]]:
    if finding.accepted:
        yield "reason", finding.accepted
        return
    if finding.conflict is not None:
        yield from finding.conflict.remarks()
    if finding.hint:
        yield "hint", finding.hint


def _remark(word: str, text: str, digits: int, room: int) -> Iterator[Sequence[Piece]]:
    """Break the text between words, never inside backticks: readers may copy what is in them."""
    indent = digits + len(f"= {word}  ")
    first, *rest = _fold_text(_WORD.findall(printable(text)), room - indent) or [""]
    yield (f"{'':{digits}}= ", "frame"), (word, "hint"), (f"  {first}", "")
    for row in rest:
        yield ((f"{'':{indent}}{row}", ""),)


def _fold_text(words: Iterable[str], room: int) -> list[str]:
    """Return words in rows of at most `room` cells, a longer word in a row of its own."""
    rows: list[str] = []
    for word in words:
        if rows and width(rows[-1]) + 1 + width(word) <= room:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


@frozen
class _Place:
    """A span to show, with its word and the role of its underline."""

    span: Span
    word: str
    role: str


@frozen
class _Cut:
    """The visible part of a line, and its underlined cells."""

    text: str
    start: int
    length: int
    whole: bool


@frozen
class _Excerpt:
    """Shows places: the line numbers take `digits` cells, a row at most `width`."""

    lines: Lines
    digits: int
    width: int
    fold: bool

    def rows(self, places: Iterable[_Place]) -> Iterator[Sequence[Piece]]:
        before: Span | None = None
        for place in places:
            span = place.span
            line = self.lines.line(span.file, span.line)
            if before is None or before.file != span.file or line is None:
                yield self._gutter("┌─ "), (printable(str(span)), "place")
                before = None
            elif before.line != span.line:
                yield (self._gutter("┆"),)
            if line is not None:
                repeated = before is not None and before.line == span.line
                yield from self._line(place, line, repeated)
                before = span
            elif place.word:
                yield self._gutter("│ "), (place.word, place.role)

    def _line(self, place: _Place, line: str, repeated: bool) -> Iterator[Sequence[Piece]]:
        span = place.span
        cut = _cut_around(line, span, self.width - self.digits - 2)
        if not (repeated and cut.whole):
            yield (f"{span.line:>{self.digits}}│ ", "frame"), (cut.text, "")
        word = f"{place.word} (to line {span.end_line})" if span.end_line > span.line else place.word
        underline = " " * cut.start + "─" * cut.length
        room = self.width - self.digits - 2
        if not self.fold or width(f"{underline} {word.strip()}") <= room:
            yield self._gutter("│ "), (f"{underline} {word.strip()}".rstrip(), place.role)
            return
        yield self._gutter("│ "), (underline, place.role)
        indent = min(cut.start, room // 3)
        for row in _fold_text(_WORD.findall(word), room - indent):
            yield self._gutter("│ "), (" " * indent + row, place.role)

    def _gutter(self, mark: str) -> Piece:
        return f"{'':{self.digits}}{mark}", "frame"


def _cut_around(line: str, span: Span, room: int) -> _Cut:
    """Return the line in cells, at most `room` of them, around the start of the span."""
    start = min(max(span.column - 1, 0), len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    # A line of millions of characters is first brought near the span, so that only what may show is measured.
    near = max(0, start - room) if len(line) > 4 * room else 0
    cells = _Cells.of(line[near : near + 4 * room])
    first, last = cells.window(start - near, room)
    head = "…" if near + first > 0 else ""
    tail = "…" if near + last < len(line) else ""
    begin = cells.at[start - near] - cells.at[first] + len(head)
    finish = cells.at[min(max(end - near, start - near), last)] - cells.at[first] + len(head)
    text = head + "".join(cells.shown[first:last]) + tail
    return _Cut(text, begin, max(finish - begin, 1), not head and not tail)


@frozen
class _Cells:
    """Characters as shown, and the cell where each starts; one more for the end."""

    shown: tuple[str, ...]
    at: tuple[int, ...]

    @staticmethod
    def of(line: str) -> _Cells:
        texts, at = [], [0]
        for character in line:
            texts.append(printable_character(character, at[-1]))
            at.append(at[-1] + width(texts[-1]))
        return _Cells(tuple(texts), tuple(at))

    def window(self, start: int, room: int) -> tuple[int, int]:
        """Return the first and last (exclusive) character to show, at most a third of them before `start`."""
        if self.at[-1] <= room:
            return 0, len(self.shown)
        inner = room - 2  # a mark at each cut end
        first = start
        while first > 0 and (
            self.at[start] - self.at[first - 1] <= inner // 3 or self.at[-1] - self.at[first - 1] <= inner
        ):
            first -= 1
        last = first
        while last < len(self.shown) and self.at[last + 1] - self.at[first] <= inner:
            last += 1
        return first, max(last, start)
