"""The built-in functions (spec 12.9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from rulekit import ir
from rulekit.compiler.typecheck.joins import ANY, none_of
from rulekit.compiler.typecheck.scope import Scope
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x

if TYPE_CHECKING:
    from rulekit.compiler.typecheck.calls import Calls

Maker = Callable[["Calls", x.Call, Scope, t.Type | None], ir.Expr]


def call(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr | None:
    """A call of a built-in function; None if there is none of that name."""
    found = _MAKERS.get(node.name.text)
    if found is None:
        return None
    arity, maker = found
    if len(node.arguments) != arity:
        message = f"`{node.name.text}` takes {arity} arguments, and {len(node.arguments)} are given"
        checker.ctx.fail(kinds.WRONG_ARGUMENTS, message, node.span)
    return maker(checker, node, scope, expected)


def _numbers(op: str) -> Maker:
    def make(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
        left, right = (checker.infer(argument, scope) for argument in node.arguments)
        a, b = left.type, right.type
        if not (isinstance(a, t.Int) and isinstance(b, t.Int)):
            checker.ctx.fail(kinds.WRONG_TYPE, f"the {op} of a `{a}` and a `{b}`", node.span)
        pick = min if op == "smaller" else max
        return ir.Op(op, (left, right), t.Int(pick(a.low, b.low), pick(a.high, b.high)))  # type: ignore[arg-type]

    return make


def _abs(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value = checker.infer(node.arguments[0], scope)
    if not isinstance(value.type, t.Int):
        checker.ctx.fail(kinds.WRONG_TYPE, f"abs of a `{value.type}`", node.span)
    low, high = value.type.low, value.type.high
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return ir.Op("abs", (value,), t.Int(least, max(abs(low), abs(high))))


def _enum_member(
    checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None
) -> tuple[ir.Expr, t.Member]:
    value = checker.infer(node.arguments[0], scope, expected)
    type_ = value.type
    if not isinstance(type_, t.Member) or checker.ctx.world.domains[type_.domain].sort != "enum":
        hint = "test it for none first" if isinstance(type_, t.Optional) else None
        checker.ctx.fail(
            kinds.WRONG_TYPE,
            f"`{node.name.text}` of a `{type_}`, which is no enum's member",
            node.span,
            hint,
        )
    return value, type_


def _other(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _enum_member(checker, node, scope, expected)
    if len(checker.ctx.world.domains[type_.domain].members) != 2:
        checker.ctx.fail(kinds.WRONG_TYPE, f"`{type_}` has not two members", node.span)
    if isinstance(value, ir.Const):
        return ir.Const(1 - int(value.value), type_)  # type: ignore[arg-type]
    one = ir.Const(1, t.Int(1, 1))
    return ir.Op("sub", (one, value), type_)


def _neighbour(op: Literal["successor", "predecessor"]) -> Maker:
    def make(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
        value, type_ = _enum_member(checker, node, scope, none_of(expected) if expected else None)
        whole = t.Member(type_.domain, type_.domain)
        return ir.Op(op, (value,), t.Optional(whole))

    return make


def _number_of(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _enum_member(checker, node, scope, None)
    last = len(checker.ctx.world.domains[type_.domain].members) - 1
    return ir.Op("add", (value, ir.Const(0, t.Int(0, 0))), t.Int(0, last))


def _only(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    wanted = t.SetOf(expected) if isinstance(expected, t.Member) else None
    value = checker.infer(node.arguments[0], scope, wanted)
    if not isinstance(value.type, t.SetOf):
        checker.ctx.fail(kinds.WRONG_TYPE, f"the only member of a `{value.type}`", node.span)
    return ir.Op("only", (value,), value.type.of)


def _list(checker: Calls, node: x.Expr, scope: Scope) -> tuple[ir.Expr, t.ListOf]:
    value = checker.infer(node, scope)
    if not isinstance(value.type, t.ListOf):
        checker.ctx.fail(kinds.WRONG_TYPE, f"this is a `{value.type}`, and a list is wanted", node.span)
    return value, value.type


def _first(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[0], scope)
    return ir.Op("item", (value, ir.Const(1, t.Int(1, 1))), type_.of)


def _last(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[0], scope)
    return ir.Op("item", (value, ir.Op("length", (value,), t.Int(0, type_.most))), type_.of)


def _item(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[0], scope)
    index = checker.check(node.arguments[1], scope, t.Int(1, max(1, type_.most)))
    return ir.Op("item", (value, index), type_.of)


def _position_of(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[1], scope)
    item = checker.check(node.arguments[0], scope, type_.of)
    return ir.Op("index_of", (item, value), t.Optional(t.Int(1, max(1, type_.most))))


def _rest(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[0], scope)
    return ir.Op("rest", (value,), type_)


def _length(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[0], scope)
    return ir.Op("length", (value,), t.Int(0, type_.most))


def _as_set(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value, type_ = _list(checker, node.arguments[0], scope)
    if not isinstance(type_.of, t.Member | t.Int):
        checker.ctx.fail(kinds.WRONG_TYPE, f"a set cannot hold a `{type_.of}`", node.span)
    return ir.Op("to_set", (value,), t.SetOf(type_.of))


def _as_list(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    value = checker.infer(node.arguments[0], scope)
    if not isinstance(value.type, t.SetOf) or value.type.of == ANY:
        checker.ctx.fail(kinds.WRONG_TYPE, f"this is a `{value.type}`, and a set is wanted", node.span)
    of = value.type.of
    most = checker.ctx.world.kinds[of.name].members.bit_count() if isinstance(of, t.Member) else of.high + 1
    return ir.Op("to_list", (value,), t.ListOf(of, most))


def _ratio(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    left, right = (checker.infer(argument, scope) for argument in node.arguments)
    if not (isinstance(left.type, t.Int) and isinstance(right.type, t.Int)):
        checker.ctx.fail(kinds.WRONG_TYPE, f"the ratio of a `{left.type}` and a `{right.type}`", node.span)
    return ir.Op("ratio", (left, right), t.Ratio())


def _steps(checker: Calls, node: x.Call, scope: Scope, expected: t.Type | None) -> ir.Expr:
    """`steps(a, b, relation)`: tabulated from a fixed set-valued field."""
    start = checker.infer(node.arguments[0], scope)
    end = checker.infer(node.arguments[1], scope, start.type)
    named = node.arguments[2]
    if not isinstance(named, x.Reference) or not isinstance(start.type, t.Member):
        checker.ctx.fail(
            kinds.WRONG_ARGUMENTS,
            "steps are between two members, by a field",
            node.span,
            "write `steps(a, b, borders)`",
        )
    info = checker.ctx.world.field(start.type.name, named.name.text)
    if info is None or info.changes or info.keys or not isinstance(info.type, t.SetOf):
        hint = "it must be a fixed field that holds a set; over what changes, use `linked to`"
        checker.ctx.fail(
            kinds.WRONG_TYPE,
            f"`{named.name.text}` is no fixed relation of `{start.type}`",
            named.span,
            hint,
        )
    if not checker.fits(end.type, t.Member(start.type.domain, _whole(checker, start.type.domain))):
        checker.ctx.fail(
            kinds.WRONG_TYPE, f"no steps lead from a `{start.type}` to a `{end.type}`", node.span
        )
    most = len(checker.ctx.world.domains[start.type.domain].members)
    return ir.Static(f"steps:{info.store}", (start, end), t.Optional(t.Int(0, most)))


def _whole(checker: Calls, domain: str) -> str:
    return domain.capitalize() if domain in ("piece", "space") else domain


_MAKERS: dict[str, tuple[int, Maker]] = {
    "larger": (2, _numbers("larger")),
    "smaller": (2, _numbers("smaller")),
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
    "next_of": (1, _neighbour("successor")),
    "previous_of": (1, _neighbour("predecessor")),
    "number_of": (1, _number_of),
}
