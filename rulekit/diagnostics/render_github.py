"""Findings as commands of GitHub's workflows, which shows them beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.kinds import Severity
from rulekit.diagnostics.render_text import TextOf, printable

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.UNDECIDED: "warning",
    Severity.NOTE: "notice",
}


def render(diagnostics: Iterable[Diagnostic], text_of: TextOf) -> str:
    """Return a line for each finding that the rule set does not accept, every line ended."""
    del text_of  # one renderer is called like another
    return "".join(f"{_command(finding)}\n" for finding in diagnostics if not finding.accepted)


def _command(finding: Diagnostic) -> str:
    span = finding.span
    where = {"file": span.file, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:  # columns are of one line
        where |= {"col": str(span.column), "endColumn": str(span.end_column)}
    where["title"] = f"{finding.kind.code} {finding.kind.name}"
    properties = ",".join(f"{name}={_property(value)}" for name, value in where.items())
    return f"::{_COMMANDS[finding.kind.severity]} {properties}::{'%0A'.join(map(_data, _lines(finding)))}"


def _lines(finding: Diagnostic) -> Iterator[str]:
    yield finding.message
    for label in finding.labels:
        yield f"{label.span}: {label.text}"
    if finding.conflict is not None:
        yield from (f"{word}: {text}" for word, text in finding.conflict.remarks())
    if finding.hint:
        yield f"hint: {finding.hint}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
