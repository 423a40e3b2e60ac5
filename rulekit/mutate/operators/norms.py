"""Norms: one less."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.mutate.mutant import Change, Text
from rulekit.mutate.operators.omitting import left_out
from rulekit.mutate.tree import Visit
from rulekit.syntax.items import Amendment, Choice


def changes(visit: Visit, text: Text) -> Iterator[Change]:
    """Each norm of a choice left out."""
    match visit.node:
        case Choice() as node:
            yield from left_out(node, "norms")
        case Amendment() as node if len(node.norms) > 1:  # the only one is left out with the amendment
            yield from left_out(node, "norms")
        case _:
            pass
