"""Modifiers: one less."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree.items import Modifier


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """The modifier taken away."""
    if isinstance(visit.node, Modifier) and not visit.path:
        yield Mutation(visit.node.span, "(left out)", None)
