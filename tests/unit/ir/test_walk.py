"""Generic access to the IR knows every class and every field of it."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_type_hints

import pytest

from rulekit.ir import expr as x
from rulekit.ir import stmt as s
from rulekit.ir import walk

OPERANDS = {x.Expr, x.Expr | None, tuple[x.Expr, ...], s.Order | None}
"""Annotations of the fields that hold expressions."""


def fields_of(cls: type, hints: set[Any]) -> set[str]:
    """The fields of a class with one of these annotations."""
    declared = get_type_hints(cls)
    return {field.name for field in dataclasses.fields(cls) if declared[field.name] in hints}


@pytest.mark.parametrize("cls", get_args(x.Expr))
def test_operands_are_the_fields_with_expressions(cls: type) -> None:
    """A new expression, or a new operand, must be added to the table."""
    listed = walk._OPERANDS[cls]

    assert fields_of(cls, OPERANDS) == ({listed} if isinstance(listed, str) else set(listed))


def test_variables_are_read_in_an_operand() -> None:
    """Expressions with a variable are those that bind one, each with the operand that may read it."""
    binding = {cls for cls in get_args(x.Expr) if "var" in {field.name for field in dataclasses.fields(cls)}}

    assert binding == set(get_args(x.Binding)) == set(walk._INNER)
    assert all(walk._INNER[cls] in walk._OPERANDS[cls] for cls in binding)


@pytest.mark.parametrize("cls", get_args(s.Stmt))
def test_parts_of_statements_are_the_fields_with_expressions_and_blocks(cls: type) -> None:
    """A new statement, or a new part of one, must be added to the tables."""
    assert fields_of(cls, OPERANDS) == set(walk._EVALUATED.get(cls, ()))
    assert fields_of(cls, {s.Block}) == set(walk._BLOCKS.get(cls, ()))
