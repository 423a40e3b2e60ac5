"""Choices as functions that give the answer: one question for each part.

A part with one option is taken without asking; the options come in the order of the Python back end.
"""

from __future__ import annotations

from typing import Final

from rulekit.ir.program import Verb
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower.choosing.asking import Asking
from rulekit.runtime.native.lower.choosing.items import AskingForEach, AskingForSets
from rulekit.runtime.native.lower.choosing.orders import AskingForOrder
from rulekit.runtime.native.lower.choosing.parts import AskingForParts
from rulekit.runtime.native.lower.choosing.several import AskingForSeveral
from rulekit.runtime.native.lower.choosing.shares import AskingForShares
from rulekit.runtime.native.lower.choosing.single import AskingOnce
from rulekit.runtime.native.lower.lowerer import NONE_WORD
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.optimise import norms

VERBS: Final[dict[Verb, type[Asking]]] = {
    "pick_one": AskingOnce,
    "pick_record": AskingOnce,
    "decide": AskingOnce,
    "number": AskingOnce,
    "pick_set": AskingForSeveral,
    "assign": AskingForEach,
    "assign_set": AskingForSets,
    "split": AskingForParts,
    "arrange": AskingForOrder,
    "share": AskingForShares,
}


def choice(unit: ModuleUnit, name: str) -> lir.LowFunction:
    """A choice as a function."""
    item = unit.optimised.choice(name)
    x = RoutineLowerer(unit, f"choice {name}", item.params, item.answer, item.site)
    asking = VERBS[item.verb](x, item, norms.sort(unit.optimised.context, item), NONE_WORD)
    asking.side = x.build.bind(x.one(item.decider))
    prices = unit.optimised.prices
    once = 0 if prices.of_part(name) else prices.of_choice(name)
    if once:
        x.pay(lir.ONE, once)
    asking.bind_shared()
    for local, value in item.lets:
        x.bind_local(local, asking.words(value))
    x.give(asking.answer())
    return x.finish()
