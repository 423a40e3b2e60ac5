"""Statements that change something, or ask chance or a player."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import Context
from rulekit.compiler.typecheck.joins import fits, none_of
from rulekit.compiler.typecheck.meant import meant_for
from rulekit.compiler.typecheck.scope import Scope
from rulekit.compiler.typecheck.sets import Sets
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i
from rulekit.syntax.tree import stmt as s

SPACE = t.Member("space", "Space")
Made = tuple[list[ir.Stmt], Scope]


def dice_range(roll: i.Roll) -> t.Int:
    """What the dice of a roll can add up to."""
    return t.Int(roll.dice * roll.lowest, roll.dice * (roll.lowest + roll.sides - 1))


class Changes(Sets):
    """Checks simple statements."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.choices: MutableMapping[str, ir.Choice] = ctx.units.output("choices")
        self.drawn: MutableMapping[str, t.Type] = ctx.units.output("drawn")

    @abstractmethod
    def procedure_signature(self, name: str) -> tuple[tuple[ir.Param, ...], t.Type] | None: ...

    @abstractmethod
    def choice_signature(self, name: str) -> tuple[tuple[ir.Param, ...], t.Type] | None: ...

    def may_change(self, scope: Scope, local: ir.Local) -> Scope:
        """A `let` with a type can be changed by `set`, `add` and `take`."""
        return replace(scope, changeable=scope.changeable | {local.name})

    def citing(self, scope: Scope, rules: tuple[str, ...]) -> Scope:
        """The scope of a block whose header cites rules: what stands in it inherits them."""
        routine = scope.routine
        return replace(scope, routine=replace(routine, rules=rules))

    # -- targets

    def target(self, node: s.Target, scope: Scope) -> tuple[str, tuple[ir.Expr, ...], t.Type]:
        """The state, keys and type a target stands for; locals are handled before."""
        if isinstance(node, x.Field):
            made = self.field_of(self.infer(node.base, scope), node.name, node.arguments, node.span, scope)
        elif isinstance(node, x.Call):
            made = self.call(node, scope, None)
        else:
            made = self.reference(node, scope, None)
        if not isinstance(made, ir.Read):
            hint = "declare it with `state`, or change a local made by `let name: TYPE = ...`"
            self.ctx.fail(kinds.NOT_CHANGEABLE, "this does not change in play", node.span, hint)
        if made.state == "place":
            self.ctx.fail(
                kinds.NOT_CHANGEABLE,
                "a piece's place is changed by moving it",
                node.span,
                "write `move x to PLACE`",
            )
        return made.state, made.keys, made.type

    def is_clamped(self, state: str) -> bool:
        store = self.ctx.names.stores.get(state)
        return store is not None and store.sort == "track"

    # -- set, add, take

    def change(self, node: s.Change, scope: Scope, site: int) -> Made:
        target = node.target
        if isinstance(target, x.Reference) and target.name.text in scope.names:
            return self._change_local(node, target.name, scope, site)
        state, keys, type_ = self.target(target, scope)
        if node.op == "set":
            return [self._set(node, state, keys, type_, scope, site)], scope
        if isinstance(type_, t.Int):
            return [self._amend_number(node, state, keys, type_, scope, site)], scope
        if isinstance(type_, t.SetOf):
            value = self.check(node.value, scope, type_)
            return [ir.Write("include" if node.op == "add" else "exclude", state, keys, value, site)], scope
        if isinstance(type_, t.ListOf):
            value = self.check(node.value, scope, type_.of)
            return [
                ir.Write("append" if node.op == "add" else "drop", state, keys, value, site, check=True)
            ], scope
        self.ctx.fail(
            kinds.WRONG_TYPE, f"nothing can be added to a `{type_}`", node.span, "use `set .. to ..`"
        )

    def _set(
        self, node: s.Change, state: str, keys: tuple[ir.Expr, ...], type_: t.Type, scope: Scope, site: int
    ) -> ir.Stmt:
        value = self.adapt(self.infer(node.value, scope, type_), type_)
        if isinstance(type_, t.Flag) and isinstance(value, ir.Const) and isinstance(value.type, t.Flag):
            return ir.Write("mark" if value.value else "unmark", state, keys, None, site)
        clamp = self.is_clamped(state)
        if (
            isinstance(none_of(type_), t.Int)
            and isinstance(value.type, t.Int)
            and not self.fits(value.type, type_)
        ):
            if not clamp:
                self._possible(value.type, none_of(type_), node.value.span)
            return ir.Write("set", state, keys, value, site, check=not clamp, clamp=clamp)
        fitting = meant_for(f"`{state}`", self.fit(value, type_, node.value.span))
        return ir.Write("set", state, keys, fitting, site, clamp=clamp)

    def _possible(self, have: t.Int, want: t.Type, span: Span) -> None:
        assert isinstance(want, t.Int)
        if have.high < want.low or want.high < have.low:
            self.never_in(have, want, span)

    def _amend_number(
        self, node: s.Change, state: str, keys: tuple[ir.Expr, ...], type_: t.Int, scope: Scope, site: int
    ) -> ir.Stmt:
        value = self.infer(node.value, scope)
        if not isinstance(value.type, t.Int):
            self.fit(value, type_, node.value.span)
        clamp = self.is_clamped(state)
        if isinstance(value.type, t.Int) and not clamp:
            self._reachable(node, type_, value.type)
        op: Any = "add" if node.op == "add" else "subtract"
        return ir.Write(op, state, keys, value, site, check=not clamp, clamp=clamp)

    def _reachable(self, node: s.Change, type_: t.Int, by: t.Int) -> None:
        """Refuse a number so large that what it is added to, or taken from, cannot hold the outcome."""
        low, high = (by.low, by.high) if node.op == "add" else (-by.high, -by.low)
        if type_.high + high < type_.low or type_.high < type_.low + low:
            said = f"{by.low}" if by.low == by.high else f"{by}"
            what = "added" if node.op == "add" else "taken away"
            message = f"with {said} {what} this is never in {type_}"
            hint = "widen the range where it is declared, or `set` it to a value"
            self.ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, message, node.value.span, hint)

    def _change_local(self, node: s.Change, name: x.Name, scope: Scope, site: int) -> Made:
        local = self.infer(x.Reference(name.span, name), scope)
        assert isinstance(local, ir.Local)
        declared = scope.routine.locals[local.name]
        if local.name not in scope.changeable:
            hint = f"give it a type where it is made: `let {name.text}: TYPE = ...`"
            if local.name not in scope.routine.lets:
                hint = f"take it into a local that may change: `let NAME: {declared} = {name.text}`"
            self.ctx.fail(
                kinds.NOT_CHANGEABLE, f"`{name.text}` keeps the value it was given", node.span, hint
            )
        whole = ir.Local(local.name, declared)
        after = scope.forgetting(local.name)
        if node.op == "set":
            value = self.check(node.value, scope, declared)
            return [ir.Let(whole, meant_for(f"`{name.text}`", value), site)], after
        if isinstance(declared, t.ListOf):
            value = self._in_list(node, whole, declared, scope)
            return [ir.Let(whole, meant_for(f"`{name.text}`", value), site)], after
        op: Any = {"add": "+", "take": "-"}[node.op]
        changed = x.Binary(node.span, op, x.Reference(name.span, name), node.value)
        value = self.check(changed, scope, declared)
        return [ir.Let(whole, meant_for(f"`{name.text}`", value), site)], after

    def _in_list(self, node: s.Change, held: ir.Local, kind: t.ListOf, scope: Scope) -> ir.Expr:
        """A list with a value more at its end, or without the first that equals it."""
        one = self.check(node.value, scope, kind.of)
        if node.op == "take":
            return ir.Op("without", (held, one), kind)
        more = ir.Op("list_of", (one,), t.ListOf(kind.of, 1))
        longer = ir.Op("joined", (held, more), t.ListOf(kind.of, kind.most + 1))
        return self.fit(longer, kind, node.value.span)

    # -- flags and places

    def mark(self, node: s.Mark, scope: Scope, site: int) -> ir.Stmt:
        members = self.infer(node.members, scope)
        many = isinstance(members.type, t.SetOf)
        of = members.type.of if isinstance(members.type, t.SetOf) else members.type
        if not isinstance(of, t.Member):
            self.fit(members, t.Member("piece", "Piece"), node.members.span)
        var = ir.Local("it", of)
        flag = self.field_of(var, node.flag, None, node.flag.span, scope)
        if not isinstance(flag, ir.Read) or not isinstance(flag.type, t.Flag):
            hint = "only a `state` field that is a `flag` can be marked"
            self.ctx.fail(kinds.NOT_CHANGEABLE, f"`{node.flag.text}` cannot be marked", node.flag.span, hint)
        if many:
            return ir.MarkAll(flag.state, flag.keys[:-1], members, node.on, site)
        return ir.Write("mark" if node.on else "unmark", flag.state, (members,), None, site)

    def move(self, node: s.Move, scope: Scope, site: int) -> ir.Stmt:
        pieces = self.infer(node.pieces, scope)
        many = isinstance(pieces.type, t.SetOf)
        of = pieces.type.of if isinstance(pieces.type, t.SetOf) else pieces.type
        if not (isinstance(of, t.Member) and of.domain == "piece"):
            self.ctx.fail(
                kinds.WRONG_TYPE, f"a `{pieces.type}` cannot be moved", node.pieces.span, "pieces can"
            )
        allowed = self.ctx.world.place_type(of.name)
        if node.place is None:
            if not isinstance(allowed, t.Optional):
                hint = f"it is declared `place: {allowed}`; write `{allowed} or none`"
                self.ctx.fail(kinds.NOT_CHANGEABLE, f"a `{of}` is always somewhere", node.span, hint)
            return ir.Place(pieces, many, ir.Const(t.NONE, t.Optional(SPACE)), site)
        return ir.Place(pieces, many, self.check(node.place, scope, none_of(allowed)), site)

    # -- procedures and choices

    def bind(self, name: x.Name | None, type_: t.Type, scope: Scope) -> tuple[ir.Local | None, Scope]:
        """A new local for a result, if it is named."""
        if name is None:
            return None, scope
        local = scope.routine.fresh(name.text, type_)
        return local, self.naming(scope, name, local)

    def do(self, node: s.Do, scope: Scope, site: int) -> Made:
        name = node.call.name.text
        if name == "original":
            name = self._original(node.call, scope)
        found = self.procedure_signature(name)
        if found is None:
            hint = self.ctx.near(name, self.ctx.names.procedures)
            self.ctx.fail(kinds.UNKNOWN_NAME, f"no procedure is named `{name}`", node.call.name.span, hint)
        params, result = found
        if node.name is not None and isinstance(result, t.Nothing):
            self.ctx.fail(kinds.WRONG_RESULT, f"`{name}` gives no result", node.name.span, "drop `as ..`")
        arguments = self.arguments(name, params, node.call.arguments, node.call.span, scope)
        local, after = self.bind(node.name, result, scope)
        return [ir.Do(name, arguments, local, site)], after

    def choose(self, node: s.Choose, scope: Scope, site: int) -> Made:
        name = node.call.name.text
        found = self.choice_signature(name)
        if found is None:
            hint = self.ctx.near(name, self.ctx.names.choices)
            self.ctx.fail(kinds.UNKNOWN_NAME, f"no choice is named `{name}`", node.call.name.span, hint)
        params, answer = found
        if node.var is None or node.over is None:
            arguments = self.arguments(name, params, node.call.arguments, node.call.span, scope)
            local, after = self.bind(node.name, answer, scope)
            return [ir.Choose(name, arguments, local, site)], after
        over, of = self.set_of(node.over, scope)
        if not isinstance(of, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, f"deciders among `{of}`", node.over.span)
        var = scope.routine.fresh(node.var.text, of)
        inner = scope.with_name(node.var.text, var)
        arguments = self.arguments(name, params, node.call.arguments, node.call.span, inner)
        local, after = self.bind(node.name, t.MapOf(of, answer), scope)
        return [ir.ChooseEach(name, arguments, var, over, local, site)], after

    # -- chance

    def roll(self, node: s.RollDice, scope: Scope, site: int) -> Made:
        name = node.call.name.text
        decl = self.ctx.names.rolls.get(name)
        if decl is None:
            hint = self.ctx.near(name, self.ctx.names.rolls)
            self.ctx.fail(kinds.UNKNOWN_NAME, f"no roll is named `{name}`", node.call.name.span, hint)
        params = self.ctx.params(decl.params)
        arguments = self.arguments(name, params, node.call.arguments, node.call.span, scope)
        dice = dice_range(decl)
        label = node.name.text if node.name else name
        signature = self.signature(f"roll:{name}")
        if signature is None:
            raw = scope.routine.fresh(label, dice)
            after = self.naming(scope, node.name, raw) if node.name else scope
            if node.name:
                after = replace(after, raw={**after.raw, label: raw})
            return [ir.Roll(name, arguments, raw, None, None, site)], after
        made, simple = self._once(arguments, name, scope, site)
        raw = scope.routine.fresh(f"{label}_rolled", dice)
        local = scope.routine.fresh(label, signature.result)
        modified = ir.Apply(f"roll:{name}", (raw, *simple), signature.result)
        after = self.naming(scope, node.name, local) if node.name else scope
        if node.name:
            after = replace(after, raw={**after.raw, label: raw})
        return [*made, ir.Roll(name, simple, raw, local, modified, site)], after

    def _once(
        self, arguments: tuple[ir.Expr, ...], name: str, scope: Scope, site: int
    ) -> tuple[list[ir.Stmt], tuple[ir.Expr, ...]]:
        """Arguments worked out once, before the dice: the roll and its modifiers both read them."""
        made: list[ir.Stmt] = []
        simple: list[ir.Expr] = []
        for index, argument in enumerate(arguments):
            if isinstance(argument, ir.Local | ir.Const):
                simple.append(argument)
                continue
            local = scope.routine.fresh(f"{name}_{index + 1}", argument.type)
            made.append(ir.Let(local, argument, site))
            simple.append(local)
        return made, tuple(simple)

    def lot_name(self, scope: Scope, name: str) -> str:
        """The point of a lot: an amendment that replaces what is around it does not move it (spec 7.5)."""
        owner = scope.routine.owner
        return f"{self.ctx.names.declared.get(owner, owner)}.{name}"

    def draw(self, node: s.Draw, scope: Scope, site: int) -> Made:
        count = self.check(node.count, scope, t.Int(0, 1_000_000))
        one = isinstance(node.count, x.Integer) and node.count.value == 1
        if node.by_lot:
            over, of = self.set_of(node.source, scope)
            local = scope.routine.fresh(node.name.text, of if one else t.SetOf(of))
            point = self.ctx.point(self.lot_name(scope, node.name.text), 0, 0, site)
            self.drawn[point] = of
            drawn: ir.Stmt = ir.DrawLot(point, count, over, one, local, site)
            return [drawn], self.naming(scope, node.name, local)
        if not isinstance(node.source, x.Reference | x.Call | x.Field):
            self.ctx.fail(
                kinds.NOT_CHANGEABLE,
                "this is no cup or stack",
                node.source.span,
                "`draw .. by lot from S` draws from any set",
            )
        state, keys, type_ = self.target(node.source, scope)
        if not isinstance(type_, t.SetOf | t.ListOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"a draw from a `{type_}`", node.source.span)
        local = scope.routine.fresh(node.name.text, type_.of if one else type_)
        point = self.ctx.point(state, 0, 0, site)
        self.drawn[point] = type_.of
        drawn = ir.DrawTop(point, state, keys, count, one, local, site)
        return [drawn], self.naming(scope, node.name, local)

    # -- stacks and groups

    def handling(
        self, node: s.Shuffle | s.Put | s.Form | s.Dissolve | s.Reveal, scope: Scope, site: int
    ) -> Made:
        match node:
            case s.Shuffle():
                state, keys, type_ = self._stack(node.stack, scope)
                point = self.ctx.point(f"shuffle.{state}", 0, 0, site)
                self.drawn[point] = type_.of
                return [ir.Shuffle(point, state, keys, site)], scope
            case s.Put():
                state, keys, type_ = self._stack(node.stack, scope)
                value = self.infer(node.value, scope, type_.of)
                many = isinstance(value.type, t.SetOf | t.ListOf)
                of = value.type.of if isinstance(value.type, t.SetOf | t.ListOf) else value.type
                if not fits(self.ctx.world, of, type_.of):
                    value = self.fit(value, type_.of, node.value.span)
                return [ir.Put(state, keys, value, many, node.top, site)], scope
            case s.Form():
                group = self.ctx.names.groups.get(node.group.text)
                if group is None:
                    hint = self.ctx.near(node.group.text, self.ctx.names.groups)
                    self.ctx.fail(
                        kinds.UNKNOWN_NAME, f"no group is named `{node.group.text}`", node.group.span, hint
                    )
                name = node.group.text
                local, after = self.bind(node.name, t.Member(name, name), scope)
                assert local is not None
                return [ir.Form(name, local, site)], after
            case s.Dissolve():
                made = self.infer(node.group, scope)
                if not (isinstance(made.type, t.Member) and made.type.name in self.ctx.names.groups):
                    self.ctx.fail(kinds.WRONG_TYPE, f"a `{made.type}` is no group", node.group.span)
                return [ir.Dissolve(made.type.domain, made, site)], scope
            case s.Reveal():
                shown = self.infer(node.value, scope)
                if not isinstance(shown, ir.Read):
                    self.ctx.fail(kinds.NOT_CHANGEABLE, "only a state can be revealed", node.value.span)
                return [ir.Reveal(shown.state, shown.keys, site)], scope

    def _stack(self, node: s.Target, scope: Scope) -> tuple[str, tuple[ir.Expr, ...], t.ListOf]:
        state, keys, type_ = self.target(node, scope)
        if not isinstance(type_, t.ListOf):
            self.ctx.fail(
                kinds.WRONG_TYPE, f"a `{type_}` has no order", node.span, "declare a `stack` or a list"
            )
        return state, keys, type_
