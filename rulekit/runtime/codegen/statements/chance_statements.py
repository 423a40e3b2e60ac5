"""Statements of chance as flows.  What chance takes, it takes at once, also in `together`.

A build either takes it from the streams of its seed, or stops and asks.  What has one outcome is never asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.ir import Apply, Const, DrawLot, DrawTop, Expr, If, Local, Op, Roll, Shuffle, Tell, walk
from rulekit.ir.program import UNMODIFIED
from rulekit.ir.types import NONE, Flag, Int, Optional, SetOf, Type
from rulekit.runtime.codegen.expressions.writer import UNARY
from rulekit.runtime.codegen.module_writer import Lines
from rulekit.runtime.codegen.routines.flow import AskChance, Branch, Code, Flow, code, line
from rulekit.runtime.codegen.statements.effects import hide_again, learn
from rulekit.runtime.codegen.statements.knowers import sides_field, state_field
from rulekit.runtime.codegen.statements.scope import Field, RoutineScope
from rulekit.runtime.optimise.observed import observations
from rulekit.runtime.support import asked
from rulekit.runtime.support.asked import SumGroups

ACTS = Int(0, 0)
COUNT = Int(0, 2**31 - 1)


def point_index(scope: RoutineScope, name: str) -> int:
    """A point's place in the program."""
    return scope.optimised.layout.counters[name] - scope.optimised.layout.first_counter


# ------------------------------------------------------------ what chance gives


def _ask(
    scope: RoutineScope,
    point: str,
    kind: int,
    count: str,
    things: str,
    target: str,
    site: int,
    arguments: Sequence[str] = (),
) -> Flow:
    """Ask for what chance gives, and note how many dice or words that is worth (spec 7.6).

    `arguments` are those of a roll; a session tells them with the question.
    """
    label = scope.label(f"chance {point}")
    index = point_index(scope, point)
    ask = AskChance(index, kind, count, things, target, site, label, scope.late, scope.steps)
    values = "".join(f"{text}, " for text in arguments)
    about: Flow = [code(site, f"S.choosing = ({values})")] if scope.telling else []
    words = {asked.ONE: "1", asked.ORDER: f"{target} and len({target}) - 1"}.get(kind, count)
    counter = str(scope.optimised.layout.counters[point])
    noted, cell = scope.note(counter, site)
    return [*about, ask, Code([*noted, line(f"M[{cell}] += {words}", site)])]


def roll_dice(
    scope: RoutineScope,
    point: str,
    target: str,
    site: int,
    groups: str = "()",
    arguments: Sequence[str] = (),
) -> Flow:
    """Roll the dice of a point; `target` is the sum, and `groups` gives sums that make no difference."""
    dice, counter = scope.optimised.facts.points[point].dice, str(scope.optimised.layout.counters[point])
    if scope.asks_chance:
        return _ask(scope, point, asked.ROLL, str(dice), groups, target, site, arguments)
    lines: Lines = [line(f"k = M[{counter}]", site)]
    if scope.build.journal:
        lines.append(line(f"{scope.use('J')}({counter}); J(k)", site))
    taken = f"{scope.use('D')}[{point_index(scope, point)}]"
    lines.append(line(f"M[{counter}] = k + {dice}", site))
    if dice == 1:
        lines.append(line(f"{target} = {taken}[k]", site))
    else:
        faces = " + ".join("d[k]" if n == 0 else f"d[k + {n}]" for n in range(dice))
        lines.append(line(f"d = {taken}; {target} = {faces}", site))
    return [Code(lines)]


def draw_one_of(scope: RoutineScope, point: str, mask: str, target: str, site: int) -> Flow:
    """Draw one member of a set by lot; a fault, if it is empty."""
    drawn = code(site, f"{target} = S.draw_one({point_index(scope, point)}, {mask})")
    if not scope.asks_chance:
        return [drawn]
    asking = _ask(scope, point, asked.ONE, "None", f"S.things({mask})", target, site)
    return [Branch(f"{mask} & {mask} - 1", asking, [drawn], site)]


def draw_several_of(scope: RoutineScope, point: str, mask: str, count: str, target: str, site: int) -> Flow:
    """Draw so many members of a set by lot, or all of them if there are no more."""
    drawn = code(site, f"{target} = S.draw_set({point_index(scope, point)}, {mask}, {count})")
    if not scope.asks_chance:
        return [drawn]
    asking = _ask(scope, point, asked.SET, count, f"S.things({mask})", target, site)
    return [Branch(f"0 < {count} < {mask}.bit_count()", asking, [drawn], site)]


def shuffle_things(scope: RoutineScope, point: str, things: str, target: str, site: int) -> Flow:
    """Put things into random order."""
    if not scope.asks_chance:
        return [code(site, f"{target} = S.shuffle({point_index(scope, point)}, {things})")]
    asking = _ask(scope, point, asked.ORDER, "None", things, target, site)
    return [Branch(f"len({things}) > 1", asking, [code(site, f"{target} = {things}")], site)]


def _keep(scope: RoutineScope, name: str, kind: Type, text: str, site: int) -> tuple[Flow, str]:
    """A value that is read more than once where a build asks, and its text."""
    if not scope.asks_chance:
        return [], text
    variable = scope.variable(name, kind)
    return [code(site, f"{variable} = {text}")], variable


# ------------------------------------------------------------ statements


def roll(scope: RoutineScope, stmt: Roll) -> Flow:
    """Roll dice and apply the modifiers."""
    site = stmt.site
    raw = scope.local(stmt.raw)
    writer = scope.writer(site, *stmt.arguments)
    texts = [writer.text(part) if scope.telling else "" for part in stmt.arguments]
    flow = roll_dice(scope, stmt.point, raw, site, _groups_of_sums(scope, stmt), texts)
    lines: Lines = []
    modified = raw
    if stmt.local is not None:
        modified = scope.local(stmt.local)
        writer = scope.writer(site, *(() if stmt.modified is None else (stmt.modified,)))
        lines.append(
            line(f"{modified} = {raw if stmt.modified is None else writer.text(stmt.modified)}", site)
        )
    local = stmt.raw if stmt.local is None else stmt.local
    fields = [("raw", stmt.raw.type, raw), ("result", local.type, modified)]
    for number, (part, text) in enumerate(zip(stmt.arguments, texts, strict=True)):
        fields.append((f"argument {number}", part.type, text))
    if scope.build.explain:
        fields += _explanations(scope, ("roll", stmt.point), (stmt.raw, *stmt.arguments), site)
    lines += scope.trace("roll", site, stmt.point, *fields, *sides_field(scope, stmt.known, site))
    return [*flow, Code(lines)]


def _groups_of_sums(scope: RoutineScope, stmt: Roll) -> str:
    """The sums of a roll in groups that the procedure cannot tell apart, as text; `()` if there are none."""
    if scope.build.chance != "grouped" or scope.name not in scope.optimised.facts.procedures:
        return "()"
    context = scope.optimised.context
    parts = observations(context, scope.optimised.procedure(scope.name), stmt)
    if parts is None:
        return "()"
    locals_ = sorted({name for e in parts for name in walk.free(e)} - {stmt.raw.name})
    writer = scope.writer(stmt.site, *parts)
    inner = writer.within({stmt.raw.name: "r", **{name: f"a{n}" for n, name in enumerate(locals_)}})
    texts = "".join(f"{inner.text(e)}, " for e in parts)
    params = ", ".join(("M", "r", *(f"a{n}" for n in range(len(locals_)))))

    def write(python: str) -> None:
        scope.unit.add([line(f"def {python}({params}): return ({texts})", stmt.site)])

    seen = scope.unit.name(("sums", scope.name, id(stmt)), "q", write)
    point = scope.optimised.facts.points[stmt.point]
    remembers = not any(map(context.facts.reads, parts)) and not any(map(context.facts.pays, parts))
    sums = SumGroups(point.dice, point.sides, point.lowest, remembers=remembers)
    grouping = scope.unit.helper(f"sums of {seen}", sums)
    return f"{grouping}({', '.join((seen, 'M', *(scope.names[name] for name in locals_)))})"


def tell(scope: RoutineScope, stmt: Tell) -> Flow:
    """Note a modified value with its modifiers."""
    site, functions = stmt.site, scope.optimised.facts.functions
    before: Expr = Const(0, ACTS)
    values: list[tuple[str, Expr]] = []
    given = (before, *stmt.arguments)
    if stmt.of == "define":
        plain = f"{stmt.function}{UNMODIFIED}"
        before, given = Apply(plain, stmt.arguments, functions[plain].result), stmt.arguments
        values.append(("before", before))
    values.append(("value", Apply(stmt.function, given, functions[stmt.function].result)))
    values += [(f"argument {number}", part) for number, part in enumerate(stmt.arguments)]
    writer = scope.writer(site, *(e for _, e in values))
    fields = [(name, e.type, writer.text(e)) for name, e in values]
    fields += _explanations(scope, (stmt.of, stmt.point), (before, *stmt.arguments), site)
    kind = "value" if stmt.of == "define" else "shift"
    event = Code(scope.trace(kind, site, stmt.point, *fields))
    return [Branch(scope.writer(site, stmt.condition).test(stmt.condition), [event], [], site)]


def _explanations(
    scope: RoutineScope, of: tuple[str, str], given: tuple[Expr, ...], site: int
) -> list[Field]:
    """For each modifier of a point, the clause that keeps it from acting, or its number if it acts."""
    fields: list[tuple[str, Expr]] = []
    functions = scope.optimised.facts.functions
    for modifier in scope.optimised.program.modifiers:
        if (modifier.of, modifier.point) != of:
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
    return [(name, e.type, scope.writer(site, e).text(e)) for name, e in fields]


def draw_lot(scope: RoutineScope, stmt: DrawLot) -> Flow:
    """Draw by lot from a set that stays as it is."""
    site = stmt.site
    writer = scope.writer(site, stmt.count, stmt.over)
    target = scope.local(stmt.local)
    flow, over = _keep(scope, f"{stmt.local.name}.from", stmt.over.type, writer.text(stmt.over), site)
    if stmt.one:
        flow += draw_one_of(scope, stmt.point, over, target, site)
    else:
        kept, count = _keep(scope, f"{stmt.local.name}.count", COUNT, writer.text(stmt.count), site)
        flow += [*kept, *draw_several_of(scope, stmt.point, over, count, target, site)]
    known = sides_field(scope, stmt.known, site)
    event = scope.trace("draw", site, stmt.point, ("drawn", stmt.local.type, target), *known)
    return [*flow, Code([*learn(scope, site), *event])]


def draw_top(scope: RoutineScope, stmt: DrawTop) -> Flow:
    """Draw from a cup by lot, or from a stack from its top, and remove it."""
    site, target = stmt.site, scope.local(stmt.local)
    begun, keys, fields = _fixed_keys(scope, stmt.keys, site)
    writer = scope.writer(site, *keys, stmt.count)
    find, cell = _address(writer.cell(stmt.state, keys).text, site)
    flow: Flow = [*begun, Code(find)]
    again: Lines = []
    if isinstance(scope.optimised.facts.states[stmt.state].type, SetOf):
        again = find if scope.asks_chance else []
        flow += _drawn_from_cup(scope, stmt, f"M[{cell}]", writer.text(stmt.count), target)
        left = f"M[{cell}] & ~(1 << {target})" if stmt.one else f"M[{cell}] & ~{target}"
    elif stmt.one:
        flow.append(code(site, f"{target} = top(M[{cell}])"))
        left = f"M[{cell}][1:]"
    else:
        flow.append(code(site, f"x = {writer.value(stmt.count).at(UNARY)}", f"{target} = M[{cell}][:x]"))
        left = f"M[{cell}][x:]"
    noted, _ = scope.note(cell, site)
    lines = [*again, *noted, *hide_again(scope, writer, stmt.state, keys, site)]
    lines += [line(f"M[{cell}] = {left}", site), *learn(scope, site)]
    known = sides_field(scope, stmt.known, site) or state_field(scope, stmt.state, keys, site)
    lines += scope.trace("take", site, stmt.state, *fields, ("drawn", stmt.local.type, target), *known)
    return [*flow, Code([*lines, *scope.checks(stmt.state, site)])]


def _drawn_from_cup(scope: RoutineScope, stmt: DrawTop, content: str, count: str, target: str) -> Flow:
    """Draw from a cup with this content, which stays in it for now."""
    site, kind = stmt.site, scope.optimised.facts.states[stmt.state].type
    flow, mask = _keep(scope, f"{stmt.local.name}.from", kind, content, site)
    if stmt.one:
        return [*flow, *draw_one_of(scope, stmt.point, mask, target, site)]
    kept, count = _keep(scope, f"{stmt.local.name}.count", COUNT, count, site)
    return [*flow, *kept, *draw_several_of(scope, stmt.point, mask, count, target, site)]


def shuffle(scope: RoutineScope, stmt: Shuffle) -> Flow:
    """Put a stack into random order."""
    site = stmt.site
    begun, keys, fields = _fixed_keys(scope, stmt.keys, site)
    writer = scope.writer(site, *keys)
    find, cell = _address(writer.cell(stmt.state, keys).text, site)
    kind = scope.optimised.facts.states[stmt.state].type
    kept, things = _keep(scope, "shuffled", kind, f"M[{cell}]", site)
    order = things if scope.asks_chance else "x"
    noted, _ = scope.note(cell, site)
    lines = [*(find if scope.asks_chance else ()), *noted]
    lines += hide_again(scope, writer, stmt.state, keys, site)
    lines += [line(f"M[{cell}] = {order}", site), *learn(scope, site)]
    fields += state_field(scope, stmt.state, keys, site)
    lines += scope.trace("shuffle", site, stmt.state, *fields)
    return [*begun, Code(find), *kept, *shuffle_things(scope, stmt.point, things, order, site), Code(lines)]


def _fixed_keys(
    scope: RoutineScope, keys: tuple[Expr, ...], site: int
) -> tuple[Flow, tuple[Expr, ...], list[Field]]:
    """Keys that stay what they are while chance is asked, and what `RoutineScope.fix_keys` gives for them."""
    flow: Flow = []
    if scope.asks_chance:
        kept: list[Expr] = []
        for key in keys:
            if not isinstance(key, Const):
                variable = scope.variable("key", key.type)
                flow.append(code(site, f"{variable} = {scope.writer(site, key).text(key)}"))
                scope.names[f"key {variable}"] = variable
                key = Local(f"key {variable}", key.type)
            kept.append(key)
        keys = tuple(kept)
    lines, keys, fields = scope.fix_keys(keys, site)
    return [*flow, Code(lines)], keys, fields


def _address(text: str, site: int) -> tuple[Lines, str]:
    """A cell that is used more than once: the lines that find it, and its address."""
    return ([], text) if text.isdigit() else ([line(f"a = {text}", site)], "a")
