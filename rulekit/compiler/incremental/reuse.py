"""Checking a set again with an option laid over it: only what the option can reach.

What of the set as it stands differs now is found by comparing the mappings that units read.  A unit that has
read something else, or of which another unit has made what it read, is checked anew; of the others all that
they have left is left again, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

from rulekit import ir
from rulekit.compiler.trace import ALL, Noted, Read, Trace, Unit, Work
from rulekit.ir.memo import Trees

T = TypeVar("T")
_NOTHING: Any = object()


class Stale(Exception):
    """What was noted does not serve: the check is to be made without it."""


class Known:
    """What was noted of a set as it stands, made ready to be asked what a change reaches.

    Args:
        given: The mappings that units have read, by name.
    """

    def __init__(self, trace: Trace, given: Mapping[str, Mapping[Any, Any]]) -> None:
        self.units, self.given = trace.units, given
        self._readers: dict[Read, set[Unit]] = {}
        self._after: dict[Unit, set[Unit]] = {}
        self.absent: dict[Read, set[Unit]] = {}
        for key, noted in trace.units.items():
            for what, *arguments in noted.left:
                if what == "unit":
                    self._after.setdefault(arguments[0], set()).add(key)
            for read in noted.reads:
                if read[0] in given:
                    self._readers.setdefault(read, set()).add(key)
                elif read in trace.makers:
                    for maker in trace.makers[read]:
                        self._after.setdefault(maker, set()).add(key)
                else:
                    self.absent.setdefault(read, set()).add(key)
        through = {key for read, units in self.absent.items() if read[1] is ALL for key in units}
        self._unsound = through | {key for key, noted in trace.units.items() if not noted.sound}

    def reached(self, now: Mapping[str, Mapping[Any, Any]]) -> set[Unit]:
        """The units that are to be checked anew, where the mappings are these."""
        changed = {read for name, of in now.items() for read in _changed(name, self.given[name], of)}
        reached: set[Unit] = set()
        waiting = [*self._unsound, *(unit for read in changed for unit in self._readers.get(read, ()))]
        while waiting:
            unit = waiting.pop()
            if unit not in reached:
                reached.add(unit)
                waiting += self._after.get(unit, ())
        return reached


def _changed(name: str, before: Mapping[Any, Any], now: Mapping[Any, Any]) -> list[Read]:
    """The keys under which there is something else, or nothing; all of them are read by who goes through."""
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


class Again(Work):
    """Checks what a change reaches, and takes over the rest."""

    def __init__(self, known: Known, reached: set[Unit], sites: Sequence[ir.Site], trees: Trees) -> None:
        super().__init__(trees)
        self._known, self._reached, self.sites = known, reached, sites
        self._done: set[Unit] = set()
        self._made: dict[str, dict[Any, Any]] = {}

    def unit(self, key: Unit, make: Callable[[], T]) -> T:
        noted = self._known.units.get(key)
        if noted is None or key in self._reached:
            return make()
        self._take_over(key, noted)
        gave: T = noted.gave
        return gave

    def _take_over(self, key: Unit, noted: Noted) -> None:
        if key in self._done:
            return
        self._done.add(key)
        for what, *arguments in noted.left:
            match what:
                case "unit":
                    self._take_over(arguments[0], self._known.units[arguments[0]])
                case "put":
                    self._made[arguments[0]][arguments[1]] = arguments[2]
                case "first":
                    self._made[arguments[0]].setdefault(arguments[1], arguments[2])
                case _:
                    self.leave(what, *arguments)

    def made(self, name: str) -> MutableMapping[Any, Any]:
        return self._made.setdefault(name, {})

    def end(self) -> None:
        """See to it that nothing is there now that a unit which was taken over did not find.

        Raises:
            Stale: There is.
        """
        for (name, key), units in self._known.absent.items():
            if key in self._made.get(name, {}) and not units <= self._reached:
                raise Stale
