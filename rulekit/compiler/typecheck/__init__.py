"""Names and a world to a model: every expression gets its type, every statement its meaning.

Before: amended `Names` and the `World` made of them.  After: a `Model` on which `lower` cannot fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulekit.compiler.model import Model
from rulekit.compiler.names import Names
from rulekit.compiler.populate.type_reader import TypeReader
from rulekit.compiler.trace import Units, watched
from rulekit.compiler.typecheck.checker import Checker
from rulekit.compiler.typecheck.context import Context, Laid
from rulekit.compiler.world import World
from rulekit.diagnostics import Report
from rulekit.ruleset import DataFile
from rulekit.syntax.tree import items as i


def typecheck(
    names: Names,
    world: World,
    report: Report,
    *,
    prefix: str,
    sides: str,
    owner: Mapping[str, DataFile],
    units: Units | None = None,
) -> Model:
    """The typed model; every fault found is in `report`, and the model is whole only without errors.

    Args:
        sides: The enum of those who play.
        prefix: What stands before the ids of printed rules (`SET` in `SET.7.55`).
        owner: Files with the numbers of extern tables, by the table's name.
        units: How the units are run; see `trace`.
    """
    units = units or Units()
    seen, report = watched(world, units, "world."), units.report(report)
    ctx = Context(
        seen,
        watched(names, units, "names."),
        units.input("laid", laid_on(names)),
        report,
        prefix,
        sides,
        TypeReader(seen.kinds, world.months, report),
        units,
        signatures=units.output("signatures"),
        functions=units.output("functions"),
        points=units.output("points"),
        sites=list(units.sites),
    )
    units.leave = ctx.leave
    model = Checker(ctx, units.input("owner", owner)).model()
    return replace(model, world=world, names=names)


def laid_on(names: Names) -> Laid:
    """The modifiers on each roll and define that has any."""
    laid: dict[tuple[str, str], tuple[i.Modifier, ...]] = {}
    for modifier in names.modifiers.values():
        on = modifier.on, modifier.target.text
        laid[on] = (*laid.get(on, ()), modifier)
    return laid
