"""Procedures run and choices asked, as flows."""

from __future__ import annotations

from rulekit.ir import Choose, ChooseEach, Do
from rulekit.ir.types import MapOf, Member
from rulekit.runtime.codegen.routines.flow import NOTHING, Call, Code, Each, Flow, line
from rulekit.runtime.codegen.statements.iteration import COUNT, members_of
from rulekit.runtime.codegen.statements.scope import RoutineScope


def run(scope: RoutineScope, stmt: Do) -> Flow:
    """Run a procedure."""
    writer = scope.writer(stmt.site, *stmt.arguments)
    arguments = tuple(writer.text(part) for part in stmt.arguments)
    reads = scope.reads(*stmt.arguments)
    target = None if stmt.local is None else scope.local(stmt.local)
    key = ("procedure", stmt.procedure, scope.late)
    if stmt.procedure in scope.optimised.facts.suspending:
        label = scope.label(stmt.procedure)
        return [Call(key, arguments, target, reads, stmt.site, label, scope.steps, scope.late)]
    text = f"{scope.unit.routine_name(key)}({', '.join(('S', 'M', *arguments))})"
    lines = [line(text if target is None else f"{target} = {text}", stmt.site)]
    return [Code(lines, reads, frozenset(() if target is None else (target,)))]


def choose(scope: RoutineScope, stmt: Choose) -> Flow:
    """Ask a choice."""
    writer = scope.writer(stmt.site, *stmt.arguments)
    arguments = tuple(writer.text(part) for part in stmt.arguments)
    reads = scope.reads(*stmt.arguments)
    target = None if stmt.local is None else scope.local(stmt.local)
    key = ("choice", stmt.choice, False)
    return [Call(key, arguments, target, reads, stmt.site, scope.label(stmt.choice), scope.steps, scope.late)]


def choose_each(scope: RoutineScope, stmt: ChooseEach) -> Flow:
    """Ask for one member after the other; answers become known when all are given."""
    site = stmt.site
    writer = scope.writer(site, stmt.over)
    over_reads, values = scope.reads(stmt.over), writer.members(stmt.over)
    var = scope.local(stmt.var)
    answer = scope.optimised.facts.choices[stmt.choice].answer
    given = scope.variable("answer", answer)
    kept = scope.variable(f"{stmt.var.name}.list", members_of(stmt.var.type))
    index = scope.variable(f"{stmt.var.name}.index", COUNT)
    writer = scope.writer(site, *stmt.arguments)
    arguments = tuple(writer.text(part) for part in stmt.arguments)
    label = scope.label(stmt.choice)
    reads = scope.reads(*stmt.arguments)
    ask = Call(("choice", stmt.choice, False), arguments, given, reads, site, label, scope.steps, scope.late)
    body: Flow = [ask]
    flow: Flow = []
    begin, end = (
        scope.trace("secret_begin", site, stmt.choice),
        scope.trace("secret_end", site, stmt.choice),
    )
    counter = str(scope.optimised.layout.reveals)
    shown = [*scope.note(counter, site)[0], line(f"M[{counter}] += 1", site), *end]
    target = None
    if stmt.local is not None:
        assert isinstance(stmt.var.type, Member)
        scope.types.setdefault(stmt.local.name, MapOf(stmt.var.type, answer))
        target = scope.local(stmt.local)
        flow.append(Code([line(f"{target} = {{}}", site)], NOTHING, frozenset((target,))))
        # A frame may be shared by clones, so that its map is made anew instead of changed.
        frames = scope.build.form == "frames"
        added = f"{target} = {{**{target}, {var}: {given}}}" if frames else f"{target}[{var}] = {given}"
        body.append(Code([line(added, site)], frozenset((target, var, given)), frozenset((target,))))
    each = Each(var, values, over_reads, body, site, kept, index)
    return [Code(begin), *flow, each, Code(shown)]
