"""Membership and place: sets of pieces by space, meetings, and tests of one member, as Python."""

from __future__ import annotations

from typing import Any

from rulekit.base.bits import listed
from rulekit.ir import At, Const, Expr, Local, Op
from rulekit.ir.types import NONE, Int, Member, Optional
from rulekit.runtime.codegen.expressions.precedence import (
    ADD,
    AND,
    ATOM,
    BIT_AND,
    BIT_OR,
    SHIFT,
    Py,
    call,
    infix,
)
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.module_writer import Unit

FEW_CELLS = 4
"""Up to so many cells of neighbours are joined one by one."""

MOST_FLAGS = 512
"""Longest table of flags made of a constant set of numbers."""


def pieces_at(writer: Writer, e: At) -> Py:
    layout = writer.optimised.layout
    if e.many and isinstance(e.space, Const) and isinstance(e.space.value, int):
        return _pieces_within(writer, listed(e.space.value))
    if e.many:
        return call(_pieces_at_any(writer.unit), "M", writer.text(e.space))
    if isinstance(e.space, Const) and isinstance(e.space.value, int):
        space = layout.spaces if e.space.value == NONE else e.space.value
        return Py(f"M[{layout.first_derived + space}]", ATOM)
    return Py(f"M[{writer.value(e.space).at(ADD)} + {layout.first_derived}]", ATOM)


def _pieces_at_any(unit: Unit) -> str:
    """The Python function for the pieces at any of a set of spaces."""
    base, bits = unit.optimised.layout.first_derived, unit.bits

    def pieces_at_any(state: list[Any], spaces: int) -> int:
        pieces = 0
        for space in bits[spaces]:
            pieces |= state[base + space]
        return pieces

    return unit.helper("pieces at any", pieces_at_any)


def _pieces_within(writer: Writer, spaces: tuple[int, ...]) -> Py:
    """The pieces at any of some spaces known now: the cells of neighbours are joined at once."""
    first = writer.optimised.layout.first_derived
    parts: list[str] = []
    start = 0
    for place, space in enumerate(spaces):
        if place + 1 < len(spaces) and spaces[place + 1] == space + 1:
            continue
        if place - start < FEW_CELLS:
            parts += [f"M[{one + first}]" for one in spaces[start : place + 1]]
        else:
            parts.append(f"union_of(M[{spaces[start] + first}:{space + first + 1}])")
        start = place + 1
    if not parts:
        return Py("0", ATOM)
    return Py(" | ".join(parts), BIT_OR if len(parts) > 1 else ATOM)


def met_if_any(writer: Writer, first: Expr, second: Expr) -> Py:
    """A meeting with a set that is worth its while only if the first one holds anything."""
    name = writer.text(first)
    test = name
    if not isinstance(first, Local):
        name = writer.temp()
        test = f"({name} := {writer.text(first)})"
    return Py(f"{test} and {name} & {writer.value(second).at(SHIFT)}", AND)


def has(writer: Writer, e: Op) -> Py:
    member, group = e.operands
    rows = _flags(writer, member, group)
    if rows is not None:
        return Py(f"{rows}[{writer.text(member)}]", ATOM)
    bits = writer.value(group).at(SHIFT)
    if not isinstance(member.type, Optional):
        return infix("&", BIT_AND, f"{bits} >> {writer.value(member).at(ADD)}", "1")
    if writer.optimised.facts.fallible(group):
        return call("contains", writer.text(member), writer.text(group))
    name = writer.text(member)
    first = name
    if not isinstance(member, Local):
        name = writer.temp()
        first = f"({name} := {writer.text(member)})"
    return Py(f"({first} >= 0 and {bits} >> {name} & 1)", ATOM)


def _flags(writer: Writer, member: Expr, group: Expr) -> str | None:
    """A constant set as a table of flags, which is read faster than a bit is shifted out of a mask."""
    if not isinstance(group, Const) or not isinstance(group.value, int):
        return None
    match member.type:
        case Member(domain=domain):
            size = writer.optimised.layout.sizes[domain]
        case Int(low=low, high=high) if low >= 0 and high < MOST_FLAGS:
            size = high + 1
        case _:
            return None
    return writer.unit.constant(tuple(group.value >> one & 1 for one in range(size)))
