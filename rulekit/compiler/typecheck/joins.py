"""How types relate: which fits where, and what two have in common."""

from __future__ import annotations

from rulekit import ir
from rulekit.compiler.populate.type_reader import MAX_SET
from rulekit.compiler.world import World
from rulekit.ir import types as t

ANY = t.Member("", "")
"""The element of `{}` and of `none` before it is known what they are of."""


def is_untold(type_: t.Type) -> bool:
    """Whether a type is that of `{}` or `none` before their element is known."""
    return type_ == ANY or (isinstance(type_, t.SetOf | t.Optional) and type_.of == ANY)


def mask(world: World, type_: t.Member | t.Int) -> int:
    """All values of a member or small number type, as a set."""
    if isinstance(type_, t.Int):
        return ((1 << (type_.high - type_.low + 1)) - 1) << type_.low
    return world.kinds[type_.name].members if type_.name else 0


def set_size(world: World, type_: t.Member | t.Int) -> int:
    """The number of values of a member or small number type."""
    return mask(world, type_).bit_count()


def fits(world: World, actual: t.Type, expected: t.Type) -> bool:
    """Whether every value of `actual` is one of `expected`."""
    if actual == expected:
        return True
    match actual, expected:
        case t.Int(), t.Int():
            return expected.low <= actual.low and actual.high <= expected.high
        case t.Month(), t.Month():
            return expected.low <= actual.low and actual.high <= expected.high
        case t.Member(), t.Member():
            return actual.domain == expected.domain and not mask(world, actual) & ~mask(world, expected)
        case t.Optional(), t.Optional():
            return actual.of == ANY or fits(world, actual.of, expected.of)
        case _, t.Optional():
            return fits(world, actual, expected.of)
        case t.SetOf(), t.SetOf():
            return actual.of == ANY or fits(world, actual.of, expected.of)
        case t.ListOf(), t.ListOf():
            return actual.most <= expected.most and fits(world, actual.of, expected.of)
        case t.MapOf(), t.MapOf():
            return fits(world, actual.key, expected.key) and fits(world, actual.value, expected.value)
        case _:
            return False


def comparable(world: World, one: t.Type, other: t.Type) -> bool:
    """Whether two values can be compared for equality."""
    one = one.of if isinstance(one, t.Optional) else one
    other = other.of if isinstance(other, t.Optional) else other
    match one, other:
        case t.Int(), t.Int():
            return True
        case ((t.Int() | t.Ratio()), (t.Int() | t.Ratio())):
            return True
        case t.Member(), t.Member():
            return one.domain == other.domain or ANY in (one, other)
        case t.SetOf(), t.SetOf():
            return ANY in (one.of, other.of) or comparable(world, one.of, other.of)
        case t.ListOf(), t.ListOf():
            return comparable(world, one.of, other.of)
        case _:
            return type(one) is type(other)


def join(world: World, one: t.Type, other: t.Type) -> t.Type | None:
    """The narrowest type that holds both; None if there is none."""
    if fits(world, one, other):
        return other
    if fits(world, other, one):
        return one
    match one, other:
        case t.Int(), t.Int():
            return t.Int(min(one.low, other.low), max(one.high, other.high))
        case t.Month(), t.Month():
            return t.Month(min(one.low, other.low), max(one.high, other.high))
        case t.Member(), t.Member() if one.domain == other.domain:
            return kind_for(world, one.domain, mask(world, one) | mask(world, other))
        case (t.Optional(), _) | (_, t.Optional()):
            a = one.of if isinstance(one, t.Optional) else one
            b = other.of if isinstance(other, t.Optional) else other
            inner = b if a == ANY else a if b == ANY else join(world, a, b)
            if isinstance(inner, t.Flag | t.Int | t.Month | t.Ratio | t.Member | t.Row):
                return t.Optional(inner)
            return None
        case t.SetOf(), t.SetOf():
            inner = join(world, one.of, other.of)
            return t.SetOf(inner) if isinstance(inner, t.Member | t.Int) else None
        case t.ListOf(), t.ListOf():
            inner = join(world, one.of, other.of)
            if isinstance(inner, t.Optional | t.ListOf | t.MapOf | t.Nothing | None):
                return None
            return t.ListOf(inner, max(one.most, other.most))
        case _:
            return None


def kind_for(world: World, domain: str, wanted: int) -> t.Member:
    """The kind with the fewest members that holds all of a mask."""
    best = None
    for kind in world.kinds.values():
        if kind.domain == domain and not wanted & ~kind.members:
            if best is None or kind.members.bit_count() < best.members.bit_count():
                best = kind
    assert best is not None, "a domain is a kind of its own members"
    return t.Member(domain, best.name)


def in_sets(type_: t.Int) -> bool:
    """Whether sets can hold the numbers of a range (spec 3.6)."""
    return 0 <= type_.low and type_.high <= MAX_SET


def without_none(type_: t.Type) -> t.Type:
    """The type without its none."""
    return type_.of if isinstance(type_, t.Optional) else type_


def facts(world: World, condition: ir.Expr, truth: bool) -> dict[str, t.Type]:
    """The types of locals where a condition is true, or false."""
    match condition:
        case ir.Op(op="not", operands=(inner,)):
            return facts(world, inner, not truth)
        case ir.Op(op="and", operands=(left, right)) if truth:
            return {**facts(world, left, True), **facts(world, right, True)}
        case ir.Op(op="or", operands=(left, right)) if not truth:
            return {**facts(world, left, False), **facts(world, right, False)}
        case ir.Op(op="is_none", operands=(ir.Local() as local,)) if not truth:
            return {local.name: without_none(local.type)}
        case ir.Op(op="eq", operands=(ir.Local() as local, other)) if truth and _is_some(other):
            return {local.name: without_none(local.type)} if isinstance(local.type, t.Optional) else {}
        case ir.Op(op="has", operands=(ir.Local() as local, ir.Const(value=int() as wanted))):
            return _kind_fact(world, local, wanted, truth)
        case _:
            return {}


def _is_some(value: ir.Expr) -> bool:
    return not isinstance(value.type, t.Optional)


def _kind_fact(world: World, local: ir.Local, wanted: int, truth: bool) -> dict[str, t.Type]:
    type_ = without_none(local.type)
    if not isinstance(type_, t.Member):
        return {}
    left = mask(world, type_) & (wanted if truth else ~wanted)
    if not left:
        return {}
    narrowed = kind_for(world, type_.domain, left)
    if mask(world, narrowed) & ~mask(world, type_):
        return {local.name: type_} if truth else {}
    if not truth and isinstance(local.type, t.Optional):
        return {}
    return {local.name: narrowed}
