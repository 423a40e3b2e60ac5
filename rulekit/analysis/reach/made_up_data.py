"""Made-up numbers in place of the owner's missing data, so that games for coverage go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit import ir
from rulekit.base.bits import member_ids
from rulekit.ir.missing_tables import without_numbers
from rulekit.ir.types import GAP, Flag, Int, Member, Month, Optional, Row, Type
from rulekit.runtime import chance


def with_made_up_data(program: ir.Program) -> ir.Program:
    """Return the program with random values, always the same, in the tables that lack the owner's file.

    A table with values that cannot be made up stays as it is.
    """
    statics = dict(program.by_name.statics)
    for table in without_numbers(program.statics):
        statics |= {made_up.name: made_up for made_up in _fillings(program, table)}
    return replace(program, statics=tuple(statics.values()))


def _fillings(program: ir.Program, table: ir.StaticTable) -> Iterator[ir.StaticTable]:
    """The table with values; of one with several columns the columns, with a row for each combination."""
    number = len(table.values)
    if not isinstance(table.type, Row):
        yield replace(table, values=_values(program, table, number), missing="")
        return
    for column in program.statics:
        if column.name.startswith(f"{table.name}."):
            values = _values(program, column, number)
            yield replace(column, keys=((0, number - 1),), values=values)
    yield replace(table, values=tuple(range(number)), missing="")


def _values(program: ir.Program, table: ir.StaticTable, number: int) -> tuple[int, ...]:
    base, possible = chance.stream_base(0, table.name), _possible(program, table.type)
    return tuple(possible[chance.uniform(base, at, len(possible))] for at in range(number))


def _possible(program: ir.Program, type_: Type) -> tuple[int, ...] | range:
    """The values of a type; `GAP` alone where they are not simply counted."""
    match type_:
        case Int() | Month():
            return range(type_.low, type_.high + 1)
        case Flag():
            return (0, 1)
        case Member():
            return member_ids(program.by_name.members_of(type_))
        case Optional():
            return _possible(program, type_.of)
    return (GAP,)
