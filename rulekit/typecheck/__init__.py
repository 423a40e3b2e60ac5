"""Names and a world to a model: every expression gets its type, every statement its meaning.

Before: amended `Names` and the `World` made of them.  After: a `Model` on which `lower` cannot fail.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.annotations import TypeReader
from rulekit.data import DataFile
from rulekit.diagnostics import Report
from rulekit.model import Model
from rulekit.names import Names
from rulekit.typecheck.checker import Checker
from rulekit.typecheck.context import Context
from rulekit.world import World


def typecheck(
    names: Names,
    world: World,
    report: Report,
    *,
    prefix: str,
    sides: str,
    owner: Mapping[str, DataFile],
) -> Model:
    """The typed model; every fault found is in `report`, and the model is whole only without errors.

    Args:
        sides: The enum of those who play.
        prefix: What stands before the ids of printed rules (`SET` in `SET.7.55`).
        owner: Files with the numbers of extern tables, by the table's name.
    """
    ctx = Context(world, names, report, prefix, sides, TypeReader(world.kinds, world.months, report))
    return Checker(ctx, owner).model()
