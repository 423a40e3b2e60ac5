"""Loops whose condition nothing in them can change: they run once, never, or for ever."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir import walk
from rulekit.ir.semantics.facts import Facts
from rulekit.syntax.tree import stmt as s
from rulekit.syntax.tree.walk import nodes

MOST_NAMED = 3
"""States that a message names."""


WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """One finding a loop, where none of what its condition reads is changed by what it does.

    Loops that can be left otherwise are not told, nor are those that run a number of times.
    """
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
    inside = list(facts.reached(loop.body))
    if any(isinstance(stmt, ir.Leave | ir.Return | ir.Finish | ir.Fail) for stmt in inside):
        return False
    bound = {local.name for stmt in inside for local in _bound_locals(stmt)}
    reads = facts.reads(loop.control)
    return not (reads & facts.written(loop.body)) and not (walk.free(loop.control) & bound)


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
