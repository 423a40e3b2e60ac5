"""Loops: over members, in their order, and repetitions."""

from __future__ import annotations

from collections.abc import Callable

from rulekit import ir
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.expressions.expressions import ExpressionChecker
from rulekit.compiler.typecheck.scope import Scope, bind_name
from rulekit.compiler.typecheck.statements.asking import draw_name
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

MOST_RUNS = 1_000_000
Block = Callable[[tuple[s.Statement, ...], Scope], ir.Block]


class LoopChecker:
    """Checks loops; `block` checks their bodies."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker, block: Block) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._block = block

    def repeat(self, node: s.Repeat, scope: Scope, site: int) -> ir.Stmt:
        """`repeat`, a number of times or on a condition."""
        inner = scope.looping()
        if node.kind == "times":
            control = self._expressions.check(node.control, scope, t.Int(0, MOST_RUNS))
        else:
            control = self._expressions.flag(node.control, inner)
        limit: ir.Expr | None = None
        if node.limit is not None:
            limit = self._expressions.check(node.limit, scope, t.Int(0, MOST_RUNS))
        return ir.Repeat(node.kind, control, limit, self._block(node.body, inner), site)

    def for_each(self, loop: s.Loop, body: tuple[s.Statement, ...], scope: Scope, site: int) -> ir.Stmt:
        """`for each`: a block for every member."""
        over = self._expressions.infer(loop.over, scope)
        if not isinstance(over.type, t.SetOf | t.ListOf):
            hint = "write one member as a set: `{x}`"
            self.ctx.fail(
                kinds.WRONG_TYPE, f"expected a set or list, found `{over.type}`", loop.over.span, hint
            )
        var = scope.routine.fresh(loop.var.text, over.type.of)
        inner = bind_name(self.ctx, scope, loop.var, var).looping()
        order = self._order(loop, over, var, scope, site)
        alternating: ir.Expr | None = None
        if loop.alternating is not None:
            alternating = self._expressions.flag(loop.alternating, inner)
        return ir.ForEach(var, over, order, self._block(body, inner), site, alternating)

    def _order(self, loop: s.Loop, over: ir.Expr, var: ir.Local, scope: Scope, site: int) -> ir.Order | None:
        """The one order of a loop; several `first` make one."""
        if not loop.orders:
            return None
        kind = loop.orders[0].kind
        if any(order.kind != kind for order in loop.orders) or (kind != "first" and len(loop.orders) > 1):
            self.ctx.fail(kinds.WRONG_TYPE, "a loop can have only one order", loop.orders[1].span, "keep one")
        if not isinstance(over.type, t.SetOf):
            hint = "to use another order, write `as_set(list)`"
            self.ctx.fail(kinds.WRONG_TYPE, "a list is already in order", loop.orders[0].span, hint)
        if kind == "lot":
            point = self.ctx.point(draw_name(self.ctx, scope, loop.var.text), 0, 0, site)
            self.ctx.results.drawn[point] = over.type.of
            return ir.Order("lot", (), point)
        values = [order.value for order in loop.orders if order.value is not None]
        if kind == "first":
            first = tuple(self._expressions.check(value, scope, over.type.of) for value in values)
            return ir.Order("first", first)
        if kind == "chosen":
            owner = f"{scope.routine.owner}.{loop.var.text}"
            return self._chosen(owner, over.type, values[0], scope, site)
        key = self._expressions.infer(values[0], scope.with_it(var).with_name(loop.var.text, var))
        if not isinstance(key.type, t.Int | t.Month | t.Ratio):
            hint = "order by a number"
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot order by `{key.type}`", values[0].span, hint)
        return ir.Order(kind, (key,))

    def _chosen(self, owner: str, over: t.SetOf, decider: x.Expr, scope: Scope, site: int) -> ir.Order:
        """`as SIDE chooses`: a choice of its own, asked for the next member each time."""
        side = self._expressions.infer(decider, scope, self.ctx.side)
        left, who = ir.Local("left", over), ir.Local("who", side.type)
        self.ctx.results.choices[owner] = ir.Choice(
            name=owner,
            params=(ir.Param("left", over), ir.Param("who", side.type)),
            decider=who,
            verb="pick_one",
            lets=(),
            item=None,
            option=ir.Local("option", over.of),
            chosen=None,
            before=None,
            assigned=None,
            items=None,
            candidates=left,
            low=None,
            high=None,
            total=None,
            able="must",
            norms=(),
            secret=False,
            default=None,
            answer=over.of,
            site=site,
        )
        return ir.Order("chosen", (side,), owner)
