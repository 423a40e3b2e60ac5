"""One line a finding, for editors and for grep."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.render_text import TextOf, printable


def render(diagnostics: Iterable[Diagnostic], text_of: TextOf) -> str:
    """Return `file:line:column: code message [id]` for each finding, every line ended."""
    del text_of  # one renderer is called like another
    return "".join(f"{_line(finding)}\n" for finding in diagnostics)


def _line(finding: Diagnostic) -> str:
    accepted = f" (accepted: {finding.accepted})" if finding.accepted else ""
    return printable(f"{finding.span}: {finding.kind.code} {finding.message} [{finding.id}]{accepted}")
