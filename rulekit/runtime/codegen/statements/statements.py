"""Procedures as flows: control, bindings, calls and choices; changes and chance are lowered next door."""

from __future__ import annotations

from typing import assert_never

from rulekit.ir import Block, Stmt
from rulekit.ir import stmt as s
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import MapOf, Member
from rulekit.runtime.codegen.module_writer import Lines, Unit
from rulekit.runtime.codegen.routines import flow as f
from rulekit.runtime.codegen.routines.flow import Code, Flow, Routine, code, line
from rulekit.runtime.codegen.statements import chance_statements, effects, iteration
from rulekit.runtime.codegen.statements.iteration import COUNT, members_of
from rulekit.runtime.codegen.statements.scope import RoutineScope
from rulekit.runtime.optimise.in_order import in_order
from rulekit.runtime.support.asked import CUT


def call(scope: RoutineScope, stmt: s.Do | s.Choose) -> Flow:
    """Run a procedure, or ask a choice."""
    writer = scope.writer(stmt.site, *stmt.arguments)
    arguments = tuple(writer.text(part) for part in stmt.arguments)
    target = None if stmt.local is None else scope.local(stmt.local)
    if isinstance(stmt, s.Choose):
        return [scope.invoke(("choice", stmt.choice, False), arguments, target, stmt.site)]
    key = ("procedure", stmt.procedure, scope.late)
    if scope.may_stop(stmt.procedure):
        invoke = scope.invoke(key, arguments, target, stmt.site)
        return [invoke] if target is not None or not scope.defers(key) else defer(scope, invoke)
    text = f"{scope.unit.routine_name(key)}({', '.join(('S', 'M', *arguments))})"
    return [code(stmt.site, text if target is None else f"{target} = {text}")]


def defer(scope: RoutineScope, call: f.Invoke) -> Flow:
    """Put a call that only adds off, if that can be done now, and perhaps stop after it; or run it."""
    state, number = scope.variable("deferred", COUNT), scope.unit.deferral(call.routine)
    arguments = "".join(f"{argument}, " for argument in call.arguments)
    cut = f.AskChance(0, CUT, "None", "()", state, call.site, scope.label("cut"), scope.late)
    stop = f.Branch(f"{state} > 1", [cut], [], call.site)
    return [
        code(call.site, f"{state} = S.defer({number}, ({arguments}))"),
        f.Branch(state, [stop], [call], call.site),
    ]


def choose_each(scope: RoutineScope, stmt: s.ChooseEach) -> Flow:
    """Ask for one member after the other; answers become known when all are given."""
    site = stmt.site
    writer = scope.writer(site, stmt.over)
    values = writer.members(stmt.over)
    var = scope.local(stmt.var)
    answer = scope.optimised.facts.choices[stmt.choice].answer
    given = scope.variable("answer", answer)
    kept = scope.variable(f"{stmt.var.name}.list", members_of(stmt.var.type))
    index = scope.variable(f"{stmt.var.name}.index", COUNT)
    writer = scope.writer(site, *stmt.arguments)
    arguments = [writer.text(part) for part in stmt.arguments]
    body: Flow = [scope.invoke(("choice", stmt.choice, False), arguments, given, site)]
    flow: Flow = []
    begin = scope.trace("secret_begin", site, stmt.choice)
    end = scope.trace("secret_end", site, stmt.choice)
    shown = [*effects.learn(scope, site), *end]
    target = None
    if stmt.local is not None:
        assert isinstance(stmt.var.type, Member)
        scope.types.setdefault(stmt.local.name, MapOf(stmt.var.type, answer))
        target = scope.local(stmt.local)
        flow.append(code(site, f"{target} = {{}}"))
        # A frame may be shared by clones, so that its map is made anew instead of changed.
        frames = scope.build.form == "frames"
        added = f"{target} = {{**{target}, {var}: {given}}}" if frames else f"{target}[{var}] = {given}"
        body.append(code(site, added))
    loop = f.Each(var, values, body, site, kept, index)
    return [Code(begin), *flow, loop, Code(shown)]


def procedure(unit: Unit, name: str, *, late: bool) -> Routine:
    """A procedure as a routine; `late` is the form that runs inside another's `together` block."""
    item = unit.optimised.procedure(name)
    scope = RoutineScope(unit, name, ((local.name, local.type) for local in item.locals), late=late)
    for param in item.params:
        scope.types.setdefault(param.name, param.type)
    params = scope.parameters(item.params)
    flow = [
        *scope.charge(scope.optimised.prices.of_procedure(name), item.site),
        *Lowering(scope).block(item.body),
    ]
    return scope.routine("procedure", params, flow, item.site)


class Lowering:
    """Lowers the statements of one procedure."""

    def __init__(self, scope: RoutineScope) -> None:
        self.scope = scope
        self._block_late = scope.late
        self._landing_site: int | None = None
        """The site of the outermost open `together` block of this procedure."""
        self._loops: list[bool] = []
        """For each open loop, whether it stands outside the innermost `together` block."""

    def block(self, block: Block) -> Flow:
        """Statements one after the other."""
        flow: Flow = []
        for stmt in block:
            covered = self.scope.coverage(stmt.site)
            if covered:
                flow.append(Code(covered))
            flow += self.statement(stmt)
        return flow

    def statement(self, stmt: Stmt) -> Flow:
        """One statement."""
        scope = self.scope
        match stmt:
            case s.Let():
                return [self._bind(stmt)]
            case s.Write():
                return [effects.write(scope, stmt)]
            case s.MarkAll():
                return [effects.mark_all(scope, stmt)]
            case s.Place():
                return [effects.place(scope, stmt)]
            case s.Put():
                return [effects.put(scope, stmt)]
            case s.Form():
                return [effects.form(scope, stmt)]
            case s.Dissolve():
                return [effects.end_group(scope, stmt)]
            case s.Reveal():
                return [effects.reveal(scope, stmt)]
            case s.Roll():
                return chance_statements.roll(scope, stmt)
            case s.DrawLot():
                return chance_statements.draw_lot(scope, stmt)
            case s.DrawTop():
                return chance_statements.draw_top(scope, stmt)
            case s.Shuffle():
                return chance_statements.shuffle(scope, stmt)
            case s.Say():
                return [effects.say(scope, stmt)]
            case s.Tell():
                return chance_statements.tell(scope, stmt)
            case s.Fail():
                return [code(stmt.site, f"{self._failing(stmt)}()")]
            case s.When():
                return [self._when(stmt)]
            case s.ForEach():
                return iteration.for_each(self.scope, self.body, stmt)
            case s.Repeat():
                return iteration.repeat(self.scope, self.body, stmt)
            case s.Leave():
                return [*self._landing(), f.Break(stmt.site)]
            case s.Next():
                return [*self._landing(), f.Continue(stmt.site)]
            case s.Return():
                return self._return(stmt)
            case s.Do() | s.Choose():
                return call(self.scope, stmt)
            case s.ChooseEach():
                return choose_each(self.scope, stmt)
            case s.Together():
                return self._together(stmt)
            case s.Step():
                return self._step(stmt)
            case s.Finish():
                return self._finish(stmt)
            case _:
                assert_never(stmt)

    # ------------------------------------------------------------ plain

    def _bind(self, stmt: s.Let) -> Code:
        writer = self.scope.writer(stmt.site, stmt.value)
        target = self.scope.local(stmt.local)
        return code(stmt.site, f"{target} = {writer.text(stmt.value)}")

    def _when(self, stmt: s.When) -> f.Branch:
        writer = self.scope.writer(stmt.site, stmt.condition)
        then, otherwise = self.block(stmt.then), self.block(stmt.otherwise)
        if self.scope.optimised.facts.fallible(stmt.condition):
            # Asked even where a build without a trace has nothing to do in either case.
            then.insert(0, code(stmt.site, "pass"))
        return f.Branch(writer.test(stmt.condition), then, otherwise, stmt.site)

    def _failing(self, stmt: s.Fail) -> str:
        def fail() -> None:
            raise Fault(stmt.reason, stmt.detail)

        return self.scope.unit.helper(f"fail {stmt.reason} {stmt.detail}", fail)

    def _return(self, stmt: s.Return) -> Flow:
        if stmt.value is None:
            return [*self._landing(leaving=True), f.Exit("None", stmt.site)]
        text = self.scope.writer(stmt.site, stmt.value).text(stmt.value)
        landing = self._landing(leaving=True)
        if not landing:
            return [f.Exit(text, stmt.site)]
        name = self.scope.variable("result", stmt.value.type)
        kept = code(stmt.site, f"{name} = {text}")
        return [kept, *landing, f.Exit(name, stmt.site)]

    def _finish(self, stmt: s.Finish) -> Flow:
        """End the game; changes that wait land first, also those of a caller's block."""
        scope = self.scope
        lines: Lines = [line(f"S.land({stmt.site})", stmt.site)] if scope.late else []
        result = "None"
        if stmt.result is not None:
            lines.insert(0, line(f"x = {scope.writer(stmt.site, stmt.result).text(stmt.result)}", stmt.site))
            result = "x"
            lines += scope.trace("finish", stmt.site, "", ("result", stmt.result.type, "x"))
        else:
            lines += scope.trace("finish", stmt.site, "")
        lines.append(line(f"raise Finished({result})", stmt.site))
        return [Code(lines)]

    def _step(self, stmt: s.Step) -> Flow:
        scope = self.scope
        event = scope.trace(stmt.word, stmt.site, stmt.name)
        scope.steps = (*scope.steps, stmt.name)
        body = self.block(stmt.body)
        scope.steps = scope.steps[:-1]
        return [Code(event), *body] if event else body

    # ------------------------------------------------------------ together

    def _together(self, stmt: s.Together) -> Flow:
        """The block with changes noted; inside another such block it is part of that one."""
        scope = self.scope
        if scope.late:
            return self.block(stmt.body)
        # A build without events and without invariants may make a change before the block ends.
        if scope.build.trace == "off" and not scope.build.invariants and not scope.optimised.plain:
            ordered = in_order(scope.optimised.context, stmt.body)
            if ordered is not None:
                return self.block(ordered)
        scope.late = True
        self._landing_site = stmt.site
        loops, self._loops = self._loops, []
        body = self.block(stmt.body)
        self._loops = loops
        self._landing_site = None
        scope.late = self._block_late
        return [*body, self._land(stmt.site)]

    def _land(self, site: int) -> Code:
        everything = (state.name for state in self.scope.optimised.program.states)
        return Code([line(f"S.land({site})", site), *self.scope.invariant_checks(everything, site)])

    def _landing(self, *, leaving: bool = False) -> Flow:
        """The code before a jump out of a `together` block of this procedure.

        What lands is the block's, so its rule is cited and not that of the jump.
        """
        site = self._landing_site
        return [] if site is None or (self._loops and not leaving) else [self._land(site)]

    def body(self, body: Block) -> Flow:
        """The body of a loop."""
        self._loops.append(True)
        flow = self.block(body)
        self._loops.pop()
        return flow
