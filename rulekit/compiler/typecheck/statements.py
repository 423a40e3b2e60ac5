"""Statements: each becomes one (rarely two) of the IR, with the locals it binds."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rulekit import ir
from rulekit.compiler.typecheck.context import Wrong
from rulekit.compiler.typecheck.joins import facts
from rulekit.compiler.typecheck.meant import meant_for
from rulekit.compiler.typecheck.scope import Scope
from rulekit.compiler.typecheck.state_statements import Changes
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

ENDINGS = (ir.Return, ir.Leave, ir.Next, ir.Finish, ir.Fail)
MOST_RUNS = 1_000_000


class Statements(Changes):
    """Checks blocks.  Every method gives the statements made and the scope after them."""

    def block(self, body: tuple[s.Statement, ...], scope: Scope) -> ir.Block:
        """A block's statements; a faulty one is reported and left out."""
        return self.sequence(body, scope)[0]

    def sequence(self, body: tuple[s.Statement, ...], scope: Scope) -> tuple[ir.Block, Scope]:
        """A block's statements, and the scope at its end."""
        made: list[ir.Stmt] = []
        for statement in body:
            try:
                stmts, scope = self.statement(statement, scope)
                made.extend(stmts)
            except Wrong:
                scope = self.poisoned(statement, scope)
        return tuple(made), scope

    def poisoned(self, statement: s.Statement, scope: Scope) -> Scope:
        """The scope after a faulty statement: its name is known, and nothing of it is reported again."""
        name = getattr(statement, "name", None)
        binds = isinstance(statement, s.Let | s.Do | s.Choose | s.RollDice | s.Draw | s.Form)
        return scope.with_name(name.text, None) if binds and name is not None else scope

    def site(self, statement: s.Statement, scope: Scope) -> int:
        """A site for a statement, under its own citation or the one around it."""
        rules = self.ctx.rules(statement.cite, scope.routine.rules)
        return self.ctx.site(scope.routine.owner, rules, statement.span)

    def statement(self, node: s.Statement, scope: Scope) -> tuple[list[ir.Stmt], Scope]:
        """One statement."""
        site = self.site(node, scope)
        match node:
            case s.Let():
                return self.let(node, scope, site)
            case s.Change():
                return self.change(node, scope, site)
            case s.Mark():
                return [self.mark(node, scope, site)], scope
            case s.Move():
                return [self.move(node, scope, site)], scope
            case s.Do():
                return self.do(node, scope, site)
            case s.Choose():
                return self.choose(node, scope, site)
            case s.RollDice():
                return self.roll(node, scope, site)
            case s.Draw():
                return self.draw(node, scope, site)
            case s.Shuffle() | s.Put() | s.Form() | s.Dissolve() | s.Reveal():
                return self.handling(node, scope, site)
            case s.Return():
                return [self.returning(node, scope, site)], scope
            case s.Jump():
                return [self.jump(node, scope, site)], scope
            case s.Finish():
                value = self.infer(node.value, scope) if node.value is not None else None
                return [ir.Finish(value, site)], scope
            case s.Say():
                return [ir.Say(node.text, site)], scope
            case s.ForEach():
                return [self.for_each(node.loop, node.body, self.inside(scope, node.cite), site)], scope
            case s.Step():
                return self.step(node, scope, site)
            case s.When():
                return self.when(node, scope, site)
            case s.Repeat():
                return [self.repeat(node, scope, site)], scope
            case s.Together():
                return [ir.Together(self.block(node.body, self.inside(scope, node.cite)), site)], scope
            case _:
                assert_never(node)

    # -- names

    def let(self, node: s.Let, scope: Scope, site: int) -> tuple[list[ir.Stmt], Scope]:
        if node.type is not None:
            declared = self.ctx.reader.read(node.type)
            value = meant_for(f"`{node.name.text}`", self.check(node.value, scope, declared))
        else:
            value = self.infer(node.value, scope)
            declared = value.type
            self.told(declared, node.value.span, f"let {node.name.text}: TYPE = VALUE")
        local = scope.routine.fresh(node.name.text, declared)
        scope.routine.lets.add(local.name)
        after = self.naming(scope, node.name, local)
        if node.type is not None:
            after = self.may_change(after, local)
        return [ir.Let(local, value, site)], after

    def returning(self, node: s.Return, scope: Scope, site: int) -> ir.Stmt:
        wanted = scope.routine.result
        if wanted is None or isinstance(wanted, t.Nothing):
            if node.value is not None:
                hint = "declare it: `procedure name(..) -> TYPE:`"
                self.ctx.fail(
                    kinds.WRONG_RESULT, f"`{scope.routine.owner}` declares no result", node.span, hint
                )
            return ir.Return(None, site)
        if node.value is None:
            self.ctx.fail(
                kinds.WRONG_RESULT,
                f"`{scope.routine.owner}` declares a result",
                node.span,
                "write `result EXPRESSION`",
            )
        value = self.check(node.value, scope, wanted)
        return ir.Return(meant_for(f"the result of `{scope.routine.owner}`", value), site)

    def jump(self, node: s.Jump, scope: Scope, site: int) -> ir.Stmt:
        if not scope.in_loop:
            self.ctx.fail(
                kinds.OUTSIDE_LOOP, f"`{node.word}` outside a loop", node.span, "`return` ends a procedure"
            )
        return ir.Leave(site) if node.word == "leave" else ir.Next(site)

    # -- blocks

    def when(self, node: s.When, scope: Scope, site: int) -> tuple[list[ir.Stmt], Scope]:
        made, after = self._branches(node, 0, self.inside(scope, node.cite), site)
        return [made], scope.knowing(after.narrowed) if after is not None else scope

    def _branches(
        self, node: s.When, index: int, scope: Scope, site: int, given: tuple[ir.Expr, ...] = ()
    ) -> tuple[ir.When, Scope | None]:
        """The branches from `index` on; and what is known after them when all but the fall-through end.

        `given` surely holds there: that none of the conditions before did.
        """
        test, body = node.branches[index]
        try:
            condition = self.flag(test, scope)
        except Wrong:
            self._check_all(node, index, scope)
            raise
        world = self.ctx.world
        owner = scope.routine.owner
        self.ctx.condition("branch", owner, condition, test.span, given)
        given = (*given, ir.Op("not", (condition,), t.Flag()))
        then = self.block(body, scope.knowing(facts(world, condition, True)))
        other = scope.knowing(facts(world, condition, False))
        ends = bool(then) and isinstance(then[-1], ENDINGS)
        if index + 1 < len(node.branches):
            inner, known = self._branches(node, index + 1, other, site, given)
            return ir.When(condition, then, (inner,), site), known if ends else None
        otherwise = self.block(node.otherwise, other)
        if node.otherwise:
            self.ctx.condition("otherwise", owner, ir.Const(True, t.Flag()), node.otherwise[0].span, given)
        if not node.otherwise:
            return ir.When(condition, then, (), site), other if ends else None
        if otherwise and isinstance(otherwise[-1], ENDINGS) and not ends:
            return ir.When(condition, then, otherwise, site), scope.knowing(facts(world, condition, True))
        return ir.When(condition, then, otherwise, site), other if ends else None

    def _check_all(self, node: s.When, index: int, scope: Scope) -> None:
        """Check what stands under and after a faulty condition, for the faults in it."""
        self.block(node.branches[index][1], scope)
        if index + 1 < len(node.branches):
            with self.ctx.mending():
                self._branches(node, index + 1, scope, 0)
        else:
            self.block(node.otherwise, scope)

    def repeat(self, node: s.Repeat, scope: Scope, site: int) -> ir.Stmt:
        inner = self.looping(self.inside(scope, node.cite))
        if node.kind == "times":
            control = self.check(node.control, scope, t.Int(0, MOST_RUNS))
        else:
            control = self.flag(node.control, inner)
        limit = self.check(node.limit, scope, t.Int(0, MOST_RUNS)) if node.limit is not None else None
        return ir.Repeat(node.kind, control, limit, self.block(node.body, inner), site)

    def looping(self, scope: Scope) -> Scope:
        """The scope of a loop's body."""
        return replace(scope, in_loop=True)

    def inside(self, scope: Scope, cite: s.Cite | None) -> Scope:
        """The scope of a block; its citation covers what stands in it."""
        return scope if cite is None else self.citing(scope, self.ctx.rules(cite))

    def step(self, node: s.Step, scope: Scope, site: int) -> tuple[list[ir.Stmt], Scope]:
        """A step is a part of the outline, not a block of its own: what it names is known after it."""
        inner, after = self.inside(scope, node.cite), scope
        if node.loop is None:
            body, ended = self.sequence(node.body, inner)
            after = replace(ended, routine=scope.routine)
        else:
            body = (self.for_each(node.loop, node.body, inner, site),)
        return [ir.Step(node.name.text, node.word, node.title, body, site)], after

    def for_each(self, loop: s.Loop, body: tuple[s.Statement, ...], scope: Scope, site: int) -> ir.Stmt:
        over = self.infer(loop.over, scope)
        if not isinstance(over.type, t.SetOf | t.ListOf):
            hint = "one member as a set is written `{x}`"
            self.ctx.fail(kinds.WRONG_TYPE, f"a loop over a `{over.type}`", loop.over.span, hint)
        var = scope.routine.fresh(loop.var.text, over.type.of)
        inner = self.looping(self.naming(scope, loop.var, var))
        order = self.order(loop, over, var, scope, site)
        alternating = self.flag(loop.alternating, inner) if loop.alternating is not None else None
        return ir.ForEach(var, over, order, self.block(body, inner), site, alternating)

    def order(self, loop: s.Loop, over: ir.Expr, var: ir.Local, scope: Scope, site: int) -> ir.Order | None:
        """The one order of a loop; several `first` make one."""
        if not loop.orders:
            return None
        kind = loop.orders[0].kind
        if any(order.kind != kind for order in loop.orders) or (kind != "first" and len(loop.orders) > 1):
            self.ctx.fail(kinds.WRONG_TYPE, "a loop has one order", loop.orders[1].span, "keep one")
        if not isinstance(over.type, t.SetOf):
            self.ctx.fail(
                kinds.WRONG_TYPE, "a list has its order", loop.orders[0].span, "`as_set(list)` has none"
            )
        owner = f"{scope.routine.owner}.{loop.var.text}"
        if kind == "lot":
            point = self.ctx.point(self.lot_name(scope, loop.var.text), 0, 0, site)
            self.drawn[point] = over.type.of
            return ir.Order("lot", (), point)
        values = [order.value for order in loop.orders if order.value is not None]
        if kind == "first":
            return ir.Order("first", tuple(self.check(value, scope, over.type.of) for value in values))
        if kind == "chosen":
            return self.chosen_order(owner, over, values[0], scope, site)
        inner = scope.with_it(var).with_name(loop.var.text, var)
        key = self.infer(values[0], inner)
        if not isinstance(key.type, t.Int | t.Month | t.Ratio):
            self.ctx.fail(
                kinds.WRONG_TYPE, f"an order by a `{key.type}`", values[0].span, "order is by a number"
            )
        return ir.Order(kind, (key,))

    def chosen_order(self, owner: str, over: ir.Expr, decider: x.Expr, scope: Scope, site: int) -> ir.Order:
        """`as SIDE chooses`: a choice of its own, asked for the next member each time."""
        side = self.infer(decider, scope, self.ctx.side)
        assert isinstance(over.type, t.SetOf)
        left = ir.Local("left", over.type)
        who = ir.Local("who", side.type)
        option = ir.Local("option", over.type.of)
        self.choices[owner] = ir.Choice(
            owner,
            (ir.Param("left", over.type), ir.Param("who", side.type)),
            who,
            "pick_one",
            (),
            None,
            option,
            None,
            None,
            None,
            None,
            left,
            None,
            None,
            None,
            "must",
            (),
            False,
            None,
            over.type.of,
            site,
        )
        return ir.Order("chosen", (side,), owner)
