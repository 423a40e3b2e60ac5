"""Conditions of the IR made of others."""

from __future__ import annotations

from typing import Final, Literal

from rulekit.ir.expr import Const, Expr, Op
from rulekit.ir.types import Flag

FLAG: Final = Flag()
TRUE: Final = Const(True, FLAG)
FALSE: Final = Const(False, FLAG)


def negation(test: Expr) -> Expr:
    """Return `not` a condition."""
    return Op("not", (test,), FLAG)


def conjunction(*tests: Expr) -> Expr:
    """Return that all conditions hold; true if there are none."""
    return _junction("and", tests) if tests else TRUE


def conjuncts(test: Expr) -> list[Expr]:
    """Return the conditions that hold together where a test holds; none for what is always true."""
    if isinstance(test, Op) and test.op == "and":
        return [part for operand in test.operands for part in conjuncts(operand)]
    return [] if test == TRUE else [test]


def disjunction(*tests: Expr) -> Expr:
    """Return that one of some conditions holds; false if there are none."""
    return _junction("or", tests) if tests else FALSE


def _junction(op: Literal["and", "or"], tests: tuple[Expr, ...]) -> Expr:
    return tests[0] if len(tests) == 1 else Op(op, tests, FLAG)
