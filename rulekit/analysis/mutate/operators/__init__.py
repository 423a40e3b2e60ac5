"""What a mutant may be: a module an operator, each a function from a node to the changes it makes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.operators import (
    clauses,
    comparisons,
    deciders,
    exceptions,
    logic,
    modifiers,
    norms,
    numbers,
    signs,
    steps,
    tables,
)
from rulekit.analysis.mutate.tree import Visit

Operator = Callable[[Visit, Text], Iterator[Mutation]]

OPERATORS: Mapping[str, Operator] = {
    "comparisons": comparisons.changes,
    "numbers": numbers.changes,
    "tables": tables.changes,
    "signs": signs.changes,
    "logic": logic.changes,
    "clauses": clauses.changes,
    "exceptions": exceptions.changes,
    "norms": norms.changes,
    "modifiers": modifiers.changes,
    "steps": steps.changes,
    "deciders": deciders.changes,
}
"""In the order in which they are tried at a node."""
