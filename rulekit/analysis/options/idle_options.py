"""Options that change definitions alone, to no effect with the data of the set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Final

from rulekit import ir
from rulekit.analysis.mutate.equivalence import tidy
from rulekit.analysis.prove.prover import Prover
from rulekit.analysis.verdicts import Proved
from rulekit.compiler.incremental import Workspace
from rulekit.ir import walk
from rulekit.ir.conditions import FLAG
from rulekit.ir.memo import Trees
from rulekit.ir.reachable import for_play
from rulekit.ir.semantics.facts import Facts
from rulekit.ir.types import Flag, Int, Member, Month, SetOf

BUDGET: Final = 50_000
"""Readings for one definition."""
_COMPARED: Final = (Flag, Int, Member, Month, SetOf)

Functions = Mapping[str, ir.Function]


def unchanged_results(before: ir.Program, after: ir.Program, work: Workspace) -> tuple[str, ...]:
    """Return the definitions that play calls and that call what an option changes, if their results stay.

    Empty if that is not proved, or the option changes anything but definitions.
    """
    functions, others, trees = before.by_name.functions, after.by_name.functions, work.trees
    affected = _affected_functions(functions, others, trees)
    called = sorted(trees.of("calls of play", before, _calls_of_play) & affected)
    if not called or not affected <= others.keys():
        return ()
    renamed = tuple(_renamed_function(functions[name], affected) for name in sorted(affected))
    both = replace(after, functions=(*after.functions, *renamed))
    prover, facts = Prover(both, answers=work.answers, trees=work.trees), Facts(both)
    if not all(_is_same(prover, facts, functions[name], others[name]) for name in called):
        return ()
    return tuple(called) if trees.of("rest", before, _rest) == _rest(after) else ()


def _rest(program: ir.Program) -> ir.Program:
    """Return a program for play without its definitions, the names of its options and its digest."""
    return replace(tidy(for_play(program)), functions=(), examples=(), options=(), source_hash="")


def _calls_of_play(program: ir.Program) -> frozenset[str]:
    """Return the definitions that the rest of a program calls."""
    return _names_called(replace(for_play(program), functions=(), examples=()))


def _affected_functions(functions: Functions, others: Functions, trees: Trees) -> set[str]:
    """Return the definitions that differ, and those that call them, directly or not."""
    affected = {
        name
        for name, item in functions.items()
        if name not in others or _content(item) != _content(others[name])
    }
    while more := {
        name
        for name, item in functions.items()
        if name not in affected and affected & trees.of("calls", item.body, _names_called)
    }:
        affected |= more
    return affected


def _content(function: ir.Function) -> tuple[object, ...]:
    return function.body, function.params, function.result


def _names_called(tree: object) -> frozenset[str]:
    """Return the definitions that a part of a program calls."""
    return frozenset(node.function for node in _nodes(tree) if isinstance(node, ir.Apply))


def _nodes(tree: object) -> Iterator[object]:
    """Yield all frozen parts of a part of a program, and itself."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += node
        elif is_dataclass(node):
            yield node
            waiting += (getattr(node, field.name) for field in fields(node))


def _renamed_function(function: ir.Function, affected: set[str]) -> ir.Function:
    """Return a definition under another name, with calls of those that have been renamed too."""

    def with_names(e: ir.Expr) -> ir.Expr:
        e = walk.rebuild(e, tuple(map(with_names, walk.children(e))))
        if not isinstance(e, ir.Apply) or e.function not in affected:
            return e
        return replace(e, function=_before(e.function))

    return replace(function, name=_before(function.name), body=with_names(function.body))


def _before(name: str) -> str:
    return f"{name}'before"


def _is_same(prover: Prover, facts: Facts, old: ir.Function, new: ir.Function) -> bool:
    """True if a definition is proved to have one result with an option and without it."""
    if old.params != new.params or old.result != new.result or not isinstance(old.result, _COMPARED):
        return False
    arguments = tuple(ir.Local(param.name, param.type) for param in old.params)
    one, other = (ir.Apply(name, arguments, old.result) for name in (new.name, _before(old.name)))
    if facts.fallible(one) or facts.fallible(other):
        return False
    differs = ir.Op("ne", (one, other), FLAG)
    answer = prover.prove_never(old.params, differs, BUDGET, prover.promises(differs, near=True), shown=False)
    return isinstance(answer, Proved)
