"""One line a finding, for editors and for grep."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.diagnostics.finding import Diagnostic
from rulekit.diagnostics.render_text import TextOf, printable


def render(diagnostics: Iterable[Diagnostic], text_of: TextOf) -> str:
    """`file:line:column: code message`, a line each, every line ended."""
    del text_of  # one renderer is called like another
    return "".join(
        f"{printable(str(found.span))}: {found.kind.code} {printable(found.message)}\n"
        for found in diagnostics
    )
