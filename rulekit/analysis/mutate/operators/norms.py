"""Norms: one less."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.analysis.mutate.mutant import Mutation, Text
from rulekit.analysis.mutate.operators.omitting import left_out
from rulekit.analysis.mutate.tree import Visit
from rulekit.syntax.tree.items import Amendment, Choice


def changes(visit: Visit, text: Text) -> Iterator[Mutation]:
    """Each norm of a choice left out."""
    match visit.node:
        case Choice() as node:
            yield from left_out(node, "norms")
        case Amendment() as node if len(node.norms) > 1:  # the only one is left out with the amendment
            yield from left_out(node, "norms")
        case _:
            pass
