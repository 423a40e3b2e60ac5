"""Procedures, events and promises; one without its result, or that runs itself, is reported."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import assert_never

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.levels import FEWEST_DEEP, MOST_DEEP, MOST_LEVELS, Levels, runs_of
from rulekit.compiler.model import EventModel
from rulekit.compiler.trace import plain
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import Scope, opening_scope
from rulekit.compiler.typecheck.statements.asking import procedure_signature
from rulekit.compiler.typecheck.statements.blocks import StatementChecker
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.ir.walk import nodes
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s


@frozen
class ProcedureChecker:
    """Checks what has a body of statements, and what must hold after each of them."""

    ctx: CheckContext
    expressions: ExpressionChecker
    statements: StatementChecker

    def procedure(self, name: str) -> None:
        """Make a procedure."""
        decl = self.ctx.names.procedures[name]
        signature = procedure_signature(self.ctx, name)
        assert signature is not None
        params, result = signature
        scope = opening_scope(self.ctx, name, params, decl.cite, decl.params, result)
        site = self.ctx.site(name, scope.routine.rules, decl.span)
        body = self.statements.block(decl.body, scope)
        report_missing_result(self.ctx, decl)
        self._add(name, params, result, scope, body, site)

    def event(self, name: str) -> EventModel:
        """Make an event: its condition, and its body as a procedure."""
        event = self.ctx.names.events[name]
        rules = self.ctx.rules(event.cite)
        site = self.ctx.site(name, rules, event.span)
        condition = self.expressions.flag(event.condition, opening_scope(self.ctx, name, (), event.cite))
        scope = opening_scope(self.ctx, name, (), event.cite, result=t.Nothing())
        body = self.statements.block(event.body, scope)
        procedure = f"event:{name}"
        self._add(procedure, (), t.Nothing(), scope, body, site)
        return EventModel(name, condition, procedure, site)

    def promise(self, name: str) -> ir.Invariant:
        """Make an invariant or assumption."""
        promise = self.ctx.names.promises[name]
        site = self.ctx.site(name, self.ctx.rules(promise.cite), promise.span)
        scope = opening_scope(self.ctx, name, (), promise.cite)
        return ir.Invariant(name, self.expressions.flag(promise.condition, scope), site)

    def _add(
        self, name: str, params: Params, result: t.Type, scope: Scope, body: ir.Block, site: int
    ) -> None:
        locals_ = scope.routine.params()
        self.ctx.results.procedures[name] = ir.Procedure(name, params, result, locals_, body, site)


def report_missing_result(ctx: CheckContext, decl: i.Procedure) -> None:
    """Report a procedure that declares a result but may end without one."""
    if decl.result is None or ends(decl.body):
        return
    name, originals = decl.name.text, ctx.names.originals
    if name in originals or name in originals.values():
        name = name.split("'")[0]  # amendments keep what they replace, and themselves, as `name'...`
    message = f"`{name}` declares a result but may end without one"
    labels = [Label(statement.span, "after this") for statement in decl.body[-1:]]
    ctx.report(kinds.WRONG_RESULT, message, decl.name.span, _hint(decl.body), *labels)


def ends(body: tuple[s.Statement, ...]) -> bool:
    """Whether every path through a block meets a `result` or `finish`; loops may run no time at all."""
    return any(_ends(statement) for statement in body)


def _ends(statement: s.Statement) -> bool:
    match statement:
        case s.Return() | s.Finish():
            return True
        case s.When():
            return ends(statement.otherwise) and all(ends(body) for _, body in statement.branches)
        case s.Together():
            return ends(statement.body)
        case s.Step():
            return statement.loop is None and ends(statement.body)
        case (
            s.Let() | s.Change() | s.Mark() | s.Move() | s.Put() | s.Form() | s.Dissolve() | s.Reveal()
            | s.Do() | s.Choose() | s.RollDice() | s.Draw() | s.Shuffle()
            | s.Jump() | s.Say() | s.ForEach() | s.Repeat()
        ):  # fmt: skip
            return False
        case _:
            assert_never(statement)


def _hint(body: tuple[s.Statement, ...]) -> str:
    last = body[-1] if body else None
    if isinstance(last, s.When) and not last.otherwise:
        return "add `otherwise: result EXPRESSION`, or a `result` after the `when`"
    if isinstance(last, s.ForEach | s.Repeat) or (isinstance(last, s.Step) and last.loop is not None):
        return "add `result EXPRESSION` after the loop, which may not run at all"
    return "end every path with `result EXPRESSION`"


def report_recursion(ctx: CheckContext) -> None:
    """Report each cycle of procedures and of functions."""
    trees, results, bounds = ctx.units.trees, ctx.results, bounds_of(ctx)
    runs = {
        name: [callee for callee in trees.of("runs", procedure, runs_of) if callee not in bounds]
        for name, procedure in results.procedures.items()
    }
    calls = {name: trees.of("calls", function, _calls) for name, function in results.functions.items()}
    for graph in (runs, calls):
        for cycle in _cycles(graph):
            declared = ((name.replace(":", " ", 1), _declaration(ctx, name)) for name in cycle)
            spans = {name: span for name, span in declared if span is not None}
            first, hint = next(iter(spans)), "use `repeat` or `linked to` instead"
            if graph is runs:
                hint = f"use `repeat`, or say how deep it may go: `procedure {first}, at most 3 deep:`"
            message = f"`{first}` depends on itself: {' -> '.join([*spans, first])}"
            ctx.report(kinds.RECURSION, message, spans[first], hint)


def bounds_of(ctx: CheckContext) -> dict[str, int]:
    """Return how many runs of each procedure with a bound may be open at once."""
    return {name: item.deep for name, item in ctx.names.procedures.items() if item.deep is not None}


def finite_procedures(ctx: CheckContext) -> Mapping[str, ir.Procedure]:
    """Return the procedures, those that run themselves as one for each level; report impossible depths."""
    procedures: Mapping[str, ir.Procedure] = plain(ctx.results.procedures)
    bounds = bounds_of(ctx)
    for name, deep in bounds.items():
        if not FEWEST_DEEP <= deep <= MOST_DEEP:
            message = f"the depth of a procedure is {FEWEST_DEEP} to {MOST_DEEP}"
            hint = "use a number within this, or `repeat` for more"
            ctx.report(kinds.IMPOSSIBLE_DEPTH, message, ctx.names.procedures[name].name.span, hint)
    if not bounds or ctx.findings.has_errors:
        return procedures
    levels = Levels(procedures, bounds)
    for name in bounds:
        if name not in levels.circles:
            message, hint = f"`{name}` never runs itself", f"remove `, at most {bounds[name]} deep`"
            ctx.report(kinds.IDLE_DEPTH, message, ctx.names.procedures[name].name.span, hint)
    if len(levels.all) <= MOST_LEVELS:
        return levels.unroll()
    name = max(bounds, key=lambda name: bounds[name])
    message = f"the levels of `{name}` and others need more than {MOST_LEVELS:,} procedures"
    hint = "lower the numbers, or give one procedure of the circle alone a depth"
    ctx.report(kinds.IMPOSSIBLE_DEPTH, message, ctx.names.procedures[name].name.span, hint)
    return procedures


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


def _calls(function: ir.Function) -> list[str]:
    return [node.function for node in nodes(function.body) if isinstance(node, ir.Apply)]


def _cycles(graph: Mapping[str, Collection[str]]) -> list[list[str]]:
    """One cycle for each way round that a walk meets: names in order, the first again at the end."""
    cycles: list[list[str]] = []
    done: set[str] = set()
    for start in graph:
        path = {start: iter(graph[start])} if start not in done else {}
        while path:
            name, callees = next(reversed(path.items()))
            callee = next(callees, None)
            if callee is None:
                done.add(name)
                del path[name]
            elif callee in path:
                around = list(path)
                cycles.append([*around[around.index(callee) :], callee])
            elif callee not in done:
                path[callee] = iter(graph.get(callee, ()))
    return cycles
