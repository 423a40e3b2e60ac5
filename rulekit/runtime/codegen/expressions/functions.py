"""The program's pure functions as Python functions.

A ladder of conditions becomes a ladder of `if` statements: as fast as it can be, and no deeper for
being longer.
"""

from __future__ import annotations

from rulekit.ir import Expr, If
from rulekit.ir.types import Flag
from rulekit.runtime.codegen.expressions.writer import Writer
from rulekit.runtime.codegen.module_writer import Lines, PyLine


def name(outer: Writer, function: str) -> str:
    """The Python name of a function, which is written when it is first asked for."""

    unit = outer.unit

    def put(python: str) -> None:
        item = unit.optimised.function(function)
        names = {param.name: f"a{number}" for number, param in enumerate(item.params)}
        writer = outer.within(names, item.site)
        state = ["M"] if unit.stateful_function(function) else []
        lines = [PyLine(0, f"def {python}({', '.join(state + list(names.values()))}):", item.site)]
        if unit.build.coverage:
            lines.append(PyLine(1, f"C[{item.site}] = 1", item.site))
        lines += ladder(writer, item.body)
        unit.locals[python] = {text: local for local, text in names.items()}
        unit.add(lines)

    return unit.name(("function", function), "f", put)


def ladder(writer: Writer, body: Expr) -> Lines:
    """Statements that return the value of `body`."""
    lines: Lines = []
    while isinstance(body, If):
        test = writer.test(body.condition)
        if isinstance(body.then, If):
            lines.append(PyLine(1, f"if {test}:", writer.site))
            lines += [PyLine(line.depth + 1, line.text, line.site) for line in ladder(writer, body.then)]
        else:
            lines.append(PyLine(1, f"if {test}: return {writer.text(body.then)}", writer.site))
        body = body.otherwise
    lines.append(PyLine(1, f"return {writer.text(body)}", writer.site))
    return lines


def is_flag(e: Expr) -> bool:
    """Whether an expression is a test."""
    return isinstance(e.type, Flag)
