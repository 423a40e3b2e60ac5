"""Faults of a text that would hide others: control characters, size, tabs, brackets."""

from __future__ import annotations

import re

from rulekit.base.characters import CONTROL, code_point
from rulekit.base.source import Source, Span
from rulekit.diagnostics import Diagnostic, Edit, Fix, Kind, Report, kinds
from rulekit.syntax.parse.builder import MAX_DEPTH
from rulekit.syntax.parse.grammar import line_words
from rulekit.syntax.parse.layout import ItemText

MAX_ITEM = 200_000
"""Characters of one item."""
TAB = " " * 4
"""The replacement of a tab."""

_CLOSING = {"(": ")", "{": "}"}
# What is not closed on its line is taken to the line's end, or every start would be tried as far as there.
_BRACKETS = re.compile(
    r"\"[^\"\n]*(?:\"|$)|'(?:[^'\n]|'(?=\w))+(?:'(?!\w)|$)|\[[^\]\n]*(?:\]|$)|#[^\n]*|[(){}]|\n[ ]*([a-z]*)",
    re.MULTILINE,
)


def control_fault(source: Source) -> Diagnostic | None:
    """Return the first control character of a text with `\\n` as line end."""
    text = source.text
    odd = CONTROL.search(text)
    if odd is None:
        return None
    line = text.count("\n", 0, odd.start()) + 1
    column = odd.start() - text.rfind("\n", 0, odd.start())
    span = Span(source.file, line, column, line, column + 1)
    message, hint = "the file contains control characters", "is it a text file?"
    return Diagnostic(kinds.CONTROL_CHARACTER, message, span, hint=hint, under=code_point(odd[0]))


def check_size(piece: ItemText, file: str, report: Report) -> bool:
    """Report an item that is too long to be read; true if it is not."""
    if len(piece.text) <= MAX_ITEM:
        return True
    span = Span(file, piece.offset + 1, 1, piece.offset + 1, 2)
    report.add(Diagnostic(kinds.TOO_LARGE, f"the item has more than {MAX_ITEM:,} characters", span))
    return False


def check_tabs(piece: ItemText, file: str, report: Report) -> bool:
    """Report lines that are indented with tabs; true if there are none."""
    if "\t" not in piece.text:
        return True
    tabbed = _find_tabs(piece.text.split("\n"))
    for number, (indent, fixed) in tabbed.items():
        line = number + piece.offset
        span = Span(file, line, 1, line, len(indent) + 1)
        fix = None if fixed is None else Fix("indent with spaces", (Edit(span, fixed),))
        message = "tab in the indentation"
        report.add(Diagnostic(kinds.TAB_INDENTATION, message, span, hint="use spaces", fix=fix))
    return not tabbed


def _find_tabs(lines: list[str]) -> dict[int, tuple[str, str | None]]:
    """Indentations that have tabs, by line; and those with four spaces for each tab.

    None where that is not certain: beside spaces, or in an item whose other lines are indented otherwise.
    """
    indents = [line[: len(line) - len(line.lstrip())] for line in lines]
    pairs = zip(indents, lines, strict=True)
    depths = {len(indent) for indent, line in pairs if indent and line.strip() and "\t" not in indent}
    tabbed: dict[int, tuple[str, str | None]] = {}
    for number, indent in enumerate(indents, 1):
        if "\t" in indent:
            spaces = indent.replace("\t", TAB)
            certain = " " not in indent and (not depths or len(spaces) in depths)
            tabbed[number] = indent, spaces if certain else None
    return tabbed


def has_many_brackets(piece: ItemText) -> bool:
    """True if an item has so many brackets that they may be nested too deep."""
    return piece.text.count("(") + piece.text.count("{") > MAX_DEPTH


def bracket_fault(piece: ItemText, file: str) -> Diagnostic | None:
    """Return the first bracket without its partner before the next line that begins with a keyword."""
    opened: list[tuple[str, int]] = []

    def fault(kind: Kind, message: str, at: int, hint: str) -> Diagnostic:
        line = piece.text.count("\n", 0, at) + piece.offset + 1
        column = at - piece.text.rfind("\n", 0, at)
        return Diagnostic(kind, message, Span(file, line, column, line, column + 1), hint=hint)

    for match in _BRACKETS.finditer(piece.text):
        text = match.group()
        if text in "({":
            opened.append((text, match.start()))
            if len(opened) > MAX_DEPTH:
                hint = "name parts of it with `let` or `define`"
                return fault(kinds.TOO_DEEP, f"more than {MAX_DEPTH} open brackets", match.start(), hint)
        elif text in ")}":
            if not opened:
                return fault(kinds.UNCLOSED_BRACKET, f"unmatched `{text}`", match.start(), "remove it")
            bracket, at = opened.pop()
            if _CLOSING[bracket] != text:
                hint = f"close it with `{_CLOSING[bracket]}`"
                return fault(kinds.UNCLOSED_BRACKET, f"this `{bracket}` is closed by `{text}`", at, hint)
        elif opened and match.group(1) in line_words():
            break
    if not opened:
        return None
    bracket, at = opened[-1]
    hint = f"close it with `{_CLOSING[bracket]}`"
    return fault(kinds.UNCLOSED_BRACKET, f"this `{bracket}` is never closed", at, hint)
