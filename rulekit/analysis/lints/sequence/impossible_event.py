"""Events that never happen, because their condition holds in no situation."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.analysis.verdicts import Proved
from rulekit.diagnostics import Diagnostic, kinds

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding for each event whose condition provably never holds."""
    compiled = rules.compiled
    events = [event for event in compiled.declared.events.values() if in_scope(compiled, event.span)]
    if not events:
        return
    from rulekit.analysis.prove.conditions import prove_never_together

    models = {event.name: event for event in compiled.model.events}
    for event in events:
        name = event.name.text
        if name not in models:
            continue
        if isinstance(prove_never_together(rules.prover, (models[name].condition,)), Proved):
            message = f"the event `{name}` never happens: its condition is never true"
            hint = "correct the condition, or remove the event"
            key = (f"event {name}",)
            yield Diagnostic(kinds.IMPOSSIBLE_EVENT, message, event.condition.span, hint=hint, key=key)
