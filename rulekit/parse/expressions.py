"""From lark's trees to our own: names, types and expressions."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

from lark import Token, Tree

from rulekit.diagnostics import Diagnostic, Kind
from rulekit.parse import kinds
from rulekit.source import Span
from rulekit.syntax import expr as x
from rulekit.syntax import types as t
from rulekit.syntax.stmt import Cite
from rulekit.types import month_number

Node = Tree[Token]

MAX_DEPTH = 120
"""Nesting of one expression or block beyond which a text is refused (spec 2.7)."""
MAX_CASES = 200
"""Lines of one definition, branches of one `when` (spec 2.7)."""
MAX_DIGITS = 18
"""Digits of one number (spec 2.7)."""
MAX_DICE, MAX_SIDES = 100, 1_000_000
"""Of one roll (spec 7.1)."""


class Refused(Exception):
    """What the grammar allows and the language does not, with its finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


RESERVED = frozenset(
    "and or not is in has it its every some no none true false count of total lowest highest at where with "
    "linked unmodified otherwise when unless from to until during mod rounded within as by for each".split()
)
"""Words that are never names, even where the parser could tell them apart."""


class ExpressionBuilder:
    """Builds nodes of `file`, whose lines are `offset` further down than the parser saw them."""

    def __init__(self, file: str, offset: int) -> None:
        self.file = file
        self.offset = offset
        self.depth = 0

    def span(self, node: Node | Token) -> Span:
        at = cast(Any, node.meta if isinstance(node, Tree) else node)
        return Span(self.file, at.line + self.offset, at.column, at.end_line + self.offset, at.end_column)

    def build(self, node: Node) -> Any:
        """The node of our own for a tree, whatever its rule."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(
                kinds.TOO_DEEP,
                f"more than {MAX_DEPTH} levels of nesting",
                node,
                "name parts of it with `let` or `define`",
            )
        made = cast(Callable[[Node], Any], getattr(self, "on_" + str(node.data).lstrip("_")))(node)
        self.depth -= 1
        return made

    def refuse(self, kind: Kind, message: str, node: Node | Token, hint: str | None = None) -> NoReturn:
        """Give the item up at a node.

        Raises:
            Refused: Always.
        """
        raise Refused(Diagnostic(kind, message, self.span(node), hint=hint))

    def number(self, token: object) -> int:
        """A whole number of at most `MAX_DIGITS` digits."""
        assert isinstance(token, Token)
        if len(token) > MAX_DIGITS:
            self.refuse(kinds.TOO_LARGE, f"a number of more than {MAX_DIGITS} digits", token)
        return int(token)

    def dice_of(self, token: object) -> tuple[int, int]:
        """`3d6` as (3, 6): 1 to 100 dice of 2 to 1,000,000 sides."""
        assert isinstance(token, Token)
        if len(token) <= MAX_DIGITS:
            many, sides = token.split("d")
            made = int(many or "1"), int(sides)
            if 1 <= made[0] <= MAX_DICE and 2 <= made[1] <= MAX_SIDES:
                return made
        self.refuse(
            kinds.TOO_LARGE,
            f"`{token}` is not from 1 to {MAX_DICE} dice of 2 to {MAX_SIDES:,} sides",
            token,
        )

    def ratio_of(self, token: object) -> tuple[int, int]:
        """`3:2` as (3, 2)."""
        assert isinstance(token, Token)
        if len(token) > MAX_DIGITS:
            self.refuse(kinds.TOO_LARGE, f"odds of more than {MAX_DIGITS} figures", token)
        above, below = token.split(":")
        return int(above), int(below)

    def children(self, node: Node) -> list[Node]:
        """The children that are trees (tokens are read where they matter)."""
        return [child for child in node.children if isinstance(child, Tree)]

    def all(self, nodes: Sequence[Node]) -> tuple[Any, ...]:
        return tuple(self.build(node) for node in nodes)

    def first(self, node: Node, rule: str) -> Node | None:
        """The first child made by `rule`, if there is one."""
        return next((child for child in self.children(node) if child.data == rule), None)

    def cite(self, node: Node) -> Cite | None:
        """The citation at the end of the node's own line."""
        child = self.first(node, "cite")
        return self.on_cite(child) if child else None

    # -- names, citations

    def on_name(self, node: Node) -> x.Name:
        token = cast(Token, node.children[0])
        if token.type != "QUOTED" and token in RESERVED:
            hint = f"as a name it is written `'{token}'`"
            self.refuse(kinds.SYNTAX, f"`{token}` is a word of the language", token, hint)
        text = token[1:-1] if token.type == "QUOTED" else str(token)
        if not text.strip():
            self.refuse(kinds.SYNTAX, "a name of nothing but blanks", token, "give it letters")
        return x.Name(self.span(token), "_".join(unicodedata.normalize("NFC", text).split()))

    def on_cite(self, node: Node) -> Cite:
        token = cast(Token, node.children[0])
        ids = tuple(" ".join(part.split()) for part in token[1:-1].split(",") if part.strip())
        return Cite(self.span(token), ids)

    def names(self, node: Node | None) -> tuple[x.Name, ...]:
        return tuple(self.on_name(child) for child in self.children(node)) if node else ()

    def text(self, node: Node | None) -> str:
        """A title's or reason's text; empty without one."""
        return str(node.children[0])[1:-1] if node else ""

    # -- types

    def on_flag_type(self, node: Node) -> t.TypeExpr:
        return t.PlainType(self.span(node), "flag")

    def on_month_type(self, node: Node) -> t.TypeExpr:
        return t.PlainType(self.span(node), "month")

    def on_ratio_type(self, node: Node) -> t.TypeExpr:
        return t.PlainType(self.span(node), "ratio")

    def on_signed(self, node: Node) -> int:
        *sign, digits = node.children
        return -self.number(digits) if sign else self.number(digits)

    def on_range_type(self, node: Node) -> t.TypeExpr:
        low, high = (self.on_signed(child) for child in self.children(node))
        return t.RangeType(self.span(node), low, high)

    def on_dice_type(self, node: Node) -> t.TypeExpr:
        dice, sides = self.dice_of(node.children[0])
        return t.RangeType(self.span(node), dice, dice * sides)

    def on_named_type(self, node: Node) -> t.TypeExpr:
        return t.NamedType(self.span(node), self.on_name(self.children(node)[0]).text)

    def on_set_type(self, node: Node) -> t.TypeExpr:
        return t.SetType(self.span(node), self.build(self.children(node)[0]))

    def on_list_type(self, node: Node) -> t.TypeExpr:
        most = next(child for child in node.children if isinstance(child, Token))
        return t.ListType(self.span(node), self.build(self.children(node)[0]), self.number(most))

    def on_map_type(self, node: Node) -> t.TypeExpr:
        key, value = self.children(node)
        return t.MapType(self.span(node), self.on_name(key).text, self.build(value))

    def on_optional_type(self, node: Node) -> t.TypeExpr:
        return t.OptionalType(self.span(node), self.build(self.children(node)[0]))

    # -- primaries

    def on_integer(self, node: Node) -> x.Expr:
        return x.Integer(self.span(node), self.number(node.children[0]))

    def on_date(self, node: Node) -> x.Expr:
        return x.Date(self.span(node), month_number(str(node.children[0])))

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
        made = cast(Any, str(op.children[0]))
        return x.Compare(self.span(node), made, self.build(left), self.build(right))

    def on_predicate(self, node: Node) -> x.Predicate:
        made = self.build(self.children(node)[0])
        match made:
            case x.Reference():
                return x.NamePredicate(made.span, made.name, None)
            case x.Call():
                return x.NamePredicate(made.span, made.name, made.arguments)
            case x.NoneLiteral():
                return x.NonePredicate(made.span)
            case x.FlagLiteral():
                return x.FlagPredicate(made.span, made.value)
            case _:
                return x.ExprPredicate(made.span, made)

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


def word(node: Node) -> Any:
    """The word that a keeps-no-token rule stands for: its own name."""
    return str(node.data)


def way_of(node: Node) -> Any:
    """`round_down` and its fellows as `down`, `up`, `nearest`."""
    return str(node.data).removeprefix("round_")
