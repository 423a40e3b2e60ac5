"""Choices: who decides, what is asked, and which answers the norms allow."""

from __future__ import annotations

from functools import partial

from rulekit import ir
from rulekit.compiler.typecheck.choices.norms import NormChecker
from rulekit.compiler.typecheck.choices.verbs import VerbChecker
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import require_type
from rulekit.compiler.typecheck.expressions.expressions import ExpressionChecker
from rulekit.compiler.typecheck.joins import fits
from rulekit.compiler.typecheck.scope import Scope, bind_name, opening_scope
from rulekit.diagnostics import Label, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i


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
        return ir.Choice(
            name, params, decider, parts.verb, lets, parts.item, parts.option, parts.chosen,
            parts.before, parts.assigned,
            parts.items, parts.candidates, parts.low, parts.high, parts.total, decl.verb.able,
            norms, decl.secret, default, parts.answer, site, parts.each,
        )  # fmt: skip

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
        for let in declared.lets:
            value = self._expressions.infer(let.value, scope)
            local = scope.routine.fresh(let.name.text, value.type)
            scope = bind_name(self.ctx, scope, let.name, local)
        before, _ = self._verbs.verb(declared.verb, scope)
        if not fits(self.ctx.world, answer, before.answer):
            message = (
                f"the answer becomes `{answer}`, but the statements that use it expect `{before.answer}`"
            )
            hint = "declare a separate choice, and amend the statements that ask this one"
            label = Label(declared.verb.span, "asked before")
            self.ctx.report(kinds.IMPOSSIBLE_AMENDMENT, message, now.verb.span, hint, label)
