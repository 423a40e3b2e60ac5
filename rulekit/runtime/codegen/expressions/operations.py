"""Operations as Python: an operator, an expression written out, or a call of the table's own function.

The text written out here is a second text of what `rulekit.ir.semantics.operations` says, for speed; a test
holds each form to that table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from rulekit.base.bits import member_ids
from rulekit.ir import At, Const, Expr, Local, Op
from rulekit.ir.expr import OpName
from rulekit.ir.semantics.operations import RatioColumns, rounding_of
from rulekit.ir.semantics.records import field_of
from rulekit.ir.types import NONE, Int, Member, Month, Optional, Record
from rulekit.runtime.codegen.expressions import writer as w
from rulekit.runtime.codegen.expressions.writer import Py, Writer, call, infix, less
from rulekit.runtime.codegen.module_writer import Unit
from rulekit.runtime.optimise import sets

FEW_CELLS = 4
"""Up to so many cells of neighbours are joined one by one."""

MOST_FLAGS = 512
"""Longest table of flags made of a constant set of numbers."""


def pieces_at(writer: Writer, e: At) -> Py:
    layout = writer.optimised.layout
    if e.many and isinstance(e.space, Const) and isinstance(e.space.value, int):
        return _pieces_within(writer, member_ids(e.space.value))
    if e.many:
        return call(_pieces_at_any(writer.unit), "M", writer.text(e.space))
    if isinstance(e.space, Const) and isinstance(e.space.value, int):
        space = layout.spaces if e.space.value == NONE else e.space.value
        return Py(f"M[{layout.first_derived + space}]", w.ATOM)
    return Py(f"M[{writer.value(e.space).at(w.ADD)} + {layout.first_derived}]", w.ATOM)


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
        return Py("0", w.ATOM)
    return Py(" | ".join(parts), w.BIT_OR if len(parts) > 1 else w.ATOM)


def _twice(writer: Writer, e: Expr) -> tuple[str, str]:
    """The texts of an expression that is needed twice: where it is read first, and after that."""
    text = writer.text(e)
    if isinstance(e, Local | Const):
        return text, text
    name = writer.temp()
    return f"({name} := {text})", name


def met_if_any(writer: Writer, first: Expr, second: Expr, sign: str = "") -> Py:
    """A meeting with a set that is worth its while only if the first one holds anything.

    Args:
        sign: `~` for what the second set lacks.
    """
    test, name = _twice(writer, first)
    return Py(f"{test} and {name} & {sign}{writer.value(second).at(w.UNARY if sign else w.SHIFT)}", w.AND)


def has(writer: Writer, e: Op) -> Py:
    member, group = e.operands
    rows, optional = _flags(writer, member, group), isinstance(member.type, Optional)
    if rows is not None and not optional:
        return Py(f"{writer.unit.constant(rows)}[{writer.text(member)}]", w.ATOM)
    if rows is not None and all(rows):
        return Py(f"{writer.value(member).at(w.BIT_OR)} >= 0", w.COMPARE)
    fallible = writer.optimised.facts.fallible
    if fallible(group) and (optional or fallible(member)):  # the member's fault comes first
        return call("contains", writer.text(member), writer.text(group))
    bits = writer.value(group).at(w.SHIFT)
    if not optional:
        return infix("&", w.BIT_AND, f"{bits} >> {writer.value(member).at(w.ADD)}", "1")
    first, name = _twice(writer, member)
    if rows is not None:
        return Py(f"({first} >= 0 and {writer.unit.constant(rows)}[{name}])", w.ATOM)
    return Py(f"({first} >= 0 and {bits} >> {name} & 1)", w.ATOM)


def _flags(writer: Writer, member: Expr, group: Expr) -> tuple[int, ...] | None:
    """A constant set as a table of flags, which is read faster than a bit is shifted out of a mask."""
    if not isinstance(group, Const) or not isinstance(group.value, int):
        return None
    kind = member.type.of if isinstance(member.type, Optional) else member.type
    if isinstance(kind, Member):
        size = writer.optimised.layout.sizes[kind.domain]
    elif isinstance(kind, Int) and kind.low >= 0 and kind.high < MOST_FLAGS:
        size = kind.high + 1
    else:
        return None
    return tuple(group.value >> one & 1 for one in range(size))


Form = Callable[[Writer, Op], Py]


def _operator(sign: str, level: int, left: int, right: int) -> Form:
    """One operator of Python: its sign, its level, and what its sides must bind as."""

    def form(writer: Writer, e: Op) -> Py:
        first, *rest = e.operands
        text = writer.value(first)
        for part in rest:
            text = infix(sign, level, text.at(left), writer.value(part).at(right))
        return text

    return form


def _comparison(sign: str) -> Form:
    return _operator(sign, w.COMPARE, w.BIT_OR, w.BIT_OR)


def _call(name: str) -> Form:
    """A call of a function of the generated module's namespace."""
    return lambda writer, e: call(name, *map(writer.text, e.operands))


# -- numbers


def _extreme(writer: Writer, e: Op) -> Py:
    """The smaller or larger: of two a test tells, which beats a call by far."""
    if len(e.operands) > 2:
        return call("min" if e.op == "smaller" else "max", *map(writer.text, e.operands))
    (first, a), (second, b) = (_twice(writer, part) for part in e.operands)
    return Py(f"{a} if {first} {'<' if e.op == 'smaller' else '>'} {second} else {b}", w.TERNARY)


def _quotient(writer: Writer, e: Op) -> Py:
    way = e.op.removeprefix("div_")
    first, divisor = writer.value(e.operands[0]), e.operands[1]
    if isinstance(divisor, Const) and isinstance(divisor.value, int | Fraction) and divisor.value != 0:
        by = writer.value(divisor).at(w.UNARY)
        if way == "down":
            return infix("//", w.MULTIPLY, first.at(w.MULTIPLY), by)
        if way == "up":
            return Py(f"-(-{first.at(w.UNARY)} // {by})", w.UNARY)
    return call("divide", first.text, writer.text(divisor), repr(way))


def _range_test(writer: Writer, e: Op) -> Py:
    """A number that is tested: by a function that knows its range and what it is for."""
    number, low, high = e.operands
    assert isinstance(low, Const) and isinstance(high, Const)
    kind = (Month if isinstance(e.type, Month) else Int)(int(low.value), int(high.value))  # type: ignore[arg-type]
    return call(writer.unit.range_check(e.detail or "a number", kind), writer.text(number))


def _ratio_column(writer: Writer, e: Op) -> Py:
    value, columns = e.operands
    assert isinstance(columns, Const) and isinstance(columns.value, tuple)
    find = writer.unit.helper(f"columns {columns.value}", RatioColumns(columns.value).find)
    return call(find, writer.text(value), repr(rounding_of(e)))


def _beside(writer: Writer, e: Op) -> Py:
    step = 1 if e.op == "successor" else -1
    first, kind = writer.value(e.operands[0]), e.operands[0].type
    if not isinstance(kind, Member):
        return less(first, -step)
    size = writer.optimised.layout.sizes[kind.domain]
    return call("beside", first.text, f"{step}", f"{size}", str(isinstance(e.type, Optional)))


# -- flags and optional values


def _junction(writer: Writer, e: Op) -> Py:
    level = w.AND if e.op == "and" else w.OR
    return Py(f" {e.op} ".join(writer.value(part).at(level) for part in e.operands), level)


def _not(writer: Writer, e: Op) -> Py:
    return Py(f"not {writer.truth(e.operands[0]).at(w.NOT)}", w.NOT)


def _is_none(writer: Writer, e: Op) -> Py:
    return infix("==", w.COMPARE, writer.value(e.operands[0]).at(w.BIT_OR), "NONE")


def _or_else(writer: Writer, e: Op) -> Py:
    first, second = e.operands
    text = writer.value(first).at(w.OR)
    if isinstance(first, Local):
        return Py(f"{text} if {text} != NONE else {writer.text(second)}", w.TERNARY)
    temp = writer.temp()
    return Py(f"{temp} if ({temp} := {writer.text(first)}) != NONE else {writer.text(second)}", w.TERNARY)


# -- sets, lists and maps


def _inter(writer: Writer, e: Op) -> Py:
    first, second = e.operands[:2]
    late = not isinstance(first, Const) and sets.dear(second)
    if late and not sets.dear(first):
        return met_if_any(writer, first, second)
    return _operator("&", w.BIT_AND, w.BIT_AND, w.SHIFT)(writer, e)


def _complement(writer: Writer, e: Expr) -> str:
    return f"~{writer.value(e).at(w.UNARY)}"


def _diff(writer: Writer, e: Op) -> Py:
    first, second = e.operands
    late = not isinstance(first, Const) and sets.dear(second) and not sets.dear(first)
    if late and not writer.optimised.facts.fallible(second):
        return met_if_any(writer, first, second, "~")
    return infix("&", w.BIT_AND, writer.value(first).at(w.BIT_AND), _complement(writer, second))


def _within(writer: Writer, e: Op) -> Py:
    first, second = e.operands
    return Py(f"not {writer.value(first).at(w.BIT_AND)} & {_complement(writer, second)}", w.NOT)


def _count(writer: Writer, e: Op) -> Py:
    members = writer.value(e.operands[0]).at(w.ATOM)
    return Py(f"{f'({members})' if members.isalnum() else members}.bit_count()", w.ATOM)


def _single(writer: Writer, e: Op) -> Py:
    return infix("<<", w.SHIFT, "1", writer.value(e.operands[0]).at(w.ADD))


def _at_most(writer: Writer, e: Op) -> Py:
    what = writer.unit.constant(e.detail or "a list")
    return call("at_most", *map(writer.text, e.operands), what)


def _list_of(writer: Writer, e: Op) -> Py:
    return Py(f"({''.join(f'{writer.text(part)}, ' for part in e.operands)})", w.ATOM)


def _rest(writer: Writer, e: Op) -> Py:
    return Py(f"{writer.value(e.operands[0]).at(w.ATOM)}[1:]", w.ATOM)


def _map_get(writer: Writer, e: Op) -> Py:
    return Py(f"{writer.value(e.operands[0]).at(w.ATOM)}[{writer.text(e.operands[1])}]", w.ATOM)


def _map_has(writer: Writer, e: Op) -> Py:
    values, key = map(writer.value, e.operands)
    return infix("in", w.COMPARE, key.at(w.BIT_OR), values.at(w.BIT_OR))


def _field(writer: Writer, e: Op) -> Py:
    record = e.operands[0].type
    assert isinstance(record, Record)
    digit = field_of(record, e.detail, writer.optimised.layout.sizes)
    text = writer.value(e.operands[0])
    if digit.weight > 1:
        text = infix("//", w.MULTIPLY, text.at(w.MULTIPLY), str(digit.weight))
    if e.detail != record.names[0]:
        text = infix("%", w.MULTIPLY, text.at(w.MULTIPLY), str(digit.count))
    return less(text, -digit.low)


def _map_with(writer: Writer, e: Op) -> Py:
    values, key, value = e.operands
    pairs = f"{writer.text(key)}: {writer.text(value)}"
    return Py(f"{{**{writer.value(values).at(w.BIT_OR)}, {pairs}}}", w.ATOM)


FORMS: Final[Mapping[OpName, Form]] = {
    "add": _operator("+", w.ADD, w.ADD, w.MULTIPLY),
    "sub": _operator("-", w.ADD, w.ADD, w.MULTIPLY),
    "mul": _operator("*", w.MULTIPLY, w.MULTIPLY, w.UNARY),
    "neg": lambda writer, e: Py(f"-{writer.value(e.operands[0]).at(w.UNARY)}", w.UNARY),
    "abs": _call("abs"),
    "div_down": _quotient,
    "div_up": _quotient,
    "div_nearest": _quotient,
    "mod": _call("modulo"),
    "smaller": _extreme,
    "larger": _extreme,
    "ranged": _range_test,
    "eq": _comparison("=="),
    "ne": _comparison("!="),
    "lt": _comparison("<"),
    "le": _comparison("<="),
    "gt": _comparison(">"),
    "ge": _comparison(">="),
    "and": _junction,
    "or": _junction,
    "not": _not,
    "single": _single,
    "union": _operator("|", w.BIT_OR, w.BIT_OR, w.BIT_AND),
    "inter": _inter,
    "diff": _diff,
    "has": has,
    "count": _count,
    "is_empty": _not,
    "within": _within,
    "only": _call("only"),
    "list_of": _list_of,
    "length": _call("len"),
    "item": _call("item"),
    "index_of": _call("index_of"),
    "list_has": _comparison("in"),
    "rest": _rest,
    "joined": _operator("+", w.ADD, w.ADD, w.MULTIPLY),
    "to_set": _call("mask_of"),
    "to_list": lambda writer, e: Py(writer.members(e.operands[0]), w.ATOM),
    "at_most": _at_most,
    "without": _call("without"),
    "is_none": _is_none,
    "or_else": _or_else,
    "map_get": _map_get,
    "map_has": _map_has,
    "map_with": _map_with,
    "no_map": lambda writer, e: Py("{}", w.ATOM),
    "ratio": _call("ratio"),
    "successor": _beside,
    "predecessor": _beside,
    "ratio_column": _ratio_column,
    "field": _field,
}
