"""Tables made before play: pure functions of fixed things, and tests of one variable as masks.

A tabulated function reads nothing but its parameters and other tables, so that it can be computed before
play: by evaluating it once for each combination of keys, and keeping the results.

A test of one state of its variable keeps a mask of who passes.  `Ship where its damage > its armor` reads one
state of each ship and otherwise what never changes, so that who passes changes only where damage is written.
Each such test of a filter or fold has a mask among the derived cells; a table by member and value says which
tests hold, and a write that does not change that touches no mask.  All tests are found before any code is
made, since every write must know them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Final

from rulekit.base.bits import members
from rulekit.base.frozen import frozen
from rulekit.ir import (
    Apply,
    At,
    Const,
    Expr,
    Flagged,
    Fold,
    If,
    Linked,
    Local,
    Op,
    Read,
    Static,
    StaticTable,
    walk,
)
from rulekit.ir.program import Key, span_of
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import (
    GAP,
    NONE,
    Flag,
    Int,
    ListOf,
    MapOf,
    Member,
    Month,
    Nothing,
    Optional,
    Ratio,
    Record,
    Row,
    SetOf,
    Text,
    Type,
)
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.support.build import MOST_CELLS, TABULATED
from rulekit.runtime.support.masks import Test

MOST_TESTS: Final = 12
"""Tests of one state that keep masks."""

MOST_REMEMBERED_KEYS: Final = 3
WORTH_REMEMBERING: Final = 20
"""Arguments, at most, and nodes, at least, of a function whose results are remembered."""

VALUE: Final = "#value"

_WRONG = (Fault, IndexError, ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError)


def is_fixed(context: OptimiserContext, e: Expr) -> bool:
    """True if an expression depends on its locals only."""
    return not any(isinstance(node, Read | Flagged | At) for node in walk.nodes(e)) and all(
        _is_fixed_function(context, node.function) for node in walk.nodes(e) if isinstance(node, Apply)
    )


def _is_fixed_function(context: OptimiserContext, name: str) -> bool:
    """True if a function depends on its arguments only."""
    if name not in context.fixed:
        body = context.facts.functions[name].body
        context.fixed[name] = name not in context.facts.paying and is_fixed(context, body)
    return context.fixed[name]


def domain(kind: Type) -> str | tuple[int, int] | None:
    """The key domain that holds every value of a type, if there is one."""
    match kind:
        case Member():
            return kind.domain
        case Int(low=low, high=high) | Month(low=low, high=high):
            return (low, high)
        case Flag():
            return (0, 1)
        case Ratio() | Text() | Optional() | SetOf() | ListOf() | MapOf() | Row() | Record() | Nothing():
            return None


def function_table(
    context: OptimiserContext, name: str, params: Sequence[tuple[str, Type]], body: Expr
) -> bool:
    """Make the table of a function; false if it is too large, not fixed, or faults somewhere."""
    if name not in context.tabulated:
        context.tabulated[name] = _function_table(context, name, params, body)
    return context.tabulated[name]


def _function_table(
    context: OptimiserContext, name: str, params: Sequence[tuple[str, Type]], body: Expr
) -> bool:
    keys = [domain(kind) for _, kind in params]
    if not params or None in keys or not is_fixed(context, body):
        return False
    shape = [key for key in keys if key is not None]
    if _size(context, shape) > TABULATED:
        return False
    function = context.evaluate([name for name, _ in params], body)
    values: list[Any] = []
    wanted = [values_of(context, kind) for _, kind in params]
    for key in product(*(_values(context, part) for part in shape)):
        if not all(value in there for value, there in zip(key, wanted, strict=True)):
            values.append(GAP)
            continue
        try:
            values.append(function(*key))
        except _WRONG:
            return False
    context.facts.tables[name] = StaticTable(name, tuple(shape), body.type, tuple(values))
    return True


def argument_sizes(context: OptimiserContext, e: Apply) -> tuple[int, ...] | None:
    """The number of values of each argument of a call whose results are worth remembering as they come up.

    None for a function that has few nodes, or many arguments, or arguments without an upper end.
    """
    if context.plain or len(e.arguments) > MOST_REMEMBERED_KEYS:
        return None
    if not _is_fixed_function(context, e.function):
        return None
    kinds = [domain(param.type) for param in context.facts.functions[e.function].params]
    keys = [key for key in kinds if key is not None]
    if not keys or len(keys) < len(kinds) or not are_keys(context, e.arguments, keys):
        return None
    spans = [span_of(key, context.layout.sizes) for key in keys]
    if any(low < 0 for low, _ in spans) or _work(context, e.function) < WORTH_REMEMBERING:
        return None
    return tuple(high + 1 for _, high in spans)


def are_keys(context: OptimiserContext, arguments: Sequence[Expr], keys: Sequence[Key]) -> bool:
    """Whether the arguments of a call can be looked up: each is one number, and its key has every value."""
    return all(
        context.facts.fits(part, key) and domain(part.type) is not None
        for part, key in zip(arguments, keys, strict=True)
    )


def _work(context: OptimiserContext, name: str) -> int:
    """The nodes that a call of a fixed function evaluates; at least `WORTH_REMEMBERING` with a loop."""
    work = 0
    for node in walk.nodes(context.facts.functions[name].body):
        if work >= WORTH_REMEMBERING or walk.inner(node) is not None:
            return WORTH_REMEMBERING
        work += 1 + (_work(context, node.function) if isinstance(node, Apply) else 0)
    return work


def fixed_test_mask(context: OptimiserContext, var: Local, body: Expr) -> Expr | None:
    """The set of all values of `var` for which a fixed test holds, or None if no table can say.

    Parts of the test that do not read `var` become keys of a table of masks; they must not fault, for
    they are now evaluated even where there is no member to test.
    """
    key = _key(var, body)
    if key not in context.masks:
        context.masks[key] = _mask(context, var, body)
    return context.masks[key]


def _mask(context: OptimiserContext, var: Local, body: Expr) -> Expr | None:
    outer = _outer_parts(var.name, body)
    kinds = [domain(part.type) for part in outer]
    if not isinstance(var.type, Member | Int) or None in kinds or any(map(context.facts.fallible, outer)):
        return None
    names = {part: Local(f"outer {number}", part.type) for number, part in enumerate(outer)}
    test = walk.with_parts_replaced(body, names)
    shape = [kind for kind in kinds if kind is not None]
    everyone = values_of(context, var.type)
    if not is_fixed(context, test) or _size(context, shape) * len(everyone) > TABULATED * 4:
        return None
    if min(everyone, default=0) < 0:
        return None
    function = context.evaluate([*(local.name for local in names.values()), var.name], test)
    wanted = [values_of(context, part.type) for part in outer]
    masks: list[int] = []
    for key in product(*(_values(context, part) for part in shape)):
        possible = all(value in there for value, there in zip(key, wanted, strict=True))
        try:
            masks.append(sum(1 << one for one in everyone if function(*key, one)) if possible else 0)
        except _WRONG:
            return None
    kind = SetOf(var.type)
    if not outer:
        return Const(masks[0], kind)
    name = context.add_table(tuple(shape), kind, tuple(masks))
    return Static(name, tuple(outer), kind)


def values_of(context: OptimiserContext, kind: Type) -> frozenset[int]:
    """The values of a type that is a key."""
    if isinstance(kind, Member):
        return frozenset(members(context.kind_mask(kind)))
    span = domain(kind)
    assert isinstance(span, tuple)
    return frozenset(range(span[0], span[1] + 1))


def _values(context: OptimiserContext, key: str | tuple[int, int]) -> range:
    low, high = span_of(key, context.layout.sizes)
    return range(low, high + 1)


def _size(context: OptimiserContext, keys: Sequence[str | tuple[int, int]]) -> int:
    return prod(len(_values(context, key)) for key in keys)


def _outer_parts(var: str, e: Expr) -> list[Expr]:
    """The largest parts of a test that do not read `var` and are not constants, each once."""
    return list(dict.fromkeys(_walk_outer(var, e, frozenset())))


def _walk_outer(var: str, e: Expr, bound: frozenset[str]) -> Iterator[Expr]:
    read = walk.free(e)
    if var not in read and not read & bound:
        if not isinstance(e, Const) and (read or _reads_state(e)):
            yield e
        return
    inside = walk.bound_local(e)
    for child in walk.children(e):
        deeper = bound | {inside.name} if inside is not None and child is walk.inner(e) else bound
        yield from _walk_outer(var, child, deeper)


def _reads_state(e: Expr) -> bool:
    return any(isinstance(node, Read | Flagged | At | Apply) for node in walk.nodes(e))


CostRows = tuple[tuple[int, ...], ...]
"""For each member, what it touches at a cost of 0, of 1, and so on."""

MOST_COST_TABLES: Final = 8


@frozen
class StepCosts:
    """The costs of all steps, worked out before play.

    Attributes:
        closed: A set that no step enters, which may change in play.
        parts: Values of the state that the costs depend on besides, such as whether it rains.
        rows: Costs by the values of the parts: `CostRows` in as many tuples as there are parts; empty for
            numbers below all values.
    """

    closed: Expr | None
    parts: tuple[Expr, ...]
    rows: tuple[Any, ...]


def costs_of_steps(context: OptimiserContext, e: Linked) -> StepCosts | None:
    """The costs of all steps, if they depend on little that changes; None if some cannot be worked out."""
    closed, relation = _without_closed(context, e)
    parts = _outer_parts(e.var.name, relation)
    kinds = [domain(part.type) for part in parts]
    if None in kinds or any(map(context.facts.fallible, parts)):
        return None
    shape = [_values(context, kind) for kind in kinds if kind is not None]
    names = {part: Local(f"outer {number}", part.type) for number, part in enumerate(parts)}
    relation = walk.with_parts_replaced(relation, names)
    if not is_fixed(context, relation) or prod(map(len, shape)) > MOST_COST_TABLES:
        return None
    everyone = values_of(context, e.var.type)
    if not everyone or any(values.start < 0 or values.stop > MOST_CELLS for values in shape):
        return None
    costs = context.evaluate([*(local.name for local in names.values()), e.var.name], relation)

    def rows(*known: int) -> tuple[Any, ...]:
        if len(known) < len(shape):
            values = shape[len(known)]
            return ((),) * values.start + tuple(rows(*known, value) for value in values)
        return tuple(
            _trim(costs(*known, one)) if one in everyone else (0,) for one in range(max(everyone) + 1)
        )

    try:
        return StepCosts(closed, tuple(parts), rows())
    except _WRONG:
        return None


def _trim(groups: Sequence[int]) -> tuple[int, ...]:
    """Members by cost, up to the last cost that some have."""
    last = max((cost for cost, group in enumerate(groups) if group), default=0)
    return tuple(groups[: last + 1])


def _without_closed(context: OptimiserContext, e: Linked) -> tuple[Expr | None, Expr]:
    """A set of members that no step enters, if the relation begins with one, and the relation without it."""
    # With less than nothing to spend, not even the start is reached.
    spends = e.within is None or isinstance(e.within.type, Int) and e.within.type.low >= 0
    match e.relation:
        case Fold(kind="grouped", var=var):
            body = _body_of(context, e.relation.body)
            match body:
                case If(condition=Op(op="has", operands=(one, closed))):
                    shut = body.then == Const(NONE, body.then.type) and one == var
                    if shut and spends and not walk.free(closed) & {var.name, e.var.name}:
                        if not context.facts.fallible(closed):
                            return closed, replace(e.relation, body=body.otherwise)
            return None, replace(e.relation, body=body)
    return None, e.relation


def _body_of(context: OptimiserContext, e: Expr) -> Expr:
    """The body of a function over its arguments, in the place of a call that is given names alone."""
    if not isinstance(e, Apply) or context.plain or e.function in context.facts.paying:
        return e
    if not all(isinstance(part, Local | Const) for part in e.arguments):
        return e
    item = context.functions[e.function]
    values = {param.name: part for param, part in zip(item.params, e.arguments, strict=True)}
    return walk.substitute(walk.with_fresh_locals(item.body, context.fresh), values)


def state_test_mask(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    """The mask of a test, if it has one or may still get one."""
    key = _key(var, test)
    if key not in context.predicates:
        context.predicates[key] = _add_mask(context, var, test) if context.open else None
    return context.predicates[key]


def _add_mask(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    if isinstance(test, Op) and test.op in ("not", "and", "or") and _has_masks(context, var, test):
        return None
    read = _read(test, var)
    if read is None or not isinstance(var.type, Member):
        return None
    state = context.facts.states[read.state]
    values = _state_values(context, state.type)
    domain = state.keys[0]
    if values is None or domain != var.type.domain or context.facts.domains[domain].sort == "group":
        return None
    group = context.layout.classes.get(state.name)
    if group is not None and len(group.cells) >= MOST_TESTS:
        return None
    if context.layout.sizes[domain] * len(values) > MOST_CELLS:
        return None
    body = walk.with_parts_replaced(test, {read: Local(VALUE, read.type)})
    if not is_fixed(context, body) or walk.free(body) - {var.name, VALUE}:
        return None
    holds = _test(context, var, body, values)
    if holds is None:
        return None
    name = context.layout.add_class(state, values, holds)
    context.tops[name] = context.kind_mask(var.type)
    context.facts.derive({state.name: context.layout.derived[name].state})
    return Flagged(name, (), SetOf(var.type))


def _has_masks(context: OptimiserContext, var: Local, test: Op) -> bool:
    """Whether a test can be put together from masks that are there: then it needs none of its own."""
    return all(context.predicates.get(_key(var, part)) is not None for part in test.operands)


def _key(var: Local, test: Expr) -> tuple[Type, Expr]:
    return var.type, walk.substitute(test, {var.name: Local("", var.type)})


def _read(test: Expr, var: Local) -> Read | None:
    """The one state of the variable that a test reads."""
    reads = {node for node in walk.nodes(test) if isinstance(node, Read)}
    if len(reads) != 1:
        return None
    (read,) = reads
    return read if read.keys == (var,) and read.state != "place" and not isinstance(read.type, Flag) else None


def _state_values(context: OptimiserContext, kind: Type) -> Sequence[int] | None:
    """The values of a state's type, if they are few enough for a table."""
    match kind:
        case Optional(of=of):
            values = _state_values(context, of)
            return None if values is None else (*values, NONE)
        case Int(low=low, high=high):
            return range(low, high + 1) if high - low <= TABULATED else None
        case Member(domain=domain):
            return range(context.layout.sizes[domain])
        case (
            Flag() | Month() | Ratio() | Text() | SetOf() | ListOf() | MapOf() | Row() | Record() | Nothing()
        ):
            return None


def _test(context: OptimiserContext, var: Local, body: Expr, values: Sequence[int]) -> Test | None:
    """Whether a member passes at a value: never if it is not of the variable's kind.

    None if some member faults at the first or the last value.
    """
    function = context.evaluate([var.name, VALUE], body)
    everyone = values_of(context, var.type)

    def test(member: int, value: int) -> bool:
        return member in everyone and bool(function(member, value))

    try:
        for member in everyone:
            test(member, values[0])
            test(member, values[-1])
    except _WRONG:
        return None
    return test
