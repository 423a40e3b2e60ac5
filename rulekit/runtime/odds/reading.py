"""Reading what a question asks for at its end, where some of it may still be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.base.frozen import frozen
from rulekit.ir import Expr, Site, walk
from rulekit.ir.semantics.faults import Fault
from rulekit.runtime.codegen.assemble import GeneratedModule
from rulekit.runtime.odds.deferring import UNKNOWN, KernelSource, OddsMachine, pending_of
from rulekit.runtime.odds.landing import Spread, classes_of, join_spreads, spread_of
from rulekit.runtime.odds.nodes import Keeper
from rulekit.runtime.odds.pending import Pending, Unresolved, as_sum
from rulekit.runtime.support.build import STEP_FUEL
from rulekit.runtime.support.layout import FUEL


@frozen
class FaultOutcome:
    """The rules cannot go on: an outcome like any other.

    Faults of one kind at one place are one outcome; `message` is that of the first.
    """

    name: str
    site: Site | None
    message: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FaultOutcome) and (self.name, self.site) == (other.name, other.site)

    def __hash__(self) -> int:
        return hash((self.name, self.site))


@frozen
class Ended:
    """The game ended before the question could be read, because it asks for a value of a procedure."""

    result: Any


@frozen
class Mixture:
    """Values of one measure, each with its weight, as one outcome."""

    weights: tuple[tuple[Any, int], ...]
    total: int


class MeasureReader:
    """Reads the measures of a question from a machine at its end: each by itself, or all together.

    A value by itself does not need to know how the unknown parts of others come out, so that it stays fast.
    Outcomes are tuples with a part for each measure; a part that was read apart may be a `Mixture` or fault.
    """

    def __init__(
        self,
        module: GeneratedModule,
        source: KernelSource,
        keeper: Keeper,
        measures: Sequence[Expr],
        names: tuple[str, ...],
        *,
        joint: bool,
    ) -> None:
        """`names` are the locals whose values the procedure gives at its end."""
        self._source, self._keeper = source, keeper
        self._joint = joint or len(measures) == 1
        self._readers = [MeasureFunction(module, measure, names) for measure in measures]

    def at_end(self, machine: OddsMachine, value: Any) -> Sequence[tuple[Any, int]]:
        """Return the outcomes at the end of the procedure, which gave this value, with their weights.

        Raises:
            Unresolved: A local depends on something that is not known yet.
            TooMany: There are too many outcomes.
            Fault: All are read together, and one cannot be.
        """
        return self._outcomes(machine, value or (), self._readers)

    def after_the_end(self, machine: OddsMachine, result: Any) -> Sequence[tuple[Any, int]]:
        """Return the outcomes of a game that has ended with a result; else like `at_end`."""
        if any(reader.places for reader in self._readers):
            return [(Ended(result), 1)]
        return self._outcomes(machine, (), self._readers)

    def _outcomes(
        self, machine: OddsMachine, values: tuple[Any, ...], readers: Sequence[MeasureFunction]
    ) -> Sequence[tuple[Any, int]]:
        machine.M[FUEL] = STEP_FUEL
        if not machine.pending and self._joint:
            return [(tuple([reader.read(machine.M, values) for reader in readers]), 1)]
        if self._joint:
            weights, _ = self._spread(machine, readers, values)
            return list(weights.items())
        return [(tuple([self._part(machine, reader, values) for reader in readers]), 1)]

    def _part(self, machine: OddsMachine, reader: MeasureFunction, values: tuple[Any, ...]) -> Any:
        """The value of one measure, or its mixture, or its fault."""
        try:
            if not machine.pending:
                return reader.read(machine.M, values)
            weights, total = self._spread(machine, [reader], values)
        except Fault as fault:
            return FaultOutcome(fault.name, fault.site, fault.message)
        plain = [(key[0] if isinstance(key, tuple) else key, weight) for key, weight in weights.items()]
        return plain[0][0] if len(plain) == 1 else Mixture(tuple(plain), total)

    def _spread(
        self, machine: OddsMachine, readers: Sequence[MeasureFunction], values: tuple[Any, ...]
    ) -> Spread:
        """The distribution of values of measures together; the machine stays as it is."""
        if any(type(value) in UNKNOWN for value in values) and any(reader.moves for reader in readers):
            _look_at(values)
        cells, pending = self._keeper.cells(machine), pending_of(machine)
        try:
            return self._spread_from(machine, cells, pending, readers, values)
        finally:
            self._keeper.put_cells(machine, cells)
            machine.put_off(pending)

    def _spread_from(
        self,
        machine: OddsMachine,
        cells: tuple[Any, ...],
        pending: Pending,
        readers: Sequence[MeasureFunction],
        values: tuple[Any, ...],
    ) -> Spread:
        try:
            forms = [as_sum(reader.read(machine.M, values)) for reader in readers]
        except Unresolved as look:
            parts = []
            for part in classes_of(self._source, pending, look):
                self._keeper.put_cells(machine, cells)
                machine.put_off(())
                machine.change(part.sure)
                changed = self._keeper.cells(machine)
                machine.put_off(part.pending)
                spread = self._spread_from(machine, changed, part.pending, readers, values)
                parts.append((part.weight, spread))
            return join_spreads(parts)
        except Fault as fault:
            return {FaultOutcome(fault.name, fault.site, fault.message): 1}, 1
        return spread_of(self._source, pending, forms)


class MeasureFunction:
    """Reads one measure.

    Attributes:
        places: The places of the locals that it reads among those that the procedure gives.
        moves: Whether it does more than give one of them.
    """

    def __init__(self, module: GeneratedModule, measure: Expr, names: tuple[str, ...]) -> None:
        free = walk.free(measure)
        own = tuple(name for name in names if name in free)
        self.places = tuple(names.index(name) for name in own)
        self.moves = bool(walk.children(measure))
        self._function = module.expression(measure, own)

    def read(self, cells: list[Any], values: tuple[Any, ...]) -> Any:
        """The value, of which something may be unknown."""
        return self._function(cells, *[values[place] for place in self.places])


def _look_at(values: tuple[Any, ...]) -> None:
    """
    Raises:
        Unresolved: A value is unknown.
    """
    for value in values:
        if type(value) in UNKNOWN:
            value._look()
