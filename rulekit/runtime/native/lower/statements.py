"""Procedures: control, bindings, calls and choices; changes and chance are lowered next door."""

from __future__ import annotations

from typing import assert_never

from rulekit.ir import Block, Stmt, walk
from rulekit.ir import stmt as s
from rulekit.ir.types import MapOf, Nothing, Type
from rulekit.runtime.native import lir, messages, promises
from rulekit.runtime.native.log import writing
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower import changes, maps, ordering
from rulekit.runtime.native.lower.builder import Words
from rulekit.runtime.native.lower.drawing import Drawing
from rulekit.runtime.native.lower.memory import ENDED_AT, OVER, RESULT_AT, STATUS_AT
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.together.landing import Landing
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.messages import Why
from rulekit.runtime.native.refusals import CannotLower
from rulekit.runtime.native.stops import calls_in
from rulekit.runtime.optimise.sharing import bound_locals
from rulekit.runtime.support.build import LOOP_LIMIT


class Procedures:
    """Lowers the procedures of one module."""

    def __init__(self, unit: ModuleUnit, drawing: Drawing, landing: Landing) -> None:
        self.unit = unit
        self.drawing = drawing
        self.landing = landing
        self.finishing = _finishing(unit)

    def procedure(self, name: str, *, late: bool = False) -> lir.LowFunction:
        """A procedure as a function; `late` is the form that runs inside another's `together` block."""
        item = self.unit.optimised.procedure(name)
        result = result_of(item.result)
        x = RoutineLowerer(self.unit, procedure_name(name, late=late), item.params, result, item.site)
        x.kinds |= {param.name: param.type for param in item.locals}
        x.declare(bound_locals(item.body))
        price = self.unit.optimised.prices.of_procedure(name)
        if price:
            x.pay(lir.ONE, price)
        ProcedureBody(self, x, late=late).block(item.body)
        return x.finish()


def procedure_name(name: str, *, late: bool = False) -> str:
    """The name of the function of a procedure, or of its form inside a `together` block."""
    return f"late procedure {name}" if late else f"procedure {name}"


def choice_name(name: str) -> str:
    """The name of the function of a choice."""
    return f"choice {name}"


def result_of(kind: Type) -> Type | None:
    """The type of a result, if there is one."""
    return None if isinstance(kind, Nothing) else kind


def _finishing(unit: ModuleUnit) -> frozenset[str]:
    """The procedures in which the game may end."""
    finishing: set[str] = set()
    runs: dict[str, set[str]] = {}
    for item in unit.program.procedures:
        parts = list(walk.statements(unit.optimised.procedure(item.name).body))
        runs[item.name] = {part.procedure for part in parts if isinstance(part, s.Do)}
        if any(isinstance(part, s.Finish) for part in parts):
            finishing.add(item.name)
    while more := {name for name, called in runs.items() if called & finishing} - finishing:
        finishing |= more
    return frozenset(finishing)


class ProcedureBody:
    """Lowers the statements of one procedure."""

    def __init__(self, procedures: Procedures, x: RoutineLowerer, *, late: bool) -> None:
        self.procedures = procedures
        self.unit = procedures.unit
        self.drawing = procedures.drawing
        self.x = x
        self.loops: list[str] = []
        """The labels of the open loops of statements, the innermost last."""
        self.late = late
        self._together_site: int | None = None
        """The site of the outermost open `together` block of this procedure."""
        self._loops_outside = 0
        """How many of the loops are around that block."""

    def block(self, block: Block) -> None:
        """Statements one after the other, up to one that leaves.

        One that cannot be lowered is noted, so that a build reports all of them.
        """
        for stmt in block:
            self.x.site = stmt.site
            try:
                self._statement_with_event(stmt)
                if not self.late:
                    promises.test_after(self.x, stmt)
            except CannotLower as cannot:
                self.unit.refuse(cannot, stmt.site)
            if self.x.build.code and lir.ends((self.x.build.code[-1],)):
                break

    def _statement_with_event(self, stmt: Stmt) -> None:
        """One statement and, in a module with a log, its event."""
        if self.unit.log is None:
            self.statement(stmt)
            return
        stmt = writing.fix(self.x, stmt)
        self.statement(stmt)
        writing.tell(self.x, stmt, late=self.late)

    def statement(self, stmt: Stmt) -> None:
        """One statement."""
        x, drawing, landing = self.x, self.drawing, self.procedures.landing
        match stmt:
            case s.Write() if self.late:
                changes.note(x, landing, stmt)
            case s.MarkAll() if self.late:
                changes.note_all(x, landing, stmt)
            case s.Place() if self.late:
                changes.note_place(x, landing, stmt)
            case s.Put() if self.late:
                changes.note_put(x, landing, stmt)
            case s.Dissolve() if self.late:
                landing.end_group(x, stmt.domain, x.once(stmt.group))
            case s.Let():
                x.bind_local(stmt.local, x.words(stmt.value))
            case s.Write():
                changes.write(x, stmt)
            case s.MarkAll():
                changes.mark_all(x, stmt)
            case s.Place():
                changes.place(x, stmt)
            case s.Put():
                changes.put(x, stmt)
            case s.Form():
                changes.form(x, stmt)
            case s.Dissolve():
                changes.dissolve(x, stmt)
            case s.Reveal():
                changes.reveal(x, stmt)
            case s.Roll():
                drawing.roll(x, stmt)
            case s.DrawLot():
                drawing.draw_lot(x, stmt)
            case s.DrawTop():
                drawing.draw_top(x, stmt)
            case s.Shuffle():
                drawing.shuffle(x, stmt)
            case s.Say():
                if self.unit.log is None and self.unit.facts.fallible(stmt.text):
                    x.build.bind_all(x.words(stmt.text))
            case s.Tell():
                pass  # It changes nothing.
            case s.Fail():
                x.fail(stmt.reason, None, Why(stmt.detail))
            case s.When():
                self._when(stmt)
            case s.ForEach():
                ordering.for_each(self, stmt)
            case s.Repeat():
                self._repeat(stmt)
            case s.Leave():
                self._land_before_leaving()
                x.build.emit(lir.LowBreak(self.loops[-1]))
            case s.Next():
                self._land_before_leaving()
                x.build.emit(lir.LowNext(self.loops[-1]))
            case s.Return():
                self._return(stmt)
            case s.Do():
                self._run(stmt)
            case s.Choose():
                self._choose(stmt)
            case s.ChooseEach():
                self._choose_each(stmt)
            case s.Together():
                self._together(stmt)
            case s.Step():
                writing.tell_step(x, stmt)
                self.block(stmt.body)
            case s.Finish():
                self._finish(stmt)
            case _:
                assert_never(stmt)

    # ------------------------------------------------------------ control

    def _when(self, stmt: s.When) -> None:
        build = self.x.build
        condition = self.x.one(stmt.condition)
        with build.inner() as then:
            self.block(stmt.then)
        with build.inner() as otherwise:
            self.block(stmt.otherwise)
        if isinstance(condition, lir.Num):
            build.emit(*(then if condition.value else otherwise))
        elif then:
            build.emit(lir.LowIf(condition, tuple(then), tuple(otherwise)))
        elif otherwise:
            build.emit(lir.LowIf(b.zero(condition), tuple(otherwise)))

    def run(self, label: str, body: Block) -> None:
        """The body of a loop of statements."""
        self.loops.append(label)
        self.block(body)
        self.loops.pop()

    def _repeat(self, stmt: s.Repeat) -> None:
        x, build = self.x, self.x.build
        price = self.unit.optimised.prices.of_runs(stmt)
        if stmt.kind == "times":
            left = build.variables((x.one(stmt.control),), "times")[0]
            if price:
                with build.when(b.binary("gt_s", lir.Get(left), lir.ZERO)):
                    x.pay(lir.Get(left), price)
            with build.loop("repeat") as label:
                with build.when(b.binary("le_s", lir.Get(left), lir.ZERO)):
                    build.emit(lir.LowBreak(label))
                build.set(left, b.plus(lir.Get(left), -1))
                self.run(label, stmt.body)
            return
        runs = build.variables((lir.ZERO,), "runs")[0]
        with build.loop("repeat") as label:
            with build.inner() as test:
                holds = x.one(stmt.control)
                with build.when(holds if stmt.kind == "until" else b.zero(holds)):
                    build.emit(lir.LowBreak(label))
            if stmt.kind == "until":
                build.emit(lir.LowIf(lir.Get(runs), tuple(test)))
            else:
                build.emit(*test)
            build.set(runs, b.plus(lir.Get(runs), 1))
            limit = lir.Num(LOOP_LIMIT) if stmt.limit is None else x.one(stmt.limit)
            limit = build.bind(limit)
            why = messages.endless(limit)
            x.fail_if(b.binary("gt_s", lir.Get(runs), limit), "endless-loop", None, why)
            if price:
                x.pay(lir.ONE, price)
            self.run(label, stmt.body)

    def _return(self, stmt: s.Return) -> None:
        x = self.x
        words = None if stmt.value is None else x.build.bind_all(x.words(stmt.value))
        if self._together_site is not None:
            self._land(self._together_site)
        if words is None:
            x.leave(None)
        else:
            x.give(words)

    def _finish(self, stmt: s.Finish) -> None:
        x = self.x
        result = None if stmt.result is None else x.once(stmt.result)
        if self.late:
            self._land(stmt.site)
        writing.tell_end(x, stmt, result)
        if result is not None:
            x.store((RESULT_AT, None), (result,))
            x.store((ENDED_AT, None), (lir.ONE,))
        x.store((STATUS_AT, None), (lir.Num(OVER),))
        x.leave(None)

    # ------------------------------------------------------------ together

    def _together(self, stmt: s.Together) -> None:
        """The block with changes noted; inside another such block it is part of that one."""
        if self.late:
            self.block(stmt.body)
            return
        self.late, self._together_site, self._loops_outside = True, stmt.site, len(self.loops)
        with self.x.build.inner() as body:
            self.block(stmt.body)
        self.procedures.landing.runs.update(calls_in(tuple(body)))
        self.x.build.emit(*body)
        self.late, self._together_site = False, None
        if not lir.ends(tuple(self.x.build.code)):
            self._land(stmt.site)

    def _land(self, site: int) -> None:
        """Make the changes of the open block; the block is blamed, not the jump out of it."""
        before, self.x.site = self.x.site, site
        self.procedures.landing.land(self.x)
        promises.test(self.x, (state.name for state in self.unit.program.states))
        self.x.site = before

    def _land_before_leaving(self) -> None:
        """Land the open block before a jump to a loop around it."""
        if self._together_site is not None and len(self.loops) == self._loops_outside:
            self._land(self._together_site)

    # ------------------------------------------------------------ calls and choices

    def _run(self, stmt: s.Do) -> None:
        x = self.x
        item = self.unit.facts.procedures[stmt.procedure]
        name = procedure_name(stmt.procedure, late=self.late)
        result = result_of(item.result)
        arguments = x.arguments(stmt.arguments, item.params)
        answer = x.call(name, arguments, result)
        if stmt.procedure in self.procedures.finishing:
            x.leave_if_over()
        if stmt.local is not None:
            x.bind_local(stmt.local, answer)

    def _choose(self, stmt: s.Choose) -> None:
        x = self.x
        item = self.unit.facts.choices[stmt.choice]
        arguments = x.arguments(stmt.arguments, item.params)
        answer = self.ask(stmt.choice, arguments)
        if stmt.local is not None:
            x.bind_local(stmt.local, answer)

    def ask(self, choice: str, arguments: tuple[lir.Expr, ...]) -> Words:
        """The answer to a choice."""
        answer = self.unit.facts.choices[choice].answer
        return self.x.call(choice_name(choice), arguments, answer)

    def _choose_each(self, stmt: s.ChooseEach) -> None:
        """Ask for one member after the other."""
        x = self.x
        item = self.unit.facts.choices[stmt.choice]
        kind = None if stmt.local is None else x.kinds.get(stmt.local.name, stmt.local.type)
        over = x.words(stmt.over)
        writing.tell_secret(x, stmt, begins=True)
        buffer = 0
        if kind is not None:
            assert isinstance(kind, MapOf)
            buffer = x.temporary(kind, "answers")
            maps.empty(x, kind, buffer)
        with x.members(over) as (member, _):
            x.bind_local(stmt.var, (member,))
            answer = self.ask(stmt.choice, x.arguments(stmt.arguments, item.params))
            if isinstance(kind, MapOf):
                maps.put(x, kind, b.address(buffer), member, x.build.bind_all(answer))
        if stmt.local is not None:
            x.bind_local(stmt.local, (b.address(buffer),))
        changes.learn(x)
        writing.tell_secret(x, stmt, begins=False)
