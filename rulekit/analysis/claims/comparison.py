"""What a condition compares, for those who tell what it is instead."""

from __future__ import annotations

from typing import Any

from rulekit import ir
from rulekit.base.source import Span
from rulekit.compiler.driver import Compiled
from rulekit.ir.types import Flag, SetOf

_COMPARISONS = ("eq", "lt", "le", "gt", "ge")
_MOST = 4
"""Members that are named."""


def comparison_of(condition: ir.Expr) -> tuple[ir.Expr, str] | None:
    """What a condition is about, and words that take its value to tell why the condition does not hold."""
    match condition:
        case ir.Op(op="not", operands=(ir.Op(op="is_none", operands=(first,)),)):
            return first, "it is {}"
        case ir.Op(op=op, operands=(first, *_)) if op in (*_COMPARISONS, "is_none"):
            return None if isinstance(first, ir.Const) else (first, "it is {}")
        case ir.Fold(kind="all", over=over, var=var, body=body) if isinstance(over.type, SetOf):
            return ir.Filter(over, var, ir.Op("not", (body,), Flag()), over.type), "not of {}"
        case ir.Fold(kind="no", over=over, var=var, body=body) if isinstance(over.type, SetOf):
            return ir.Filter(over, var, body, over.type), "there is {}"
        case _:
            return None


def words_of_value(shown: Any) -> str:
    """A value that is shown, in words."""
    if isinstance(shown, list):
        more = len(shown) - _MOST
        return (", ".join(map(str, shown[:_MOST])) or "nothing") + (f" and {more} more" if more > 0 else "")
    return "none" if shown is None else str(shown)


def source_text(compiled: Compiled, span: Span) -> str:
    """What is written at a span, on one line."""
    source = next((each for each in compiled.rule_set.sources if each.file == span.file), None)
    if source is None:
        return ""
    lines = source.text.replace("\r\n", "\n").split("\n")[span.line - 1 : span.end_line]
    if span.line == span.end_line:
        lines = [lines[0][span.column - 1 : span.end_column - 1]]
    else:
        lines = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
    return " ".join(" ".join(lines).split())
