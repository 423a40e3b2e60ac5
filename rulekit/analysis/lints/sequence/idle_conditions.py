"""Conditions that play cannot change: loops that run once, never, or for ever; events that never happen."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.analysis.verdicts import Proved
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir import walk
from rulekit.ir.semantics.effects import effects
from rulekit.ir.semantics.facts import Facts
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

MOST_NAMED = 3
"""States that a message names."""


WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding a loop, and one an event, with such a condition."""
    yield from _idle_loops(rules)
    yield from _impossible_events(rules)


def _idle_loops(rules: Inspection) -> Iterator[Diagnostic]:
    """Loops that change nothing of what their condition reads, unless they are left in another way."""
    compiled = rules.compiled
    written = {
        (node.span.file, node.span.line, node.span.column): node
        for module in compiled.modules
        for node in nodes(module.items, expressions=False)
        if isinstance(node, s.Repeat) and node.kind != "times"
    }
    if not written:
        return
    facts = Facts(compiled.program)
    reported: set[int] = set()
    for procedure in compiled.program.procedures:
        for stmt in walk.statements(procedure.body):
            if not isinstance(stmt, ir.Repeat) or stmt.kind == "times" or stmt.site in reported:
                continue
            site = compiled.program.sites[stmt.site]
            node = written.get((site.file, site.line, site.column))
            if node is None or not in_scope(compiled, node.span) or not _idle(stmt, facts):
                continue
            reported.add(stmt.site)
            yield _finding(procedure.name, stmt, node, facts)


def _idle(loop: ir.Repeat, facts: Facts) -> bool:
    inside = list(facts.statements_from(loop.body))
    if any(effects(stmt, {}).ends not in ("", "run") for stmt in inside):
        return False
    bound = {local.name for stmt in inside for local in _bound_locals(stmt)}
    reads = facts.reads(loop.control)
    return not (reads & facts.changes_in(loop.body)) and not (walk.free(loop.control) & bound)


def _bound_locals(stmt: ir.Stmt) -> Iterator[ir.Local]:
    for name in ("local", "raw", "var"):
        local = getattr(stmt, name, None)
        if isinstance(local, ir.Local):
            yield local


def _finding(owner: str, loop: ir.Repeat, node: s.Repeat, facts: Facts) -> Diagnostic:
    names = sorted({name.rpartition(".")[2] for name in facts.reads(loop.control)} | walk.free(loop.control))
    listed = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    what = f"it does not change {listed}" if names else "its condition never changes"
    runs = "never runs, or runs forever" if loop.kind == "while" else "runs once or forever"
    hint = "change inside the loop what its condition reads, or use `leave`"
    key = (f"procedure {owner}", loop.kind, *names)
    return Diagnostic(kinds.IDLE_LOOP, f"this loop {runs}: {what}", node.control.span, hint=hint, key=key)


def _impossible_events(rules: Inspection) -> Iterator[Diagnostic]:
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
