"""The registry of kinds of findings: one table, sorted, each constant named as its findings are."""

from __future__ import annotations

import ast
from pathlib import Path

from rulekit.diagnostics import Kind, all_kinds, kinds

ROOT = Path(kinds.__file__).parents[1]


def constants() -> dict[str, Kind]:
    """The constants of the registry, in the order in which they are written."""
    return {name: value for name, value in vars(kinds).items() if isinstance(value, Kind)}


def test_the_table_is_sorted_by_code() -> None:
    """A reader finds a code where it belongs."""
    assert [kind.code for kind in all_kinds()] == [kind.code for kind in constants().values()]


def test_a_constant_has_the_name_of_its_findings() -> None:
    """`table-gap` is `TABLE_GAP`, and nothing else."""
    assert {kind.name.upper().replace("-", "_"): kind for kind in all_kinds()} == constants()


def test_kinds_are_made_nowhere_else() -> None:
    """No other module of the package makes a kind; the codec reads one back from a file."""
    makers = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Kind", "kinds.Kind", "_declare")
    ]

    assert ["diagnostics/kinds.py"] == makers
