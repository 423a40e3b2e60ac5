"""Tests of one state of their variable that keep a mask of who passes.

`Ship where its damage > its armor` reads one state of each ship and otherwise what never changes, so that
who passes changes only where damage is written.  Each such test of a filter or fold has a mask among the
derived cells; a table by member and value says which tests hold, and a write that does not change that
touches no mask.  All tests are found before any code is made, since every write must know them.
"""

from __future__ import annotations

from typing import Final

from rulekit.ir import Expr, Flagged, Local, Op, Read, walk
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import NONE, Flag, Int, Member, Optional, SetOf, Type
from rulekit.runtime.optimise import tabulate
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.support.build import TABULATED

MOST_TESTS: Final = 12
"""Tests of one state that keep masks."""

VALUE: Final = "#value"


def mask(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    """The mask of a test, if it has one or may still get one."""
    key = _key(var, test)
    if key not in context.predicates:
        context.predicates[key] = _made(context, var, test) if context.open else None
    return context.predicates[key]


def _made(context: OptimiserContext, var: Local, test: Expr) -> Expr | None:
    if isinstance(test, Op) and test.op in ("not", "and", "or") and _known(context, var, test):
        return None
    read = _read(test, var)
    if read is None or not isinstance(var.type, Member):
        return None
    state = context.facts.states[read.state]
    values = _values(context, state.type)
    domain = state.keys[0]
    if values is None or domain != var.type.domain or context.facts.domains[domain].sort == "group":
        return None
    group = context.layout.classes.get(state.name)
    if group is not None and len(group.cells) >= MOST_TESTS:
        return None
    size = context.layout.sizes[domain]
    if size * len(values) > 4 * TABULATED:
        return None
    body = _replaced(test, read, Local(VALUE, read.type))
    if not tabulate.fixed(context, body) or walk.free(body) - {var.name, VALUE}:
        return None
    holds = _table(context, var, body, values, size)
    if holds is None:
        return None
    name = context.layout.add_class(state, values, holds)
    context.tops[name] = context.kind_mask(var.type)
    context.facts.derive({state.name: context.layout.derived[name].state})
    return Flagged(name, (), SetOf(var.type))


def _known(context: OptimiserContext, var: Local, test: Op) -> bool:
    """Whether a test can be put together from masks that are there: then it needs none of its own."""
    return all(context.predicates.get(_key(var, part)) is not None for part in test.operands)


def _key(var: Local, test: Expr) -> tuple[Type, Expr]:
    return var.type, walk.substitute(test, {var.name: Local("", var.type)})


def _read(test: Expr, var: Local) -> Read | None:
    """The one state of the variable that a test reads."""
    found = {node for node in walk.nodes(test) if isinstance(node, Read)}
    if len(found) != 1:
        return None
    (read,) = found
    return read if read.keys == (var,) and read.state != "place" and not isinstance(read.type, Flag) else None


def _values(context: OptimiserContext, kind: Type) -> list[int] | None:
    """The values of a state's type, if they are few enough for a table."""
    match kind:
        case Optional(of=of):
            values = _values(context, of)
            return None if values is None else [*values, NONE]
        case Int(low=low, high=high):
            return list(range(low, high + 1)) if high - low <= TABULATED else None
        case Member(domain=domain):
            return list(range(context.layout.sizes[domain]))
        case _:
            return None


def _replaced(e: Expr, old: Expr, new: Expr) -> Expr:
    if e == old:
        return new
    return walk.rebuild(e, tuple(_replaced(child, old, new) for child in walk.children(e)))


def _table(
    context: OptimiserContext, var: Local, body: Expr, values: list[int], size: int
) -> list[list[bool]] | None:
    """For each member and value whether the test holds; never for who is not of the variable's kind."""
    function = context.evaluate([var.name, VALUE], body)
    everyone = tabulate.allowed(context, var.type)
    try:
        return [
            [member in everyone and bool(function(member, value)) for value in values]
            for member in range(size)
        ]
    except (Fault, IndexError, ValueError, KeyError, ZeroDivisionError, OverflowError):
        return None
