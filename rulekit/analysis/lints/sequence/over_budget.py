"""Definitions and procedures that take more work than a step may, whatever play does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit import ir
from rulekit.analysis.inspection import Inspection
from rulekit.analysis.lints import Occasion
from rulekit.analysis.uses import in_scope
from rulekit.diagnostics import Diagnostic, kinds
from rulekit.ir.semantics.most_members import ENDLESS
from rulekit.ir.semantics.payments import LeastPayments
from rulekit.ir.walk import expressions, nodes, statements
from rulekit.runtime.support.build import STEP_FUEL

WHEN = Occasion()


def lint(rules: Inspection) -> Iterator[Diagnostic]:
    """Yield a warning for each that is beyond the budget by itself, not by what it calls."""
    program = rules.compiled.program
    least = LeastPayments(program)
    functions = {item.name for item in program.functions if least.function(item.name) > STEP_FUEL}
    procedures = {item.name for item in program.procedures if least.procedure(item.name) > STEP_FUEL}
    for function in program.functions:
        if function.name in functions and not functions & _functions_in((function.body,)):
            yield from _finding(rules, function.site, least.function(function.name))
    for procedure in program.procedures:
        if procedure.name not in procedures:
            continue
        body = tuple(statements(procedure.body))
        done = {stmt.procedure for stmt in body if isinstance(stmt, ir.Do)}
        called = _functions_in(e for stmt in body for e in expressions(stmt))
        if not (procedures & done or functions & called):
            yield from _finding(rules, procedure.site, least.procedure(procedure.name))


def _functions_in(parts: Iterable[ir.Expr]) -> set[str]:
    """The functions that some expressions call."""
    return {node.function for part in parts for node in nodes(part) if isinstance(node, ir.Apply)}


def _finding(rules: Inspection, number: int, units: int) -> Iterator[Diagnostic]:
    site = rules.compiled.program.sites[number]
    if in_scope(rules.compiled, site.span):
        least = f"{units:,}" if units < ENDLESS else "endlessly many"
        message = f"`{site.owner}` always ends in the fault `budget`: it takes at least {least} units of work"
        hint = f"a step may take {STEP_FUEL:,}; loop over fewer members, or keep results in a state"
        yield Diagnostic(kinds.OVER_BUDGET, message, site.span, hint=hint, key=(site.owner,))
