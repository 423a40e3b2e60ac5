"""Lints: what a rule set that compiles may still get wrong.  One module a lint; each gives findings.

A lint reads a `Compiled` rule set and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulekit.analysis.lints.citations import broken_claim, unknown_citation
from rulekit.analysis.lints.declarations import facts_on_trust, one_way, terms
from rulekit.analysis.lints.norms import dead_condition, exhausted_choice, modifiers
from rulekit.analysis.lints.sequence import after_leaving, idle_loop, impossible_event, step_numbers
from rulekit.analysis.lints.tables import broken_trend, off_the_table, row_order, unreached_row
from rulekit.compiler.driver import Compiled
from rulekit.diagnostics import Diagnostic

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
