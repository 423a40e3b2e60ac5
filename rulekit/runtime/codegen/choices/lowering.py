"""Choices as routines: set up once, then part by part; one module for each family of verbs.

After each part only those options are offered from which some finished answer satisfies every norm; a part
with one option is taken without asking.
"""

from __future__ import annotations

from typing import Final

from rulekit.ir import Choice
from rulekit.ir.types import Nothing
from rulekit.runtime.codegen.choices import assign, assign_sets, verbs
from rulekit.runtime.codegen.choices.parts import ChoiceScope
from rulekit.runtime.codegen.module_writer import Unit
from rulekit.runtime.codegen.routines.flow import Code, Exit, Flow, Routine, line
from rulekit.runtime.codegen.statements.scope import RoutineScope
from rulekit.runtime.optimise import norms

OPENED: Final = "S.opened = len(S.events)"
"""Notes which events come before the first part; a choice of one part that is inlined needs it not."""


def choice(unit: Unit, name: str) -> Routine:
    """A choice as a routine that gives the answer."""
    item = unit.optimised.choice(name)
    scope = RoutineScope(unit, name, (), late=False)
    params = scope.parameters(item.params)
    flow, asking = _opening(scope, item, params)
    asking.answer = scope.variable("#answer", Nothing())
    match item.verb:
        case "pick_one" | "pick_record" | "decide" | "number":
            flow += verbs.one(asking)
        case "pick_set":
            flow += verbs.several(asking)
        case "assign":
            flow += assign.assign(asking)
        case "assign_set":
            flow += assign_sets.assign_sets(asking)
        case "split":
            flow += verbs.split(asking)
        case "arrange":
            flow += verbs.arrange(asking)
        case "share":
            flow += verbs.share(asking)
    flow.append(Exit(asking.answer, item.site))
    return scope.routine("choice", params, flow, item.site)


def _opening(scope: RoutineScope, item: Choice, params: list[str]) -> tuple[Flow, ChoiceScope]:
    """The decider, and the values that norms read."""
    side = scope.variable("#side", Nothing())
    writer = scope.writer(item.site, item.decider)
    lines = scope.coverage(item.site)
    lines.append(line(f"{side} = {writer.text(item.decider)}", item.site))
    if scope.build.form == "frames":
        arguments = "".join(f"{param}, " for param in params)
        lines += [line(f"S.choosing = ({arguments})", item.site), line(OPENED, item.site)]
    prices = scope.optimised.prices
    once = 0 if prices.of_part(item.name) else prices.of_choice(item.name)
    flow: Flow = [Code(lines), *scope.charge(once, item.site)]
    asking = ChoiceScope(
        scope, item, norms.sort(scope.optimised.context, item), side, tuple(params), tuple(params)
    )
    flow += asking.share()
    for local, value in item.lets:
        scope.types[local.name] = local.type
        target = scope.local(local)
        flow.append(asking.bind(target, value))
        asking.own = (*asking.own, target)
    return flow + asking.coverage(), asking
