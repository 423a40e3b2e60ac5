"""How a cell is stored: within its range, hidden again, with the masks that are kept beside it, or later."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulekit.ir import Dissolve, Expr, Local, MarkAll, Place, Put, State, Write
from rulekit.ir.types import Optional, Type
from rulekit.runtime.codegen.expressions import addresses
from rulekit.runtime.codegen.expressions.precedence import ADD, MULTIPLY
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.module_writer import Lines
from rulekit.runtime.codegen.routines.flow import line
from rulekit.runtime.codegen.statements.scope import RoutineScope
from rulekit.runtime.support.layout import Index
from rulekit.runtime.support.state_changes import bounds, no_longer, reindexer, span
from rulekit.runtime.support.test_masks import Classes


def noted(
    scope: RoutineScope,
    what: int,
    where: str,
    value: str,
    site: int,
    stmt: Write | MarkAll | Place | Put | Dissolve,
) -> Lines:
    """A change that waits for the end of the block."""
    state = getattr(stmt, "state", getattr(stmt, "domain", "place"))
    event = scope.event("late", site, state)
    return [line(f"{scope.use('L')}(({what}, {where}, {value}, {event}))", site)]


def ranged(scope: RoutineScope, state: str, cell: str, value: str, stmt: Write) -> Lines:
    """Store a number after a look at its range: stopped at the ends of a track, a fault elsewhere."""
    item = scope.optimised.facts.states[state]
    ends = span(item)
    assert ends is not None
    low, high = ends
    site = stmt.site
    optional = isinstance(item.type, Optional)
    lines = [line(f"x = {value}", site)]
    if stmt.clamp or item.clamp:
        test = f"x < {low}" + (" and x != NONE" if optional else "")
        lines += [line(f"if {test}: x = {low}", site), line(f"elif x > {high}: x = {high}", site)]
    else:
        test = f"not {low} <= x <= {high}" + (" and x != NONE" if optional else "")
        lines.append(line(f"if {test}: {limited(scope, item)}(x, {cell})", site))
    return [*lines, line(f"M[{cell}] = x", site)]


def limited(scope: RoutineScope, state: State) -> str:
    """The function that faults for a value beyond a state's range; its second argument is the cell."""
    return scope.unit.helper(f"limited {state.name}", partial(bounds, state, scope.unit.fault_words))


def longer(scope: RoutineScope, state: State) -> str:
    """The function that gives a list back, and faults if it is longer than its state allows."""
    return scope.unit.helper(f"no longer {state.name}", partial(no_longer, state))


def rehidden(scope: RoutineScope, writer: Writer, stmt: Write, keys: tuple[Expr, ...]) -> Lines:
    """A new value of a state that was revealed is hidden again."""
    mask = scope.optimised.layout.revealed.get(stmt.state)
    if mask is None:
        return []
    shift = revealed_bit(scope, writer, stmt.state, keys)
    journal = f"J({mask}); J(M[{mask}]); " if scope.build.journal else ""
    if journal:
        scope.use("J")
    return [line(f"{journal}M[{mask}] &= ~(1 << {shift})", stmt.site)]


def revealed_bit(scope: RoutineScope, writer: Writer, state: str, keys: tuple[Expr, ...]) -> str:
    """Which bit of a state's mask of revealed cells stands for these keys."""
    slots = scope.optimised.layout.slots[state]
    if slots.bits is None:
        return f"({addresses.cell(writer, state, keys).text}) - {slots.base}"
    cell, bit = writer.flag(state, keys)
    return f"({cell} - {slots.base}) * {slots.bits.size} + {bit.at(ADD)}"


def kept(scope: RoutineScope, stmt: Write, keys: tuple[Expr, ...]) -> Lines:
    """Change a state that keeps masks of members: `z` is the member, `y` its old value, `x` the new one."""
    site, layout = stmt.site, scope.optimised.layout
    member = Local("key z", keys[0].type)
    lines = [line(f"z = {scope.writer(site, keys[0]).text(keys[0])}", site)]
    scope.names[member.name] = "z"
    assert stmt.value is not None
    writer = scope.writer(site, member, stmt.value)
    noted, cell = scope.note(addresses.cell(writer, stmt.state, (member,)).text, site)
    lines += [*noted, *rehidden(scope, writer, stmt, (member,)), line(f"y = M[{cell}]", site)]
    value, state = writer.value(stmt.value), scope.optimised.facts.states[stmt.state]
    text = value.text
    if stmt.op != "set":
        text = f"y {'+' if stmt.op == 'add' else '-'} {value.at(MULTIPLY)}"
    clamped = state.clamp and stmt.op != "set"
    if span(state) is None or not (stmt.check or stmt.clamp or clamped):
        lines.append(line(f"x = M[{cell}] = {text}", site))
    else:
        lines += ranged(scope, stmt.state, cell, text, stmt)
    if stmt.state in layout.classes:
        lines += _reclassed(scope, layout.classes[stmt.state], stmt)
    if stmt.state in layout.indexes:
        lines += _revalued(scope, layout.indexes[stmt.state], stmt)
    return lines


def _reclassed(scope: RoutineScope, classes: Classes, stmt: Write) -> Lines:
    """Keep the masks of a state's tests; most writes change none."""
    table = scope.unit.helper(f"classes {stmt.state}", classes.table())
    flip = scope.unit.helper(f"flip {stmt.state}", classes.flip)
    return [
        line(f"c = {table}[z]; c = c[y] ^ c[x]", stmt.site),
        line(f"if c: {flip}(M, {scope.kept}, z, c)", stmt.site),
    ]


def _revalued(scope: RoutineScope, index: Index, stmt: Write) -> Lines:
    """Keep the masks of a state's members by value."""
    if scope.build.journal:
        moved = scope.unit.helper(f"reindex {stmt.state}", reindexer(index))
        return [line(f"{moved}(M, {scope.use('J')}, z, y, x)", stmt.site)]
    none = index.base + index.none
    optional = isinstance(scope.optimised.facts.states[stmt.state].type, Optional)
    old, new = (
        f"{at} + {index.base} if {at} >= 0 else {none}" if optional else f"{at} + {index.base}" for at in "yx"
    )
    return [line(f"z = 1 << z; M[{old}] ^= z; M[{new}] |= z", stmt.site)]


def checked(scope: RoutineScope, state: str, site: int) -> Lines:
    return [] if scope.late else scope.checked((state,), site)


def key_fields(keys: tuple[Expr, ...], texts: Sequence[str]) -> list[tuple[str, Type, str]]:
    """The keys of a state as the first operands of an event."""
    return [(f"key {n}", key.type, text) for n, (key, text) in enumerate(zip(keys, texts, strict=True))]


def inside(lines: Lines) -> Lines:
    return [line(one.text, one.site, one.depth + 1) for one in lines]
