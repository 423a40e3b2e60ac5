"""The one protocol by which the parts of the expression checker call each other."""

from __future__ import annotations

from typing import Protocol

from rulekit import ir
from rulekit.compiler.typecheck.scope import Scope
from rulekit.ir import types as t
from rulekit.syntax.tree import expr as x


class Inference(Protocol):
    """Types an expression, whatever its class."""

    def infer(self, node: x.Expr, scope: Scope, expected: t.Type | None = None) -> ir.Expr:
        """The typed expression; `expected` only helps to find the meaning of names and of `{}`."""

    def check(self, node: x.Expr, scope: Scope, expected: t.Type) -> ir.Expr:
        """The expression as a value of the expected type."""

    def flag(self, node: x.Expr, scope: Scope) -> ir.Expr:
        """The expression as a condition."""
