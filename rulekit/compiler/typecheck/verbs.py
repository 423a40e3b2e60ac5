"""Verbs: what a choice asks for, and the locals that its norms read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.compiler.typecheck.context import CheckContext, Params
from rulekit.compiler.typecheck.conversions import FLAG, member_facts, set_size, with_label
from rulekit.compiler.typecheck.expressions.inference import ExpressionChecker
from rulekit.compiler.typecheck.scope import Scope, bind_name
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

MOST_PARTS = 64


@dataclass(slots=True)
class VerbParts:
    """A verb and its parts; see `ir.Choice`."""

    verb: ir.program.Verb
    answer: t.Type
    option: ir.Local
    item: ir.Local | None = None
    chosen: ir.Local | None = None
    before: ir.Local | None = None
    assigned: ir.Local | None = None
    items: ir.Expr | None = None
    candidates: ir.Expr | None = None
    low: ir.Expr | None = None
    high: ir.Expr | None = None
    total: ir.Expr | None = None
    each_at_most: ir.Expr | None = None
    fields: tuple[tuple[ir.Local, ir.Expr], ...] = ()

    @property
    def of_a_part(self) -> tuple[ir.Local, ...]:
        """The locals that hold one part of the answer."""
        parts = (self.item, self.option, self.before, *(local for local, _ in self.fields))
        return tuple(local for local in parts if local is not None)

    def choice(
        self,
        name: str,
        params: Params,
        decider: ir.Expr,
        able: Literal["must", "none", "if_able"],
        site: int,
        verb_site: int,
        *,
        lets: tuple[tuple[ir.Local, ir.Expr], ...] = (),
        norms: tuple[ir.Norm, ...] = (),
        secret: bool = False,
        default: ir.Expr | None = None,
    ) -> ir.Choice:
        """Return the choice that asks for this."""
        return ir.Choice(
            name, params, decider, self.verb, lets, self.item, self.option, self.chosen, self.before,
            self.assigned, self.items, self.candidates, self.low, self.high, self.total, able,
            norms, secret, default, self.answer, site, self.each_at_most, verb_site, self.fields,
        )  # fmt: skip


@frozen
class VerbChecker:
    """Makes verbs."""

    ctx: CheckContext
    expressions: ExpressionChecker

    def verb(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        """A verb's parts, and the scope of the norms."""
        match verb.word:
            case "pick":
                return self._pick(verb, scope)
            case "assign":
                return self._assign(verb, scope)
            case "split":
                return self._split(verb, scope)
            case "arrange":
                return self._arrange(verb, scope)
            case "share":
                return self._share(verb, scope)
            case "decide":
                option = scope.routine.fresh("answer", FLAG)
                return VerbParts("decide", FLAG, option), scope.with_name("answer", option)
            case "number":
                return self._number(verb, scope)
            case _:
                assert_never(verb.word)

    def _bind_named(self, name: x.Name | None, type_: t.Type, scope: Scope) -> tuple[ir.Local, Scope]:
        assert name is not None
        local = scope.routine.fresh(name.text, type_)
        return local, bind_name(self.ctx, scope, name, local)

    def _bind_member(
        self, name: x.Name | None, of: t.Member | t.Int, scope: Scope, among: ir.Expr
    ) -> tuple[ir.Local, Scope]:
        """A local for the members of a set, of which its norms know what the set's `where` tells."""
        local, inner = self._bind_named(name, of, scope)
        return local, inner.knowing(member_facts(self.ctx.world, among, local))

    def _bind_reserved(self, name: str, type_: t.Type, scope: Scope) -> tuple[ir.Local, Scope]:
        """A local under one of the language's own names."""
        local = scope.routine.fresh(name, type_)
        return local, scope.with_name(name, local)

    def _pick(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.candidates is not None
        if verb.also:
            return self._pick_record(verb, scope)
        candidates, of = self.expressions.sets.set_of(verb.candidates, scope, lists=True)
        option, inner = self._bind_member(verb.option, of, scope, candidates)
        if verb.amount == "one":
            answer: t.Type = of if verb.able == "must" else t.Optional(of)
            return VerbParts("pick_one", answer, option, candidates=candidates), inner
        chosen, inner = self._bind_reserved("chosen", t.SetOf(of), inner)
        low, high = self._bounds(verb, scope, of)
        return VerbParts(
            "pick_set", t.SetOf(of), option, chosen=chosen, candidates=candidates, low=low, high=high
        ), inner

    def _pick_record(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        """A pick of several names, each from a set that may read the names before it."""
        if verb.amount != "one":
            message, hint = "a pick of several names picks one of each", "begin it with `pick one`"
            self.ctx.fail(kinds.WRONG_TYPE, message, verb.span, hint)
        fields: list[tuple[ir.Local, ir.Expr]] = []
        others = ((one.name, one.candidates) for one in verb.also)
        for name, node in ((verb.option, verb.candidates), *others):
            assert name is not None and node is not None
            candidates, of = self.expressions.sets.set_of(node, scope, lists=True)
            local, scope = self._bind_member(name, of, scope, candidates)
            fields.append((local, candidates))
        names = [name.text for name in verb.names]
        kind = t.Record(tuple(names), tuple(local.type for local, _ in fields))  # type: ignore[misc]
        answer: t.Type = kind if verb.able == "must" else t.Optional(kind)
        option = scope.routine.fresh("answer", kind)
        return VerbParts("pick_record", answer, option, fields=tuple(fields)), scope

    def _bounds(
        self, verb: i.Verb, scope: Scope, of: t.Member | t.Int
    ) -> tuple[ir.Expr | None, ir.Expr | None]:
        """How many candidates are picked: at least and at most."""
        if verb.amount == "some":
            return ir.Const(1, t.Int(1, 1)), None
        if verb.bound is None:
            return None, None
        bound = self._amount(verb.bound, scope, t.Int(0, set_size(self.ctx.world, of)))
        low = bound if verb.amount in ("at_least", "exactly") else None
        return low, bound if verb.amount in ("up_to", "exactly") else None

    def _amount(self, node: x.Expr, scope: Scope, kind: t.Int) -> ir.Expr:
        """The number of things to pick, give or make."""
        number = self.expressions.check(node, scope, kind)
        return with_label(number, f"a number in the verb of `{scope.routine.owner}`")

    def _assign(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.items is not None and verb.candidates is not None
        items, of = self.expressions.sets.members(verb.items, scope, "members to assign to")
        item, inner = self._bind_member(verb.item, of, scope, items)
        candidates, to = self.expressions.sets.set_of(verb.candidates, inner)
        low, high = self._bounds(verb, inner, to)
        option, inner = self._bind_member(verb.option, to, inner, candidates)
        word: ir.program.Verb = "assign_set"
        value: t.Type = t.SetOf(to)
        if verb.amount == "one":
            word, value = "assign", to if verb.able == "must" else t.Optional(to)
        answer = t.MapOf(of, value)
        chosen, inner = self._bind_reserved("chosen", t.SetOf(to), inner)
        assigned, inner = self._bind_reserved("assigned", answer, inner)
        parts = VerbParts(word, answer, option, item, chosen, None, assigned, items, candidates, low, high)
        if verb.each is not None:
            parts.each_at_most = self._amount(verb.each, scope, t.Int(0, 10_000))
        return parts, inner

    def _split(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.candidates is not None and verb.high is not None
        whole, of = self.expressions.sets.set_of(verb.candidates, scope)
        option, inner = self._bind_named(verb.option, t.SetOf(of), scope)
        answer = t.ListOf(t.SetOf(of), MOST_PARTS)
        chosen, inner = self._bind_reserved("chosen", answer, inner)
        high = self._amount(verb.high, scope, t.Int(1, MOST_PARTS))
        return VerbParts("split", answer, option, chosen=chosen, candidates=whole, high=high), inner

    def _arrange(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.candidates is not None
        whole, of = self.expressions.sets.set_of(verb.candidates, scope)
        option, inner = self._bind_member(verb.option, of, scope, whole)
        answer = t.ListOf(of, max(1, set_size(self.ctx.world, of)))
        before, inner = self._bind_reserved("before", t.Optional(of), inner)
        chosen, inner = self._bind_reserved("chosen", answer, inner)
        return VerbParts("arrange", answer, option, chosen=chosen, before=before, candidates=whole), inner

    def _share(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.items is not None and verb.bound is not None
        items, of = self.expressions.sets.members(verb.items, scope, "members to share among")
        total = self._amount(verb.bound, scope, t.Int(0, 10_000))
        most = total.type if isinstance(total.type, t.Int) else t.Int(0, 10_000)
        item, inner = self._bind_member(verb.item, of, scope, items)
        high = self._amount(verb.high, inner, t.Int(0, 10_000)) if verb.high is not None else None
        option, inner = self._bind_reserved("amount", t.Int(0, most.high), inner)
        answer = t.MapOf(of, t.Int(0, most.high))
        chosen, inner = self._bind_reserved("chosen", answer, inner)
        return VerbParts("share", answer, option, item, chosen, items=items, high=high, total=total), inner

    def _number(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.low is not None and verb.high is not None
        low, high = self.expressions.infer(verb.low, scope), self.expressions.infer(verb.high, scope)
        if not (isinstance(low.type, t.Int) and isinstance(high.type, t.Int)):
            self.ctx.fail(kinds.WRONG_TYPE, "expected two numbers", verb.span)
        answer = t.Int(low.type.low, max(low.type.low, high.type.high))
        option = scope.routine.fresh("answer", answer)
        return VerbParts("number", answer, option, low=low, high=high), scope.with_name("answer", option)
