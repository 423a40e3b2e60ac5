"""Fixed expressions evaluated while compiling: written as Python, which is run at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.ir import Expr
from rulekit.runtime.codegen.expressions.expressions import ExpressionWriter
from rulekit.runtime.codegen.module_writer import Unit
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.optimised_program import OptimisedProgram
from rulekit.runtime.support.build import Build


def evaluator(context: OptimiserContext, params: Sequence[str], body: Expr) -> Callable[..., Any]:
    """A fixed expression as a function of its locals; the `Evaluator` of this back end."""
    unit = Unit(OptimisedProgram(context), Build())
    names = {name: f"a{number}" for number, name in enumerate(params)}
    text = ExpressionWriter(unit, names, -1).text(body)
    source = f"{unit.source()}\ndef main({', '.join(names.values())}): return {text}\n"
    exec(compile(source, "<rulekit table>", "exec"), unit.namespace)
    main: Callable[..., Any] = unit.namespace["main"]
    return main
