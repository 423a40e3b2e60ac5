"""Procedures and sequences that nothing in the set does."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints.lint import When
from rulekit.analysis.uses import elsewhere, in_scope
from rulekit.diagnostics import Diagnostic, kinds

WHEN = When(sequence=True)


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding each; what only an unreached one does is not told.  An example that does it is enough."""
    compiled, used = rules.compiled, rules.uses
    roots = used.done | used.read
    doubtful = [
        item
        for item in compiled.declared.procedures.values()
        if in_scope(compiled, item.span) and item.sort != "scenario" and item.name.text not in roots
    ]
    if not doubtful:
        return
    others = elsewhere(compiled, [item.name.text for item in doubtful])
    for item in doubtful:
        name = item.name.text
        if name not in others.done | others.read:
            message = f"{item.sort} `{name}` is never run"
            hint = f"run it with `do {name}`, or remove it"
            yield Diagnostic(
                kinds.UNREACHED_PROCEDURE, message, item.name.span, hint=hint, key=(f"{item.sort} {name}",)
            )
