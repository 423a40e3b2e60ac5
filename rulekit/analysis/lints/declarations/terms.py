"""What is declared, and nothing uses, reads, changes, names or does."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.lints.declarations import idle_state, unnamed_member, unused
from rulekit.analysis.lints.sequence import unreached
from rulekit.analysis.uses import uses
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """Told where the manifest says what is played; without that nobody knows what is of use."""
    if compiled.rule_set.manifest.sequence is None:
        return
    used = uses(compiled)
    for module in (unused, idle_state, unnamed_member, unreached):
        yield from module.lint(compiled, used)
