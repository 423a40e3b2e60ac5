"""Norms: one less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulekit.mutate.mutant import Change, Text
from rulekit.mutate.tree import Visit
from rulekit.syntax.items import Amendment, Choice


def changes(visit: Visit, text: Text) -> Iterator[Change]:
    """Each norm of a choice left out."""
    match visit.node:
        case Choice() as node:
            lone = False
        case Amendment() as node:
            lone = len(node.norms) == 1  # an amendment that adds one norm is left out as a whole
        case _:
            return
    for place, norm in enumerate(() if lone else node.norms):
        rest = (*node.norms[:place], *node.norms[place + 1 :])
        yield Change(norm.span, "(left out)", replace(node, norms=rest))
