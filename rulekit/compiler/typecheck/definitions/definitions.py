"""Definitions and the calendar: functions of the IR, with their modifiers."""

from __future__ import annotations

from rulekit import ir
from rulekit.compiler.typecheck.context import CheckContext, Signature, Wrong
from rulekit.compiler.typecheck.conversions import require_type
from rulekit.compiler.typecheck.definitions.cases import CaseChecker
from rulekit.compiler.typecheck.definitions.modifiers import ModifierChecker
from rulekit.compiler.typecheck.expressions.expressions import ExpressionChecker
from rulekit.compiler.typecheck.scope import opening_scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import items as i


class DefinitionChecker:
    """Makes the functions of defines and of the calendar."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker, modifiers: ModifierChecker) -> None:
        self.ctx = ctx
        self._expressions = expressions
        self._modifiers = modifiers
        self._cases = CaseChecker(ctx, expressions)

    def define(self, name: str) -> Signature:
        """Make the function of a define."""
        decl = self.ctx.names.defines[name]
        with self.ctx.entering(name, decl.span):
            params = self.ctx.params(decl.params)
            result = self.ctx.reader.read(decl.result) if decl.result is not None else None
            if result is not None:
                self.ctx.results.signatures[name] = Signature(params, result)
            site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
            try:
                scope = opening_scope(self.ctx, name, params, decl.cite, decl.params)
                body = self._cases.body(decl, scope, result, site)
                require_type(self.ctx, body.type, decl.name.span, f"define {name} -> TYPE: VALUE")
            except Wrong:
                self.ctx.results.signatures.setdefault(name, Signature(params, t.Nothing()))
                raise
            return self._modified(name, params, body, site, result)

    def _modified(
        self, name: str, params: tuple[ir.Param, ...], body: ir.Expr, site: int, result: t.Type | None
    ) -> Signature:
        """A define with its modifiers applied, if it has any."""
        modifiers = self.ctx.modifiers_on.get(("define", name))
        if not modifiers:
            return self.ctx.add_function(name, params, body, site, result)
        plain = f"{name}'unmodified"
        unmodified = self.ctx.add_function(plain, params, body, site, result)
        arguments = tuple(ir.Local(param.name, param.type) for param in params)
        base = ir.Apply(plain, arguments, unmodified.result)
        rolled = ir.Param("rolled", base.type)
        modified = self._modifiers.apply(modifiers, (), (rolled, *params), f"value:{name}")
        whole = ir.Apply(f"value:{name}", (base, *arguments), modified.result)
        return self.ctx.add_function(name, params, whole, site)

    def calendar(self, name: str) -> Signature:
        """Make the function of a calendar."""
        decl: i.Calendar = self.ctx.names.calendars[name]
        with self.ctx.entering(name, decl.span):
            if decl.first > decl.last:
                hint = "put the earlier month first"
                self.ctx.fail(kinds.IMPOSSIBLE_TYPE, "the calendar ends before it begins", decl.span, hint)
            site = self.ctx.site(name, self.ctx.rules(decl.cite), decl.span)
            month = t.Month(*self.ctx.world.months)
            self.ctx.results.signatures[name] = Signature((), month)
            value = self._expressions.check(decl.value, opening_scope(self.ctx, name, (), decl.cite), month)
            return self.ctx.add_function(name, (), value, site, month)
