"""Coordinates: the squares and hexes of a board, named as the game prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulekit.compiler.names import SHARED, Names
from rulekit.compiler.populate.type_reader import MAX_MEMBERS
from rulekit.diagnostics import Diagnostic, Label, Report
from rulekit.diagnostics.kinds import DECLARED_TWICE, IMPOSSIBLE_BOARD, IMPOSSIBLE_TYPE
from rulekit.syntax.tree import items as i

DIRECTION = "Direction"
"""The enum of the directions on the boards of a rule set."""
COORDINATE = "coordinate"
"""The column of data with the coordinates of members that have other names."""
_MOST_DIGITS = 5


def sound_boards(names: Names, report: Report) -> bool:
    """True if each board can be laid out; report what keeps others from it."""
    boards = [(item, item.board) for item in names.populations.values() if item.board is not None]
    findings = [fault for item, board in boards for fault in _faults(item.name.text, item, board)]
    for space in SHARED if boards else ():
        own = getattr(names, space).get(DIRECTION)
        if own is not None:
            label = Label(boards[0][0].name.span, "a board has directions")
            message = f"`{DIRECTION}` is declared twice: it is the enum of directions on boards"
            findings.append(Diagnostic(DECLARED_TWICE, message, own.name.span, (label,), "rename this one"))
    for finding in findings:
        report.add(finding)
    return not findings


def _faults(kind: str, item: i.Population, board: i.BoardDecl) -> Iterator[Diagnostic]:
    """Yield what keeps a board from being laid out, the first kind of fault only."""
    if item.count is not None:
        message = f"`{kind}` cannot have both a board and a number of members"
        hint = "remove the line: all squares or hexes are members; to leave some out, name the others"
        yield Diagnostic(IMPOSSIBLE_BOARD, message, item.span, hint=hint)
        return
    unlabelled = [axis for axis in (board.columns, board.rows) if not _is_labelled(axis)]
    for axis in unlabelled:
        message = f"expected two letters or two numbers, found `{axis.first}..{axis.last}`"
        hint = "write the labels of the first and the last, such as `a..h`, `8..1` or `01..24`"
        yield Diagnostic(IMPOSSIBLE_BOARD, message, axis.span, hint=hint)
    if unlabelled:
        return
    size = len(numbers(board.columns)) * len(numbers(board.rows))
    if size > MAX_MEMBERS:
        message = f"`{kind}` has {size:,} coordinates (limit: {MAX_MEMBERS:,})"
        yield Diagnostic(IMPOSSIBLE_TYPE, message, board.span)
        return
    name, times = Counter(name for name, _, _ in coordinates(board)).most_common(1)[0]
    if times > 1:
        message = f"two places on `{kind}` have the coordinate `{name}`"
        hint = "give all numbers as many digits, such as `01..12`"
        yield Diagnostic(IMPOSSIBLE_BOARD, message, board.span, hint=hint)


def _is_labelled(axis: i.Axis) -> bool:
    first, last = axis.first, axis.last
    if first.isdecimal() and last.isdecimal():
        return max(len(first), len(last)) <= _MOST_DIGITS
    letters = len(first) == len(last) == 1 and (first + last).isascii() and (first + last).isalpha()
    return letters and first.islower() == last.islower()


def numbers(axis: i.Axis) -> range:
    """The numbers of the columns or rows of an axis, in their order; `a` and `A` are 1."""
    low, high = _number(axis.first), _number(axis.last)
    return range(low, high + 1) if low <= high else range(low, high - 1, -1)


def _number(label: str) -> int:
    return int(label) if label.isdecimal() else ord(label.lower()) - ord("a") + 1


def labels(axis: i.Axis) -> list[str]:
    """The labels of an axis; numbers with leading zeros have as many digits as the longest."""
    if not axis.first.isdecimal():
        base = ord("A" if axis.first.isupper() else "a") - 1
        return [chr(base + number) for number in numbers(axis)]
    padded = any(label.startswith("0") and len(label) > 1 for label in (axis.first, axis.last))
    width = max(len(axis.first), len(axis.last)) if padded else 0
    return [str(number).zfill(width) for number in numbers(axis)]


def coordinates(board: i.BoardDecl) -> Iterator[tuple[str, int, int]]:
    """Yield the coordinate, column and row (numbers) of each place, row by row from the top left."""
    columns = list(zip(labels(board.columns), numbers(board.columns), strict=True))
    for row, y in zip(labels(board.rows), numbers(board.rows), strict=True):
        for column, x in columns:
            yield row + column if board.rows_first else column + row, x, y
