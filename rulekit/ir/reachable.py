"""Programs with no more than what some of their procedures come to.

What nobody runs need not be made ready to run: most of a game is not run by one example.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulekit.ir.program import Program
from rulekit.ir.semantics.effects import effects
from rulekit.ir.walk import statements


def for_examples(program: Program) -> Program:
    """The program with what its examples can run, and nothing else; invariants are not asked."""
    scenarios = program.by_name.scenarios
    roots = [name for each in program.examples for name in (each.given, each.when)]
    roots += [
        scenarios[name].procedure for each in program.examples if (name := each.scenario or "") in scenarios
    ]
    return replace(of_procedures(program, roots), invariants=())


def for_play(program: Program) -> Program:
    """The program with what a game can run, without its examples."""
    roots = [program.entry, *(each.procedure for each in program.scenarios)]
    return replace(of_procedures(program, [name for name in roots if name]), examples=())


def of_procedures(program: Program, roots: Iterable[str]) -> Program:
    """Procedures and choices that some procedures can come to."""
    procedures = program.by_name.procedures
    found: dict[str, None] = {}
    choices: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in found or name not in procedures:
            continue
        found[name] = None
        for stmt in statements(procedures[name].body):
            effect = effects(stmt, {})
            choices.add(effect.asks)
            if effect.runs:
                waiting.append(effect.runs)
    return replace(
        program,
        procedures=tuple(each for each in program.procedures if each.name in found),
        choices=tuple(each for each in program.choices if each.name in choices),
    )
