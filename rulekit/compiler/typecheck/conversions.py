"""How types relate, and what the language converts, tests or refuses where another type is expected."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, assert_never

from rulekit import ir
from rulekit.base.language import quoted_name
from rulekit.base.source import Span
from rulekit.compiler.populate.type_reader import MAX_SET
from rulekit.compiler.typecheck.context import CheckContext, Wrong
from rulekit.compiler.world import World
from rulekit.diagnostics import kinds
from rulekit.ir import types as t
from rulekit.ir import walk

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
    match expected:
        case t.Int() | t.Month():
            if not isinstance(actual, t.Int | t.Month) or type(actual) is not type(expected):
                return False
            return expected.low <= actual.low and actual.high <= expected.high
        case t.Member():
            if not isinstance(actual, t.Member) or actual.domain != expected.domain:
                return False
            return not mask(world, actual) & ~mask(world, expected)
        case t.Optional():
            of = without_none(actual)
            return (of == ANY and of != actual) or fits(world, of, expected.of)
        case t.SetOf():
            return isinstance(actual, t.SetOf) and (actual.of == ANY or fits(world, actual.of, expected.of))
        case t.ListOf():
            if not isinstance(actual, t.ListOf) or actual.most > expected.most:
                return False
            return fits(world, actual.of, expected.of)
        case t.MapOf():
            if not isinstance(actual, t.MapOf) or not fits(world, actual.key, expected.key):
                return False
            return fits(world, actual.value, expected.value)
        case t.Flag() | t.Ratio() | t.Text() | t.Row() | t.Record() | t.Nothing():
            return False


def comparable(world: World, one: t.Type, other: t.Type) -> bool:
    """Whether two values can be compared for equality."""
    one, other = without_none(one), without_none(other)
    match one:
        case t.Int() | t.Ratio():
            return isinstance(other, t.Int | t.Ratio)
        case t.Member():
            return isinstance(other, t.Member) and (one.domain == other.domain or ANY in (one, other))
        case t.SetOf():
            return isinstance(other, t.SetOf) and (
                ANY in (one.of, other.of) or comparable(world, one.of, other.of)
            )
        case t.ListOf():
            return isinstance(other, t.ListOf) and comparable(world, one.of, other.of)
        case t.Text() | t.Record():
            return False
        case t.Flag() | t.Month() | t.Row() | t.Optional() | t.MapOf() | t.Nothing():
            return type(one) is type(other)


def join(world: World, one: t.Type, other: t.Type) -> t.Type | None:
    """The narrowest type that holds both; None if there is none."""
    if fits(world, one, other):
        return other
    if fits(world, other, one):
        return one
    if isinstance(one, t.Optional) or isinstance(other, t.Optional):
        a, b = without_none(one), without_none(other)
        inner = b if a == ANY else a if b == ANY else join(world, a, b)
        return t.Optional(inner) if isinstance(inner, t.Scalar) else None
    match one:
        case t.Int():
            if isinstance(other, t.Int):
                return t.Int(min(one.low, other.low), max(one.high, other.high))
        case t.Month():
            if isinstance(other, t.Month):
                return t.Month(min(one.low, other.low), max(one.high, other.high))
        case t.Member():
            if isinstance(other, t.Member) and one.domain == other.domain:
                return kind_for(world, one.domain, mask(world, one) | mask(world, other))
        case t.SetOf():
            inner = join(world, one.of, other.of) if isinstance(other, t.SetOf) else None
            return t.SetOf(inner) if isinstance(inner, t.Member | t.Int) else None
        case t.ListOf():
            inner = join(world, one.of, other.of) if isinstance(other, t.ListOf) else None
            if isinstance(other, t.ListOf) and isinstance(inner, t.Scalar | t.SetOf):
                return t.ListOf(inner, max(one.most, other.most))
        case t.Flag() | t.Ratio() | t.Text() | t.Row() | t.Record() | t.MapOf() | t.Nothing():
            pass
        case _:
            assert_never(one)
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


Facts = dict[str | ir.Expr, t.Type]
"""Narrower types that a condition proves: of locals, by name, and of expressions that are read."""
KNOWN = "known"
"""The detail of an operation that narrows an expression to the type that a condition proves."""


def lasting_facts(world: World, condition: ir.Expr, truth: bool, changeable: Collection[str]) -> Facts:
    """Return those of `facts` that hold until the block ends, whatever its statements change."""
    return lasting(facts(world, condition, truth), changeable)


def lasting(known: Facts, changeable: Collection[str]) -> Facts:
    """Return those facts that hold until the block ends, whatever its statements change."""
    return {key: type_ for key, type_ in known.items() if isinstance(key, str) or _lasts(key, changeable)}


def _lasts(e: ir.Expr, changeable: Collection[str]) -> bool:
    """True if neither the state nor a local that may change is read."""
    parts = tuple(walk.nodes(e))
    state = any(isinstance(part, ir.Read | ir.Flagged | ir.At | ir.Apply) for part in parts)
    return not state and not any(isinstance(part, ir.Local) and part.name in changeable for part in parts)


def facts(world: World, condition: ir.Expr, truth: bool) -> Facts:
    """Return the narrower types that a condition proves where it is true, or where it is false."""
    if not isinstance(condition, ir.Op):
        return {}
    match condition.op, condition.operands:
        case "not", (inner,):
            return facts(world, inner, not truth)
        case ("and" | "or") as op, (left, right) if truth == (op == "and"):
            return {**facts(world, left, truth), **facts(world, right, truth)}
        case "is_none", (subject,) if not truth:
            return _fact(subject, without_none(subject.type))
        case "eq", (subject, other) if truth and not isinstance(other.type, t.Optional):
            return _fact(subject, without_none(subject.type)) if isinstance(subject.type, t.Optional) else {}
        case "has", (subject, ir.Const(value=int() as wanted)):
            return _kind_fact(world, subject, wanted, truth)
        case _:
            return {}


def member_facts(world: World, members: ir.Expr, member: ir.Local) -> Facts:
    """Return the narrower types that the `where` of a set proves of each of its members."""
    if isinstance(members, ir.Filter):
        known = member_facts(world, members.over, member)
        for key, type_ in facts(world, members.body, True).items():
            if isinstance(key, str):
                continue
            own = [part for part in walk.nodes(key) if _is(part, members.var)]
            if own:
                known[walk.with_parts_replaced(key, dict.fromkeys(own, member))] = type_
        return known
    if isinstance(members, ir.Op) and members.op in ("inter", "diff"):
        return member_facts(world, members.operands[0], member)
    return member_facts(world, members.over, member) if isinstance(members, ir.Best) else {}


def _is(e: ir.Expr, local: ir.Local) -> bool:
    """True if the expression is that local, perhaps with a narrower type."""
    return isinstance(e, ir.Local) and e.name == local.name


def _fact(subject: ir.Expr, type_: t.Type) -> Facts:
    """The type of a local, or of a thing read, that is the subject of a test."""
    if isinstance(subject, ir.Op) and subject.detail == KNOWN:
        subject = subject.operands[0]
        subject = subject.then if isinstance(subject, ir.If) else subject
    if isinstance(subject, ir.Local):
        return {subject.name: type_}
    look_up = isinstance(subject, ir.Op) and subject.op == "map_get"
    return {subject: type_} if look_up or isinstance(subject, ir.Read | ir.Static | ir.Apply) else {}


def narrow_to(world: World, value: ir.Expr, type_: t.Type) -> ir.Expr:
    """A value with the type that a test tells: where it does not hold, any value of that type instead."""
    if not isinstance(type_, t.Member | t.Int | t.Month) or type_ == value.type:
        return value
    if isinstance(type_, t.Member):
        members = mask(world, type_)
        if not members:
            return value
        first = ir.Const((members & -members).bit_length() - 1, type_)
        if without_none(value.type) != type_:
            test = ir.Op("has", (value, ir.Const(members, t.SetOf(type_))), FLAG)
            value = ir.If(test, value, ir.Const(t.NONE, t.Optional(type_)), t.Optional(type_))
    else:
        first = ir.Const(type_.low, type_)
    return ir.Op("or_else", (value, first), type_, KNOWN)


def _kind_fact(world: World, subject: ir.Expr, wanted: int, truth: bool) -> Facts:
    type_ = without_none(subject.type)
    if not isinstance(type_, t.Member):
        return {}
    left = mask(world, type_) & (wanted if truth else ~wanted)
    if not left:
        return {}
    kind = kind_for(world, type_.domain, left)
    if mask(world, kind) & ~mask(world, type_):
        return _fact(subject, type_) if truth else {}
    if not truth and isinstance(subject.type, t.Optional):
        return {}
    return _fact(subject, kind)


FLAG = t.Flag()
NONE = ir.Const(t.NONE, t.Optional(ANY))
"""`none`, before it is known of which type."""
NO_WORDING = "rules do not depend on wording: compare a field of an enum"
MAY_BE_NONE = "test it first (`when x is not none`, for a parameter or `let`), or write `(x otherwise y)`"


def negation(test: ir.Expr) -> ir.Expr:
    """`not` a condition."""
    return ir.Op("not", (test,), FLAG)


def conjunction(*tests: ir.Expr) -> ir.Expr:
    """All conditions at once."""
    return tests[0] if len(tests) == 1 else ir.Op("and", tests, FLAG)


def if_some(value: ir.Expr, test: ir.Expr) -> ir.Expr:
    """A condition on a value, false if the value may be none and is."""
    if not isinstance(value.type, t.Optional):
        return test
    return conjunction(negation(ir.Op("is_none", (value,), FLAG)), test)


# -- the expected type


def fit(ctx: CheckContext, value: ir.Expr, expected: t.Type, span: Span) -> ir.Expr:
    """A value as one of the expected type; a number that may leave its range is tested in play."""
    value = adapt(value, expected)
    actual = value.type
    if isinstance(expected, t.Nothing):  # a type that could not be read, which is reported
        raise Wrong
    if fits(ctx.world, actual, expected):
        return value
    if isinstance(actual, t.Int | t.Month) and type(actual) is type(without_none(expected)):
        return _with_range_test(ctx, value, actual, without_none(expected), span)
    if isinstance(actual, t.ListOf) and isinstance(expected, t.ListOf):
        if fits(ctx.world, actual.of, expected.of):
            most = ir.Const(expected.most, t.Int(expected.most, expected.most))
            return ir.Op("at_most", (value, most), expected)
    if isinstance(actual, t.Optional) and not isinstance(expected, t.Optional):
        if value == NONE:
            ctx.fail(kinds.MAYBE_NONE, f"expected `{expected}`, found none", span)
        ctx.fail(kinds.MAYBE_NONE, f"expected `{expected}`, but this may be none", span, MAY_BE_NONE)
    message = f"expected `{expected}`, found `{actual}`"
    ctx.fail(kinds.WRONG_TYPE, message, span, _conversion_hint(value, expected))


_SET_OF_ANY: Final = t.SetOf(ANY)
"""The type of `{}`."""
_NONE_OF_ANY: Final = t.Optional(ANY)
"""The type of `none`."""


def adapt(value: ir.Expr, expected: t.Type) -> ir.Expr:
    """Small steps the language takes itself: one member as a set, a number as a ratio, `none`, `{}`."""
    actual = value.type
    match expected:
        case t.SetOf():
            single = isinstance(actual, t.Member) or (isinstance(actual, t.Int) and in_sets(actual))
            if single and actual != ANY:
                assert isinstance(actual, t.Member | t.Int)
                if isinstance(value, ir.Const):
                    return ir.Const(1 << int(value.value), t.SetOf(actual))  # type: ignore[arg-type]
                return ir.Op("single", (value,), t.SetOf(actual))
            return ir.Const(0, expected) if actual == _SET_OF_ANY else value
        case t.Ratio() if isinstance(actual, t.Int):
            return ir.Op("ratio", (value, ir.Const(1, t.Int(1, 1))), expected)
        case t.Optional() if actual == _NONE_OF_ANY:
            return ir.Const(t.NONE, expected)
        case t.ListOf() if actual == _SET_OF_ANY:
            return ir.Const((), expected)
        case t.MapOf() if actual == _SET_OF_ANY:
            return ir.Op("no_map", (), expected)
    return value


def _with_range_test(
    ctx: CheckContext, value: ir.Expr, actual: t.Int | t.Month, expected: t.Type, span: Span
) -> ir.Expr:
    assert isinstance(expected, t.Int | t.Month)
    require_overlap(ctx, actual, expected, span)
    low, high = (ir.Const(n, t.Int(n, n)) for n in (expected.low, expected.high))
    return ir.Op("ranged", (value, low, high), expected)


def require_overlap(
    ctx: CheckContext, actual: t.Int | t.Month, expected: t.Int | t.Month, span: Span
) -> None:
    """Refuse a number that has no value in common with its range.

    Raises:
        Wrong: It has none.
    """
    if expected.low <= actual.high and actual.low <= expected.high:
        return
    low, high, least, most = (ctx.world.text(of, n) for of in (actual, expected) for n in (of.low, of.high))
    value = low if low == high else f"{low}..{high}"
    hint = "change the number, or widen the range at its declaration"
    ctx.fail(kinds.ALWAYS_OUT_OF_RANGE, f"{value} is outside {least}..{most}", span, hint)


def _conversion_hint(value: ir.Expr, expected: t.Type) -> str | None:
    actual = value.type
    match actual, expected:
        case t.Int(), t.Flag():
            state = value.state if isinstance(value, ir.Read) and not value.keys else ".."
            return f"compare it: `{value.name if isinstance(value, ir.Local) else state} > 0`"
        case t.Member(), t.Member() if actual.domain == expected.domain:
            return f"test `is {expected}` first"
        case t.SetOf(of=t.Member() as of), t.SetOf(of=t.Member() as wanted) if of.domain == wanted.domain:
            return f"keep only those `where it is {wanted}`"
        case t.SetOf(), t.Member():
            return "use `only(S)` for the only member of a set"
        case t.SetOf() | t.ListOf(), t.Flag():
            return "write `is empty` or `is not empty`"
        case t.Text(), _ if isinstance(value, ir.Const) and isinstance(value.value, t.TextValue):
            text = value.value.text
            return f"remove the quotation marks: `{text if text.isdigit() else quoted_name(text)}`"
        case t.Row(), _:
            return "read one of its columns: `row.column`"
        case t.Record(), _:
            return f"read one of its values: `.{actual.names[0]}`"
    return None


def with_label(value: ir.Expr, purpose: str) -> ir.Expr:
    """The value; if its range is tested in play, the fault names its purpose."""
    if isinstance(value, ir.Op) and value.op in ("ranged", "at_most"):
        return replace(value, detail=purpose)
    return value


def require_type(ctx: CheckContext, type_: t.Type, span: Span, line: str = "") -> None:
    """Refuse `{}` and `none` where their type cannot be inferred; `line` shows how a VALUE gets a TYPE."""
    if not is_untold(type_):
        return
    whole, value = ("set of KIND", "{}") if isinstance(type_, t.SetOf) else ("KIND or none", "none")
    example = line.replace("TYPE", whole).replace("VALUE", value)
    hint = f"write `{example}`" if example else "write the value where it is used"
    ctx.fail(kinds.UNTOLD_TYPE, "cannot infer the type of this value", span, hint)


# -- two values


def either(ctx: CheckContext, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, span: Span) -> ir.Expr:
    """One of two values, as the narrowest type that holds both."""
    then = adapt(then, otherwise.type)
    otherwise = adapt(otherwise, then.type)
    joined = join(ctx.world, then.type, otherwise.type)
    if joined is None:
        message = f"the cases have different types: `{then.type}` and `{otherwise.type}`"
        ctx.fail(kinds.WRONG_TYPE, message, span)
    return ir.If(condition, adapt(then, joined), adapt(otherwise, joined), joined)


def equality(ctx: CheckContext, left: ir.Expr, right: ir.Expr, span: Span) -> ir.Expr:
    """Whether two values of comparable types are equal."""
    if NONE in (left, right):
        ctx.fail(kinds.WRONG_TYPE, "cannot compare with none", span, "use `is none`")
    left, right = adapt(left, right.type), adapt(right, left.type)
    if not comparable(ctx.world, left.type, right.type):
        parts = [kind.names[0] for kind in (left.type, right.type) if isinstance(kind, t.Record)]
        hint = f"compare one of its values: `.{parts[0]}`" if parts else None
        hint = NO_WORDING if t.Text() in (left.type, right.type) else hint
        ctx.fail(kinds.WRONG_TYPE, f"cannot compare `{left.type}` with `{right.type}`", span, hint)
    return ir.Op("eq", (left, right), FLAG)


def membership(ctx: CheckContext, value: ir.Expr, members: ir.Expr, span: Span) -> ir.Expr:
    """Whether a value is in a set, list or map; none is in nothing."""
    if isinstance(members.type, t.ListOf):
        return ir.Op("list_has", (value, members), FLAG)
    if isinstance(members.type, t.MapOf):
        return ir.Op("map_has", (members, value), FLAG)
    if isinstance(value.type, t.SetOf) and isinstance(members.type, t.SetOf):
        return ir.Op("within", (value, members), FLAG)
    if not isinstance(members.type, t.SetOf):
        message = f"`in` needs a set, found `{members.type}`"
        ctx.fail(kinds.WRONG_TYPE, message, span, "write a set as `{A, B}`")
    if not comparable(ctx.world, value.type, members.type.of):
        ctx.fail(kinds.WRONG_TYPE, f"`{members.type}` cannot contain `{value.type}`", span)
    return if_some(value, ir.Op("has", (value, members), FLAG))


def emptiness(ctx: CheckContext, value: ir.Expr, span: Span) -> ir.Expr:
    """Whether a set or list is empty."""
    if isinstance(value.type, t.SetOf):
        return ir.Op("is_empty", (value,), FLAG)
    if isinstance(value.type, t.ListOf):
        zero = ir.Const(0, t.Int(0, 0))
        return ir.Op("eq", (ir.Op("length", (value,), t.Int(0, value.type.most)), zero), FLAG)
    hint = "for a value that may be missing, use `is none`"
    ctx.fail(kinds.WRONG_TYPE, f"expected a set or list, found `{value.type}`", span, hint)
