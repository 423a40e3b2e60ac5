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
from rulekit.compiler.typecheck.context import CheckContext, ModifiersOn, Results
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
    """The typed model; it is complete only if nothing was reported as an error.

    Args:
        sides: The enum of the sides.
        prefix: The prefix of the ids of printed rules (`SET` in `SET.7.55`).
        owner: Files with the numbers of extern tables, by the table's name.
        units: How the units of the check are run; see `trace`.
    """
    units = units or Units()
    seen, report = watched(world, units, "world."), units.report(report)
    ctx = CheckContext(
        world=seen,
        names=watched(names, units, "names."),
        modifiers_on=units.input("modifiers_on", modifiers_on(names)),
        findings=report,
        prefix=prefix,
        sides=sides,
        reader=TypeReader(seen.kinds, world.months, report),
        units=units,
        results=Results(units),
        sites=list(units.sites),
    )
    units.leave = ctx.leave
    model = Checker(ctx, units.input("owner", owner)).model()
    return replace(model, world=world, names=names)


def modifiers_on(names: Names) -> ModifiersOn:
    """The modifiers of each roll and define that has any."""
    grouped: dict[tuple[str, str], tuple[i.Modifier, ...]] = {}
    for modifier in names.modifiers.values():
        on = modifier.on, modifier.target.text
        grouped[on] = (*grouped.get(on, ()), modifier)
    return grouped
