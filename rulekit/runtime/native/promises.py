"""Invariants: all are tested after a scenario's set-up and, if a build asks for it, after each change."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.ir import Dissolve, DrawTop, Form, MarkAll, Place, Put, Stmt, Write
from rulekit.ir.semantics import fault_texts as texts
from rulekit.ir.semantics.effects import PLACE
from rulekit.ir.types import Flag
from rulekit.runtime.native import lir
from rulekit.runtime.native.lower import builder as b
from rulekit.runtime.native.lower.routine import RoutineLowerer
from rulekit.runtime.native.lower.unit import ModuleUnit
from rulekit.runtime.native.messages import Why

ALL = "promises"
"""The function that tests every invariant."""


def test_of(unit: ModuleUnit, number: int) -> lir.LowFunction:
    """Whether an invariant holds, as a function."""
    item = unit.program.invariants[number]
    x = RoutineLowerer(unit, _name(number), (), Flag(), item.site)
    x.give(x.words(unit.optimised.simple(item.body)))
    return x.finish()


def test_of_all(unit: ModuleUnit) -> lir.LowFunction:
    """The test of every invariant, which blames the one that does not hold."""
    x = RoutineLowerer(unit, ALL, (), None, -1)
    for number, item in enumerate(unit.program.invariants):
        x.site = item.site
        _demand(x, number)
    return x.finish()


def test_after(x: RoutineLowerer, stmt: Stmt) -> None:
    """Test the invariants that read what a statement has changed, and blame the statement."""
    if isinstance(stmt, Write | MarkAll | Put | DrawTop):
        test(x, (stmt.state,))
    elif isinstance(stmt, Place):
        test(x, (PLACE,))
    elif isinstance(stmt, Form | Dissolve):
        test(x, (f"exists:{stmt.domain}",))


def test(x: RoutineLowerer, states: Iterable[str]) -> None:
    """Test the invariants that read some states; not in a set-up, nor in a module without such tests."""
    unit, changed = x.unit, set(states)
    if not unit.tests_invariants:
        return
    numbers = [number for number, reads in enumerate(unit.optimised.invariant_reads) if reads & changed]
    if numbers:
        with x.build.when(b.zero(lir.Load(unit.setting_up))):
            for number in numbers:
                _demand(x, number)


def _demand(x: RoutineLowerer, number: int) -> None:
    """A fault, if an invariant does not hold."""
    x.pay(lir.ONE, x.unit.optimised.prices.promises[number])
    holds = x.build.bind(lir.LowCall(_name(number)))
    why = Why(texts.does_not_hold(x.unit.program.invariants[number].name))
    x.fail_if(b.zero(holds), "broken-invariant", lir.Num(number), why)


def _name(number: int) -> str:
    return f"promise {number}"
