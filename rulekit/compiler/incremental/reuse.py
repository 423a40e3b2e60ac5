"""Check a rule set again with options: only what the options can affect.

The mappings that units read are compared with those of the earlier check.  A unit is checked again if it read
something that differs now, or something that such a unit made; what every other unit wrote is written again,
in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

from rulekit import ir
from rulekit.compiler.trace import ALL, Read, Trace, Unit, UnitRecord, Units
from rulekit.ir.memo import Trees

T = TypeVar("T")
_NOTHING: Any = object()


class Stale(Exception):
    """The records do not serve: the whole set must be checked."""


class Recorded:
    """The records of one check, indexed by what units depend on.

    Args:
        inputs: The mappings that the units read, by name.
    """

    def __init__(self, trace: Trace, inputs: Mapping[str, Mapping[Any, Any]]) -> None:
        self.units, self.inputs = trace.units, inputs
        self._readers: dict[Read, set[Unit]] = {}
        self._dependents: dict[Unit, set[Unit]] = {}
        self.absent: dict[Read, set[Unit]] = {}
        for key, record in trace.units.items():
            for what, *arguments in record.writes:
                if what == "unit":
                    self._dependents.setdefault(arguments[0], set()).add(key)
            for read in record.reads:
                if read[0] in inputs:
                    self._readers.setdefault(read, set()).add(key)
                elif read in trace.makers:
                    for maker in trace.makers[read]:
                        self._dependents.setdefault(maker, set()).add(key)
                else:
                    self.absent.setdefault(read, set()).add(key)
        scanning = {key for read, units in self.absent.items() if read[1] is ALL for key in units}
        self._unsound = scanning | {key for key, record in trace.units.items() if not record.sound}

    def affected(self, now: Mapping[str, Mapping[Any, Any]]) -> set[Unit]:
        """Return the units to check again if the input mappings are these."""
        changed = {read for name, of in now.items() for read in _changed(name, self.inputs[name], of)}
        affected: set[Unit] = set()
        waiting = [*self._unsound, *(unit for read in changed for unit in self._readers.get(read, ()))]
        while waiting:
            unit = waiting.pop()
            if unit not in affected:
                affected.add(unit)
                waiting += self._dependents.get(unit, ())
        return affected


def _changed(name: str, before: Mapping[Any, Any], now: Mapping[Any, Any]) -> list[Read]:
    """Return the keys whose value differs or is missing, with `ALL` if the keys or their order differ."""
    if before is now:
        return []
    keys: list[Hashable] = [
        key
        for key, value in now.items()
        if (old := before.get(key, _NOTHING)) is not value and (old is _NOTHING or old != value)
    ]
    keys += [key for key in before if key not in now]
    if keys or list(before) != list(now):
        keys.append(ALL)
    return [(name, key) for key in keys]


class ReusedUnits(Units):
    """Run the affected units, and write again what the others wrote."""

    def __init__(
        self, recorded: Recorded, affected: set[Unit], sites: Sequence[ir.Site], trees: Trees
    ) -> None:
        super().__init__(trees)
        self._recorded, self._affected, self.sites = recorded, affected, sites
        self._done: set[Unit] = set()
        self._outputs: dict[str, dict[Any, Any]] = {}

    def run(self, key: Unit, make: Callable[[], T]) -> T:
        record = self._recorded.units.get(key)
        if record is None or key in self._affected:
            return make()
        self._repeat(key, record)
        result: T = record.result
        return result

    def _repeat(self, key: Unit, record: UnitRecord) -> None:
        if key in self._done:
            return
        self._done.add(key)
        for what, *arguments in record.writes:
            match what:
                case "unit":
                    self._repeat(arguments[0], self._recorded.units[arguments[0]])
                case "put":
                    self._outputs[arguments[0]][arguments[1]] = arguments[2]
                case "first":
                    self._outputs[arguments[0]].setdefault(arguments[1], arguments[2])
                case _:
                    self.leave(what, *arguments)

    def output(self, name: str) -> MutableMapping[Any, Any]:
        return self._outputs.setdefault(name, {})

    def finish(self) -> None:
        """End the check.

        Raises:
            Stale: Something exists now that a repeated unit had looked for and not found.
        """
        for (name, key), units in self._recorded.absent.items():
            if key in self._outputs.get(name, {}) and not units <= self._affected:
                raise Stale
