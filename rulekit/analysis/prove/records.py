"""Records in questions: each value becomes a parameter of its own, so that a situation names it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit import ir
from rulekit.ir import walk
from rulekit.ir.types import Int, Optional, Record

SOME = Int(0, 0)
"""The type of a record of which only matters whether it is none."""


def value_name(record: str, field: str) -> str:
    """The name of the parameter for one value of a record."""
    return f"{record}.{field}"


def in_values(
    params: Sequence[ir.Param], tests: Sequence[ir.Expr]
) -> tuple[tuple[ir.Param, ...], tuple[ir.Expr, ...]]:
    """Return parameters and tests with the values of records in the place of records.

    A record that tests hand on whole stays as it is, and its values unknown.
    """
    records = {param.name for param in params if isinstance(_without_none(param), Record)}
    if not records:
        return tuple(params), tuple(tests)
    changed = tuple(_with_values(test, records) for test in tests)
    whole = {name for test in changed for name in _handed_on(test)}
    if whole & records:
        changed = tuple(_with_values(test, records - whole) for test in tests)
    return tuple(_parameters(params, records - whole)), changed


def _without_none(param: ir.Param) -> object:
    return param.type.of if isinstance(param.type, Optional) else param.type


def _parameters(params: Sequence[ir.Param], records: set[str]) -> Iterator[ir.Param]:
    for param in params:
        kind = _without_none(param)
        if param.name not in records or not isinstance(kind, Record):
            yield param
            continue
        if isinstance(param.type, Optional):
            yield ir.Param(param.name, Optional(SOME))
        for field, of in zip(kind.names, kind.types, strict=True):
            yield ir.Param(value_name(param.name, field), of)


def _with_values(e: ir.Expr, records: set[str]) -> ir.Expr:
    """The expression with the values of some records as locals."""
    if isinstance(e, ir.Op) and e.op == "field":
        (record,) = e.operands
        if isinstance(record, ir.Local) and record.name in records:
            return ir.Local(value_name(record.name, e.detail), e.type)
    return walk.rebuild(e, tuple(_with_values(part, records) for part in walk.children(e)))


def _handed_on(e: ir.Expr) -> Iterator[str]:
    """The locals that an expression reads, other than those that it only tests for none."""
    if isinstance(e, ir.Local):
        yield e.name
    elif not (isinstance(e, ir.Op) and e.op == "is_none" and isinstance(e.operands[0], ir.Local)):
        for part in walk.children(e):
            yield from _handed_on(part)
