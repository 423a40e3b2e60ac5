"""`x is P`: whether a value meets a predicate."""

from __future__ import annotations

from typing import assert_never

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import (
    FLAG,
    emptiness,
    equality,
    fit,
    if_some,
    membership,
    negation,
    without_none,
)
from rulekit.compiler.typecheck.expressions.calls import FOREIGN_VALUES, CallChecker, definition_hint
from rulekit.compiler.typecheck.expressions.ways import WayChecker
from rulekit.compiler.typecheck.scope import Inference, Scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x


@frozen
class PredicateChecker:
    """Tests values."""

    ctx: CheckContext
    inference: Inference
    calls: CallChecker
    ways: WayChecker

    def test(self, node: x.Is, scope: Scope) -> ir.Expr:
        """`x is P` and `x is not P`."""
        predicate = node.predicate
        expected: t.Type | None = None
        if isinstance(predicate, x.NamePredicate) and self.calls.is_bare_member(node.subject, scope):
            if predicate.name.text in scope.names:
                other = x.Reference(predicate.span, predicate.name)
                expected = without_none(self.inference.infer(other, scope).type)
        subject = self.inference.infer(node.subject, scope, expected)
        result = self.holds(subject, predicate, node.span, scope)
        return negation(result) if node.negated else result

    def holds(self, subject: ir.Expr, predicate: x.Predicate, span: Span, scope: Scope) -> ir.Expr:
        """Whether a value meets a predicate."""
        match predicate:
            case x.NonePredicate():
                return self._is_none(subject, span)
            case x.EmptyPredicate():
                return emptiness(self.ctx, subject, span)
            case x.AtPredicate():
                return self._is_at(subject, predicate, scope)
            case x.WithinPredicate():
                return self.ways.is_within(subject, predicate, span, scope)
            case x.FlagPredicate():
                flag = fit(self.ctx, subject, FLAG, span)
                return flag if predicate.value else negation(flag)
            case x.NamePredicate():
                return self._is_named(subject, predicate, span, scope)
            case x.ExprPredicate():
                other = self.inference.infer(predicate.value, scope, without_none(subject.type))
                return self._is_equal_or_in(subject, other, span, subject.type)
            case _:
                assert_never(predicate)

    def _is_equal_or_in(self, subject: ir.Expr, other: ir.Expr, span: Span, type_: t.Type) -> ir.Expr:
        """Whether a value is another one, or in a set of them."""
        if isinstance(other.type, t.SetOf) and not isinstance(type_, t.SetOf):
            return membership(self.ctx, subject, other, span)
        return equality(self.ctx, subject, other, span)

    def _is_none(self, subject: ir.Expr, span: Span) -> ir.Expr:
        if not isinstance(subject.type, t.Optional):
            hint = (
                "for an empty set, use `is empty`" if isinstance(subject.type, t.SetOf) else "remove the test"
            )
            self.ctx.report(kinds.NEVER_NONE, f"this `{subject.type}` value is never none", span, hint)
            return ir.Const(False, FLAG)
        return ir.Op("is_none", (subject,), FLAG)

    def _is_at(self, subject: ir.Expr, predicate: x.AtPredicate, scope: Scope) -> ir.Expr:
        type_ = subject.type
        if not (isinstance(type_, t.Member) and type_.domain == "piece"):
            message, hint = f"`{type_}` has no place", "only pieces have a place"
            self.ctx.fail(kinds.WRONG_TYPE, message, predicate.span, hint)
        place = ir.Read("place", (subject,), t.Optional(t.Member("space", "Space")))
        where = self.inference.infer(predicate.place, scope, t.Member("space", "Space"))
        if isinstance(where.type, t.SetOf):
            return if_some(place, ir.Op("has", (place, where), FLAG))
        expected = without_none(where.type)
        if not (isinstance(expected, t.Member) and expected.domain == "space"):
            self.ctx.fail(kinds.WRONG_TYPE, f"expected a place, found `{where.type}`", predicate.place.span)
        return if_some(where, ir.Op("eq", (place, where), FLAG))

    def _is_named(self, subject: ir.Expr, predicate: x.NamePredicate, span: Span, scope: Scope) -> ir.Expr:
        name, type_ = predicate.name, without_none(subject.type)
        kind = self.ctx.world.kinds.get(name.text)
        if predicate.arguments is None and kind is not None and isinstance(type_, t.Member):
            if kind.domain == type_.domain and name.text not in scope.names:
                members = ir.Const(kind.members, t.SetOf(t.Member(kind.domain, name.text)))
                return if_some(subject, ir.Op("has", (subject, members), FLAG))
        if name.text not in scope.names:
            field = self.calls.try_field(subject, name, predicate.arguments, span, scope)
            if field is not None and isinstance(field.type, t.Flag):
                return field
        return self._is_equal_or_in(subject, self._value_named(subject, predicate, span, scope), span, type_)

    def _value_named(self, subject: ir.Expr, predicate: x.NamePredicate, span: Span, scope: Scope) -> ir.Expr:
        name, type_ = predicate.name, without_none(subject.type)
        if predicate.arguments is not None:
            return self.calls.call(x.Call(predicate.span, name, predicate.arguments), scope, type_)
        if name.text in FOREIGN_VALUES and not self._is_known(name.text, scope):
            message = f"unknown name `{name.text}`"
            self.ctx.fail(kinds.UNKNOWN_NAME, message, predicate.span, FOREIGN_VALUES[name.text])
        if isinstance(subject.type, t.Optional) and not self._is_known(name.text, scope):
            self.calls.field_of(subject, name, None, span, scope)
        if not self._is_known(name.text, scope) and self.calls.is_unheard_of(name.text, scope):
            if name.text.isidentifier() and (hint := definition_hint(name.text, (subject.type,))):
                self.ctx.fail(kinds.UNKNOWN_NAME, f"unknown name `{name.text}`", predicate.span, hint)
        return self.calls.reference(x.Reference(predicate.span, name), scope, type_)

    def _is_known(self, name: str, scope: Scope) -> bool:
        return name in scope.names or self.calls.is_value(name) or name in self.ctx.world.members
