"""The options that may still be picked where all together must not cost more than there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import gt

from rulekit.base.bits import mask_of, members

Costs = Mapping[int, tuple[int, ...]]
"""The cost of each option, for each budget; options that are too dear even alone are left out."""


def affordable(costs: Costs, chosen: int, rooms: Sequence[int]) -> tuple[int, bool]:
    """Options for the next pick, and whether the picks so far may be the whole answer."""
    spent = [costs[one] for one in members(chosen)]
    left = [room - sum(paid) for room, *paid in zip(rooms, *spent, strict=True)]
    fitting = mask_of([one for one, cost in costs.items() if not any(map(gt, cost, left))])
    return fitting & ~chosen, min(left) >= 0
