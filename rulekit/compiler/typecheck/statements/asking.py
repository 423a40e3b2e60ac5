"""Statements that run a procedure, or ask a player or chance."""

from __future__ import annotations

import re
from dataclasses import replace

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.typecheck.choices import ChoiceChecker
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.modifiers import dice_range
from rulekit.compiler.typecheck.scope import Scope, bind_name
from rulekit.compiler.typecheck.statements.changes import ChangeChecker, Checked, bind_result
from rulekit.compiler.typecheck.states import known_to
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.parse.advice import DICE, undeclared_dice
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

MOST_DRAWN = 1_000_000


def draw_name(ctx: CheckContext, scope: Scope, name: str) -> str:
    """The point of a draw; an amendment that replaces the rule around it does not change it (spec 7.5)."""
    owner = scope.routine.owner
    return f"{ctx.names.declared.get(owner, owner)}.{name}"


def procedure_signature(ctx: CheckContext, name: str) -> tuple[Params, t.Type] | None:
    """The parameters and result of a procedure; None if there is none of that name."""
    decl = ctx.names.procedures.get(name)
    if decl is None:
        return None
    result = ctx.reader.read(decl.result) if decl.result is not None else t.Nothing()
    return ctx.params(decl.params), result


@frozen
class AskingChecker:
    """Checks statements that wait for a result: of a procedure, a player, or chance."""

    ctx: CheckContext
    expressions: ExpressionChecker
    choices: ChoiceChecker
    changes: ChangeChecker

    def _arguments(self, call: x.Call, params: Params, scope: Scope, name: str = "") -> tuple[ir.Expr, ...]:
        calls = self.expressions.calls
        return calls.arguments(name or call.name.text, params, call.arguments, call.span, scope)

    # -- procedures and choices

    def do(self, node: s.Do, scope: Scope, site: int) -> Checked:
        """`do` a procedure."""
        name = node.call.name.text
        if name == "original":
            name = self.expressions.calls.original(node.call, scope)
        signature = procedure_signature(self.ctx, name)
        if signature is None:
            raise self.ctx.unknown("procedure", node.call.name, self.ctx.names.procedures)
        params, result = signature
        if node.name is not None and isinstance(result, t.Nothing):
            self.ctx.fail(kinds.WRONG_RESULT, f"`{name}` has no result", node.name.span, "remove `as ..`")
        arguments = self._arguments(node.call, params, scope, name)
        local, after = bind_result(self.ctx, node.name, result, scope)
        return [ir.Do(name, arguments, local, site)], after

    def choose(self, node: s.Choose, scope: Scope, site: int) -> Checked:
        """`choose`, by one side or by each of several."""
        name = node.call.name.text
        signature = self.choices.signature(name)
        if signature is None:
            raise self.ctx.unknown("choice", node.call.name, self.ctx.names.choices, self._picking(name))
        params, answer = signature
        if node.var is None or node.over is None:
            arguments = self._arguments(node.call, params, scope)
            local, after = bind_result(self.ctx, node.name, answer, scope)
            return [ir.Choose(name, arguments, local, site)], after
        over, of = self.expressions.sets.members(node.over, scope, "deciders")
        var = scope.routine.fresh(node.var.text, of)
        arguments = self._arguments(node.call, params, scope.with_name(node.var.text, var))
        local, after = bind_result(self.ctx, node.name, t.MapOf(of, answer), scope)
        return [ir.ChooseEach(name, arguments, var, over, local, site)], after

    def _picking(self, name: str) -> str | None:
        """Return the hint for a choice that names a kind or a state to pick from."""
        if name not in self.ctx.world.kinds and name not in self.ctx.names.stores:
            return None
        choice = f"a_{name.lower()}"
        pick = f"`choice {choice} by SIDE:` with the line `pick one t from {name}`"
        return f"declare {pick} outside, and write `choose {choice}` here"

    # -- chance

    def roll(self, node: s.RollDice, scope: Scope, site: int) -> Checked:
        """`roll`: the dice, and their modifiers if there are any."""
        name = node.call.name.text
        decl = self.ctx.names.rolls.get(name)
        if decl is None:
            hint = undeclared_dice(name) if re.fullmatch(DICE, name) else None
            raise self.ctx.unknown("roll", node.call.name, self.ctx.names.rolls, hint)
        arguments = self._arguments(node.call, self.ctx.params(decl.params), scope)
        dice = dice_range(decl)
        label = node.name.text if node.name else name
        sides, known = self.changes.knowers(node.known_to, scope, site)
        signature = self.ctx.signature(f"roll:{name}")
        if signature is None:
            raw = scope.routine.fresh(label, dice)
            after = self._bind_roll(node.name, raw, raw, scope)
            return [*sides, ir.Roll(name, arguments, raw, None, None, site, known)], after
        lets, simple = self._evaluate_once(arguments, name, scope, site)
        raw = scope.routine.fresh(f"{label}_rolled", dice)
        local = scope.routine.fresh(label, signature.result)
        modified = ir.Apply(f"roll:{name}", (raw, *simple), signature.result)
        after = self._bind_roll(node.name, local, raw, scope)
        return [*lets, *sides, ir.Roll(name, simple, raw, local, modified, site, known)], after

    def _bind_roll(self, name: x.Name | None, local: ir.Local, raw: ir.Local, scope: Scope) -> Scope:
        """The scope with a named roll: its result, and its unmodified dice."""
        if name is None:
            return scope
        after = bind_name(self.ctx, scope, name, local)
        return replace(after, raw={**after.raw, name.text: raw})

    def _evaluate_once(
        self, arguments: tuple[ir.Expr, ...], name: str, scope: Scope, site: int
    ) -> tuple[list[ir.Stmt], tuple[ir.Expr, ...]]:
        """Arguments worked out once, before the dice: the roll and its modifiers both read them."""
        lets: list[ir.Stmt] = []
        simple: list[ir.Expr] = []
        for number, argument in enumerate(arguments, 1):
            if isinstance(argument, ir.Local | ir.Const):
                simple.append(argument)
                continue
            local = scope.routine.fresh(f"{name}_{number}", argument.type)
            lets.append(ir.Let(local, argument, site))
            simple.append(local)
        return lets, tuple(simple)

    def draw(self, node: s.Draw, scope: Scope, site: int) -> Checked:
        """`draw`, at random from a set, or from a cup or stack."""
        count = self.expressions.check(node.count, scope, t.Int(0, MOST_DRAWN))
        single = isinstance(node.count, x.Integer) and node.count.value == 1
        if node.by_lot:
            over, of = self.expressions.sets.set_of(node.source, scope)
            local = scope.routine.fresh(node.name.text, of if single else t.SetOf(of))
            point = self.ctx.point(draw_name(self.ctx, scope, node.name.text), 0, 0, site)
            self.ctx.results.drawn[point] = of
            sides, known = self.changes.knowers(node.known_to, scope, site)
            drawn: ir.Stmt = ir.DrawLot(point, count, over, single, local, site, known)
            return [*sides, drawn], bind_name(self.ctx, scope, node.name, local)
        if not isinstance(node.source, x.Reference | x.Call | x.Field):
            hint = "to draw from a set, write `draw .. by lot from S`"
            self.ctx.fail(kinds.NOT_CHANGEABLE, "expected a cup or stack", node.source.span, hint)
        state = self.changes.state(node.source, scope)
        if not isinstance(state.type, t.SetOf | t.ListOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"cannot draw from `{state.type}`", node.source.span)
        local = scope.routine.fresh(node.name.text, state.type.of if single else state.type)
        point = self.ctx.point(state.name, 0, 0, site)
        self.ctx.results.drawn[point] = state.type.of
        sides, known = self.changes.knowers(node.known_to, scope, site)
        if node.known_to is not None and known_to(self.ctx, state.name) is None:
            hint = "hide it: write `, known to {}` (known to nobody) after its declaration"
            message = f"all may see what is left in `{state.name}`, and so what is drawn"
            self.ctx.fail(kinds.SHOWN_DRAW, message, node.known_to.span, hint)
        drawn = ir.DrawTop(point, state.name, state.keys, count, single, local, site, known)
        return [*sides, drawn], bind_name(self.ctx, scope, node.name, local)

    def shuffle(self, node: s.Shuffle, scope: Scope, site: int) -> ir.Stmt:
        """`shuffle` a stack."""
        state, type_ = self.changes.stack(node.stack, scope)
        point = self.ctx.point(f"shuffle.{state.name}", 0, 0, site)
        self.ctx.results.drawn[point] = type_.of
        return ir.Shuffle(point, state.name, state.keys, site)
