"""Procedures as flows: control, bindings, calls and choices; changes and chance are lowered next door."""

from __future__ import annotations

from typing import cast

from rulekit.interpret import drawing, effects
from rulekit.interpret.build import LOOP_LIMIT
from rulekit.interpret.expressions import Writer
from rulekit.interpret.faults import Fault
from rulekit.interpret.flow import (
    NOTHING,
    Branch,
    Break,
    Call,
    Code,
    Continue,
    Each,
    Flow,
    Names,
    Return,
    Routine,
    Times,
    While,
    line,
    stops,
)
from rulekit.interpret.layout import FUEL
from rulekit.interpret.loops import ordered
from rulekit.interpret.python import ATOM
from rulekit.interpret.scope import Scope
from rulekit.interpret.unit import Lines, Unit
from rulekit.ir import (
    Block,
    Choose,
    ChooseEach,
    Dissolve,
    Do,
    DrawLot,
    DrawTop,
    Fail,
    Filter,
    Finish,
    ForEach,
    Form,
    Leave,
    Let,
    Local,
    MarkAll,
    Next,
    Place,
    Put,
    Repeat,
    Reveal,
    Roll,
    Say,
    Shuffle,
    Step,
    Stmt,
    Together,
    When,
    Write,
    walk,
)
from rulekit.ir import Return as ReturnStmt
from rulekit.types import Int, ListOf, MapOf, Member, Scalar, SetOf, Type

COUNT = Int(0, 2**31 - 1)
SHORT = 64
"""A loop that runs at most so often, and runs nothing that loops, is not charged."""


def procedure(unit: Unit, name: str, *, late: bool) -> Routine:
    """A procedure as a routine; `late` is the form that runs inside another's `together` block."""
    item = unit.plan.procedure(name)
    scope = Scope(unit, name, ((local.name, local.type) for local in item.locals), late=late)
    params = []
    for param in item.params:
        scope.types.setdefault(param.name, param.type)
        scope.names[param.name] = scope.variable(param.name, param.type)
        params.append(scope.names[param.name])
    flow = Lowering(scope).block(item.body)
    return scope.routine("procedure", params, flow, item.site)


class Lowering:
    """Lowers the statements of one procedure."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._block_late = scope.late
        self._loops: list[bool] = []
        """For each open loop, whether it stands outside the innermost `together` block."""

    def block(self, block: Block) -> Flow:
        """Statements one after the other."""
        flow: Flow = []
        for stmt in block:
            covered = self.scope.covered(stmt.site)
            if covered:
                flow.append(Code(covered))
            flow += self.statement(stmt)
        return flow

    def statement(self, stmt: Stmt) -> Flow:
        """One statement."""
        scope = self.scope
        match stmt:
            case Let():
                return [self._bind(stmt)]
            case Write():
                return [effects.write(scope, stmt)]
            case MarkAll():
                return [effects.mark_all(scope, stmt)]
            case Place():
                return [effects.place(scope, stmt)]
            case Put():
                return [effects.put(scope, stmt)]
            case Form():
                return [effects.form(scope, stmt)]
            case Dissolve():
                return [effects.end_group(scope, stmt)]
            case Reveal():
                return [effects.reveal(scope, stmt)]
            case Roll():
                return [drawing.roll(scope, stmt)]
            case DrawLot():
                return [drawing.draw_lot(scope, stmt)]
            case DrawTop():
                return [drawing.draw_top(scope, stmt)]
            case Shuffle():
                return [drawing.shuffle(scope, stmt)]
            case Say():
                return [Code(scope.trace("say", stmt.site, stmt.text))]
            case Fail():
                return [Code([line(f"{self._failing(stmt)}()", stmt.site)])]
            case _:
                return self._control(stmt)

    def _control(self, stmt: Stmt) -> Flow:
        match stmt:
            case When():
                return [self._when(stmt)]
            case ForEach():
                return self._for_each(stmt)
            case Repeat():
                return self._repeat(stmt)
            case Leave():
                return [*self._landing(stmt.site), Break(stmt.site)]
            case Next():
                return [*self._landing(stmt.site), Continue(stmt.site)]
            case ReturnStmt():
                return self._return(stmt)
            case Do():
                return self._do(stmt)
            case Choose():
                return self._choose(stmt)
            case ChooseEach():
                return self._choose_each(stmt)
            case Together():
                return self._together(stmt)
            case Step():
                return self._step(stmt)
            case Finish():
                return self._finish(stmt)
            case _:
                raise AssertionError(stmt)

    # ------------------------------------------------------------ plain

    def _bind(self, stmt: Let) -> Code:
        writer = self.scope.writer(stmt.site, stmt.value)
        reads = self.scope.reads(stmt.value)
        target = self.scope.local(stmt.local)
        return Code([line(f"{target} = {writer.text(stmt.value)}", stmt.site)], reads, frozenset((target,)))

    def _when(self, stmt: When) -> Branch:
        writer = self.scope.writer(stmt.site, stmt.condition)
        then, otherwise = self.block(stmt.then), self.block(stmt.otherwise)
        return Branch(
            writer.tested(stmt.condition), self.scope.reads(stmt.condition), then, otherwise, stmt.site
        )

    def _failing(self, stmt: Fail) -> str:
        def fail() -> None:
            raise Fault(stmt.reason, stmt.detail)

        return self.scope.unit.helper(f"fail {stmt.reason} {stmt.detail}", fail)

    def _return(self, stmt: ReturnStmt) -> Flow:
        if stmt.value is None:
            return [*self._landing(stmt.site, leaving=True), Return("None", NOTHING, stmt.site)]
        text = self.scope.writer(stmt.site, stmt.value).text(stmt.value)
        reads = self.scope.reads(stmt.value)
        landing = self._landing(stmt.site, leaving=True)
        if not landing:
            return [Return(text, reads, stmt.site)]
        name = self.scope.variable("result", stmt.value.type)
        kept = Code([line(f"{name} = {text}", stmt.site)], reads, frozenset((name,)))
        return [kept, *landing, Return(name, frozenset((name,)), stmt.site)]

    def _finish(self, stmt: Finish) -> Flow:
        """End the game; changes that wait land first, whoever's block they wait for."""
        scope = self.scope
        lines: Lines = [line("S.land()", stmt.site)] if scope.late else []
        result = "None"
        if stmt.result is not None:
            lines.insert(0, line(f"x = {scope.writer(stmt.site, stmt.result).text(stmt.result)}", stmt.site))
            result = "x"
            lines += scope.trace("finish", stmt.site, "", ("result", stmt.result.type, "x"))
        else:
            lines += scope.trace("finish", stmt.site, "")
        lines.append(line(f"raise Finished({result})", stmt.site))
        return [scope.code(lines, stmt.result)]

    def _step(self, stmt: Step) -> Flow:
        scope = self.scope
        told = scope.trace(stmt.word, stmt.site, stmt.name)
        scope.steps = (*scope.steps, stmt.name)
        body = self.block(stmt.body)
        scope.steps = scope.steps[:-1]
        return [Code(told), *body] if told else body

    # ------------------------------------------------------------ together

    def _together(self, stmt: Together) -> Flow:
        """The block with changes noted; inside another such block it is part of that one."""
        scope = self.scope
        if scope.late:
            return self.block(stmt.body)
        scope.late = True
        loops, self._loops = self._loops, []
        body = self.block(stmt.body)
        self._loops = loops
        scope.late = self._block_late
        return [*body, self._land(stmt.site)]

    def _land(self, site: int) -> Code:
        everything = (state.name for state in self.scope.plan.program.states)
        return Code([line("S.land()", site), *self.scope.checked(everything, site)])

    def _landing(self, site: int, *, leaving: bool = False) -> Flow:
        """What to do before leaving a `together` block of this procedure by a jump."""
        inside = self.scope.late and not self._block_late
        return [self._land(site)] if inside and (leaving or not self._loops) else []

    # ------------------------------------------------------------ loops

    def _body(self, body: Block) -> Flow:
        self._loops.append(True)
        flow = self.block(body)
        self._loops.pop()
        return flow

    def _for_each(self, stmt: ForEach) -> Flow:
        if stmt.order is not None and stmt.order.kind == "chosen":
            return self._each_chosen(stmt)
        scope, site = self.scope, stmt.site
        writer = scope.writer(site, stmt.over)
        reads = scope.reads(stmt.over)
        values = writer.text(stmt.over)
        if not isinstance(stmt.over.type, ListOf):
            values = f"BITS[{values}]"
            if stmt.order is not None:
                values, more = self._ordered(stmt, values)
                reads |= more
        var = scope.local(stmt.var)
        kept = scope.variable(f"{stmt.var.name}.list", _list_of(stmt.var.type))
        index = scope.variable(f"{stmt.var.name}.index", COUNT)
        if stmt.alternating is not None:
            return self._alternating(stmt, values, reads, kept, index)
        body = self._body(stmt.body)
        flow: Flow = []
        if stops(body) or any(isinstance(part, Do | ForEach | Repeat) for part in walk.statements(stmt.body)):
            flow.append(Code([line(f"{kept} = {values}", site), *_charge(f"len({kept})", site)], reads,
                             frozenset((kept,))))  # fmt: skip
            values, reads = kept, frozenset((kept,))
        return [*flow, Each(var, values, reads, body, site, kept, index)]

    def _ordered(self, stmt: ForEach, values: str) -> tuple[str, Names]:
        """The members in the order that the loop asks for, and what that reads."""
        order, scope = stmt.order, self.scope
        assert order is not None
        match order.kind:
            case "lot":
                return f"S.shuffled({drawing.point_index(scope, order.name)}, {values})", NOTHING
            case "first":
                writer = scope.writer(stmt.site, *order.keys)
                heads = ", ".join(
                    f"*BITS[{writer.text(key)}]" if isinstance(key.type, SetOf) else writer.text(key)
                    for key in order.keys
                )
                return f"firsts({values}, ({heads},))", scope.reads(*order.keys)
            case "lowest" | "highest":
                writer = scope.writer(stmt.site, *order.keys)
                text = ordered(writer, values, stmt.var, order.keys[0], order.kind == "highest")
                return text, scope.reads(order.keys[0]) - scope.reads(stmt.var)
            case _:
                raise AssertionError(order.kind)

    def _alternating(self, stmt: ForEach, values: str, reads: Names, kept: str, index: str) -> Flow:
        """Members take turns until a whole round finds nobody who can."""
        assert stmt.alternating is not None
        scope, site = self.scope, stmt.site
        var = scope.local(stmt.var)
        idle = scope.variable(f"{stmt.var.name}.idle", COUNT)
        start = Code([line(f"{kept} = {values}; {index} = {idle} = 0", site)], reads,
                     frozenset((kept, index, idle)))  # fmt: skip
        test = scope.writer(site, stmt.alternating).tested(stmt.alternating)
        turn = Code(
            [
                line(f"{var} = {kept}[{index}]; {index} = ({index} + 1) % len({kept})", site),
                *_charge("1", site),
            ],
            frozenset((kept, index)),
            frozenset((var, index)),
        )
        skip: Flow = [
            Code([line(f"{idle} += 1", site)], frozenset((idle,)), frozenset((idle,))),
            Continue(site),
        ]
        able = Branch(f"not ({test})", scope.reads(stmt.alternating), skip, [], site)
        run = Code([line(f"{idle} = 0", site)], NOTHING, frozenset((idle,)))
        body: Flow = [turn, able, run, *self._body(stmt.body)]
        return [start, While(f"{idle} < len({kept})", frozenset((idle, kept)), body, site)]

    def _each_chosen(self, stmt: ForEach) -> Flow:
        """A side picks the next member each time, of those that have not had their turn."""
        scope, site, order = self.scope, stmt.site, stmt.order
        assert order is not None
        writer = scope.writer(site, stmt.over, *order.keys)
        kind = stmt.over.type
        left = scope.variable(f"{stmt.var.name}.left", kind)
        start_reads = scope.reads(stmt.over)
        var = scope.local(stmt.var)
        params = scope.plan.facts.choices[order.name].params
        arguments = (left, *(writer.text(key) for key in order.keys))[: len(params)]
        start = Code([line(f"{left} = {writer.text(stmt.over)}", site)], start_reads, frozenset((left,)))
        reads = scope.reads(*order.keys) | {left}
        ask = Call(
            ("choice", order.name, False),
            arguments,
            var,
            reads,
            site,
            scope.label(order.name),
            scope.steps,
            scope.late,
        )
        none = Branch(f"{var} < 0", frozenset((var,)), [Break(site)], [], site)
        taken = Code([line(f"{left} &= ~(1 << {var})", site)], frozenset((left, var)), frozenset((left,)))
        body: Flow = [ask, none, taken, *self._body(stmt.body)]
        if stmt.alternating is None:
            return [start, While(left, frozenset((left,)), body, site)]
        return self._rounds(stmt, start, left, body)

    def _rounds(self, stmt: ForEach, start: Code, left: str, body: Flow) -> Flow:
        """Chosen order with turns: each round offers those who still can, until there is none."""
        assert stmt.alternating is not None
        scope, site = self.scope, stmt.site
        everyone = scope.variable(f"{stmt.var.name}.all", stmt.over.type)
        able = _able(scope, stmt, everyone)
        reads = scope.reads(stmt.alternating) - scope.reads(stmt.var) | {everyone}
        first = Code([line(f"{everyone} = {left}; {left} = 0", site)], frozenset((left,)),
                     frozenset((everyone, left)))  # fmt: skip
        again = Code([line(f"{left} = {left} & {able} or {able}", site), *_charge("1", site)],
                     reads | {left}, frozenset((left,)))  # fmt: skip
        done = Branch(f"not {left}", frozenset((left,)), [Break(site)], [], site)
        return [start, first, While("True", NOTHING, [again, done, *body], site)]

    def _repeat(self, stmt: Repeat) -> Flow:
        scope, site = self.scope, stmt.site
        writer = scope.writer(site, stmt.control)
        reads = scope.reads(stmt.control)
        if stmt.kind == "times":
            return self._times(stmt, writer.text(stmt.control), reads)
        runs = scope.variable("runs", COUNT)
        test = writer.truth(stmt.control)
        test_text = f"not {runs} or not ({test.text})" if stmt.kind == "until" else test.text
        limit = str(LOOP_LIMIT)
        if stmt.limit is not None:
            limit = scope.writer(site, stmt.limit).text(stmt.limit)
            reads |= scope.reads(stmt.limit)
        start = Code([line(f"{runs} = 0", site)], NOTHING, frozenset((runs,)))
        count = Code(
            [
                line(f"{runs} += 1", site),
                line(f"if {runs} > ({limit}): endless({limit})", site),
                *_charge("1", site),
            ],
            reads | {runs},
            frozenset((runs,)),
        )
        return [start, While(test_text, reads | {runs}, [count, *self._body(stmt.body)], site)]

    def _times(self, stmt: Repeat, count: str, reads: Names) -> Flow:
        scope, site = self.scope, stmt.site
        left = scope.variable("left", COUNT)
        body = self._body(stmt.body)
        inner = any(isinstance(part, Do | ForEach | Repeat) for part in walk.statements(stmt.body))
        few = isinstance(stmt.control.type, Int) and stmt.control.type.high <= SHORT
        if few and not inner:
            return [Times(count, reads, body, site, left)]
        name = scope.variable("times", COUNT)
        lines = [line(f"{name} = {count}", site), line(f"if {name} > 0: M[{FUEL}] -= {name}", site)]
        lines.append(line(f"if M[{FUEL}] < 0: spent()", site))
        start = Code(lines, reads, frozenset((name,)))
        return [start, Times(name, frozenset((name,)), body, site, left)]

    # ------------------------------------------------------------ calls and choices

    def _do(self, stmt: Do) -> Flow:
        scope = self.scope
        writer = scope.writer(stmt.site, *stmt.arguments)
        arguments = tuple(writer.text(part) for part in stmt.arguments)
        reads = scope.reads(*stmt.arguments)
        target = None if stmt.local is None else scope.local(stmt.local)
        key = ("procedure", stmt.procedure, scope.late)
        if stmt.procedure in scope.plan.facts.suspending:
            label = scope.label(stmt.procedure)
            return [Call(key, arguments, target, reads, stmt.site, label, scope.steps, scope.late)]
        text = f"{scope.unit.routine_name(key)}({', '.join(('S', 'M', *arguments))})"
        lines = [line(text if target is None else f"{target} = {text}", stmt.site)]
        return [Code(lines, reads, frozenset(() if target is None else (target,)))]

    def _choose(self, stmt: Choose) -> Flow:
        scope = self.scope
        writer = scope.writer(stmt.site, *stmt.arguments)
        arguments = tuple(writer.text(part) for part in stmt.arguments)
        reads = scope.reads(*stmt.arguments)
        target = None if stmt.local is None else scope.local(stmt.local)
        key = ("choice", stmt.choice, False)
        return [
            Call(key, arguments, target, reads, stmt.site, scope.label(stmt.choice), scope.steps, scope.late)
        ]

    def _choose_each(self, stmt: ChooseEach) -> Flow:
        """Ask for one member after the other; answers become known when all are given."""
        scope, site = self.scope, stmt.site
        writer = scope.writer(site, stmt.over)
        over_reads, values = scope.reads(stmt.over), f"BITS[{writer.text(stmt.over)}]"
        var = scope.local(stmt.var)
        answer = scope.plan.facts.choices[stmt.choice].answer
        given = scope.variable("answer", answer)
        kept = scope.variable(f"{stmt.var.name}.list", _list_of(stmt.var.type))
        index = scope.variable(f"{stmt.var.name}.index", COUNT)
        writer = scope.writer(site, *stmt.arguments)
        arguments = tuple(writer.text(part) for part in stmt.arguments)
        label = scope.label(stmt.choice)
        reads = scope.reads(*stmt.arguments)
        ask = Call(
            ("choice", stmt.choice, False), arguments, given, reads, site, label, scope.steps, scope.late
        )
        body: Flow = [ask]
        flow: Flow = []
        begin, end = (
            scope.trace("secret_begin", site, stmt.choice),
            scope.trace("secret_end", site, stmt.choice),
        )
        counter = str(scope.plan.layout.reveals)
        shown = [*scope.note(counter, site)[0], line(f"M[{counter}] += 1", site), *end]
        target = None
        if stmt.local is not None:
            assert isinstance(stmt.var.type, Member)
            scope.types.setdefault(stmt.local.name, MapOf(stmt.var.type, answer))
            target = scope.local(stmt.local)
            flow.append(Code([line(f"{target} = {{}}", site)], NOTHING, frozenset((target,))))
            # A frame may be shared by clones, so that its map is made anew instead of changed.
            added = f"{target} = {{**{target}, {var}: {given}}}"
            body.append(Code([line(added, site)], frozenset((target, var, given)), frozenset((target,))))
        each = Each(var, values, over_reads, body, site, kept, index)
        return [Code(begin), *flow, each, Code(shown)]


def _charge(runs: str, site: int) -> Lines:
    """Take runs of a loop from the budget."""
    return [line(f"M[{FUEL}] -= {runs}", site), line(f"if M[{FUEL}] < 0: spent()", site)]


def _list_of(kind: Type) -> ListOf:
    """The type of the members a loop still has before it."""
    return ListOf(cast(Scalar, kind), 2**20)


def _able(scope: Scope, stmt: ForEach, over: str) -> str:
    """The members for whom an alternating loop's condition holds, as text."""
    assert stmt.alternating is not None
    everyone = Local("loop members", stmt.over.type)
    e = Filter(everyone, stmt.var, stmt.alternating, stmt.over.type)
    names = {**scope.writer(stmt.site, stmt.alternating).names, everyone.name: over}
    return Writer(scope.unit, names, stmt.site).value(e).at(ATOM)
