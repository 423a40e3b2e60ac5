"""What must hold of findings and printed text, whatever the input was."""

from __future__ import annotations

import importlib
import json
import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Final

from rulekit.diagnostics import Diagnostic
from tests.fuzz.family import expect

FORMATS: Final = ("full", "concise", "json", "sarif", "github")
_LINE = re.compile(r"\r\n|\r|\n")


def check_findings(findings: Collection[Diagnostic], text_of: Callable[[str], str], number: int) -> None:
    """Check that every finding is a line about a place that there is, and prints in one of the formats."""
    for finding in findings:
        expect(bool(finding.message) and "\n" not in finding.message, "a message is one line", finding)
        for span in (finding.span, *(label.span for label in finding.labels)):
            _check_place(text_of(span.file), span.line, span.column, span.end_line, span.end_column)
    if number % 4 == 0:  # printing takes longer than most of what is printed
        check_printed(findings, text_of, FORMATS[number // 4 % len(FORMATS)])


def _check_place(text: str, line: int, column: int, end_line: int, end_column: int) -> None:
    lines = _LINE.split(text)
    if (line, column) == (1, 1) or (end_line, end_column) == (len(lines) + 1, 1):
        return
    inside = 1 <= line <= end_line <= len(lines)
    expect(inside, "a finding is at a line of its file", (line, end_line, len(lines)))
    # An end may be behind the last character, or at the beginning of the line that follows.
    expect(1 <= column <= len(lines[line - 1]) + 2, "a finding begins in its line", (line, column))
    expect(
        1 <= end_column <= len(lines[end_line - 1]) + 2, "a finding ends in its line", (end_line, end_column)
    )


def check_printed(findings: Collection[Diagnostic], text_of: Callable[[str], str], form: str) -> None:
    """Check that findings in one of the formats steer no terminal, and that JSON is JSON."""
    text = importlib.import_module(f"rulekit.diagnostics.render_{form}").render(findings, text_of)
    if form in ("json", "sarif"):
        json.loads(text)
        from rulekit.cli.terminal import printable_json

        text = printable_json(text)
    check_printable(text)


def check_printable(text: str) -> None:
    """Check that a text steers no terminal and does not turn the direction of lines."""
    odd = {sign for sign in text if not sign.isprintable() and unicodedata.category(sign) != "Zs"} - {"\n"}
    expect(not odd, "what is printed is printable", (sorted(odd), text[:500]))
    text.encode()
