"""Events that never happen, because their condition holds in no situation."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.uses import in_scope
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic, kinds


def lint(compiled: Compiled) -> Iterator[Diagnostic]:
    """One finding for each event whose condition was proved to hold never."""
    events = [event for event in compiled.declared.events.values() if in_scope(compiled, event.span)]
    if not events:
        return
    from rulekit.analysis.prove import Never, Prover
    from rulekit.analysis.prove.conditions import answered

    made = {event.name: event for event in compiled.model.events}
    prover = Prover(compiled.program, answers=compiled.answers, trees=compiled.trees)
    for event in events:
        name = event.name.text
        if name in made and isinstance(answered(prover, (made[name].condition,)), Never):
            message = f"the event `{name}` never happens: its condition holds in no situation"
            hint = "mend the condition, or drop the event"
            yield Diagnostic(
                kinds.IMPOSSIBLE_EVENT, message, event.condition.span, hint=hint, key=(f"event {name}",)
            )
