"""Choices: who decides, what the verb asks for, and the locals that norms read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, assert_never

from rulekit import ir
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import FLAG, labelled, require_type
from rulekit.compiler.typecheck.expressions.expressions import ExpressionChecker
from rulekit.compiler.typecheck.joins import fits, set_size
from rulekit.compiler.typecheck.norms import NormChecker
from rulekit.compiler.typecheck.scope import Scope, bind_name, opening_scope
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

MOST_PARTS = 64


@dataclass(slots=True)
class VerbParts:
    """A verb and its parts; see `ir.Choice`."""

    verb: Any
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
    each: ir.Expr | None = None

    def choice(
        self,
        name: str,
        params: tuple[ir.Param, ...],
        decider: ir.Expr,
        able: Literal["must", "none", "if_able"],
        site: int,
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
            norms, secret, default, self.answer, site, self.each,
        )  # fmt: skip


class VerbChecker:
    """Makes verbs."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions

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

    def _named(self, name: x.Name | None, type_: t.Type, scope: Scope) -> tuple[ir.Local, Scope]:
        assert name is not None
        local = scope.routine.fresh(name.text, type_)
        return local, bind_name(self.ctx, scope, name, local)

    def _reserved(self, name: str, type_: t.Type, scope: Scope) -> tuple[ir.Local, Scope]:
        """A local under one of the language's own names."""
        local = scope.routine.fresh(name, type_)
        return local, scope.with_name(name, local)

    def _pick(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.candidates is not None
        candidates, of = self._expressions.sets.set_of(verb.candidates, scope)
        option, inner = self._named(verb.option, of, scope)
        if verb.amount == "one":
            answer: t.Type = of if verb.able == "must" else t.Optional(of)
            return VerbParts("pick_one", answer, option, candidates=candidates), inner
        chosen, inner = self._reserved("chosen", t.SetOf(of), inner)
        most = set_size(self.ctx.world, of)
        bound = self._bound(verb.bound, scope, t.Int(0, most)) if verb.bound is not None else None
        low = bound if verb.amount in ("at_least", "exactly") else None
        high = bound if verb.amount in ("up_to", "exactly") else None
        return VerbParts(
            "pick_set", t.SetOf(of), option, chosen=chosen, candidates=candidates, low=low, high=high
        ), inner

    def _bound(self, node: x.Expr, scope: Scope, kind: t.Int) -> ir.Expr:
        """The number of things to pick, give or make."""
        number = self._expressions.check(node, scope, kind)
        return labelled(number, f"a number in the verb of `{scope.routine.owner}`")

    def _assign(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.items is not None and verb.candidates is not None
        items, of = self._expressions.sets.set_of(verb.items, scope)
        if not isinstance(of, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected members to assign to, found `{of}`", verb.items.span)
        item, inner = self._named(verb.item, of, scope)
        candidates, to = self._expressions.sets.set_of(verb.candidates, inner)
        option, inner = self._named(verb.option, to, inner)
        value: t.Type = to if verb.able == "must" else t.Optional(to)
        answer = t.MapOf(of, value)
        chosen, inner = self._reserved("chosen", t.SetOf(to), inner)
        assigned, inner = self._reserved("assigned", answer, inner)
        parts = VerbParts("assign", answer, option, item, chosen, None, assigned, items, candidates)
        if verb.each is not None:
            parts.each = self._bound(verb.each, scope, t.Int(0, 10_000))
        return parts, inner

    def _split(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.candidates is not None and verb.high is not None
        whole, of = self._expressions.sets.set_of(verb.candidates, scope)
        option, inner = self._named(verb.option, t.SetOf(of), scope)
        answer = t.ListOf(t.SetOf(of), MOST_PARTS)
        chosen, inner = self._reserved("chosen", answer, inner)
        high = self._bound(verb.high, scope, t.Int(1, MOST_PARTS))
        return VerbParts("split", answer, option, chosen=chosen, candidates=whole, high=high), inner

    def _arrange(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.candidates is not None
        whole, of = self._expressions.sets.set_of(verb.candidates, scope)
        option, inner = self._named(verb.option, of, scope)
        answer = t.ListOf(of, max(1, set_size(self.ctx.world, of)))
        before, inner = self._reserved("before", t.Optional(of), inner)
        chosen, inner = self._reserved("chosen", answer, inner)
        return VerbParts("arrange", answer, option, chosen=chosen, before=before, candidates=whole), inner

    def _share(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.items is not None and verb.bound is not None
        items, of = self._expressions.sets.set_of(verb.items, scope)
        if not isinstance(of, t.Member):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected members to share among, found `{of}`", verb.items.span)
        total = self._bound(verb.bound, scope, t.Int(0, 10_000))
        most = total.type if isinstance(total.type, t.Int) else t.Int(0, 10_000)
        item, inner = self._named(verb.item, of, scope)
        high = self._bound(verb.high, inner, t.Int(0, 10_000)) if verb.high is not None else None
        option, inner = self._reserved("amount", t.Int(0, most.high), inner)
        answer = t.MapOf(of, t.Int(0, most.high))
        chosen, inner = self._reserved("chosen", answer, inner)
        return VerbParts("share", answer, option, item, chosen, items=items, high=high, total=total), inner

    def _number(self, verb: i.Verb, scope: Scope) -> tuple[VerbParts, Scope]:
        assert verb.low is not None and verb.high is not None
        low, high = self._expressions.infer(verb.low, scope), self._expressions.infer(verb.high, scope)
        if not (isinstance(low.type, t.Int) and isinstance(high.type, t.Int)):
            self.ctx.fail(kinds.WRONG_TYPE, "expected two numbers", verb.span)
        answer = t.Int(low.type.low, max(low.type.low, high.type.high))
        option = scope.routine.fresh("answer", answer)
        return VerbParts("number", answer, option, low=low, high=high), scope.with_name("answer", option)


class ChoiceChecker:
    """Makes choices."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._verbs = VerbChecker(ctx, expressions)
        self._norms = NormChecker(ctx, expressions)

    def signature(self, name: str) -> tuple[tuple[ir.Param, ...], t.Type] | None:
        """The parameters and the answer's type of a choice; None if there is none of that name."""
        decl = self.ctx.names.choices.get(name)
        if decl is None:
            return None
        if name not in self.ctx.results.choices:
            self.ctx.units.run(("choice", name), partial(self._enter, name))
        choice = self.ctx.results.choices[name]
        return choice.params, choice.answer

    def _enter(self, name: str) -> None:
        decl = self.ctx.names.choices[name]
        with self.ctx.entering(f"choice {name}", decl.span):
            self.ctx.results.choices[name] = self.choice(decl)

    def choice(self, decl: i.Choice) -> ir.Choice:
        """Make a choice."""
        name = decl.name.text
        params = self.ctx.params(decl.params)
        scope = opening_scope(self.ctx, name, params, decl.cite, decl.params)
        site = self.ctx.site(name, scope.routine.rules, decl.span)
        decider = self._decider(decl, scope)
        lets, scope = self._lets(decl.lets, scope)
        parts, inner = self._verbs.verb(decl.verb, scope)
        if name in self.ctx.names.asked:
            self._require_same_answer(self.ctx.names.asked[name], decl, parts.answer, params)
        norms = tuple(self._norms.norms(decl, parts, inner))
        default: ir.Expr | None = None
        if decl.default is not None:
            default = self._expressions.check(decl.default, scope, parts.answer)
        able, secret = decl.verb.able, decl.secret
        return parts.choice(
            name, params, decider, able, site, lets=lets, norms=norms, secret=secret, default=default
        )

    def _lets(
        self, lets: tuple[i.CaseLet, ...], scope: Scope
    ) -> tuple[tuple[tuple[ir.Local, ir.Expr], ...], Scope]:
        """The values that a choice names, and the scope with their names."""
        named: list[tuple[ir.Local, ir.Expr]] = []
        for let in lets:
            with self.ctx.recovering():
                value = self._expressions.infer(let.value, scope)
                require_type(self.ctx, value.type, let.value.span)
                local = scope.routine.fresh(let.name.text, value.type)
                scope = bind_name(self.ctx, scope, let.name, local)
                named.append((local, value))
        return tuple(named), scope

    def _decider(self, decl: i.Choice, scope: Scope) -> ir.Expr:
        decider = self._expressions.infer(decl.decider, scope, self.ctx.side)
        if not (isinstance(decider.type, t.Member) and decider.type.domain == self.ctx.sides):
            hint = f"write `by side`, where side is one of `{self.ctx.sides}`"
            message = f"`{decider.type}` cannot decide a choice"
            self.ctx.report(kinds.WRONG_TYPE, message, decl.decider.span, hint)
        return decider

    def _require_same_answer(
        self, declared: i.Choice, now: i.Choice, answer: t.Type, params: tuple[ir.Param, ...]
    ) -> None:
        """Report an amended choice whose answer does not have the type that its users expect."""
        scope = opening_scope(self.ctx, now.name.text, params, None, declared.params)
        _, scope = self._lets(declared.lets, scope)
        before, _ = self._verbs.verb(declared.verb, scope)
        if not fits(self.ctx.world, answer, before.answer):
            message = (
                f"the answer becomes `{answer}`, but the statements that use it expect `{before.answer}`"
            )
            hint = "declare a separate choice, and amend the statements that ask this one"
            label = Label(declared.verb.span, "asked before")
            self.ctx.report(kinds.IMPOSSIBLE_AMENDMENT, message, now.verb.span, hint, label)
