"""Programs limited to what some of their procedures or expressions reach, such as those of one example."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulekit.ir.expr import Apply, Expr
from rulekit.ir.program import Function, Program
from rulekit.ir.semantics.effects import effects
from rulekit.ir.walk import nodes, statements


def for_examples(program: Program) -> Program:
    """Return the program with what its examples can run, and without invariants."""
    scenarios = program.by_name.scenarios
    roots: list[str] = []
    for example in program.examples:
        roots += (example.given, example.when)
        if example.scenario and example.scenario in scenarios:
            roots.append(scenarios[example.scenario].procedure)
    return replace(of_procedures(program, roots), invariants=())


def for_play(program: Program) -> Program:
    """Return the program with what a game can run, without its examples."""
    roots = [program.entry, *(scenario.procedure for scenario in program.scenarios)]
    return replace(of_procedures(program, roots), examples=())


def of_procedures(program: Program, roots: Iterable[str]) -> Program:
    """Return the program with the procedures and choices that some procedures reach."""
    procedures = program.by_name.procedures
    reached, choices, waiting = set[str](), set[str](), list(roots)
    while waiting:
        name = waiting.pop()
        if name in procedures and name not in reached:
            reached.add(name)
            parts = [effects(stmt, {}) for stmt in statements(procedures[name].body)]
            choices.update(part.asks for part in parts)
            waiting += (part.runs for part in parts)
    return replace(
        program,
        procedures=tuple(procedure for procedure in program.procedures if procedure.name in reached),
        choices=tuple(choice for choice in program.choices if choice.name in choices),
    )


def functions_called(program: Program, *expressions: Expr) -> tuple[Function, ...]:
    """Return the functions that some expressions call, directly or not, in the order of the program."""
    functions = program.by_name.functions
    called, waiting = set[str](), list(expressions)
    while waiting:
        for node in nodes(waiting.pop()):
            if isinstance(node, Apply) and node.function not in called:
                called.add(node.function)
                waiting.append(functions[node.function].body)
    return tuple(function for function in program.functions if function.name in called)
