"""Pure functions of fixed things as tables, and tests of one variable as masks.

What is tabulated reads nothing but its parameters and other tables, so that it can be computed before
play: by writing it as Python, running that once for each combination of keys, and keeping the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from rulekit.ir import Apply, At, Const, Expr, Flagged, Local, Read, Static, StaticTable, walk
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import members
from rulekit.ir.types import GAP, Flag, Int, Member, Month, SetOf, Type
from rulekit.runtime.codegen.expressions.expressions import Writer
from rulekit.runtime.codegen.module_writer import Unit
from rulekit.runtime.support.build import TABULATED, Build

if TYPE_CHECKING:
    from rulekit.runtime.optimise.plan import Plan

_WRONG = (Fault, IndexError, ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError)


def fixed(plan: Plan, e: Expr) -> bool:
    """Whether an expression depends on its locals only."""
    return not any(isinstance(node, Read | Flagged | At) for node in walk.nodes(e)) and all(
        plan.fixed_function(node.function) for node in walk.nodes(e) if isinstance(node, Apply)
    )


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


def function_table(plan: Plan, name: str, params: Sequence[tuple[str, Type]], body: Expr) -> bool:
    """Make the table of a function; false if it is too large, not fixed, or faults somewhere."""
    if name not in plan.tabulated:
        plan.tabulated[name] = _function_table(plan, name, params, body)
    return plan.tabulated[name]


def _function_table(plan: Plan, name: str, params: Sequence[tuple[str, Type]], body: Expr) -> bool:
    keys = [domain(kind) for _, kind in params]
    if not params or None in keys or not fixed(plan, body):
        return False
    shape = [key for key in keys if key is not None]
    if _size(plan, shape) > TABULATED:
        return False
    function = compiled(plan, [name for name, _ in params], body)
    values: list[Any] = []
    wanted = [allowed(plan, kind) for _, kind in params]
    for key in product(*(_values(plan, part) for part in shape)):
        if not all(value in there for value, there in zip(key, wanted, strict=True)):
            values.append(GAP)
            continue
        try:
            values.append(function(*key))
        except _WRONG:
            return False
    plan.facts.tables[name] = StaticTable(name, tuple(shape), body.type, tuple(values))
    return True


def mask(plan: Plan, var: Local, body: Expr) -> Expr | None:
    """The set of all values of `var` for which a fixed test holds, or None if no table can say.

    Parts of the test that do not read `var` become keys of a table of masks; they must not fault, for
    they are now evaluated even where there is no member to test.
    """
    key = (var.type, walk.substitute(body, {var.name: Local("", var.type)}))
    if key not in plan.masks:
        plan.masks[key] = _mask(plan, var, body)
    return plan.masks[key]


def _mask(plan: Plan, var: Local, body: Expr) -> Expr | None:
    outer = _outer_parts(var.name, body)
    kinds = [domain(part.type) for part in outer]
    if not isinstance(var.type, Member | Int) or None in kinds or any(map(plan.facts.fallible, outer)):
        return None
    names = {part: Local(f"outer {number}", part.type) for number, part in enumerate(outer)}
    test = _replaced(body, names)
    shape = [kind for kind in kinds if kind is not None]
    everyone = allowed(plan, var.type)
    if not fixed(plan, test) or _size(plan, shape) * len(everyone) > TABULATED * 4:
        return None
    if min(everyone, default=0) < 0:
        return None
    function = compiled(plan, [*(local.name for local in names.values()), var.name], test)
    wanted = [allowed(plan, part.type) for part in outer]
    masks: list[int] = []
    for key in product(*(_values(plan, part) for part in shape)):
        possible = all(value in there for value, there in zip(key, wanted, strict=True))
        try:
            masks.append(sum(1 << one for one in everyone if function(*key, one)) if possible else 0)
        except _WRONG:
            return None
    kind = SetOf(var.type)
    if not outer:
        return Const(masks[0], kind)
    name = plan.add_table(tuple(shape), kind, tuple(masks))
    return Static(name, tuple(outer), kind)


def compiled(plan: Plan, params: Sequence[str], body: Expr) -> Callable[..., Any]:
    """A fixed expression as a function of its locals, to be run while compiling."""
    unit = Unit(plan, Build())
    names = {name: f"a{number}" for number, name in enumerate(params)}
    text = Writer(unit, names, -1).text(body)
    source = f"{unit.source()}\ndef main({', '.join(names.values())}): return {text}\n"
    exec(compile(source, "<rulekit table>", "exec"), unit.namespace)
    main: Callable[..., Any] = unit.namespace["main"]
    return main


def allowed(plan: Plan, kind: Type) -> frozenset[int]:
    """The values of a type that is a key."""
    if isinstance(kind, Member):
        return frozenset(members(plan.kind_mask(kind)))
    span = domain(kind)
    assert isinstance(span, tuple)
    return frozenset(range(span[0], span[1] + 1))


def _values(plan: Plan, key: str | tuple[int, int]) -> range:
    return range(plan.layout.sizes[key]) if isinstance(key, str) else range(key[0], key[1] + 1)


def _size(plan: Plan, keys: Sequence[str | tuple[int, int]]) -> int:
    total = 1
    for key in keys:
        total *= len(_values(plan, key))
    return total


def _outer_parts(var: str, e: Expr) -> list[Expr]:
    """The largest parts of a test that do not read `var` and are no constants, each once."""
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
