"""The operators of mutation: each is a function from a node to the changes that it makes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulekit.analysis.mutate.mutant import Mutation, Text, Visit
from rulekit.analysis.mutate.operators import expressions, parts, tables

Operator = Callable[[Visit, Text], Iterator[Mutation]]

OPERATORS: Mapping[str, Operator] = {
    "comparisons": expressions.comparison_changes,
    "numbers": expressions.number_changes,
    "tables": tables.table_changes,
    "signs": expressions.sign_changes,
    "logic": expressions.logic_changes,
    "clauses": parts.clause_changes,
    "exceptions": parts.exception_changes,
    "norms": parts.norm_changes,
    "modifiers": parts.modifier_changes,
    "steps": parts.step_changes,
    "deciders": parts.decider_changes,
}
"""In the order in which they are tried at a node."""
