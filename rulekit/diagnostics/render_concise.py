"""One line a finding, for editors and for grep."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.render_text import TextOf, printable


def render(diagnostics: Iterable[Diagnostic], text_of: TextOf) -> str:
    """`file:line:column: code message [id]`, a line each, every line ended."""
    del text_of  # one renderer is called like another
    return "".join(f"{_line(finding)}\n" for finding in diagnostics)


def _line(found: Diagnostic) -> str:
    accepted = f" (accepted: {found.accepted})" if found.accepted else ""
    return printable(f"{found.span}: {found.kind.code} {found.message} [{found.id}]{accepted}")
