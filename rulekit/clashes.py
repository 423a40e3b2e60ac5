"""Whether two that clash can act in one situation: decided on the program, with the situation as evidence.

Every combination of what their conditions read is tried, up to a number; beyond it a sample.  Only what no
combination satisfies is acquitted.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any, Final

from rulekit import ir
from rulekit.diagnostics import Report
from rulekit.interpret import tabulate
from rulekit.interpret.assemble import Compiled
from rulekit.interpret.build import Build
from rulekit.interpret.layout import Layout, Slots
from rulekit.interpret.naming import Naming
from rulekit.interpret.plan import Plan
from rulekit.names import Names
from rulekit.types import NONE, Flag, Member, Optional, Type

MOST_TRIED: Final = 20_000
"""Situations that are tried for one clash (spec 11.5)."""
MOST_TOLD: Final = 4
"""Values that a situation is told by."""
MOST_OTHERS: Final = 100
"""Other values of one thing that are tried to see whether a situation depends on it."""


def settle(names: Names, program: ir.Program, report: Report) -> ir.Program:
    """Report the clashes that can happen; the program without the definitions made to find out."""
    probes = {clash.probe for clash in names.clashes}
    search = _Search(program, probes)
    for clash in names.clashes:
        seen = search.situation(clash.probe)
        finding = clash.finding
        if seen:
            report.add(replace(finding, message=f"{finding.message}; so when {seen}"))
        elif not search.exhaustive:
            hint = f"{finding.hint}; no situation was found in {MOST_TRIED:,} tries, and there are more"
            report.add(replace(finding, hint=hint))
    return replace(program, functions=tuple(f for f in program.functions if f.name not in probes))


@dataclass(frozen=True, slots=True)
class _Variable:
    """Something a condition reads: a parameter (`address` is its place among them), or a cell."""

    told: str
    type: Type
    values: Sequence[Any]
    address: int
    bit: int | None = None


class _Search:
    """Looks for situations in which definitions hold."""

    def __init__(self, program: ir.Program, probes: Iterable[str]) -> None:
        self._functions = {item.name: item for item in program.functions}
        self._naming = Naming(program)
        small = replace(program, procedures=(), choices=(), invariants=())
        self._plan = Plan(small, plain=False)
        self._made = Compiled(small, Build(), self._plan)
        self.exhaustive = True
        """Whether the last search has tried everything."""

    def situation(self, probe: str) -> str:
        """A situation in which a definition holds, in words; empty if none was found."""
        item = self._functions[probe]
        params = [self._parameter(n, param) for n, param in enumerate(item.params)]
        cells = list(self._cells(item))
        variables = [*params, *cells]
        self.exhaustive = all(variable.values for variable in variables)
        variables = [variable for variable in variables if variable.values]
        if any(not param.values for param in params):
            return ""
        total = 1
        for variable in variables:
            total *= len(variable.values)
        tried = product(*(v.values for v in variables)) if total <= MOST_TRIED else self._sampled(variables)
        self.exhaustive = self.exhaustive and total <= MOST_TRIED
        holds = self._made.function(probe)
        for values in islice(tried, MOST_TRIED):
            if self._holds(holds, variables, values, len(params)):
                return self._told(holds, variables, values, len(params))
        return ""

    def _holds(self, holds: Any, variables: Sequence[_Variable], values: Sequence[Any], params: int) -> bool:
        state = self._plan.layout.initial()
        for variable, value in zip(variables[params:], values[params:], strict=True):
            if variable.bit is None:
                state[variable.address] = value
            elif value:
                state[variable.address] |= 1 << variable.bit
            else:
                state[variable.address] &= ~(1 << variable.bit)
        self._plan.layout.derive(state)
        try:
            return bool(holds(state, *values[:params]))
        except Exception:  # a condition that faults does not hold
            return False

    def _sampled(self, variables: Sequence[_Variable]) -> Iterator[Sequence[Any]]:
        """Combinations by lot, always the same; the first ones near to how the game begins."""
        draw = random.Random(0)
        while True:
            yield [draw.choice(variable.values) for variable in variables]

    # -- what a condition reads

    def _parameter(self, number: int, param: ir.Param) -> _Variable:
        return _Variable(param.name, param.type, self._values(param.type), number)

    def _cells(self, item: ir.Function) -> Iterator[_Variable]:
        layout = self._plan.layout
        for name in sorted(self._plan.facts.function_reads(item.name)):
            if name in layout.slots:
                yield from self._of_state(layout, layout.slots[name])

    def _of_state(self, layout: Layout, slots: Slots) -> Iterator[_Variable]:
        state = slots.state
        for keys, address in slots.each():
            if slots.bits is None:
                shown = self._naming.keys(state.keys, keys)
                yield _Variable(_called(state.name, shown), state.type, self._values(state.type), address)
                continue
            for bit in range(slots.bits.size):
                shown = self._naming.keys(state.keys, (*keys, bit + slots.bits.low))
                yield _Variable(_called(state.name, shown), Flag(), (False, True), address, bit)

    def _values(self, kind: Type) -> Sequence[Any]:
        """All values of a type; none if they are too many to list."""
        if isinstance(kind, Optional):
            return [NONE, *self._values(kind.of)]
        return [] if tabulate.domain(kind) is None else sorted(tabulate.allowed(self._plan, kind))

    # -- words

    def _told(self, holds: Any, variables: Sequence[_Variable], values: Sequence[Any], params: int) -> str:
        """A situation by the values that it depends on; by all, if none of them alone decides."""
        told = list(zip(variables, values, strict=True))
        needed = [
            told[number]
            for number, variable in enumerate(variables)
            if any(
                not self._holds(holds, variables, [*values[:number], other, *values[number + 1 :]], params)
                for other in islice(variable.values, MOST_OTHERS)
            )
        ]
        said = [self._said(variable, value) for variable, value in needed or told]
        more = len(said) - MOST_TOLD
        return ", ".join(said[:MOST_TOLD]) + (f" and {more} more" if more > 0 else "")

    def _said(self, variable: _Variable, value: Any) -> str:
        """One value as a condition."""
        kind = variable.type
        if isinstance(kind, Flag):
            return variable.told if value else f"not {variable.told}"
        if value == NONE:
            return f"{variable.told} is none"
        plain = kind.of if isinstance(kind, Optional) else kind
        shown = self._naming.shown(plain, value)
        return f"{variable.told} is {shown}" if isinstance(plain, Member) else f"{variable.told} = {shown}"


def _called(name: str, keys: Sequence[object]) -> str:
    plain = name.rsplit(".", 1)
    if len(plain) == 2 and keys:
        return f"{keys[0]}.{plain[1]}" + (f"({', '.join(map(str, keys[1:]))})" if len(keys) > 1 else "")
    return name + (f"({', '.join(map(str, keys))})" if keys else "")
