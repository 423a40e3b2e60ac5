"""Recovery after a fault: without the refused lines, the rest of an item can be read."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.syntax.parse.comments import code_of, count_continuing

_VERB = "decide"
"""A verb: the block of a choice cannot go without one, and no other block allows it."""
_FILLERS = (
    'say "x"', "require true", "otherwise: 0", "then true", "state x: flag", "| 1 |", 'reason "x"', _VERB,
)  # fmt: skip
"""Lines of which each block allows one."""

Reads = Callable[[list[str], int], bool]
"""True if lines can be read beyond a line (its number counts from 1)."""


def take_out(lines: list[str], number: int, reads: Reads) -> bool:
    """Empty a line and the lines indented under it; return False if no line is left to read.

    The lines before it that end in a comma go with it, for it continues them, and so do lines that
    continue it.  A block that is left without a line gets one that it allows, or goes with its header; a
    choice that is left without a verb gets another.
    """
    for at in range(number, number + count_continuing(lines[number - 1 :])):
        lines[at] = ""
    while 2 < number <= len(lines) and code_of(lines[number - 2]).rstrip().endswith(","):
        lines[number - 1] = ""
        number -= 1
    while 1 < number <= len(lines):
        depth = _depth(lines[number - 1])
        lines[number - 1] = ""
        for index in range(number, len(lines)):
            if code_of(lines[index]) and _depth(lines[index]) <= depth:
                break
            lines[index] = ""
        header = _lone(lines, number, depth)
        below = next((at for at, line in enumerate(lines[number:], number + 1) if code_of(line)), 0)
        if not header and below and not reads(lines, below):
            _fill_lines(lines, number, depth, reads, (_VERB,))
        if not header or _fill_lines(lines, number, depth, reads, _FILLERS):
            return any(map(code_of, lines[1:]))
        number = header
    return False


def _lone(lines: list[str], number: int, depth: int) -> int:
    """Return the number of the header whose whole block began at a line; 0 if other lines are left in it."""
    above = next((at for at in range(number - 1, 0, -1) if code_of(lines[at - 1])), 0)
    if not above or _depth(lines[above - 1]) >= depth:
        return 0
    below = next((line for line in lines[number:] if code_of(line)), "")
    return 0 if below and _depth(below) > _depth(lines[above - 1]) else above


def _fill_lines(lines: list[str], number: int, depth: int, reads: Reads, fillers: tuple[str, ...]) -> bool:
    for filler in fillers:
        lines[number - 1] = " " * depth + filler
        if reads(lines, number):
            return True
    lines[number - 1] = ""
    return False


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
