"""Recursion: neither procedures nor functions call themselves, directly or through others."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.diagnostics import kinds
from rulekit.ir.walk import nodes, statements
from rulekit.syntax.tree import items as i


def report_recursion(ctx: CheckContext) -> None:
    """Report each cycle of procedures and of functions."""
    trees, results = ctx.units.trees, ctx.results
    runs = {name: trees.of("runs", made, _runs) for name, made in results.procedures.items()}
    calls = {name: trees.of("calls", made, _calls) for name, made in results.functions.items()}
    for graph in (runs, calls):
        for cycle in _cycles(graph):
            span = _declaration(ctx, cycle[0])
            if span is not None:
                message = f"`{cycle[0]}` depends on itself: {' -> '.join(cycle)}"
                ctx.report(kinds.RECURSION, message, span, "use `repeat` or `linked to` instead")


def _declaration(ctx: CheckContext, name: str) -> Span | None:
    """The place where a procedure or function is declared; None if it is made by the compiler."""
    names = ctx.names
    spaces: tuple[tuple[Mapping[str, i.Item], str], ...] = (
        (names.procedures, ""),
        (names.defines, ""),
        (names.calendars, ""),
        (names.tables, "table:"),
        (names.modifiers, "modifier:"),
    )
    for space, prefix in spaces:
        item = space.get(name.removeprefix(prefix))
        if item is not None:
            return item.span
    return None


def _runs(procedure: ir.Procedure) -> list[str]:
    return [stmt.procedure for stmt in statements(procedure.body) if isinstance(stmt, ir.Do)]


def _calls(function: ir.Function) -> list[str]:
    return [node.function for node in nodes(function.body) if isinstance(node, ir.Apply)]


def _cycles(graph: Mapping[str, list[str]]) -> list[list[str]]:
    """One cycle for each way round that a walk meets: names in order, the first again at the end."""
    cycles: list[list[str]] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            cycles.append([*path[path.index(name) :], name])
            return
        if name in done:
            return
        for callee in graph.get(name, ()):
            visit(callee, [*path, name])
        done.add(name)

    for name in graph:
        visit(name, [])
    return cycles
