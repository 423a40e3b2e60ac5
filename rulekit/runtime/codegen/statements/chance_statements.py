"""Statements of chance as lines of Python.  What chance takes, it takes at once, also in `together`."""

from __future__ import annotations

from rulekit.ir import Apply, Const, DrawLot, DrawTop, Expr, If, Op, Roll, Shuffle
from rulekit.ir.types import NONE, Flag, Int, Optional, SetOf
from rulekit.runtime.codegen.expressions.writer import UNARY
from rulekit.runtime.codegen.module_writer import Lines
from rulekit.runtime.codegen.routines.flow import Code, line
from rulekit.runtime.codegen.statements.effects import hide_again, learn
from rulekit.runtime.codegen.statements.knowers import sides_field, state_field
from rulekit.runtime.codegen.statements.scope import RoutineScope

ACTS = Int(0, 0)


def point_index(scope: RoutineScope, name: str) -> int:
    """A point's place in the program."""
    return scope.optimised.layout.counters[name] - scope.optimised.layout.first_counter


def roll(scope: RoutineScope, stmt: Roll) -> Code:
    """Roll dice and apply the modifiers."""
    point, site = scope.optimised.facts.points[stmt.point], stmt.site
    counter = str(scope.optimised.layout.counters[stmt.point])
    raw = scope.local(stmt.raw)
    lines: Lines = [line(f"k = M[{counter}]", site)]
    if scope.build.journal:
        lines.append(line(f"{scope.use('J')}({counter}); J(k)", site))
    dice = f"{scope.use('D')}[{point_index(scope, stmt.point)}]"
    lines.append(line(f"M[{counter}] = k + {point.dice}", site))
    if point.dice == 1:
        lines.append(line(f"{raw} = {dice}[k]", site))
    else:
        faces = " + ".join("d[k]" if n == 0 else f"d[k + {n}]" for n in range(point.dice))
        lines.append(line(f"d = {dice}; {raw} = {faces}", site))
    modified = raw
    if stmt.local is not None:
        modified = scope.local(stmt.local)
        writer = scope.writer(site, *(() if stmt.modified is None else (stmt.modified,)))
        lines.append(
            line(f"{modified} = {raw if stmt.modified is None else writer.text(stmt.modified)}", site)
        )
    writer = scope.writer(site, *stmt.arguments)
    local = stmt.raw if stmt.local is None else stmt.local
    fields = [("raw", stmt.raw.type, raw), ("result", local.type, modified)]
    arguments = (
        [writer.text(part) for part in stmt.arguments] if scope.telling else [""] * len(stmt.arguments)
    )
    for number, (part, text) in enumerate(zip(stmt.arguments, arguments, strict=True)):
        fields.append((f"argument {number}", part.type, text))
    explained = _explanations(scope, stmt) if scope.build.explain else []
    fields += [(name, e.type, scope.writer(site, e).text(e)) for name, e in explained]
    lines += scope.trace("roll", site, stmt.point, *fields, *sides_field(scope, stmt.known, site))
    return Code(lines)


def _explanations(scope: RoutineScope, stmt: Roll) -> list[tuple[str, Expr]]:
    """For each modifier of the point, the clause that keeps it from acting, or its number if it acts."""
    fields: list[tuple[str, Expr]] = []
    given = (stmt.raw, *stmt.arguments)
    functions = scope.optimised.facts.functions
    for modifier in scope.optimised.program.modifiers:
        if modifier.point != stmt.point:
            continue
        acts: Expr = Const(0, ACTS)
        if modifier.acts:
            acts = Apply(modifier.acts, given, functions[modifier.acts].result)
        fields.append((f"acts {modifier.name}", acts))
        if modifier.number:
            kind = functions[modifier.number].result
            number = Apply(modifier.number, given, kind)
            assert isinstance(kind, Int)
            maybe = Optional(kind)
            test = Op("eq", (acts, Const(0, ACTS)), Flag())
            fields.append((f"number {modifier.name}", If(test, number, Const(NONE, maybe), maybe)))
    return fields


def draw_lot(scope: RoutineScope, stmt: DrawLot) -> Code:
    """Draw by lot from a set that stays as it is."""
    writer = scope.writer(stmt.site, stmt.count, stmt.over)
    target = scope.local(stmt.local)
    over, point = writer.text(stmt.over), point_index(scope, stmt.point)
    if stmt.one:
        drawn = f"S.draw_one({point}, {over})"
    else:
        drawn = f"S.draw_set({point}, {over}, {writer.text(stmt.count)})"
    lines = [line(f"{target} = {drawn}", stmt.site), *learn(scope, stmt.site)]
    known = sides_field(scope, stmt.known, stmt.site)
    lines += scope.trace("draw", stmt.site, stmt.point, ("drawn", stmt.local.type, target), *known)
    return Code(lines)


def draw_top(scope: RoutineScope, stmt: DrawTop) -> Code:
    """Draw from a cup by lot, or from a stack from its top, and remove it."""
    lines, keys, fields = scope.fix_keys(stmt.keys, stmt.site)
    writer = scope.writer(stmt.site, *keys, stmt.count)
    kind, site = scope.optimised.facts.states[stmt.state].type, stmt.site
    target = scope.local(stmt.local)
    lines += hide_again(scope, writer, stmt.state, keys, site)
    noted, cell = scope.note(writer.cell(stmt.state, keys).text, site)
    if not noted and not cell.isdigit():
        noted, cell = [line(f"a = {cell}", site)], "a"
    lines += noted
    count = writer.value(stmt.count)
    if isinstance(kind, SetOf):
        point = point_index(scope, stmt.point)
        if stmt.one:
            drawn, left = f"S.draw_one({point}, M[{cell}])", f"M[{cell}] & ~(1 << {target})"
        else:
            drawn, left = f"S.draw_set({point}, M[{cell}], {count.text})", f"M[{cell}] & ~{target}"
    elif stmt.one:
        drawn, left = f"top(M[{cell}])", f"M[{cell}][1:]"
    else:
        lines.append(line(f"x = {count.at(UNARY)}", site))
        drawn, left = f"M[{cell}][:x]", f"M[{cell}][x:]"
    lines += [line(f"{target} = {drawn}", site), line(f"M[{cell}] = {left}", site), *learn(scope, site)]
    known = sides_field(scope, stmt.known, site) or state_field(scope, stmt.state, keys, site)
    lines += scope.trace("take", site, stmt.state, *fields, ("drawn", stmt.local.type, target), *known)
    return Code([*lines, *scope.invariant_checks((stmt.state,), site)])


def shuffle(scope: RoutineScope, stmt: Shuffle) -> Code:
    """Put a stack into random order."""
    lines, keys, fields = scope.fix_keys(stmt.keys, stmt.site)
    writer = scope.writer(stmt.site, *keys)
    lines += hide_again(scope, writer, stmt.state, keys, stmt.site)
    noted, cell = scope.note(writer.cell(stmt.state, keys).text, stmt.site)
    order = f"S.shuffle({point_index(scope, stmt.point)}, M[{cell}])"
    lines += [*noted, line(f"M[{cell}] = {order}", stmt.site), *learn(scope, stmt.site)]
    fields += state_field(scope, stmt.state, keys, stmt.site)
    lines += scope.trace("shuffle", stmt.site, stmt.state, *fields)
    return Code(lines)
