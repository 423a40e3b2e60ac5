"""The losses of all sides in the course of a game, by the values of a clock such as the turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Expr, Program
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.types import GAP, NONE
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.machine.machine import Machine
from rulekit.runtime.odds.reading import MeasureFunction
from rulekit.runtime.support.layout import FUEL

Losses = tuple[tuple[Any, tuple[int, ...]], ...]
"""For each value of the clock, in the order of the game, how many pieces of each side were lost then."""


@frozen
class Clock:
    """A value that goes on during play.

    Attributes:
        of: The value, as an expression about the state.
        owners: The side of each piece; `NONE` for nobody's.
        sides: The number of sides.
    """

    of: Expr
    owners: Sequence[Any]
    sides: int


def owners_of(program: Program) -> Sequence[Any]:
    """The side of each piece, as its data say; pieces of kinds without a field `side` are nobody's."""
    owners: list[Any] = []
    for static in program.statics:
        if static.keys == ("piece",) and static.name.endswith(".side"):
            owners = owners or [NONE] * len(static.values)
            owners = [old if side == GAP else side for old, side in zip(owners, static.values, strict=True)]
    return owners


def places_of(module: GeneratedModule) -> slice:
    """The cells that say where pieces are."""
    slots = module.layout.slots.get("place")
    return slice(0, 0) if slots is None else slice(slots.base, slots.base + slots.size)


def losses_of(side: int, placed: Sequence[Any], now: Sequence[Any], owners: Sequence[Any]) -> int:
    """How many pieces of a side were on the map when all were placed, and are off it now."""
    pieces = zip(placed, now, owners, strict=False)
    return sum(1 for old, new, owner in pieces if old != NONE and new == NONE and owner == side)


class LossRecorder:
    """Looks at the clock at each decision, and counts the losses whenever it has changed.

    What happens between the last decision of a turn and the first of the next belongs to the first turn.
    """

    def __init__(self, module: GeneratedModule, clock: Clock) -> None:
        self._read = MeasureFunction(module, clock.of, ()).read
        self._clock, self._places = clock, places_of(module)
        self._placed: Sequence[Any] = ()
        self._losses: dict[Any, tuple[int, ...]] = {}
        self._now: Any = None
        self._runs = False

    def begin(self, placed: Sequence[Any]) -> None:
        """Forget the game before; the pieces have been placed."""
        self._placed, self._losses, self._runs = placed, {}, False

    def look(self, machine: Machine) -> None:
        """Look at the clock, unless its value cannot be read."""
        cells = machine.M
        fuel = cells[FUEL]
        try:
            now = self._read(cells, ())
        except Fault:
            return
        finally:
            cells[FUEL] = fuel  # looking is not a part of the game
        if self._runs and now != self._now:
            self._count(cells)
        self._now, self._runs = now, True

    def _count(self, cells: Sequence[Any]) -> None:
        places, clock = cells[self._places], self._clock
        self._losses[self._now] = tuple(
            [losses_of(side, self._placed, places, clock.owners) for side in range(clock.sides)]
        )

    def end(self, machine: Machine) -> Losses:
        """Return the losses of a game that has ended."""
        self.look(machine)
        if self._runs:
            self._count(machine.M)
        return tuple(self._losses.items())
