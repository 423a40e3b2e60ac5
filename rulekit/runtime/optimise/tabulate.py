"""Pure functions of fixed things as tables, and tests of one variable as masks.

What is tabulated reads nothing but its parameters and other tables, so that it can be computed before
play: by evaluating it once for each combination of keys, and keeping the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from rulekit.base.bits import members
from rulekit.ir import Apply, At, Const, Expr, Flagged, Local, Read, Static, StaticTable, walk
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import GAP, Flag, Int, Member, Month, SetOf, Type
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.support.build import TABULATED

_WRONG = (Fault, IndexError, ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError)


def fixed(context: OptimiserContext, e: Expr) -> bool:
    """Whether an expression depends on its locals only."""
    return not any(isinstance(node, Read | Flagged | At) for node in walk.nodes(e)) and all(
        fixed_function(context, node.function) for node in walk.nodes(e) if isinstance(node, Apply)
    )


def fixed_function(context: OptimiserContext, name: str) -> bool:
    """Whether a function depends on its arguments only."""
    if name not in context.fixed:
        context.fixed[name] = fixed(context, context.facts.functions[name].body)
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
        case _:
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
    if not params or None in keys or not fixed(context, body):
        return False
    shape = [key for key in keys if key is not None]
    if _size(context, shape) > TABULATED:
        return False
    function = context.evaluate([name for name, _ in params], body)
    values: list[Any] = []
    wanted = [allowed(context, kind) for _, kind in params]
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


def mask(context: OptimiserContext, var: Local, body: Expr) -> Expr | None:
    """The set of all values of `var` for which a fixed test holds, or None if no table can say.

    Parts of the test that do not read `var` become keys of a table of masks; they must not fault, for
    they are now evaluated even where there is no member to test.
    """
    key = (var.type, walk.substitute(body, {var.name: Local("", var.type)}))
    if key not in context.masks:
        context.masks[key] = _mask(context, var, body)
    return context.masks[key]


def _mask(context: OptimiserContext, var: Local, body: Expr) -> Expr | None:
    outer = _outer_parts(var.name, body)
    kinds = [domain(part.type) for part in outer]
    if not isinstance(var.type, Member | Int) or None in kinds or any(map(context.facts.fallible, outer)):
        return None
    names = {part: Local(f"outer {number}", part.type) for number, part in enumerate(outer)}
    test = _replaced(body, names)
    shape = [kind for kind in kinds if kind is not None]
    everyone = allowed(context, var.type)
    if not fixed(context, test) or _size(context, shape) * len(everyone) > TABULATED * 4:
        return None
    if min(everyone, default=0) < 0:
        return None
    function = context.evaluate([*(local.name for local in names.values()), var.name], test)
    wanted = [allowed(context, part.type) for part in outer]
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


def allowed(context: OptimiserContext, kind: Type) -> frozenset[int]:
    """The values of a type that is a key."""
    if isinstance(kind, Member):
        return frozenset(members(context.kind_mask(kind)))
    span = domain(kind)
    assert isinstance(span, tuple)
    return frozenset(range(span[0], span[1] + 1))


def _values(context: OptimiserContext, key: str | tuple[int, int]) -> range:
    return range(context.layout.sizes[key]) if isinstance(key, str) else range(key[0], key[1] + 1)


def _size(context: OptimiserContext, keys: Sequence[str | tuple[int, int]]) -> int:
    total = 1
    for key in keys:
        total *= len(_values(context, key))
    return total


def _outer_parts(var: str, e: Expr) -> list[Expr]:
    """The largest parts of a test that do not read `var` and are not constants, each once."""
    found: dict[Expr, None] = {}
    for part in _walk_outer(var, e, frozenset()):
        found[part] = None
    return list(found)


def _walk_outer(var: str, e: Expr, bound: frozenset[str]) -> Iterator[Expr]:
    read = walk.free(e)
    if var not in read and not read & bound:
        if not isinstance(e, Const) and (read or _reads_state(e)):
            yield e
        return
    inside = walk.bound(e)
    for child in walk.children(e):
        deeper = bound | {inside.name} if inside is not None and child is walk.inner(e) else bound
        yield from _walk_outer(var, child, deeper)


def _reads_state(e: Expr) -> bool:
    return any(isinstance(node, Read | Flagged | At | Apply) for node in walk.nodes(e))


def _replaced(e: Expr, names: dict[Expr, Local]) -> Expr:
    if e in names:
        return names[e]
    return walk.rebuild(e, tuple(_replaced(child, names) for child in walk.children(e)))
