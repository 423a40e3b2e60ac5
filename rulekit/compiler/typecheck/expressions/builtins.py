"""The built-in functions (spec 12.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NoReturn

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.source import Span
from rulekit.compiler.typecheck.context import CheckContext
from rulekit.compiler.typecheck.conversions import ANY, fits, join, mask, without_none
from rulekit.compiler.typecheck.expressions.numbers import Extreme, extreme
from rulekit.compiler.typecheck.scope import Inference, Scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x


@frozen
class BuiltInCall:
    """A call of a built-in function, with what is needed to type it."""

    ctx: CheckContext
    inference: Inference
    node: x.Call
    scope: Scope
    expected: t.Type | None

    def argument(self, place: int = 0, expected: t.Type | None = None) -> ir.Expr:
        """An argument, counted from 0."""
        return self.inference.infer(self.node.arguments[place], self.scope, expected)

    def check(self, place: int, expected: t.Type) -> ir.Expr:
        """An argument as a value of a type."""
        return self.inference.check(self.node.arguments[place], self.scope, expected)

    def two_numbers(self) -> tuple[ir.Expr, ir.Expr]:
        """Both arguments, which must be numbers."""
        left, right = self.argument(0), self.argument(1)
        if not (isinstance(left.type, t.Int) and isinstance(right.type, t.Int)):
            self.refuse(f"expected two numbers, found `{left.type}` and `{right.type}`")
        return left, right

    def list_argument(self, place: int = 0, *, or_set: bool = False) -> tuple[ir.Expr, t.ListOf]:
        """An argument that must be a list, or a set as the list of its members, and its type."""
        value = self.argument(place)
        if or_set and isinstance(value.type, t.SetOf) and value.type.of != ANY:
            return in_order(self.ctx, value, value.type.of)
        if not isinstance(value.type, t.ListOf):
            span = self.node.arguments[place].span
            wanted = "a list or a set" if or_set else "a list"
            self.refuse(f"expected {wanted}, found `{value.type}`", span=span)
        return value, value.type

    def enum_argument(self, expected: t.Type | None = None) -> tuple[ir.Expr, t.Member]:
        """The first argument, which must be a member of an enum, and its type."""
        value = self.argument(expected=expected)
        type_ = value.type
        if not isinstance(type_, t.Member) or self.ctx.world.domains[type_.domain].sort != "enum":
            hint = "test it first: it may be none" if isinstance(type_, t.Optional) else None
            self.refuse(f"`{self.node.name.text}` needs a member of an enum, found `{type_}`", hint)
        return value, type_

    def refuse(self, message: str, hint: str | None = None, span: Span | None = None) -> NoReturn:
        """Report a wrong type, at the call unless a span says where.

        Raises:
            Wrong: Always.
        """
        self.ctx.fail(kinds.WRONG_TYPE, message, span or self.node.span, hint)


Maker = Callable[[BuiltInCall], ir.Expr]


def built_in(call: BuiltInCall) -> ir.Expr | None:
    """The typed call; None if no built-in function has its name."""
    arity, maker = _MAKERS.get(call.node.name.text, (0, None))
    if maker is None:
        return None
    given = len(call.node.arguments)
    if given != arity:
        message = f"`{call.node.name.text}` takes {arity} argument{'' if arity == 1 else 's'}, found {given}"
        call.ctx.fail(kinds.WRONG_ARGUMENTS, message, call.node.span)
    return maker(call)


# -- numbers


def _extreme(op: Extreme) -> Maker:
    return lambda call: extreme(op, *call.two_numbers())


def _abs(call: BuiltInCall) -> ir.Expr:
    value = call.argument()
    if not isinstance(value.type, t.Int):
        call.refuse(f"expected a number, found `{value.type}`")
    low, high = value.type.low, value.type.high
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return ir.Op("abs", (value,), t.Int(least, max(abs(low), abs(high))))


def _ratio(call: BuiltInCall) -> ir.Expr:
    return ir.Op("ratio", call.two_numbers(), t.Ratio())


# -- members


def _other(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.enum_argument(call.expected)
    if len(call.ctx.world.domains[type_.domain].members) != 2:
        call.refuse(f"`{type_}` does not have two members")
    if isinstance(value, ir.Const):
        return ir.Const(1 - int(value.value), type_)  # type: ignore[arg-type]
    return ir.Op("sub", (ir.Const(1, t.Int(1, 1)), value), type_)


def _neighbour(op: Literal["successor", "predecessor"]) -> Maker:
    def make(call: BuiltInCall) -> ir.Expr:
        value, type_ = call.enum_argument(without_none(call.expected) if call.expected else None)
        return ir.Op(op, (value,), t.Optional(t.Member(type_.domain, type_.domain)))

    return make


def _number_of(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.enum_argument()
    last = len(call.ctx.world.domains[type_.domain].members) - 1
    return ir.Op("add", (value, ir.Const(0, t.Int(0, 0))), t.Int(0, last))


def _steps(call: BuiltInCall) -> ir.Expr:
    """`steps(a, b, relation)`, by a fixed set-valued field."""
    start, end, fixed, of = _ends(call)
    return counted_steps(call.ctx, fixed, start, end, of.domain)


def _shortest_way(call: BuiltInCall) -> ir.Expr:
    """`shortest_way(a, b, relation)`, by a fixed set-valued field."""
    start, end, fixed, of = _ends(call)
    most = len(call.ctx.world.domains[of.domain].members)
    return _between(call.ctx, f"ways:{fixed}", start, end, t.ListOf(of, most))


def _ends(call: BuiltInCall) -> tuple[ir.Expr, ir.Expr, str, t.Member]:
    """The two members, the table of the relation between them, and what a way between them goes through."""
    start = call.argument(0)
    end = call.argument(1, start.type)
    relation = call.node.arguments[2]
    if not isinstance(relation, x.Reference) or not isinstance(start.type, t.Member):
        message, hint = "expected two members and a field", f"write `{call.node.name.text}(a, b, borders)`"
        call.ctx.fail(kinds.WRONG_ARGUMENTS, message, call.node.span, hint)
    fixed = fixed_relation(call.ctx, start.type, relation.name)
    if fixed is None:
        hint = "use a fixed field that holds a set; for a changing relation, use `linked to`"
        call.refuse(f"`{relation.name.text}` is not a fixed relation of `{start.type}`", hint, relation.span)
    domain = start.type.domain
    if not fits(call.ctx.world, end.type, call.ctx.world.whole(domain)):
        call.refuse(f"no steps lead from `{start.type}` to `{end.type}`")
    info = call.ctx.world.field(start.type.name, relation.name.text)
    further = info.type.of if info is not None and isinstance(info.type, t.SetOf) else start.type
    through = join(call.ctx.world, start.type, further)
    assert isinstance(through, t.Member)
    return start, end, fixed, through


def fixed_relation(ctx: CheckContext, kind: t.Member, name: x.Name) -> str | None:
    """Return the table of a relation that never changes; None if the name is not one of a kind's."""
    info = ctx.world.field(kind.name, name.text)
    fixed = info is not None and not (info.changes or info.keys) and isinstance(info.type, t.SetOf)
    return info.store if info is not None and fixed else None


def counted_steps(ctx: CheckContext, relation: str, start: ir.Expr, end: ir.Expr, domain: str) -> ir.Expr:
    """Return the fewest steps between two members by a relation that never changes, or none."""
    most = len(ctx.world.domains[domain].members)
    return _between(ctx, f"steps:{relation}", start, end, t.Optional(t.Int(0, most)))


def _between(ctx: CheckContext, table: str, start: ir.Expr, end: ir.Expr, kind: t.Type) -> ir.Expr:
    ctx.results.steps.setdefault(table, None)
    return ir.Static(table, (start, end), kind)


# -- sets and lists


def _only(call: BuiltInCall) -> ir.Expr:
    value = call.argument(expected=t.SetOf(call.expected) if isinstance(call.expected, t.Member) else None)
    if not isinstance(value.type, t.SetOf):
        call.refuse(f"expected a set, found `{value.type}`")
    return ir.Op("only", (value,), value.type.of)


def _first(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument(or_set=True)
    return ir.Op("item", (value, ir.Const(1, t.Int(1, 1))), type_.of)


def _last(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument(or_set=True)
    return ir.Op("item", (value, ir.Op("length", (value,), t.Int(0, type_.most))), type_.of)


def _item(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument()
    return ir.Op("item", (value, call.check(1, t.Int(1, max(1, type_.most)))), type_.of)


def _position_of(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument(1)
    return ir.Op("index_of", (call.check(0, type_.of), value), t.Optional(t.Int(1, max(1, type_.most))))


def _rest(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument()
    return ir.Op("rest", (value,), type_)


def _length(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument()
    return ir.Op("length", (value,), t.Int(0, type_.most))


def _as_set(call: BuiltInCall) -> ir.Expr:
    value, type_ = call.list_argument()
    if not isinstance(type_.of, t.Member | t.Int):
        call.refuse(f"a set cannot hold `{type_.of}`")
    return ir.Op("to_set", (value,), t.SetOf(type_.of))


def _as_list(call: BuiltInCall) -> ir.Expr:
    value = call.argument()
    if not isinstance(value.type, t.SetOf):
        call.refuse(f"expected a set, found `{value.type}`")
    if value.type.of == ANY:
        call.refuse("`{}` is an empty list as it stands")
    return in_order(call.ctx, value, value.type.of)[0]


def in_order(ctx: CheckContext, members: ir.Expr, of: t.Member | t.Int) -> tuple[ir.Expr, t.ListOf]:
    """Return the list of the members of a set in id order, and its type."""
    most = mask(ctx.world, of).bit_count() if isinstance(of, t.Member) else of.high + 1
    type_ = t.ListOf(of, most)
    return ir.Op("to_list", (members,), type_), type_


_MAKERS: Mapping[str, tuple[int, Maker]] = {
    "larger": (2, _extreme("larger")),
    "smaller": (2, _extreme("smaller")),
    "abs": (1, _abs),
    "other": (1, _other),
    "only": (1, _only),
    "first": (1, _first),
    "last": (1, _last),
    "position_of": (2, _position_of),
    "rest": (1, _rest),
    "item": (2, _item),
    "length": (1, _length),
    "as_set": (1, _as_set),
    "as_list": (1, _as_list),
    "ratio": (2, _ratio),
    "steps": (3, _steps),
    "shortest_way": (3, _shortest_way),
    "next_of": (1, _neighbour("successor")),
    "previous_of": (1, _neighbour("predecessor")),
    "number_of": (1, _number_of),
}
"""The number of arguments of each function, and what types its calls."""
