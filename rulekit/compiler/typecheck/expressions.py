"""Expressions: each gets its type and becomes an expression of the IR."""

from __future__ import annotations

from abc import abstractmethod
from typing import NoReturn, assert_never

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.typecheck import numbers
from rulekit.compiler.typecheck.context import Wrong
from rulekit.compiler.typecheck.joins import ANY, comparable, facts, in_sets, join, none_of, untold
from rulekit.compiler.typecheck.predicates import Predicates
from rulekit.compiler.typecheck.scope import Scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import items as i

FLAG = t.Flag()


class Expressions(Predicates):
    """Checks expressions; the sets and quantifiers are in `sets`, names and calls in `calls`."""

    def infer(self, node: x.Expr, scope: Scope, expected: t.Type | None = None) -> ir.Expr:
        """The typed expression; `expected` only helps to tell what names and `{}` mean."""
        match node:
            case x.Integer():
                return ir.Const(node.value, t.Int(node.value, node.value))
            case x.Date():
                return ir.Const(node.value, t.Month(node.value, node.value))
            case x.RatioLiteral():
                return self.ratio_literal(node)
            case x.FlagLiteral():
                return ir.Const(node.value, FLAG)
            case x.NoneLiteral():
                return ir.Const(t.NONE, t.Optional(ANY))
            case x.It():
                return self.it(node.span, scope)
            case x.Its():
                return self.field_of(
                    self.it(node.span, scope), node.name, node.arguments, node.span, scope, expected
                )
            case x.Reference():
                return self.reference(node, scope, expected)
            case x.Call():
                return self.call(node, scope, expected)
            case x.Field():
                return self.field(node, scope, expected)
            case x.Unmodified():
                return self.unmodified(node, scope)
            case x.Outside():
                return self.infer(node.value, scope.outside(), expected)
            case x.During():
                return self.during(node)
            case x.Binary() | x.Divide() | x.Negative():
                return self.arithmetic(node, scope, expected)
            case x.Coalesce():
                return self.coalesce(node, scope, expected)
            case x.Conditional():
                return self.conditional(node, scope, expected)
            case x.Logic():
                return self.logic(node, scope)
            case x.Not():
                return ir.Op("not", (self.flag(node.value, scope),), FLAG)
            case x.Compare():
                return self.compare(node, scope)
            case x.Is():
                return self.is_(node, scope)
            case x.In():
                return self.in_(node, scope)
            case (
                x.SetLiteral()
                | x.PlacedAt()
                | x.Count()
                | x.Aggregate()
                | x.Where()
                | x.With()
                | x.LinkedTo()
            ):
                return self.set_expression(node, scope, expected)
            case x.Quantified():
                return self.quantified(node, scope)
            case _:
                assert_never(node)

    @abstractmethod
    def during(self, node: x.During | i.DateSpan) -> ir.Expr: ...

    # -- wanted types

    def check(self, node: x.Expr, scope: Scope, want: t.Type) -> ir.Expr:
        """The expression as a value of `want`; a number that may leave its range is tested in play."""
        return self.fit(self.infer(node, scope, want), want, node.span)

    def flag(self, node: x.Expr, scope: Scope) -> ir.Expr:
        """The expression as a condition."""
        return self.check(node, scope, FLAG)

    def fit(self, made: ir.Expr, want: t.Type, span: Span) -> ir.Expr:
        """A typed expression where `want` is wanted."""
        made = self.adapt(made, want)
        have = made.type
        if isinstance(want, t.Nothing):  # a type that could not be read, which is told
            raise Wrong
        if self.fits(have, want):
            return made
        if isinstance(have, t.Int | t.Month) and type(have) is type(none_of(want)):
            return self._ranged(made, have, none_of(want), span)
        if isinstance(have, t.ListOf) and isinstance(want, t.ListOf) and self.fits(have.of, want.of):
            return ir.Op("at_most", (made, ir.Const(want.most, t.Int(want.most, want.most))), want)
        if isinstance(have, t.Optional) and not isinstance(want, t.Optional):
            if made == ir.Const(t.NONE, t.Optional(ANY)):
                self.ctx.fail(kinds.MAYBE_NONE, f"none where a `{want}` is needed", span)
            hint = "test it first (`when x is not none`, x a parameter or `let`), or write `(x otherwise y)`"
            self.ctx.fail(kinds.MAYBE_NONE, f"this may be none, and a `{want}` is needed", span, hint)
        self.ctx.fail(
            kinds.WRONG_TYPE,
            f"this is a `{have}`, and a `{want}` is wanted",
            span,
            self._type_hint(made, want),
        )

    def adapt(self, made: ir.Expr, want: t.Type) -> ir.Expr:
        """Small steps the language takes itself: one member as a set, a number as a ratio, `none`, `{}`."""
        have = made.type
        one = isinstance(have, t.Member) or (isinstance(have, t.Int) and in_sets(have))
        if isinstance(want, t.SetOf) and one and have != ANY:
            assert isinstance(have, t.Member | t.Int)
            if isinstance(made, ir.Const):
                return ir.Const(1 << int(made.value), t.SetOf(have))  # type: ignore[arg-type]
            return ir.Op("single", (made,), t.SetOf(have))
        if isinstance(want, t.Ratio) and isinstance(have, t.Int):
            return ir.Op("ratio", (made, ir.Const(1, t.Int(1, 1))), want)
        if have == t.Optional(ANY) and isinstance(want, t.Optional):
            return ir.Const(t.NONE, want)
        if have == t.SetOf(ANY) and isinstance(want, t.SetOf):
            return ir.Const(0, want)
        if have == t.SetOf(ANY) and isinstance(want, t.ListOf):
            return ir.Const((), want)
        return made

    def _ranged(self, made: ir.Expr, have: t.Int | t.Month, want: t.Type, span: Span) -> ir.Expr:
        assert isinstance(want, t.Int | t.Month)
        if have.high < want.low or want.high < have.low:
            self.never_in(have, want, span)
        low, high = (ir.Const(n, t.Int(n, n)) for n in (want.low, want.high))
        return ir.Op("ranged", (made, low, high), want)

    def never_in(self, have: t.Int | t.Month, want: t.Int | t.Month, span: Span) -> NoReturn:
        """Refuse a number that has no value in common with its range.

        Raises:
            Wrong: Always.
        """
        low, high, least, most = (
            self.ctx.world.text(of, n) for of in (have, want) for n in (of.low, of.high)
        )
        said = f"{low} is" if low == high else f"this is in {low}..{high},"
        hint = "widen the range where it is declared, or mend the number"
        self.ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, f"{said} never in {least}..{most}", span, hint)

    def told(self, type_: t.Type, span: Span, line: str = "") -> None:
        """Refuse `{}` and `none` where nothing says what they are of; `line` is how a VALUE gets a TYPE."""
        if not untold(type_):
            return
        whole, value = ("set of KIND", "{}") if isinstance(type_, t.SetOf) else ("KIND or none", "none")
        mend = line.replace("TYPE", whole).replace("VALUE", value)
        hint = f"write `{mend}`" if mend else "write it out where it is needed"
        self.ctx.fail(kinds.UNTOLD_TYPE, "nothing says what this is of", span, hint)

    def _type_hint(self, made: ir.Expr, want: t.Type) -> str | None:
        have = made.type
        match have, want:
            case t.Int(), t.Flag():
                said = made.state if isinstance(made, ir.Read) and not made.keys else ".."
                return f"compare it: `{made.name if isinstance(made, ir.Local) else said} > 0`"
            case t.Member(), t.Member() if have.domain == want.domain:
                return f"test `is {want}` first"
            case t.SetOf(of=t.Member() as of), t.SetOf(of=t.Member() as wanted) if of.domain == wanted.domain:
                return f"take those `where it is {wanted}`"
            case t.SetOf(), t.Member():
                return "`only(S)` is the one member of a set"
            case t.SetOf() | t.ListOf(), t.Flag():
                return "say `is empty` or `is not empty`"
            case t.Row(), _:
                return "read one of its columns: `row.column`"
            case _:
                return None

    # -- arithmetic

    def ratio_literal(self, node: x.RatioLiteral) -> ir.Expr:
        if node.denominator == 0:
            self.ctx.fail(kinds.WRONG_TYPE, "odds to 0", node.span)
        from fractions import Fraction

        return ir.Const(Fraction(node.numerator, node.denominator), t.Ratio())

    def arithmetic(
        self, node: x.Binary | x.Divide | x.Negative, scope: Scope, expected: t.Type | None
    ) -> ir.Expr:
        if isinstance(node, x.Negative):
            value = self.infer(node.value, scope)
            return numbers.negative(self.ctx, value, node.span)
        wanted = expected if isinstance(expected, t.SetOf | t.ListOf) else None
        left = self.infer(node.left, scope, wanted)
        if isinstance(left.type, t.SetOf | t.ListOf | t.Member):
            return self.set_arithmetic(node, left, scope)
        right = self.infer(node.right, scope, wanted)
        if isinstance(node, x.Divide):
            return numbers.divide(self.ctx, node, left, right)
        return numbers.binary(self.ctx, node, left, right)

    # -- alternatives

    def coalesce(self, node: x.Coalesce, scope: Scope, expected: t.Type | None) -> ir.Expr:
        value = self.infer(node.value, scope, expected)
        if not isinstance(value.type, t.Optional):
            self.ctx.tell(kinds.NEVER_NONE, "this is never none", node.value.span, "drop `otherwise ...`")
            return value
        fallback = self.adapt(self.infer(node.fallback, scope, expected or value.type.of), value.type)
        joined = join(self.ctx.world, value.type.of, fallback.type)
        if joined is None:
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{value.type.of}` otherwise a `{fallback.type}`", node.span)
        return ir.Op("or_else", (value, fallback), joined)

    def conditional(self, node: x.Conditional, scope: Scope, expected: t.Type | None) -> ir.Expr:
        condition = self.flag(node.condition, scope)
        then = self.infer(node.then, scope.knowing(facts(self.ctx.world, condition, True)), expected)
        other = scope.knowing(facts(self.ctx.world, condition, False))
        return self.either(condition, then, self.infer(node.fallback, other, expected), node.span)

    def either(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, span: Span) -> ir.Expr:
        """One of two values, as the narrowest type that holds both."""
        then = self.adapt(then, otherwise.type)
        otherwise = self.adapt(otherwise, then.type)
        joined = join(self.ctx.world, then.type, otherwise.type)
        if joined is None:
            self.ctx.fail(
                kinds.WRONG_TYPE, f"a `{then.type}` in one case and a `{otherwise.type}` in another", span
            )
        return ir.If(condition, self.adapt(then, joined), self.adapt(otherwise, joined), joined)

    # -- conditions

    def logic(self, node: x.Logic, scope: Scope) -> ir.Expr:
        left = self.flag(node.left, scope)
        right = self.flag(node.right, scope.knowing(facts(self.ctx.world, left, node.op == "and")))
        return ir.Op(node.op, (left, right), FLAG)

    def compare(self, node: x.Compare, scope: Scope) -> ir.Expr:
        left, right = self.pair(node.left, node.right, scope)
        if node.op == "=":
            return self.equal(left, right, node.span)
        return numbers.compare(self.ctx, node, left, right)

    def pair(self, one: x.Expr, other: x.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """Two operands that tell each other what their names mean."""
        if self.is_bare_member(one, scope):
            right = self.infer(other, scope)
            return self.infer(one, scope, none_of(right.type)), right
        left = self.infer(one, scope)
        return left, self.infer(other, scope, none_of(left.type))

    def equal(self, left: ir.Expr, right: ir.Expr, span: Span) -> ir.Expr:
        """Equality of two values of comparable types."""
        for value in (left, right):
            if value == ir.Const(t.NONE, t.Optional(ANY)):
                self.ctx.fail(kinds.WRONG_TYPE, "a comparison with none", span, "write `is none`")
        left, right = self.adapt(left, right.type), self.adapt(right, left.type)
        if not comparable(self.ctx.world, left.type, right.type):
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{left.type}` is never a `{right.type}`", span)
        return ir.Op("eq", (left, right), FLAG)

    def in_(self, node: x.In, scope: Scope) -> ir.Expr:
        if isinstance(node.members, x.Range):
            made = self._in_range(node, node.members, scope)
        elif self.is_bare_member(node.value, scope):
            members = self.infer(node.members, scope)
            of = members.type.of if isinstance(members.type, t.SetOf | t.ListOf) else None
            made = self.member_of(self.infer(node.value, scope, of), members, node.span)
        else:
            value = self.infer(node.value, scope)
            element = none_of(value.type)
            of = t.SetOf(element) if isinstance(element, t.Member | t.Int) else None
            made = self.member_of(value, self.infer(node.members, scope, of), node.span)
        return ir.Op("not", (made,), FLAG) if node.negated else made

    def member_of(self, value: ir.Expr, members: ir.Expr, span: Span) -> ir.Expr:
        """Whether a value is in a set, list or map; none is in nothing."""
        if isinstance(members.type, t.ListOf):
            return ir.Op("list_has", (value, members), FLAG)
        if isinstance(members.type, t.MapOf):
            return ir.Op("map_has", (members, value), FLAG)
        if isinstance(value.type, t.SetOf) and isinstance(members.type, t.SetOf):
            return ir.Op("within", (value, members), FLAG)
        if not isinstance(members.type, t.SetOf):
            self.ctx.fail(kinds.WRONG_TYPE, f"`in` a `{members.type}`", span, "sets are written `{A, B}`")
        if not comparable(self.ctx.world, value.type, members.type.of):
            self.ctx.fail(kinds.WRONG_TYPE, f"a `{value.type}` is never in a `{members.type}`", span)
        has = ir.Op("has", (value, members), FLAG)
        if isinstance(value.type, t.Optional):
            some = ir.Op("not", (ir.Op("is_none", (value,), FLAG),), FLAG)
            return ir.Op("and", (some, has), FLAG)
        return has

    def _in_range(self, node: x.In, range_: x.Range, scope: Scope) -> ir.Expr:
        value = self.infer(node.value, scope)
        tests: list[ir.Expr] = []
        for bound, op in ((range_.low, ">="), (range_.high, "<=")):
            if bound is not None:
                made = self.infer(bound, scope, value.type)
                compared = x.Compare(node.span, op, node.value, bound)  # type: ignore[arg-type]
                tests.append(numbers.compare(self.ctx, compared, value, made))
        return tests[0] if len(tests) == 1 else ir.Op("and", tuple(tests), FLAG)

    # -- small things

    def it(self, span: Span, scope: Scope) -> ir.Expr:
        if scope.it is None:
            hint = "`it` is the member a `where`, `with lowest`, `by lowest` or `known to` speaks of"
            self.ctx.fail(kinds.UNKNOWN_NAME, "nothing here is `it`", span, hint)
        return scope.known(scope.it)

    def unmodified(self, node: x.Unmodified, scope: Scope) -> ir.Expr:
        raw = scope.raw.get(node.name.text)
        if raw is None:
            hint = "it is the name after `roll ... as`"
            self.ctx.fail(kinds.UNKNOWN_NAME, f"`{node.name.text}` is no roll here", node.name.span, hint)
        return raw
