"""Expressions: each gets its type and becomes an expression of the IR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from rulekit import ir
from rulekit.base.language import quoted_name
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext, Wrong
from rulekit.compiler.typecheck.conversions import (
    FLAG,
    NONE,
    adapt,
    conjunction,
    either,
    equality,
    facts,
    fit,
    join,
    membership,
    narrow_to,
    negation,
    without_none,
)
from rulekit.compiler.typecheck.expressions import numbers
from rulekit.compiler.typecheck.expressions.calls import CallChecker
from rulekit.compiler.typecheck.expressions.numbers import during
from rulekit.compiler.typecheck.expressions.predicates import PredicateChecker
from rulekit.compiler.typecheck.expressions.sets import SetChecker
from rulekit.compiler.typecheck.expressions.ways import WayChecker
from rulekit.compiler.typecheck.scope import Scope
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x


class ExpressionChecker:
    """Types expressions; its parts look up names (`calls`) and type predicates and sets."""

    def __init__(self, ctx: CheckContext) -> None:
        self.ctx = ctx
        self.calls = CallChecker(ctx, self)
        self.ways = WayChecker(ctx, self, self.calls)
        self.predicates = PredicateChecker(ctx, self, self.calls, self.ways)
        self.sets = SetChecker(ctx, self, self.calls, self.predicates, self.ways)

    def check(self, node: x.Expr, scope: Scope, expected: t.Type) -> ir.Expr:
        """The expression as a value of the expected type; play tests a number that may leave its range."""
        if scope.reads is not None:  # in an expression already, as most are
            return fit(self.ctx, self._infer_in(node, scope, expected), expected, node.span)
        return self.relying(
            node,
            scope,
            lambda inner: fit(self.ctx, self._infer_in(node, inner, expected), expected, node.span),
        )

    def flag(self, node: x.Expr, scope: Scope) -> ir.Expr:
        """The expression as a condition."""
        return self.check(node, scope, FLAG)

    def infer(self, node: x.Expr, scope: Scope, expected: t.Type | None = None) -> ir.Expr:
        """The typed expression; `expected` only helps to find the meaning of names and of `{}`."""
        if scope.reads is not None:
            return self._infer_in(node, scope, expected)
        return self.relying(node, scope, lambda inner: self._infer_in(node, inner, expected))

    def _infer_in(self, node: x.Expr, scope: Scope, expected: t.Type | None) -> ir.Expr:
        value = self._infer(node, scope, expected)
        known = scope.narrowed.get(value) if scope.reads and scope.narrowed else None
        return value if known is None else narrow_to(self.ctx.world, value, known)

    def relying(self, node: x.Expr, scope: Scope, infer_in: Callable[[Scope], ir.Expr]) -> ir.Expr:
        """The typed expression; if it has none, the one that relies on what its tests tell of the state.

        The state is constant while an expression is evaluated.  What has a type without this keeps it.  Of
        two mistakes, the one further on is reported: tests explain the one before it.
        """
        if scope.reads is not None:
            return infer_in(scope)
        findings, settled = self.ctx.findings, self.ctx.settled
        before = len(findings)

        def own() -> list[Diagnostic]:
            added = (finding for finding in findings.since(before) if node.span.contains(finding.span))
            return [finding for finding in added if finding not in settled]

        try:
            return infer_in(scope.relying(False))
        except Wrong:
            first = own()
        try:
            value = infer_in(scope.relying(True))
        except Wrong:
            second = [finding for finding in own() if finding not in first]
            findings.withdraw(first if _is_further(second, first) else second)
            raise
        findings.withdraw(first)
        return value

    def _infer(self, node: x.Expr, scope: Scope, expected: t.Type | None) -> ir.Expr:
        match node:
            case x.Reference():
                return self.calls.reference(node, scope, expected)
            case x.Field():
                return self.calls.field(node, scope)
            case x.Call():
                return self.calls.call(node, scope, expected)
            case x.Integer():
                return ir.Const(node.value, t.Int(node.value, node.value))
            case x.Date():
                return ir.Const(node.value, t.Month(node.value, node.value))
            case x.RatioLiteral():
                return self._ratio_literal(node)
            case x.FlagLiteral():
                return ir.Const(node.value, FLAG)
            case x.TextLiteral():
                return ir.Const(t.TextValue(node.text), t.Text())
            case x.NoneLiteral():
                return NONE
            case x.It():
                return self._it(node.span, scope)
            case x.Its():
                it = self._it(node.span, scope)
                return self.calls.field_of(it, node.name, node.arguments, node.span, scope)
            case x.Unmodified():
                return self._dice_of(node, scope)
            case x.Outside():
                return self.infer(node.value, Scope(scope.routine), expected)
            case x.During():
                return during(self.ctx, node)
            case x.Binary() | x.Divide() | x.Negative():
                return self._arithmetic(node, scope, expected)
            case x.Coalesce():
                return self._coalesce(node, scope, expected)
            case x.Conditional():
                return self._conditional(node, scope, expected)
            case x.Logic():
                return self._logic(node, scope)
            case x.Not():
                return negation(self.flag(node.value, scope))
            case x.Compare():
                return self._compare(node, scope)
            case x.Is():
                return self.predicates.test(node, scope)
            case x.In():
                return self._in(node, scope)
        return self.sets.infer(node, scope, expected)

    # -- arithmetic

    def _ratio_literal(self, node: x.RatioLiteral) -> ir.Expr:
        if node.denominator == 0:
            self.ctx.fail(kinds.WRONG_TYPE, "odds cannot be to 0", node.span)
        return ir.Const(Fraction(node.numerator, node.denominator), t.Ratio())

    def _arithmetic(
        self, node: x.Binary | x.Divide | x.Negative, scope: Scope, expected: t.Type | None
    ) -> ir.Expr:
        if isinstance(node, x.Negative):
            return numbers.negative(self.ctx, self.infer(node.value, scope), node.span)
        of_parts = expected if isinstance(expected, t.SetOf | t.ListOf) else None
        left = self.infer(node.left, scope, of_parts)
        if isinstance(left.type, t.SetOf | t.ListOf | t.Member):
            return self.sets.arithmetic(node, left, scope)
        right = self.infer(node.right, scope, of_parts)
        if isinstance(node, x.Divide):
            return numbers.divide(self.ctx, node, left, right)
        return numbers.binary(self.ctx, node, left, right)

    # -- alternatives

    def _coalesce(self, node: x.Coalesce, scope: Scope, expected: t.Type | None) -> ir.Expr:
        value = self.infer(node.value, scope, expected)
        if not isinstance(value.type, t.Optional):
            self.ctx.report(kinds.NEVER_NONE, "this is never none", node.value.span, "remove `otherwise ...`")
            return value
        fallback = adapt(self.infer(node.fallback, scope, expected or value.type.of), value.type)
        joined = join(self.ctx.world, value.type.of, fallback.type)
        if joined is None:
            message = f"the value is `{value.type.of}`, but its fallback is `{fallback.type}`"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.span)
        return ir.Op("or_else", (value, fallback), joined)

    def _conditional(self, node: x.Conditional, scope: Scope, expected: t.Type | None) -> ir.Expr:
        condition = self.flag(node.condition, scope)
        then = self.infer(node.then, scope.knowing(facts(self.ctx.world, condition, True)), expected)
        unmet = scope.knowing(facts(self.ctx.world, condition, False))
        return either(self.ctx, condition, then, self.infer(node.fallback, unmet, expected), node.span)

    # -- conditions

    def _logic(self, node: x.Logic, scope: Scope) -> ir.Expr:
        left = self.flag(node.left, scope)
        inner = scope.knowing(facts(self.ctx.world, left, node.op == "and"))
        if isinstance(node.right, x.Integer) or self.calls.is_bare_member(node.right, inner):
            message = f"expected a condition after `{node.op}`, found a value"
            self.ctx.fail(kinds.WRONG_TYPE, message, node.right.span, _left_side_hint(node))
        right = self.flag(node.right, inner)
        return ir.Op(node.op, (left, right), FLAG)

    def _compare(self, node: x.Compare, scope: Scope) -> ir.Expr:
        left, right = self._operands(node.left, node.right, scope)
        if node.op == "=":
            return equality(self.ctx, left, right, node.span)
        return numbers.compare(self.ctx, node, left, right)

    def _operands(self, left: x.Expr, right: x.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """Two operands, each of which gives the other's names their meaning."""
        if self.calls.is_bare_member(left, scope):
            second = self.infer(right, scope)
            return self.infer(left, scope, without_none(second.type)), second
        first = self.infer(left, scope)
        return first, self.infer(right, scope, without_none(first.type))

    def _in(self, node: x.In, scope: Scope) -> ir.Expr:
        if isinstance(node.members, x.Range):
            test = self._in_range(node, node.members, scope)
        elif self.calls.is_bare_member(node.value, scope):
            members = self.infer(node.members, scope)
            of = members.type.of if isinstance(members.type, t.SetOf | t.ListOf) else None
            test = membership(self.ctx, self.infer(node.value, scope, of), members, node.span)
        else:
            value = self.infer(node.value, scope)
            element = without_none(value.type)
            whole = t.SetOf(element) if isinstance(element, t.Member | t.Int) else None
            test = membership(self.ctx, value, self.infer(node.members, scope, whole), node.span)
        return negation(test) if node.negated else test

    def _in_range(self, node: x.In, range_: x.Range, scope: Scope) -> ir.Expr:
        value = self.infer(node.value, scope)
        tests: list[ir.Expr] = []
        for bound, op in ((range_.low, ">="), (range_.high, "<=")):
            if bound is not None:
                limit = self.infer(bound, scope, value.type)
                compared = x.Compare(node.span, op, node.value, bound)  # type: ignore[arg-type]
                tests.append(numbers.compare(self.ctx, compared, value, limit))
        return conjunction(*tests)

    # -- the language's own names

    def _it(self, span: Span, scope: Scope) -> ir.Expr:
        if scope.it is None:
            hint = "`it` is the current member in `where`, `with lowest`, `by lowest` or `known to`"
            self.ctx.fail(kinds.UNKNOWN_NAME, "`it` has no meaning here", span, hint)
        return scope.narrow(scope.it)

    def _dice_of(self, node: x.Unmodified, scope: Scope) -> ir.Expr:
        raw = scope.raw.get(node.name.text)
        if raw is None:
            hint = "use the name after `roll ... as`"
            self.ctx.fail(kinds.UNKNOWN_NAME, f"`{node.name.text}` is not a roll", node.name.span, hint)
        return raw


def _left_side_hint(node: x.Logic) -> str:
    """The hint for `n is 3 or 4`: each comparison names both its sides."""
    left = node.left.right if isinstance(node.left, x.Logic) else node.left
    subject = left.subject if isinstance(left, x.Is) else left.left if isinstance(left, x.Compare) else None
    if isinstance(subject, x.Reference) and isinstance(node.right, x.Integer | x.Reference):
        value = node.right.value if isinstance(node.right, x.Integer) else quoted_name(node.right.name.text)
        return f"name the left side again: `{node.op} {quoted_name(subject.name.text)} is {value}`"
    return f"name the left side again after `{node.op}`"


def _is_further(second: Sequence[Diagnostic], first: Sequence[Diagnostic]) -> bool:
    """True if all findings of a second reading lie after those of the first."""
    return bool(second) and all(one.span > other.span for one in second for other in first)
