"""Statements that change states, places and groups."""

from __future__ import annotations

from typing import Any, NoReturn

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import adapt, fit, fits, require_overlap, with_label, without_none
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import Scope, bind_name
from rulekit.compiler.typecheck.states import sides_of
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import stmt as s

SPACE = t.Member("space", "Space")
Checked = tuple[list[ir.Stmt], Scope]
"""The statements made of one, and the scope after them."""


@frozen
class ChangedState:
    """The state that a statement changes."""

    name: str
    keys: tuple[ir.Expr, ...]
    type: t.Type


def bind_result(
    ctx: CheckContext, name: x.Name | None, type_: t.Type, scope: Scope
) -> tuple[ir.Local | None, Scope]:
    """A new local for a result, if it is named."""
    if name is None:
        return None, scope
    local = scope.routine.fresh(name.text, type_)
    return local, bind_name(ctx, scope, name, local)


@frozen
class ChangeChecker:
    """Checks statements that change something."""

    ctx: CheckContext
    expressions: ExpressionChecker

    def state(self, node: s.Target, scope: Scope) -> ChangedState:
        """The state that a target names; targets that are locals do not come here."""
        read = self.expressions.relying(node, scope, lambda inner: self._target(node, inner))
        if not isinstance(read, ir.Read):
            hint = "declare it with `state`, or change a local made by `let name: TYPE = ...`"
            self.ctx.fail(kinds.NOT_CHANGEABLE, "this cannot change in play", node.span, hint)
        if read.state == "place":
            message, hint = "cannot set a piece's place", "write `move x to PLACE`"
            self.ctx.fail(kinds.NOT_CHANGEABLE, message, node.span, hint)
        return ChangedState(read.state, read.keys, read.type)

    def _target(self, node: s.Target, scope: Scope) -> ir.Expr:
        """The expression that a target is."""
        calls = self.expressions.calls
        if isinstance(node, x.Field):
            return calls.field(node, scope)
        if isinstance(node, x.Call):
            return calls.call(node, scope, None)
        return calls.reference(node, scope, None)

    def stack(self, node: s.Target, scope: Scope) -> tuple[ChangedState, t.ListOf]:
        """The stack that a target names, and its type."""
        state = self.state(node, scope)
        if not isinstance(state.type, t.ListOf):
            message = f"expected a stack or list, found `{state.type}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span, "declare it as a `stack` or a list")
        return state, state.type

    def _is_clamped(self, state: ChangedState) -> bool:
        store = self.ctx.names.stores.get(state.name)
        return store is not None and store.sort == "track"

    # -- set, add, take

    def change(self, node: s.Change, scope: Scope, site: int) -> Checked:
        """`set`, `add` and `take` of a state or a local."""
        target = node.target
        if isinstance(target, x.Reference | x.Call) and target.name.text in scope.names:
            return self._change_local(node, target, scope, site)
        return [self._change_state(node, self.state(target, scope), scope, site)], scope

    def _change_state(self, node: s.Change, state: ChangedState, scope: Scope, site: int) -> ir.Stmt:
        type_, adds = state.type, node.op == "add"
        if node.op == "set":
            return self._set(node, state, scope, site)
        if isinstance(type_, t.Int):
            return self._change_number(node, state, type_, scope, site)
        if isinstance(type_, t.SetOf):
            value = self.expressions.check(node.value, scope, type_)
            return ir.Write("include" if adds else "exclude", state.name, state.keys, value, site)
        if isinstance(type_, t.ListOf):
            value = self.expressions.check(node.value, scope, type_.of)
            return ir.Write("append" if adds else "drop", state.name, state.keys, value, site, check=True)
        self._refuse_sum(node, type_)

    def _refuse_sum(self, node: s.Change, type_: t.Type) -> NoReturn:
        hint = "use `set .. to ..`"
        self.ctx.fail(kinds.WRONG_TYPE, f"cannot add to or take from `{type_}`", node.span, hint)

    def _set(self, node: s.Change, state: ChangedState, scope: Scope, site: int) -> ir.Stmt:
        value = adapt(self.expressions.infer(node.value, scope, state.type), state.type)
        if isinstance(state.type, t.Flag) and isinstance(value, ir.Const) and isinstance(value.type, t.Flag):
            return ir.Write("mark" if value.value else "unmark", state.name, state.keys, None, site)
        clamp, number = self._is_clamped(state), without_none(state.type)
        outside = isinstance(value.type, t.Int) and not fits(self.ctx.world, value.type, state.type)
        if isinstance(number, t.Int) and isinstance(value.type, t.Int) and outside:
            if not clamp:
                require_overlap(self.ctx, value.type, number, node.value.span)
            return ir.Write("set", state.name, state.keys, value, site, check=not clamp, clamp=clamp)
        if not fits(self.ctx.world, value.type, state.type):
            value = self.expressions.check(node.value, scope, state.type)
        value = with_label(fit(self.ctx, value, state.type, node.value.span), f"`{state.name}`")
        return ir.Write("set", state.name, state.keys, value, site, clamp=clamp)

    def _change_number(
        self, node: s.Change, state: ChangedState, type_: t.Int, scope: Scope, site: int
    ) -> ir.Stmt:
        value = self.expressions.infer(node.value, scope)
        if not isinstance(value.type, t.Int):
            value = self.expressions.check(node.value, scope, type_)
        clamp = self._is_clamped(state)
        if isinstance(value.type, t.Int) and not clamp:
            self._require_reachable(node, type_, value.type)
        op: Any = "add" if node.op == "add" else "subtract"
        return ir.Write(op, state.name, state.keys, value, site, check=not clamp, clamp=clamp)

    def _require_reachable(self, node: s.Change, type_: t.Int, by: t.Int) -> None:
        """Refuse a number so large that its state cannot hold the outcome."""
        low, high = (by.low, by.high) if node.op == "add" else (-by.high, -by.low)
        if type_.high + high < type_.low or type_.high < type_.low + low:
            number = f"{by.low}" if by.low == by.high else f"{by}"
            what = "added" if node.op == "add" else "subtracted"
            message = f"with {number} {what}, this is always outside {type_}"
            hint = "widen the range at its declaration, or `set` it to a value"
            self.ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, message, node.value.span, hint)

    def _change_local(self, node: s.Change, target: x.Reference | x.Call, scope: Scope, site: int) -> Checked:
        """A change of a local, or of a map's value for one key."""
        name = target.name
        local = self.expressions.infer(x.Reference(name.span, name), scope)
        assert isinstance(local, ir.Local)
        declared = scope.routine.locals[local.name]
        if local.name not in scope.changeable:
            hint = f"declare its type: `let {name.text}: TYPE = ...`"
            if local.name not in scope.routine.lets:
                hint = f"copy it into a local: `let NAME: {declared} = {name.text}`"
            message = f"cannot change `{name.text}`"
            self.ctx.fail(kinds.NOT_CHANGEABLE, message, node.span, hint)
        whole = ir.Local(local.name, declared)
        if isinstance(target, x.Call):
            value = self._changed_map(node, target, whole, scope)
        else:
            value = with_label(self._new_value(node, whole, scope), f"`{name.text}`")
        return [ir.Let(whole, value, site)], scope.forgetting(local.name)

    def _changed_map(self, node: s.Change, target: x.Call, local: ir.Local, scope: Scope) -> ir.Expr:
        """A map with another value for one key."""
        name = target.name.text
        if not isinstance(local.type, t.MapOf):
            message = f"`{name}` is a local without keys"
            self.ctx.fail(kinds.WRONG_TYPE, message, target.span, f"write `{name}`, or declare it as a map")
        old = self.expressions.calls.call(target, scope, None)
        assert isinstance(old, ir.Op)
        _, key = old.operands
        value = with_label(self._new_value(node, old, scope), f"`{name}`")
        return ir.Op("map_with", (local, key, value), local.type)

    def _new_value(self, node: s.Change, old: ir.Expr, scope: Scope) -> ir.Expr:
        """The value of a local, or of a map for a key, after a change."""
        if node.op == "set":
            return self.expressions.check(node.value, scope, old.type)
        if isinstance(old.type, t.ListOf):
            return self._changed_list(node, old, old.type, scope)
        if not isinstance(old.type, t.Int | t.SetOf):
            self._refuse_sum(node, old.type)
        op: Any = {"add": "+", "take": "-"}[node.op]
        changed = x.Binary(node.span, op, node.target, node.value)
        return self.expressions.check(changed, scope, old.type)

    def _changed_list(self, node: s.Change, old: ir.Expr, type_: t.ListOf, scope: Scope) -> ir.Expr:
        """A list with one more value at its end, or without the first that equals it."""
        item = self.expressions.check(node.value, scope, type_.of)
        if node.op == "take":
            return ir.Op("without", (old, item), type_)
        more = ir.Op("list_of", (item,), t.ListOf(type_.of, 1))
        longer = ir.Op("joined", (old, more), t.ListOf(type_.of, type_.most + 1))
        return fit(self.ctx, longer, type_, node.value.span)

    # -- flags and places

    def mark(self, node: s.Mark, scope: Scope, site: int) -> ir.Stmt:
        """`mark` and `unmark`."""
        members = self.expressions.infer(node.members, scope)
        of = members.type.of if isinstance(members.type, t.SetOf) else members.type
        if not isinstance(of, t.Member):
            fit(self.ctx, members, t.Member("piece", "Piece"), node.members.span)
        var = ir.Local("it", of)
        flag = self.expressions.calls.field_of(var, node.flag, None, node.flag.span, scope)
        if not isinstance(flag, ir.Read) or not isinstance(flag.type, t.Flag):
            hint = "only a `state` field that is a `flag` can be marked"
            message = f"cannot mark `{node.flag.text}`"
            self.ctx.fail(kinds.NOT_CHANGEABLE, message, node.flag.span, hint)
        if isinstance(members.type, t.SetOf):
            return ir.MarkAll(flag.state, flag.keys[:-1], members, node.on, site)
        return ir.Write("mark" if node.on else "unmark", flag.state, (members,), None, site)

    def move(self, node: s.Move, scope: Scope, site: int) -> ir.Stmt:
        """`move` to a space, and `remove`."""
        pieces = self.expressions.infer(node.pieces, scope)
        many = isinstance(pieces.type, t.SetOf)
        of = pieces.type.of if isinstance(pieces.type, t.SetOf) else pieces.type
        if not (isinstance(of, t.Member) and of.domain == "piece"):
            message = f"cannot move `{pieces.type}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.pieces.span, "only pieces can be moved")
        allowed = self.ctx.world.place_type(of.name)
        if node.place is None:
            if not isinstance(allowed, t.Optional):
                hint = f"declare `place: {allowed} or none`"
                self.ctx.fail(kinds.NOT_CHANGEABLE, f"`{of}` always has a place", node.span, hint)
            return ir.Place(pieces, many, ir.Const(t.NONE, t.Optional(SPACE)), site)
        place = self.expressions.check(node.place, scope, without_none(allowed))
        return ir.Place(pieces, many, place, site)

    # -- stacks and groups

    def put(self, node: s.Put, scope: Scope, site: int) -> ir.Stmt:
        """`put` on top of a stack, or under it."""
        state, type_ = self.stack(node.stack, scope)
        value = self.expressions.infer(node.value, scope, type_.of)
        several = t.ListOf if isinstance(type_.of, t.SetOf) else t.SetOf | t.ListOf
        many = isinstance(value.type, several)
        of = value.type.of if isinstance(value.type, t.SetOf | t.ListOf) and many else value.type
        if not many or not fits(self.ctx.world, of, type_.of):
            value = self.expressions.check(node.value, scope, type_.of)
        return ir.Put(state.name, state.keys, value, many, node.top, site)

    def form(self, node: s.Form, scope: Scope, site: int) -> Checked:
        """`form` a group."""
        name = node.group.text
        if self.ctx.names.groups.get(name) is None:
            raise self.ctx.unknown("group", node.group, self.ctx.names.groups)
        local, after = bind_result(self.ctx, node.name, t.Member(name, name), scope)
        assert local is not None
        return [ir.Form(name, local, site)], after

    def dissolve(self, node: s.Dissolve, scope: Scope, site: int) -> ir.Stmt:
        """`dissolve` a group."""
        group = self.expressions.infer(node.group, scope)
        if not (isinstance(group.type, t.Member) and group.type.name in self.ctx.names.groups):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected a group, found `{group.type}`", node.group.span)
        return ir.Dissolve(group.type.domain, group, site)

    def reveal(self, node: s.Reveal, scope: Scope, site: int) -> list[ir.Stmt]:
        """`reveal` a state, to all or to some sides."""
        shown = self.expressions.infer(node.value, scope)
        if not isinstance(shown, ir.Read):
            self.ctx.fail(kinds.NOT_CHANGEABLE, "only a state can be revealed", node.value.span)
        sides, known = self.knowers(node.known_to, scope, site)
        return [*sides, ir.Reveal(shown.state, shown.keys, site, known)]

    def knowers(self, node: x.Expr | None, scope: Scope, site: int) -> tuple[list[ir.Stmt], ir.Expr | None]:
        """The sides that see a draw, roll or reveal, worked out once, before chance."""
        if node is None:
            return [], None
        sides = sides_of(self.ctx, self.expressions, node, scope)
        if isinstance(sides, ir.Local | ir.Const):
            return [], sides
        local = scope.routine.fresh("known", sides.type)
        return [ir.Let(local, sides, site)], local
