"""`x is P`: whether a predicate holds of a value."""

from __future__ import annotations

from abc import abstractmethod

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck.calls import Calls
from rulekit.compiler.typecheck.joins import none_of
from rulekit.compiler.typecheck.scope import Scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

FLAG = t.Flag()


class Predicates(Calls):
    """The part of the expression checker that tests values."""

    def is_(self, node: x.Is, scope: Scope) -> ir.Expr:
        """`x is P`."""
        predicate = node.predicate
        if isinstance(predicate, x.NamePredicate) and self.is_bare_member(node.subject, scope):
            other = x.Reference(predicate.span, predicate.name)
            expected = none_of(self.infer(other, scope).type) if predicate.name.text in scope.names else None
            subject = self.infer(node.subject, scope, expected)
        else:
            subject = self.infer(node.subject, scope)
        made = self.holds(subject, predicate, node.span, scope)
        return ir.Op("not", (made,), FLAG) if node.negated else made

    def holds(self, subject: ir.Expr, predicate: x.Predicate, span: Span, scope: Scope) -> ir.Expr:
        """Whether a predicate holds of a value."""
        match predicate:
            case x.NonePredicate():
                return self._is_none(subject, span)
            case x.EmptyPredicate():
                return self._is_empty(subject, span)
            case x.AtPredicate():
                return self._is_at(subject, predicate, scope)
            case x.FlagPredicate():
                flag = self.fit(subject, FLAG, span)
                return flag if predicate.value else ir.Op("not", (flag,), FLAG)
            case x.NamePredicate():
                return self._is_named(subject, predicate, span, scope)
            case x.ExprPredicate():
                other = self.infer(predicate.value, scope, none_of(subject.type))
                if isinstance(other.type, t.SetOf) and not isinstance(subject.type, t.SetOf):
                    return self.member_of(subject, other, span)
                return self.equal(subject, other, span)

    def _is_none(self, subject: ir.Expr, span: Span) -> ir.Expr:
        if not isinstance(subject.type, t.Optional):
            hint = "an empty set `is empty`" if isinstance(subject.type, t.SetOf) else "drop the test"
            self.ctx.tell(kinds.NEVER_NONE, f"a `{subject.type}` is never none here", span, hint)
            return ir.Const(False, FLAG)
        return ir.Op("is_none", (subject,), FLAG)

    def _is_empty(self, subject: ir.Expr, span: Span) -> ir.Expr:
        if isinstance(subject.type, t.SetOf):
            return ir.Op("is_empty", (subject,), FLAG)
        if isinstance(subject.type, t.ListOf):
            zero = ir.Const(0, t.Int(0, 0))
            return ir.Op("eq", (ir.Op("length", (subject,), t.Int(0, subject.type.most)), zero), FLAG)
        self.ctx.fail(
            kinds.WRONG_TYPE, f"a `{subject.type}` is never empty", span, "what may be missing `is none`"
        )

    def _is_at(self, subject: ir.Expr, predicate: x.AtPredicate, scope: Scope) -> ir.Expr:
        type_ = subject.type
        if not (isinstance(type_, t.Member) and type_.domain == "piece"):
            self.ctx.fail(
                kinds.WRONG_TYPE,
                f"a `{type_}` is at no place",
                predicate.span,
                "only pieces are at places",
            )
        place = ir.Read("place", (subject,), t.Optional(t.Member("space", "Space")))
        where = self.infer(predicate.place, scope, t.Member("space", "Space"))
        if isinstance(where.type, t.SetOf):
            some = ir.Op("not", (ir.Op("is_none", (place,), FLAG),), FLAG)
            return ir.Op("and", (some, ir.Op("has", (place, where), FLAG)), FLAG)
        want = none_of(where.type)
        if not (isinstance(want, t.Member) and want.domain == "space"):
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{where.type}` is no place", predicate.place.span)
        same = ir.Op("eq", (place, where), FLAG)
        if isinstance(where.type, t.Optional):
            some = ir.Op("not", (ir.Op("is_none", (where,), FLAG),), FLAG)
            return ir.Op("and", (some, same), FLAG)
        return same

    def _is_named(self, subject: ir.Expr, predicate: x.NamePredicate, span: Span, scope: Scope) -> ir.Expr:
        name, type_ = predicate.name, none_of(subject.type)
        kind = self.ctx.world.kinds.get(name.text)
        if predicate.arguments is None and kind is not None and isinstance(type_, t.Member):
            if kind.domain == type_.domain and name.text not in scope.names:
                return self._is_kind(subject, name.text, kind)
        if name.text not in scope.names:
            made = self.try_field(subject, name, predicate.arguments, span, scope)
            if made is not None and isinstance(made.type, t.Flag):
                return made
        if predicate.arguments is not None:
            other: ir.Expr = self.call(x.Call(predicate.span, name, predicate.arguments), scope, type_)
        else:
            if isinstance(subject.type, t.Optional) and not self._known(name.text, scope):
                self.field_of(subject, name, None, span, scope)
            other = self.reference(x.Reference(predicate.span, name), scope, type_)
        if isinstance(other.type, t.SetOf) and not isinstance(type_, t.SetOf):
            return self.member_of(subject, other, span)
        return self.equal(subject, other, span)

    def _known(self, name: str, scope: Scope) -> bool:
        return name in scope.names or self._is_value(name) or name in self.ctx.world.members

    def _is_kind(self, subject: ir.Expr, name: str, kind: ir.Kind) -> ir.Expr:
        members = ir.Const(kind.members, t.SetOf(t.Member(kind.domain, name)))
        has = ir.Op("has", (subject, members), FLAG)
        if isinstance(subject.type, t.Optional):
            some = ir.Op("not", (ir.Op("is_none", (subject,), FLAG),), FLAG)
            return ir.Op("and", (some, has), FLAG)
        return has

    @abstractmethod
    def member_of(self, value: ir.Expr, members: ir.Expr, span: Span) -> ir.Expr: ...

    @abstractmethod
    def equal(self, left: ir.Expr, right: ir.Expr, span: Span) -> ir.Expr: ...
