"""Statements and loops: each becomes one (rarely two) of the IR, with the locals it binds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, assert_never

from rulekit import ir
from rulekit.compiler.typecheck.choices import ChoiceChecker
from rulekit.compiler.typecheck.context import CheckContext, Wrong
from rulekit.compiler.typecheck.conversions import (
    FLAG,
    lasting,
    lasting_facts,
    member_facts,
    negation,
    require_type,
    with_label,
)
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import Scope, bind_name
from rulekit.compiler.typecheck.statements.asking import AskingChecker, draw_name
from rulekit.compiler.typecheck.statements.changes import ChangeChecker, Checked
from rulekit.compiler.typecheck.verbs import VerbParts
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

MOST_RUNS = 1_000_000


ENDINGS = (ir.Return, ir.Leave, ir.Next, ir.Finish, ir.Fail)


class StatementChecker:
    """Checks blocks.  Every method gives the statements made and the scope after them."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker, choices: ChoiceChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._changes = ChangeChecker(ctx, expressions)
        self._asking = AskingChecker(ctx, expressions, choices, self._changes)

    def block(self, body: tuple[s.Statement, ...], scope: Scope) -> ir.Block:
        """A block's statements; a faulty one is reported and left out."""
        return self.sequence(body, scope)[0]

    def sequence(self, body: tuple[s.Statement, ...], scope: Scope) -> tuple[ir.Block, Scope]:
        """A block's statements, and the scope at its end."""
        block: list[ir.Stmt] = []
        for statement in body:
            try:
                stmts, scope = self.statement(statement, scope)
                block.extend(stmts)
            except Wrong:
                scope = _after_fault(statement, scope)
        return tuple(block), scope

    def statement(self, node: s.Statement, scope: Scope) -> Checked:
        """One statement."""
        rules = self.ctx.rules(node.cite, scope.routine.rules)
        site = self.ctx.site(scope.routine.owner, rules, node.span)
        match node:
            case s.Let():
                return self._let(node, scope, site)
            case s.Change():
                return self._changes.change(node, scope, site)
            case s.Mark():
                return [self._changes.mark(node, scope, site)], scope
            case s.Move():
                return [self._changes.move(node, scope, site)], scope
            case s.Put():
                return [self._changes.put(node, scope, site)], scope
            case s.Form():
                return self._changes.form(node, scope, site)
            case s.Dissolve():
                return [self._changes.dissolve(node, scope, site)], scope
            case s.Reveal():
                return self._changes.reveal(node, scope, site), scope
            case s.Do():
                return self._asking.do(node, scope, site)
            case s.Choose():
                return self._asking.choose(node, scope, site)
            case s.RollDice():
                return self._asking.roll(node, scope, site)
            case s.Draw():
                return self._asking.draw(node, scope, site)
            case s.Shuffle():
                return [self._asking.shuffle(node, scope, site)], scope
            case s.Return():
                return [self._return(node, scope, site)], scope
            case s.Jump():
                return [self._jump(node, scope, site)], scope
            case s.Finish():
                value = self._expressions.infer(node.value, scope) if node.value is not None else None
                return [ir.Finish(value, site)], scope
            case s.Say():
                return [ir.Say(self._expressions.check(node.text, scope, t.Text()), site)], scope
            case s.ForEach():
                inner = self._inside(scope, node.cite)
                return [self._for_each(node.loop, node.body, inner, site)], scope
            case s.Repeat():
                return [self._repeat(node, self._inside(scope, node.cite), site)], scope
            case s.Step():
                return self._step(node, scope, site)
            case s.When():
                return self._when(node, scope, site)
            case s.Together():
                return [ir.Together(self.block(node.body, self._inside(scope, node.cite)), site)], scope
            case _:
                assert_never(node)

    def change(self, node: s.Change, scope: Scope, site: int) -> list[ir.Stmt]:
        """A change with a site of its own, as in the `given` of an example."""
        return self._changes.change(node, scope, site)[0]

    def mark(self, node: s.Mark, scope: Scope, site: int) -> ir.Stmt:
        """A mark of several members, as in the `given` of an example."""
        return self._changes.mark(node, scope, site)

    # -- locals and endings

    def _let(self, node: s.Let, scope: Scope, site: int) -> Checked:
        if node.type is not None:
            type_ = self.ctx.reader.read(node.type)
            value = with_label(self._expressions.check(node.value, scope, type_), f"`{node.name.text}`")
        else:
            value = self._expressions.infer(node.value, scope)
            type_ = value.type
            require_type(self.ctx, type_, node.value.span, f"let {node.name.text}: TYPE = VALUE")
        local = scope.routine.fresh(node.name.text, type_)
        scope.routine.lets.add(local.name)
        after = bind_name(self.ctx, scope, node.name, local)
        if node.type is not None:  # `set`, `add` and `take` may change it
            after = replace(after, changeable=after.changeable | {local.name})
        return [ir.Let(local, value, site)], after

    def _return(self, node: s.Return, scope: Scope, site: int) -> ir.Stmt:
        owner, result = scope.routine.owner, scope.routine.result
        if result is None or isinstance(result, t.Nothing):
            if node.value is not None:
                hint = "declare it: `procedure name(..) -> TYPE:`"
                self.ctx.fail(kinds.WRONG_RESULT, f"`{owner}` declares no result", node.span, hint)
            return ir.Return(None, site)
        if node.value is None:
            hint = "write `result EXPRESSION`"
            self.ctx.fail(kinds.WRONG_RESULT, f"`{owner}` declares a result", node.span, hint)
        value = self._expressions.check(node.value, scope, result)
        return ir.Return(with_label(value, f"the result of `{owner}`"), site)

    def _jump(self, node: s.Jump, scope: Scope, site: int) -> ir.Stmt:
        if not scope.in_loop:
            hint = "to end a procedure, use `return`"
            self.ctx.fail(kinds.OUTSIDE_LOOP, f"`{node.word}` outside a loop", node.span, hint)
        return ir.Leave(site) if node.word == "leave" else ir.Next(site)

    # -- blocks

    def _inside(self, scope: Scope, cite: s.Cite | None) -> Scope:
        """The scope of a block; its citation covers the statements in it."""
        if cite is None:
            return scope
        return replace(scope, routine=replace(scope.routine, rules=self.ctx.rules(cite)))

    def _step(self, node: s.Step, scope: Scope, site: int) -> Checked:
        """A step is a part of the outline, not a block of its own: its names are known after it."""
        inner, after = self._inside(scope, node.cite), scope
        if node.loop is None:
            body, end = self.sequence(node.body, inner)
            after = replace(end, routine=scope.routine)
        else:
            body = (self._for_each(node.loop, node.body, inner, site),)
        return [ir.Step(node.name.text, node.word, node.title, body, site)], after

    def _when(self, node: s.When, scope: Scope, site: int) -> Checked:
        when, after = self._branches(node, 0, scope, site)
        return [when], scope.knowing(after.narrowed) if after is not None else scope

    def _branches(
        self, node: s.When, index: int, scope: Scope, site: int, given: tuple[ir.Expr, ...] = ()
    ) -> tuple[ir.When, Scope | None]:
        """The branches from `index` on, and the scope after them if all but the fall-through end.

        A branch without a citation of its own cites what encloses the `when`.

        Args:
            site: That of the first branch; each other one has its own.
            given: That no condition before was true.
        """
        test, body = node.branches[index]
        own = self._inside(scope, node.cite_of(index))
        if index:
            site = self.ctx.site(own.routine.owner, own.routine.rules, test.span)
        try:
            condition = self._expressions.flag(test, own)
        except Wrong:
            self._check_others(node, index, scope)
            raise
        world, owner = self.ctx.world, scope.routine.owner
        self.ctx.note_condition("branch", owner, condition, test.span, given)
        given = (*given, negation(condition))
        then = self.block(body, own.knowing(lasting_facts(world, condition, True, scope.changeable)))
        other = scope.knowing(lasting_facts(world, condition, False, scope.changeable))
        ends = _ends(then)
        if index + 1 < len(node.branches):
            inner, known = self._branches(node, index + 1, other, 0, given)
            return ir.When(condition, then, (inner,), site), known if ends else None
        otherwise = self.block(node.otherwise, self._inside(other, node.cite_of(index + 1)))
        if node.otherwise:
            always = ir.Const(True, FLAG)
            self.ctx.note_condition("otherwise", owner, always, node.otherwise[0].span, given)
        when = ir.When(condition, then, otherwise, site)
        if _ends(otherwise) and not ends:
            return when, scope.knowing(lasting_facts(world, condition, True, scope.changeable))
        return when, other if ends else None

    def _check_others(self, node: s.When, index: int, scope: Scope) -> None:
        """Check the blocks under and after a faulty condition, for the faults in them."""
        self.block(node.branches[index][1], scope)
        if index + 1 < len(node.branches):
            with self.ctx.recovering():
                self._branches(node, index + 1, scope, 0)
        else:
            self.block(node.otherwise, scope)

    # -- loops

    def _repeat(self, node: s.Repeat, scope: Scope, site: int) -> ir.Stmt:
        """`repeat`, a number of times or on a condition."""
        inner = scope.looping()
        if node.kind == "times":
            control = self._expressions.check(node.control, scope, t.Int(0, MOST_RUNS))
        else:
            control = self._expressions.flag(node.control, inner)
        limit: ir.Expr | None = None
        if node.limit is not None:
            limit = self._expressions.check(node.limit, scope, t.Int(0, MOST_RUNS))
        return ir.Repeat(node.kind, control, limit, self.block(node.body, inner), site)

    def _for_each(self, loop: s.Loop, body: tuple[s.Statement, ...], scope: Scope, site: int) -> ir.Stmt:
        """`for each`: a block for every member."""
        over = self._expressions.infer(loop.over, scope)
        if not isinstance(over.type, t.SetOf | t.ListOf):
            message = f"expected a set or list, found `{over.type}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, loop.over.span, "write one member as a set: `{x}`")
        var = scope.routine.fresh(loop.var.text, over.type.of)
        known = lasting(member_facts(self.ctx.world, over, var), scope.changeable)
        inner = bind_name(self.ctx, scope, loop.var, var).looping().knowing(known)
        order = self._order(loop, over, var, scope, site)
        alternating: ir.Expr | None = None
        if loop.alternating is not None:
            alternating = self._expressions.flag(loop.alternating, inner)
        return ir.ForEach(var, over, order, self.block(body, inner), site, alternating)

    def _order(self, loop: s.Loop, over: ir.Expr, var: ir.Local, scope: Scope, site: int) -> ir.Order | None:
        """The order of a loop: some members first; or by numbers, then ties by lot or as a side chooses."""
        if not loop.orders:
            return None
        self._require_fitting(loop.orders)
        kind = loop.orders[-1].kind
        if not isinstance(over.type, t.SetOf):
            hint = "to use another order, write `as_set(list)`"
            self.ctx.fail(kinds.WRONG_TYPE, "a list is already in order", loop.orders[0].span, hint)
        values = [order.value for order in loop.orders if order.value is not None]
        if kind == "first":
            first = tuple(self._expressions.check(value, scope, over.type.of) for value in values)
            return ir.Order("first", first)
        inner = scope.with_it(var).with_name(loop.var.text, var)
        ranks: tuple[Literal["lowest", "highest"], ...] = ()
        numbers: tuple[ir.Expr, ...] = ()
        for part in loop.orders:
            if (part.kind == "lowest" or part.kind == "highest") and part.value is not None:
                ranks, numbers = (*ranks, part.kind), (*numbers, self._rank(part.value, inner))
        if kind == "lot":
            point = self.ctx.point(draw_name(self.ctx, scope, loop.var.text), 0, 0, site)
            self.ctx.results.drawn[point] = over.type.of
            return ir.Order("lot", numbers, point, ranks)
        if kind == "chosen":
            owner = f"{scope.routine.owner}.{loop.var.text}"
            side = self._order_by_choice(owner, over.type, values[-1], scope, site)
            return ir.Order("chosen", (*numbers, side), owner, ranks)
        return ir.Order("ranked", numbers, ranks=ranks)

    def _require_fitting(self, orders: Sequence[s.Order]) -> None:
        """Refuse an order that can have no effect after those before it."""
        for before, order in pairwise(orders):
            if "first" in (before.kind, order.kind) and before.kind != order.kind:
                message = "a loop that begins with some members can have no other order"
                self.ctx.fail(kinds.WRONG_TYPE, message, order.span, "keep one")
            if before.kind in ("lot", "chosen"):
                words = "by lot" if before.kind == "lot" else "as a side chooses"
                hint = "write the numbers first: `, by highest E, by lot`"
                self.ctx.fail(kinds.WRONG_TYPE, f"an order {words} leaves no ties", order.span, hint)

    def _rank(self, value: x.Expr, scope: Scope) -> ir.Expr:
        """A number by which a loop orders its members."""
        key = self._expressions.infer(value, scope)
        if not isinstance(key.type, t.Int | t.Month | t.Ratio):
            hint = "order by a number"
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot order by `{key.type}`", value.span, hint)
        return key

    def _order_by_choice(
        self, owner: str, over: t.SetOf, decider: x.Expr, scope: Scope, site: int
    ) -> ir.Expr:
        """`as SIDE chooses`: the side; a choice of its own is asked for the next member each time."""
        side = self._expressions.infer(decider, scope, self.ctx.side)
        left, who = ir.Local("left", over), ir.Local("who", side.type)
        params = ir.Param("left", over), ir.Param("who", side.type)
        verb = VerbParts("pick_one", over.of, ir.Local("option", over.of), candidates=left)
        self.ctx.results.choices[owner] = verb.choice(owner, params, who, "must", site, site)
        return side


def _ends(block: ir.Block) -> bool:
    """Whether nothing after a block is reached."""
    return bool(block) and isinstance(block[-1], ENDINGS)


def _after_fault(statement: s.Statement, scope: Scope) -> Scope:
    """The scope after a faulty statement: its name is known, and its uses are not reported again."""
    match statement:
        case s.Let() | s.Do() | s.Choose() | s.RollDice() | s.Draw() | s.Form():
            return scope.with_name(statement.name.text, None) if statement.name is not None else scope
        case (
            s.Change() | s.Mark() | s.Move() | s.Put() | s.Dissolve() | s.Reveal() | s.Shuffle()
            | s.Return() | s.Jump() | s.Finish() | s.Say()
            | s.ForEach() | s.Repeat() | s.Step() | s.When() | s.Together()
        ):  # fmt: skip
            return scope
        case _:
            assert_never(statement)
