"""From trees of the grammar to our own: types and expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from rulekit.ir.types import month_number
from rulekit.syntax.parse.builder.base import (
    RULES,
    Builder,
    Node,
    builds,
    children,
    first,
    plain,
    text_of,
    tokens,
    words,
)
from rulekit.syntax.tree import expr as x
from rulekit.syntax.tree import types as t

words("total", "lowest", "highest", "every", "some", "no")
words("down", "up", "nearest", prefix="round_")

RULES |= {
    "flag_type": plain(t.PlainType, word="flag"),
    "month_type": plain(t.PlainType, word="month"),
    "ratio_type": plain(t.PlainType, word="ratio"),
    "text_type": plain(t.PlainType, word="text"),
    "range_type": plain(t.RangeType),
    "set_type": plain(t.SetType),
    "optional_type": plain(t.OptionalType),
    "true": plain(x.FlagLiteral, value=True),
    "false": plain(x.FlagLiteral, value=False),
    "none": plain(x.NoneLiteral),
    "it": plain(x.It),
    "its": plain(x.Its),
    "reference": plain(x.Reference),
    "field": plain(x.Field),
    "unmodified": plain(x.Unmodified),
    "coalesce": plain(x.Coalesce),
    "conditional": plain(x.Conditional),
    "plus": plain(x.Binary, op="+"),
    "minus": plain(x.Binary, op="-"),
    "times": plain(x.Binary, op="*"),
    "modulo": plain(x.Binary, op="mod"),
    "divide": plain(x.Divide),
    "placed_at": plain(x.PlacedAt),
    "count": plain(x.Count),
    "aggregate_field": plain(x.Aggregate, body=None, var=None),
    "aggregate_over": plain(x.Aggregate, field=None),
    "join_over": plain(x.Aggregate, kind="join", field=None),
    "map_over": plain(x.Aggregate, kind="map", field=None),
    "where": plain(x.Where),
    "with_lowest": plain(x.With, kind="lowest"),
    "with_highest": plain(x.With, kind="highest"),
    "or_": plain(x.Logic, op="or"),
    "and_": plain(x.Logic, op="and"),
    "not_": plain(x.Not),
    "predicate_empty": plain(x.EmptyPredicate),
    "predicate_at": plain(x.AtPredicate),
    "predicate_within": plain(x.WithinPredicate),
    "is_": plain(x.Is, negated=False),
    "is_not": plain(x.Is, negated=True),
    "between": plain(x.Range),
    "from_up": plain(x.Range),
    "up_to": plain(x.Range, low=None),
    "in_": plain(x.In, negated=False),
    "not_in": plain(x.In, negated=True),
    "exists": plain(x.Quantified, negated=False),
    "quantified_is": plain(x.Quantified, negated=False),
    "quantified_has": plain(x.Quantified, negated=False),
    "quantified_is_not": plain(x.Quantified, negated=True),
}

# ---------------------------------------------------------------- types


@builds("signed")
def signed(b: Builder, node: Node) -> int:
    *sign, digits = node.children
    return -b.number(digits) if sign else b.number(digits)


@builds("dice_type")
def dice_type(b: Builder, node: Node) -> t.RangeType:
    dice, sides = b.dice_of(node.children[0])
    return t.RangeType(b.span(node), dice, dice * sides)


@builds("named_type")
def named_type(b: Builder, node: Node) -> t.NamedType:
    return t.NamedType(b.span(node), b.head(node).text)


@builds("list_type")
def list_type(b: Builder, node: Node) -> t.ListType:
    return t.ListType(b.span(node), b.build_in(node), b.number(tokens(node)[0]))


@builds("map_type")
def map_type(b: Builder, node: Node) -> t.MapType:
    key, value = b.build_all(node)
    return t.MapType(b.span(node), key.text, value)


# ---------------------------------------------------------------- expressions


@builds("integer")
def integer(b: Builder, node: Node) -> x.Integer:
    return x.Integer(b.span(node), b.number(node.children[0]))


@builds("date")
def date(b: Builder, node: Node) -> x.Date:
    return x.Date(b.span(node), month_number(str(node.children[0])))


@builds("ratio")
def ratio(b: Builder, node: Node) -> x.RatioLiteral:
    return x.RatioLiteral(b.span(node), *b.ratio_of(node.children[0]))


@builds("text")
def text(b: Builder, node: Node) -> x.TextLiteral:
    return x.TextLiteral(b.span(node), text_of(node))


@builds("call", "call_expr")
def call(b: Builder, node: Node) -> x.Call:
    name, *arguments = b.build_all(node)
    return x.Call(b.span(node), name, arguments[0] if arguments else ())


@builds("set_of")
def set_of(b: Builder, node: Node) -> x.SetLiteral:
    return x.SetLiteral(b.span(node), b.build_all(node))


@builds("negative")
def negative(b: Builder, node: Node) -> x.Integer | x.Negative:
    value = b.build_in(node)
    if isinstance(value, x.Integer):
        return x.Integer(b.span(node), -value.value)
    return x.Negative(b.span(node), value)


@builds("linked")
def linked(b: Builder, node: Node) -> x.LinkedTo:
    over, start, relation = [part for part in children(node) if part.data not in _CLAUSES_OF_WAYS]
    return x.LinkedTo(b.span(node), b.build(over), b.build(start), b.build(relation), *_clauses(b, node))


@builds("cheapest_way")
def cheapest_way(b: Builder, node: Node) -> x.CheapestWay:
    start, goal, relation = [part for part in children(node) if part.data not in _CLAUSES_OF_WAYS]
    over = first(node, "way_in")
    ends = b.build(start), b.build(goal), b.build_in(over) if over else None
    return x.CheapestWay(b.span(node), *ends, b.build(relation), *_clauses(b, node))


_LIMITS = ("limit_within", "limit_costing", "limit_stopping")
_CLAUSES_OF_WAYS = ("arguments", "way_in", *_LIMITS)


def _clauses(b: Builder, node: Node) -> Iterator[Any]:
    """Yield the arguments of a relation, and the limits of ways by it, each None if it is not given."""
    given = first(node, "arguments")
    yield b.build(given) if given else ()
    for name in _LIMITS:
        limit = first(node, name)
        yield b.build_in(limit) if limit else None


@builds("from_end")
def from_end(b: Builder, node: Node) -> x.Reference:
    return x.Reference(b.span(node), x.Name(b.span(node), "from"))


@builds("comparison")
def comparison(b: Builder, node: Node) -> x.Compare:
    left, op, right = children(node)
    return x.Compare(b.span(node), cast(Any, str(op.children[0])), b.build(left), b.build(right))


_PREDICATES: Mapping[type, Callable[[Any], x.Predicate]] = {
    x.Reference: lambda subject: x.NamePredicate(subject.span, subject.name, None),
    x.Call: lambda subject: x.NamePredicate(subject.span, subject.name, subject.arguments),
    x.NoneLiteral: lambda subject: x.NonePredicate(subject.span),
    x.FlagLiteral: lambda subject: x.FlagPredicate(subject.span, subject.value),
}
"""Predicates of some expressions after `is`; the subject must equal any other."""


@builds("predicate")
def predicate(b: Builder, node: Node) -> x.Predicate:
    subject = b.build_in(node)
    make = _PREDICATES.get(type(subject))
    return make(subject) if make else x.ExprPredicate(subject.span, subject)
