"""Tests over a set as operations on masks.

A test of one variable is a mask if it is made of fixed facts, flags, places and sets, joined by `and`,
`or` and `not`.  What is left of a conjunction stays a loop, over the members that the mask lets through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.ir import Apply, At, Const, Expr, Filter, Flagged, Fold, If, Local, Op, Read, walk
from rulekit.ir.conditions import FLAG, conjunction, conjuncts, negation
from rulekit.ir.semantics.facts import type_fits
from rulekit.ir.types import NONE, Flag, Int, ListOf, Member, Optional, SetOf, Type
from rulekit.runtime.optimise import sets, tabulate
from rulekit.runtime.optimise.context import OptimiserContext

NONE_TYPE = Optional(Int(0, 0))


def simplify_filter(context: OptimiserContext, e: Filter) -> Expr:
    """A filter as a meeting of masks, as far as its test goes."""
    kinds = _split(context, e.over, e.var, e.body, e.type)
    if kinds is not None:
        return Op("union", tuple(_filter(e, *narrowed) for narrowed in kinds), e.type)
    return _filter(e, *narrow(context, e.over, e.var, e.body, e.type))


def _filter(e: Filter, over: Expr, var: Local, rest: Expr | None) -> Expr:
    """The filter with a narrower set and the rest of its test."""
    return over if rest is None else replace(e, over=over, var=var, body=_at_spaces(over, var, rest))


def simplify_fold(context: OptimiserContext, e: Fold) -> Expr:
    """A fold over a set without a loop, or with a shorter one."""
    if isinstance(e.over.type, ListOf):
        return e
    kind = e.over.type
    match e.kind:
        case "any" | "no":
            over, var, rest = narrow(context, e.over, e.var, e.body, kind)
            if rest is not None:
                return replace(e, over=over, var=var, body=_at_spaces(over, var, rest))
            empty = Op("is_empty", (over,), FLAG)
            return empty if e.kind == "no" else Op("not", (empty,), FLAG)
        case "all":
            mask = of_test(context, e.var, e.body)
            return e if mask is None else Op("within", (e.over, mask), FLAG)
        case "total":
            return _total(context, e)
        case "join":
            return _join(context, e)
        case _:
            return e


def _join(context: OptimiserContext, e: Fold) -> Expr:
    """A union of sets that only members which pass a test give: over those alone, if they are a mask."""
    nothing = Const(0, e.body.type)
    if not isinstance(e.body, If) or nothing not in (e.body.then, e.body.otherwise):
        return e
    test, body = e.body.condition, e.body.then
    if body == nothing:
        test, body = negation(test), e.body.otherwise
    over, var, rest = narrow(context, e.over, e.var, test, e.over.type)
    body = body if rest is None else If(rest, body, nothing, body.type)
    return replace(e, over=over, var=var, body=_at_spaces(over, var, body))


def _at_spaces(over: Expr, var: Local, e: Expr) -> Expr:
    """An expression for each of a set; if all of them are at a space, without a stand-in for it.

    The set is worked out before anything is read of its members, so that none of the others is looked at.
    """
    if not _all_placed(over):
        return e
    stand_ins: dict[Expr, Expr] = {
        node: replace(node.operands[0], type=node.type)
        for node in walk.nodes(e)
        if isinstance(node, Op) and node.op == "or_else" and _place_of(node.operands[0], var)
    }
    return walk.with_parts_replaced(e, stand_ins)


def _all_placed(over: Expr) -> bool:
    """Whether a set leaves out the mask of the pieces that are at no space."""
    match over:
        case Op(op="inter", operands=parts):
            return any(map(_all_placed, parts))
        case Op(op="diff", operands=(left, right)):
            return isinstance(right, At) and right.space == Const(NONE, right.space.type) or _all_placed(left)
    return False


def _total(context: OptimiserContext, e: Fold) -> Expr:
    """The sum of a constant, or of a constant for those that pass a test, is a count."""
    match e.body:
        case Const(value=int(value)):
            return _times(value, e.over, e.type)
        case If(condition=condition, then=Const(value=int(value)), otherwise=Const(value=0)):
            mask = of_test(context, e.var, condition)
            if mask is not None:
                return _times(value, Op("inter", (e.over, mask), e.over.type), e.type)
    return e


def _times(value: int, over: Expr, kind: Type) -> Expr:
    count = Op("count", (over,), kind)
    return count if value == 1 else Op("mul", (count, Const(int(value), kind)), kind)


Narrowed = tuple[Expr, Local, Expr | None]
"""The members left of a set, the variable for them, and the test that is left for which of them."""


def _split(
    context: OptimiserContext, over: Expr, var: Local, test: Expr, kind: Type
) -> tuple[Narrowed, Narrowed] | None:
    """The test for members of one kind and the test for all others, if a branch asks which its variable is.

    None unless a mask can replace one of the two tests as a whole.  `when c is Ship: ... otherwise: ...` is
    often a mask of ships, and a test of few others.
    """
    if sets.dear(over) or not isinstance(var.type, Member) or context.facts.fallible(test):
        return None
    asked = [node for node in _outside_loops(test) if isinstance(node, If)]
    for node in asked:
        match node.condition:
            case Op(op="has", operands=(subject, Const(value=int(group)) as members)) if subject == var:
                others = replace(members, value=context.everyone(var.type) & ~group)
                alike = [one for one in asked if one.condition == node.condition]
                known = walk.with_parts_replaced(test, {one: one.then for one in alike})
                first = narrow(context, over, var, _also(var, members, known), kind)
                known = walk.with_parts_replaced(test, {one: one.otherwise for one in alike})
                second = narrow(context, over, var, _also(var, others, known), kind)
                if first[2] is None or second[2] is None:
                    return first, second
    return None


def _also(var: Local, members: Const, test: Expr) -> Expr:
    """The test that a variable is one of some members and passes a test."""
    return conjunction(Op("has", (var, members), FLAG), *conjuncts(test))


def _outside_loops(e: Expr) -> Iterator[Expr]:
    """The parts of an expression that are evaluated once at most."""
    yield e
    inside = walk.inner(e)
    for part in walk.children(e):
        if part is not inside:
            yield from _outside_loops(part)


def narrow(context: OptimiserContext, over: Expr, var: Local, test: Expr, kind: Type) -> Narrowed:
    """The members left after all of the test that is a mask, and what is left of the test for which of them.

    The order of tests may change only if none of them can fault; otherwise only the first ones move.
    """
    parts = list(test.operands) if isinstance(test, Op) and test.op == "and" else [test]
    if len(parts) > 1 and (known := _known_kind(context, var, parts)) is not None:
        over = _meeting(context, over, known[0], var, kind)
        var, parts = known[1], known[2]
    safe = not any(map(context.facts.fallible, parts))
    rest: list[Expr] = []
    for part in parts:
        mask = of_test(context, var, part) if safe or not rest else None
        if mask is None:
            rest.append(part)
        elif not _everyone(context, var, mask):
            over = _meeting(context, over, mask, var, kind)
    return over, var, conjunction(*rest) if rest else None


def _known_kind(
    context: OptimiserContext, var: Local, parts: list[Expr]
) -> tuple[Expr, Local, list[Expr]] | None:
    """The kind that the first test tells, as a set, and the other tests for a variable of that kind.

    None unless the others rely on it: with the kind in the set that is looped over, they need not any more.
    """
    match parts[0]:
        case Op(op="has", operands=(subject, Const(value=int(group)) as told)) if subject == var:
            reads = {node for part in parts[1:] for node in walk.nodes(part) if _reads_it(node, var)}
            kinds = {node.type for node in reads} - {var.type}
            if len(kinds) != 1:
                return None
            (kind,) = kinds
            if not isinstance(kind, Member) or group & _domain(context, var) & ~context.everyone(kind):
                return None
            narrower = Local(var.name, kind)
            return (
                told,
                narrower,
                [walk.with_parts_replaced(part, dict.fromkeys(reads, narrower)) for part in parts[1:]],
            )
    return None


def _reads_it(e: Expr, var: Local) -> bool:
    """Whether an expression is the variable, perhaps with a narrower type."""
    return isinstance(e, Local) and e.name == var.name


def _everyone(context: OptimiserContext, var: Local, mask: Expr) -> bool:
    """Whether a mask holds all values of the variable's type."""
    if not isinstance(mask, Const) or not isinstance(var.type, Member | Int):
        return False
    return mask.value == context.everyone(var.type)


def _meeting(context: OptimiserContext, over: Expr, mask: Expr, var: Local, kind: Type) -> Expr:
    if isinstance(over, Const) and over.value == _domain(context, var):
        return mask
    return replace(_meet(context, over, mask), type=kind)


def _domain(context: OptimiserContext, var: Local) -> int:
    """Everything that a mask over the variable's domain can hold."""
    if isinstance(var.type, Member):
        return (1 << context.layout.sizes[var.type.domain]) - 1
    return context.everyone(var.type) if isinstance(var.type, Int) else -1


def of_test(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    """The set of values of `var` for which the test holds, if it is a mask and cannot fault.

    Members outside the variable's kind may be in it or not: it is always met with a set of that kind.
    """
    if context.facts.fallible(test) or not isinstance(var.type, Member | Int):
        return None
    if var.name not in walk.free(test):
        full = Const(context.everyone(var.type), SetOf(var.type))
        return If(test, full, Const(0, full.type), full.type)
    return (
        _state_mask(context, var, test)
        or tabulate.fixed_test_mask(context, var, test)
        or tabulate.state_test_mask(context, var, test)
        or _mask_of_junction(context, var, test)
    )


def _state_mask(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    """The mask of a test that is one mask in the state already."""
    assert isinstance(var.type, Member | Int)
    kind = SetOf(var.type)
    match test:
        case Op(op="eq", operands=(left, right)):
            return _equal(context, left, right, var, kind) or _equal(context, right, left, var, kind)
        case Op(op="has", operands=(member, group)) if var.name not in walk.free(group):
            if member == var:
                return group
            if not _place_of(member, var):
                return None
            if isinstance(group, Const) and group.value == (1 << context.layout.spaces) - 1:
                return _all_but(context, var, At(Const(NONE, member.type), False, kind))
            return At(group, True, kind)
        case Op(op="is_none", operands=(member,)) if _place_of(member, var):
            return At(Const(NONE, member.type), False, kind)
        case Op(op="is_none", operands=(Read(state=state, keys=(key,)),)) if key == var:
            return _holders_of(context, state, Const(NONE, NONE_TYPE), kind)
        case Read() if isinstance(test.type, Flag) and test.keys and test.keys[-1] == var:
            outer = test.keys[:-1]
            return None if _reads(var, outer) else Flagged(test.state, outer, kind)
    return None


def _mask_of_junction(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    """The mask of a test made of tests that are masks."""
    assert isinstance(var.type, Member | Int)
    match test:
        case Op(op="and" | "or" as op):
            masks = [
                of_test(context, var, part) or _behind_tests(context, var, part) for part in test.operands
            ]
            return _junction(context, op, [mask for mask in masks if mask is not None], len(masks))
        case Op(op="not", operands=(Op(op="is_empty", operands=(meeting,)),)):
            return sets.touching(context, var, meeting, SetOf(var.type))
        case Op(op="is_empty", operands=(meeting,)):
            return _all_but(context, var, sets.touching(context, var, meeting, SetOf(var.type)))
        case Op(op="not"):
            return _all_but(context, var, of_test(context, var, test.operands[0]))
        case Op(op="ne"):
            return _all_but(context, var, of_test(context, var, replace(test, op="eq")))
        case Op(op="has", operands=(member, If(condition=condition) as group)) if _apart(var, condition):
            first, second = (replace(test, operands=(member, one)) for one in (group.then, group.otherwise))
            return of_test(context, var, If(condition, first, second, FLAG))
        case Op(op="eq", operands=(Op(op="or_else", operands=(known, stand_in)), value)):
            return _equal_or_none(context, var, known, stand_in, value)
        case Apply(function=name, arguments=arguments) if all(map(_is_cheap, arguments)):
            called = context.functions[name]
            given = {param.name: one for param, one in zip(called.params, arguments, strict=True)}
            return of_test(context, var, walk.substitute(called.body, given))
        case If(condition=condition) if _apart(var, condition):
            then, otherwise = of_test(context, var, test.then), of_test(context, var, test.otherwise)
            return None if then is None or otherwise is None else If(condition, then, otherwise, then.type)
    return None


def _is_cheap(e: Expr) -> bool:
    """Whether an expression may as well be worked out where it is read."""
    return isinstance(e, Local | Const) or isinstance(e, Op) and all(map(_is_cheap, e.operands))


def _equal_or_none(
    context: OptimiserContext, var: Local, known: Expr, stand_in: Expr, value: Expr
) -> Expr | None:
    """The mask of members that have a value, where a stand-in counts for those that have none."""
    if not _apart(var, stand_in) or not _apart(var, value) or isinstance(value.type, Optional):
        return None
    having = of_test(context, var, Op("eq", (known, value), FLAG))
    lacking = of_test(context, var, Op("is_none", (known,), FLAG))
    if having is None or lacking is None:
        return None
    nobody = Const(0, having.type)
    counts = If(Op("eq", (stand_in, value), FLAG), lacking, nobody, having.type)
    return Op("union", (having, counts), having.type)


def _apart(var: Local, e: Expr) -> bool:
    """Whether an expression is the same for all values of a variable."""
    return var.name not in walk.free(e)


def _behind_tests(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    """The mask of a test that must come after those beside it, where a mask needs no such care.

    That is so of touching by a relation which only some members have: the others are in no image, and whether
    they pass is settled by the tests before.
    """
    assert isinstance(var.type, Member | Int)
    match test:
        case Fold(kind="any", over=over, var=one, body=Op(op="has", operands=(member, relation))):
            if member != one or context.facts.fallible(test, frozenset((var.name,))):
                return None
            return sets.touching(context, var, Op("inter", (over, relation), over.type), SetOf(var.type))
    return None


def _junction(context: OptimiserContext, op: str, masks: list[Expr], wanted: int) -> Expr | None:
    """Masks met or united; one under a condition takes the next one in with it."""
    if len(masks) < wanted:
        return None
    joined, *rest = masks
    for mask in rest:
        if op == "or":
            joined = Op("union", (joined, mask), joined.type)
        elif isinstance(joined, If) and joined.otherwise == Const(0, joined.type):
            joined = replace(joined, then=_meet(context, joined.then, mask))
        else:
            joined = _meet(context, joined, mask)
    return joined


def _meet(context: OptimiserContext, left: Expr, right: Expr) -> Expr:
    return sets.meet(context, Op("inter", (left, right), left.type))


def _all_but(context: OptimiserContext, var: Local, mask: Expr | None) -> Expr | None:
    """The values that a mask lacks, if there is a mask."""
    assert isinstance(var.type, Member | Int)
    if mask is None:
        return None
    full = context.everyone(var.type)
    if isinstance(mask, Const) and isinstance(mask.value, int):
        return Const(full & ~mask.value, mask.type)
    return Op("diff", (Const(full, mask.type), mask), mask.type)


def _equal(context: OptimiserContext, left: Expr, right: Expr, var: Local, kind: SetOf) -> Expr | None:
    """`left` is the variable, where it is, or what it has in a state; `right` does not read it.

    Only for a state may `right` be none.
    """
    if var.name in walk.free(right):
        return None
    if isinstance(left, Read) and left.keys == (var,):
        holders = _holders_of(context, left.state, right, kind)
        if holders is not None:
            return holders
    if isinstance(right.type, Optional):
        return None
    if left == var:
        return Op("single", (right,), kind)
    return At(right, False, kind) if _place_of(left, var) else None


def _holders_of(context: OptimiserContext, state: str, value: Expr, kind: SetOf) -> Expr | None:
    """The members that have a value in a state which keeps masks by value."""
    index = context.layout.indexes.get(state)
    if index is None:
        return None
    flags, none = index.slots.state.name, Const(index.none, Int(index.none, index.none))
    if isinstance(value, Const) and value.value == NONE:
        return Flagged(flags, (none,), kind)
    if not isinstance(value.type, Optional):
        fits = context.facts.fits(value, (index.low, index.none - 1))
        return Flagged(flags, (value,), kind) if fits else None
    inner = value.type.of
    if not isinstance(value, Local) or not type_fits(inner, (index.low, index.none - 1)):
        return None
    there = Flagged(flags, (replace(value, type=inner),), kind)
    return If(Op("is_none", (value,), FLAG), Flagged(flags, (none,), kind), there, kind)


def _place_of(e: Expr, var: Local) -> bool:
    return isinstance(e, Read) and e.state == "place" and e.keys == (var,)


def _reads(var: Local, parts: tuple[Expr, ...]) -> bool:
    return any(var.name in walk.free(part) for part in parts)
