"""What can be answered to the question whether a condition can hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.base.frozen import frozen

Cell = tuple[str, tuple[int, ...]]
"""Something that a condition reads: a state and its keys, or a parameter and no keys (with one, a member of
the set, or the value for a key of the map, that the parameter is)."""


@frozen
class Never:
    """It cannot hold, whatever the state: everything it may read has been tried."""

    tried: int


@frozen
class Seen:
    """It holds in this situation; what the situation does not name does not matter to it.

    But for faults: a part that need not be looked at may have one.  What is shown is replayed (`situation`).
    """

    cells: Mapping[Cell, Any]


@frozen
class Unknown:
    """Neither: `reason` is `budget`, `not-replayed`, or with a name `range`, `opaque` or `missing-data`."""

    reason: str
    tried: int

    @property
    def told(self) -> str:
        """The reason in words."""
        word, _, name = self.reason.partition(" ")
        match word:
            case "budget":
                return f"more than can be tried: {self.tried:,} situations were"
            case "not-replayed":
                return "what was found does not hold when it is played"
            case "missing-data":
                return f"`{name}` is the owner's, and not here"
            case _:
                name = name.removeprefix("parameter ")
                return f"not all values of `{name}` can be tried"


Answer = Never | Seen | Unknown
