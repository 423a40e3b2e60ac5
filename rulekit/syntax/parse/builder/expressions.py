"""From lark's trees to our own: expressions."""

from __future__ import annotations

from typing import Any, cast

from rulekit.ir.types import month_number
from rulekit.syntax.parse.builder.base import Node, way_of, word
from rulekit.syntax.parse.builder.types import TypeBuilder
from rulekit.syntax.parse.tree import Token
from rulekit.syntax.tree import expr as x


class ExpressionBuilder(TypeBuilder):
    """Builds expressions."""

    # -- primaries

    def on_integer(self, node: Node) -> x.Expr:
        return x.Integer(self.span(node), self.number(node.children[0]))

    def on_date(self, node: Node) -> x.Expr:
        return x.Date(self.span(node), month_number(str(node.children[0])))

    def months(self, node: Node) -> tuple[int, int]:
        """The first and the last month of a stretch."""
        first, last = (month_number(str(c)) for c in node.children if isinstance(c, Token))
        return first, last

    def on_ratio(self, node: Node) -> x.Expr:
        return x.RatioLiteral(self.span(node), *self.ratio_of(node.children[0]))

    def on_true(self, node: Node) -> x.Expr:
        return x.FlagLiteral(self.span(node), True)

    def on_false(self, node: Node) -> x.Expr:
        return x.FlagLiteral(self.span(node), False)

    def on_none(self, node: Node) -> x.Expr:
        return x.NoneLiteral(self.span(node))

    def on_it(self, node: Node) -> x.Expr:
        return x.It(self.span(node))

    def on_arguments(self, node: Node) -> tuple[x.Expr, ...]:
        return self.all(self.children(node))

    def arguments(self, node: Node) -> tuple[x.Expr, ...] | None:
        child = self.first(node, "arguments")
        return self.on_arguments(child) if child else None

    def on_its(self, node: Node) -> x.Expr:
        return x.Its(self.span(node), self.on_name(self.children(node)[0]), self.arguments(node))

    def on_reference(self, node: Node) -> x.Reference:
        return x.Reference(self.span(node), self.on_name(self.children(node)[0]))

    def on_call_expr(self, node: Node) -> x.Call:
        name, arguments = self.children(node)
        return x.Call(self.span(node), self.on_name(name), self.on_arguments(arguments))

    def on_field(self, node: Node) -> x.Field:
        base, name, *_ = self.children(node)
        return x.Field(self.span(node), self.build(base), self.on_name(name), self.arguments(node))

    def on_unmodified(self, node: Node) -> x.Expr:
        return x.Unmodified(self.span(node), self.on_name(self.children(node)[0]))

    def on_set_of(self, node: Node) -> x.Expr:
        return x.SetLiteral(self.span(node), self.all(self.children(node)))

    def on_coalesce(self, node: Node) -> x.Expr:
        value, fallback = self.all(self.children(node))
        return x.Coalesce(self.span(node), value, fallback)

    def on_conditional(self, node: Node) -> x.Expr:
        then, condition, fallback = self.all(self.children(node))
        return x.Conditional(self.span(node), then, condition, fallback)

    # -- sums, sets

    def binary(self, node: Node, op: Any) -> x.Expr:
        left, right = self.all(self.children(node))
        return x.Binary(self.span(node), op, left, right)

    def on_plus(self, node: Node) -> x.Expr:
        return self.binary(node, "+")

    def on_minus(self, node: Node) -> x.Expr:
        return self.binary(node, "-")

    def on_times(self, node: Node) -> x.Expr:
        return self.binary(node, "*")

    def on_modulo(self, node: Node) -> x.Expr:
        return self.binary(node, "mod")

    def on_divide(self, node: Node) -> x.Expr:
        left, right, way = self.children(node)
        return x.Divide(self.span(node), self.build(left), self.build(right), way_of(way))

    def on_negative(self, node: Node) -> x.Expr:
        value = self.build(self.children(node)[0])
        if isinstance(value, x.Integer):
            return x.Integer(self.span(node), -value.value)
        return x.Negative(self.span(node), value)

    def on_placed_at(self, node: Node) -> x.Expr:
        pieces, place = self.all(self.children(node))
        return x.PlacedAt(self.span(node), pieces, place)

    def on_count(self, node: Node) -> x.Expr:
        return x.Count(self.span(node), self.build(self.children(node)[0]))

    def on_aggregate_field(self, node: Node) -> x.Expr:
        kind, name, over = self.children(node)
        return x.Aggregate(self.span(node), word(kind), self.on_name(name), None, None, self.build(over))

    def on_aggregate_over(self, node: Node) -> x.Expr:
        kind, body, name, over = self.children(node)
        made = self.build(body)
        return x.Aggregate(self.span(node), word(kind), None, made, self.on_name(name), self.build(over))

    def on_where(self, node: Node) -> x.Expr:
        over, condition = self.all(self.children(node))
        return x.Where(self.span(node), over, condition)

    def on_with_lowest(self, node: Node) -> x.Expr:
        over, key = self.all(self.children(node))
        return x.With(self.span(node), "lowest", over, key)

    def on_with_highest(self, node: Node) -> x.Expr:
        over, key = self.all(self.children(node))
        return x.With(self.span(node), "highest", over, key)

    def on_linked(self, node: Node) -> x.Expr:
        over, start, relation, *within = self.children(node)
        return x.LinkedTo(
            self.span(node),
            self.build(over),
            self.build(start),
            self.on_name(relation),
            self.build(within[0]) if within else None,
        )

    on_linked_within = on_linked

    # -- conditions

    def on_or_(self, node: Node) -> x.Expr:
        left, right = self.all(self.children(node))
        return x.Logic(self.span(node), "or", left, right)

    def on_and_(self, node: Node) -> x.Expr:
        left, right = self.all(self.children(node))
        return x.Logic(self.span(node), "and", left, right)

    def on_not_(self, node: Node) -> x.Expr:
        return x.Not(self.span(node), self.build(self.children(node)[0]))

    def on_comparison(self, node: Node) -> x.Expr:
        left, op, right = self.children(node)
        sign = cast(Any, str(op.children[0]))
        return x.Compare(self.span(node), sign, self.build(left), self.build(right))

    def on_predicate(self, node: Node) -> x.Predicate:
        subject = self.build(self.children(node)[0])
        match subject:
            case x.Reference():
                return x.NamePredicate(subject.span, subject.name, None)
            case x.Call():
                return x.NamePredicate(subject.span, subject.name, subject.arguments)
            case x.NoneLiteral():
                return x.NonePredicate(subject.span)
            case x.FlagLiteral():
                return x.FlagPredicate(subject.span, subject.value)
            case _:
                return x.ExprPredicate(subject.span, subject)

    def on_predicate_empty(self, node: Node) -> x.Predicate:
        return x.EmptyPredicate(self.span(node))

    def on_predicate_at(self, node: Node) -> x.Predicate:
        return x.AtPredicate(self.span(node), self.build(self.children(node)[0]))

    def on_is_(self, node: Node) -> x.Expr:
        subject, predicate = self.all(self.children(node))
        return x.Is(self.span(node), subject, predicate, False)

    def on_is_not(self, node: Node) -> x.Expr:
        subject, predicate = self.all(self.children(node))
        return x.Is(self.span(node), subject, predicate, True)

    def on_between(self, node: Node) -> x.Range:
        low, high = self.all(self.children(node))
        return x.Range(self.span(node), low, high)

    def on_from_up(self, node: Node) -> x.Range:
        return x.Range(self.span(node), self.build(self.children(node)[0]), None)

    def on_up_to(self, node: Node) -> x.Range:
        return x.Range(self.span(node), None, self.build(self.children(node)[0]))

    def on_in_(self, node: Node) -> x.Expr:
        value, members = self.all(self.children(node))
        return x.In(self.span(node), value, members, False)

    def on_not_in(self, node: Node) -> x.Expr:
        value, members = self.all(self.children(node))
        return x.In(self.span(node), value, members, True)

    def quantified(self, node: Node, negated: bool) -> x.Expr:
        quantifier, name, over, *test = self.children(node)
        made = self.build(test[0]) if test else None
        return x.Quantified(
            self.span(node), word(quantifier), self.on_name(name), self.build(over), made, negated
        )

    def on_exists(self, node: Node) -> x.Expr:
        return self.quantified(node, False)

    on_quantified_is = on_exists
    on_quantified_has = on_exists

    def on_quantified_is_not(self, node: Node) -> x.Expr:
        return self.quantified(node, True)
