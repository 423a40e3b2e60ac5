"""A match over trees names every class, so that a new one is a type error in each match.

Statements, expressions, types, items and clauses, of the syntax and of the IR.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from rulekit.ir import expr as ir_expr
from rulekit.ir import stmt as ir_stmt
from rulekit.ir import types as ir_types
from rulekit.syntax.tree import expr, items, stmt, types

PACKAGE = Path(__file__).parents[3] / "rulekit"
UNIONS = (
    ir_expr.Expr, ir_stmt.Stmt, ir_types.Type,
    expr.Expr, stmt.Statement, types.TypeExpr, items.Item, items.Clause,
)  # fmt: skip
NODES = frozenset(kind.__name__ for union in UNIONS for kind in get_args(union))


def matched_classes(pattern: ast.pattern) -> list[str]:
    """The classes that a case asks for at its top, without those of attributes."""
    match pattern:
        case ast.MatchOr(patterns=patterns):
            return [name for part in patterns for name in matched_classes(part)]
        case ast.MatchAs(pattern=inner) if inner is not None:
            return matched_classes(inner)
        case ast.MatchClass(cls=ast.Attribute(attr=name)) | ast.MatchClass(cls=ast.Name(id=name)):
            return [name]
        case _:
            return []


def open_matches(source: str) -> Iterator[int]:
    """The lines of matches over classes of trees alone whose last case takes whatever is left."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Match):
            continue
        names = [name for case in node.cases for name in matched_classes(case.pattern)]
        last = node.cases[-1]
        rest = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        if names and rest and NODES.issuperset(names) and "assert_never" not in ast.unparse(last):
            yield node.lineno


def test_matches_over_trees_name_every_class() -> None:
    """`case _` ends such a match with `assert_never` only; no exemptions."""
    lines = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in open_matches(path.read_text(encoding="utf-8"))
    ]
    assert [] == lines


def test_an_open_match_is_seen() -> None:
    assert [1] == list(
        open_matches("match stmt:\n    case s.When():\n        pass\n    case _:\n        pass\n")
    )
