"""Checks the invariants of trees and programs after each stage of every compile, while it is installed.

After parse: `trees.module_violations`.  After amend: `trees.type_violations`.  After lower, and after each
pass of the optimiser: `programs.InvariantChecker`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

import pytest

from rulekit import ir
from rulekit.compiler import driver
from rulekit.compiler.names import Names
from rulekit.ir import walk
from rulekit.runtime.optimise import inline_procedures, sharing, simplify
from rulekit.runtime.optimise.context import OptimiserContext
from rulekit.runtime.optimise.optimised_program import OptimisedProgram
from rulekit.syntax.tree.items import Module
from tests.invariants.programs import InvariantChecker, check_invariants
from tests.invariants.trees import module_violations, type_violations


def install(patch: pytest.MonkeyPatch) -> None:
    """Check after each stage from now on, until the patch is undone."""

    def before(home: Any, name: str, check: Callable[..., Iterable[str]]) -> None:
        stage = getattr(home, name)

        def checked(*arguments: Any, **options: Any) -> Any:
            violations = list(check(*arguments))
            assert not violations, violations
            return stage(*arguments, **options)

        patch.setattr(home, name, checked)

    def after(home: Any, name: str, check: Callable[..., Iterable[str]]) -> None:
        stage = getattr(home, name)

        def checked(*arguments: Any, **options: Any) -> Any:
            result = stage(*arguments, **options)
            violations = list(check(result, *arguments))
            assert not violations, violations
            return result

        patch.setattr(home, name, checked)

    before(driver, "resolve", lambda modules, report: _modules(modules))
    after(driver, "amend", lambda names, *_: _names(names))
    after(driver, "lower", lambda program, *_: check_invariants(program))
    after(simplify, "simple", lambda result, context, e: _expression(context, result, walk.free(e)))
    after(inline_procedures, "spread", lambda body, context, _, block, *__: _block(context, body, block))
    after(sharing, "hoist", lambda body, context, block: _block(context, body, block))
    after(OptimisedProgram, "choice", lambda choice, optimised, _: _choice(optimised.context, choice))


def _modules(modules: Iterable[Module]) -> list[str]:
    return [violation for module in modules for violation in module_violations(module)]


def _names(names: Names) -> list[str]:
    """The items of all namespaces, with amendments worked in."""
    spaces = (getattr(names, field.name) for field in fields(names))
    items = (tuple(space.values()) for space in spaces if isinstance(space, dict))
    return [violation for part in items for violation in type_violations(part)]


def _checker(context: OptimiserContext) -> InvariantChecker:
    """A checker that knows the tables, states and functions that the optimiser has made.

    A table of images is looked up with one key, which is a set.
    """
    facts = context.facts
    return InvariantChecker(
        replace(
            context.program,
            statics=tuple(
                replace(table, keys=((0, 0),)) if table.name in context.images else table
                for table in facts.tables.values()
            ),
            states=tuple(facts.states.values()),
            functions=tuple(facts.functions.values()),
        )
    )


def _expression(context: OptimiserContext, e: ir.Expr, bound: frozenset[str]) -> Iterable[str]:
    """A simpler expression reads no local that was not read before."""
    return _checker(context).expression(e, set(bound))


def _block(context: OptimiserContext, body: ir.Block, before: ir.Block) -> Iterable[str]:
    """A block does nothing that it did not do before; by itself, it does not know its parameters."""
    checker = _checker(context)
    known = set(checker.block(before, set()))
    return [violation for violation in checker.block(body, set()) if violation not in known]


def _choice(context: OptimiserContext, choice: ir.Choice) -> Iterable[str]:
    return _checker(context).choice(choice)
