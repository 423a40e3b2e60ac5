"""A part less: what several operators do, each to parts of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulekit.analysis.mutate.mutant import Mutation


def left_out(
    node: Any, field: str, kinds: type | tuple[type, ...] = object, told: str = "(left out)"
) -> Iterator[Mutation]:
    """Each part of these kinds that stands in a field left out of it."""
    parts = getattr(node, field)
    for place, part in enumerate(parts):
        if isinstance(part, kinds):
            rest = (*parts[:place], *parts[place + 1 :])
            yield Mutation(parts[place].span, told, replace(node, **{field: rest}))
