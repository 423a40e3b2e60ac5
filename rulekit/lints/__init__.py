"""Lints: what a rule set that compiles may still get wrong.  One module a lint; each gives findings.

A lint reads a `Compiled` rule set and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.driver import Compiled
from rulekit.lints import (
    after_leaving,
    broken_claim,
    broken_trend,
    dead_condition,
    exhausted_choice,
    facts_on_trust,
    idle_loop,
    impossible_event,
    modifiers,
    off_the_table,
    one_way,
    row_order,
    step_numbers,
    terms,
    unknown_citation,
    unreached_row,
)

LINTS: tuple[Callable[[Compiled], Iterator[Diagnostic]], ...] = (
    unknown_citation.lint,
    terms.lint,
    idle_loop.lint,
    after_leaving.lint,
    step_numbers.lint,
    impossible_event.lint,
    unreached_row.lint,
    row_order.lint,
    broken_trend.lint,
    one_way.lint,
    dead_condition.lint,
    exhausted_choice.lint,
    modifiers.lint,
    off_the_table.lint,
    facts_on_trust.lint,
)


OF_OPTIONS = (
    dead_condition.lint_offered,
    unknown_citation.lint,
    facts_on_trust.lint,
    modifiers.lint,
    off_the_table.lint,
    exhausted_choice.lint_offered,
)
"""Those that a check asks of options that nobody chose, many times over: quick ones."""


def lint(compiled: Compiled, *, as_printed: bool = False) -> Iterator[Diagnostic]:
    """The findings of every lint; `as_printed`: no errata settle anything."""
    yield from broken_claim.lint(compiled, as_printed=as_printed)
    for each in LINTS:
        yield from each(compiled)


def lint_claims(compiled: Compiled) -> Iterator[Diagnostic]:
    """Claims that do not hold with the options chosen, and readings that are not played."""
    yield from broken_claim.lint(compiled)


def lint_options(compiled: Compiled) -> Iterator[Diagnostic]:
    """The findings of the quick lints."""
    for each in OF_OPTIONS:
        yield from each(compiled)
