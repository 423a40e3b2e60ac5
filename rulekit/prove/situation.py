"""A situation as the rules would say it: what differs in it from how the game is declared to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rulekit import ir
from rulekit.interpret.assemble import Compiled
from rulekit.interpret.build import Build
from rulekit.interpret.layout import FUEL, Cells
from rulekit.interpret.naming import Naming
from rulekit.interpret.operations import listed
from rulekit.interpret.plan import Plan
from rulekit.prove.answers import Seen
from rulekit.types import NONE, Flag, MapOf, Member, Optional, SetOf, Type

_TEST: Final = "situation'"
MOST_TOLD: Final = 6
"""Values that a situation is told by."""
RUNS: Final = 1_000_000
"""Runs of loops that one evaluation may take."""
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation that the interpreter itself has found a test to hold in.

    `arguments` are the question's parameters as they would be written, `departures` what differs from the
    states as declared, as the lines of an example would give it.
    """

    arguments: Mapping[str, str]
    departures: tuple[str, ...]

    @property
    def words(self) -> str:
        """The situation in a few words."""
        said = [f"{name} is {value}" for name, value in self.arguments.items()] + list(self.departures)
        more = len(said) - MOST_TOLD
        return ", ".join(said[:MOST_TOLD]) + (f" and {more} more" if more > 0 else "")


def replayed(program: ir.Program, params: Sequence[ir.Param], test: ir.Expr, seen: Seen) -> Situation | None:
    """The situation that was seen, with as few departures as the test needs; None if the interpreter says no.

    Args:
        params: The parameters of the test, each a scalar or a set; of a map none is tried.
    """
    if any(isinstance(param.type, MapOf) for param in params):
        return None
    return _Replay(program, params, test).situation(seen)


class _Replay:
    """Runs one test as the interpreter compiles it."""

    def __init__(self, program: ir.Program, params: Sequence[ir.Param], test: ir.Expr) -> None:
        self._params = tuple(params)
        asked = ir.Function(_TEST, self._params, Flag(), test, 0)
        small = replace(
            program, procedures=(), choices=(), invariants=(), functions=(*program.functions, asked)
        )
        self._naming = Naming(program)
        self._plan = Plan(small, plain=False)
        self._holds: Callable[..., Any] = Compiled(small, Build(), self._plan).function(_TEST)

    def situation(self, seen: Seen) -> Situation | None:
        arguments = self._arguments(seen)
        departures = self._departures(seen)
        if not self._true(departures, arguments):
            return None
        for place in list(departures):
            without = {other: value for other, value in departures.items() if other != place}
            if self._true(without, arguments):
                departures = without
        said = self._said(departures)
        return Situation({p.name: self._value(p.type, arguments[p.name]) for p in self._params}, said)

    def _true(self, departures: Mapping[tuple[int, int | None], Any], arguments: Arguments) -> bool:
        state = self._plan.layout.initial()
        for (address, bit), value in departures.items():
            _set(state, address, bit, value)
        self._plan.layout.derive(state)
        state[FUEL] = RUNS
        try:
            return bool(self._holds(state, *(arguments[param.name] for param in self._params)))
        except Exception:  # a condition that faults does not hold
            return False

    # -- from what was read

    def _arguments(self, seen: Seen) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for param in self._params:
            name = f"parameter {param.name}"
            if isinstance(param.type, SetOf):
                held = [k[0] for (cell, k), value in seen.cells.items() if cell == f"{name} has" and value]
                found[param.name] = sum(1 << member for member in held)
            else:
                found[param.name] = seen.cells.get((name, ()), self._any(param.type))
        return found

    def _any(self, kind: Type) -> Any:
        """Some value of a type, for a parameter that was not read."""
        match kind:
            case Optional():
                return NONE
            case Member():
                return listed(self._plan.kind_mask(kind))[0]
            case Flag():
                return False
            case _:
                return getattr(kind, "low", 0)

    def _departures(self, seen: Seen) -> dict[tuple[int, int | None], Any]:
        """Cells (and bits of them) with values that are not the declared ones."""
        layout = self._plan.layout
        state = layout.initial()
        found: dict[tuple[int, int | None], Any] = {}
        for (cell, keys), value in seen.cells.items():
            name = cell.removesuffix(" has")
            slots = layout.slots.get(name)
            if slots is None:
                continue
            if cell != name:
                address, bit = slots.address(keys[:-1]), keys[-1]
            elif slots.bits is not None:
                address, bit = slots.address(keys[:-1]), keys[-1] - slots.bits.low
            else:
                address, bit = slots.address(keys), None
            now = state[address] if bit is None else bool(state[address] >> bit & 1)
            if now != value:
                found[address, bit] = value
        return found

    # -- words

    def _said(self, departures: Mapping[tuple[int, int | None], Any]) -> tuple[str, ...]:
        state = self._plan.layout.initial()
        for (address, bit), value in departures.items():
            _set(state, address, bit, value)
        said: dict[str, None] = {}
        for address, bit in departures:
            said.setdefault(self._line(state, address, bit))
        return tuple(said)

    def _line(self, state: Cells, address: int, bit: int | None) -> str:
        """One departure as an example gives it: `Alpha at North`, `Alpha.damage = 3`, `Alpha is firing`."""
        slots = self._plan.layout.owner(address)
        keys = self._plan.layout.keys_of(address)
        declared = slots.state
        if slots.bits is not None:
            assert bit is not None
            shown = self._naming.keys(declared.keys, (*keys, bit + slots.bits.low))
            held = bool(state[address] >> bit & 1)
            owner, _, field = declared.name.partition(".")
            if field and len(shown) == 1:
                return f"{shown[0]} is {'' if held else 'not '}{field}"
            return f"{_called(declared.name, shown)} = {'true' if held else 'false'}"
        shown = self._naming.keys(declared.keys, keys)
        value = self._value(declared.type, state[address])
        if declared.name == "place":
            return f"{shown[0]} is nowhere" if state[address] == NONE else f"{shown[0]} at {value}"
        return f"{_called(declared.name, shown)} = {value}"

    def _value(self, kind: Type, value: Any) -> str:
        shown = self._naming.shown(kind, value)
        if isinstance(shown, list):
            return "{" + ", ".join(map(str, shown)) + "}"
        if isinstance(shown, bool):
            return "true" if shown else "false"
        return "none" if shown is None else str(shown)


def _set(state: Cells, address: int, bit: int | None, value: Any) -> None:
    if bit is None:
        state[address] = value
    elif value:
        state[address] |= 1 << bit
    else:
        state[address] &= ~(1 << bit)


def _called(name: str, keys: Sequence[object]) -> str:
    """A state for its keys as it is written: `Alpha.damage`, `turn`, `Alpha.spotted(Red)`."""
    owner, _, field = name.rpartition(".")
    if owner and keys:
        return f"{keys[0]}.{field}" + (f"({', '.join(map(str, keys[1:]))})" if len(keys) > 1 else "")
    return name + (f"({', '.join(map(str, keys))})" if keys else "")
