"""Procedures that run themselves within a bound: each level becomes a procedure of its own (spec 9.1).

Before: procedures, of which those with a bound may run themselves, directly or through others.  After: none
runs itself, and a run beyond the bound is a fault.  All later stages know finite programs alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.ir.walk import map_parts, statements

FEWEST_DEEP: Final = 2
MOST_DEEP: Final = 20
"""Runs of one procedure that may be open at once (spec 9.12)."""
MOST_LEVELS: Final = 1000
"""Procedures that all levels of a program may become (spec 9.12)."""


@frozen
class Level:
    """A procedure while so many runs of each bounded procedure of its circle are open, its own among them."""

    procedure: str
    open_runs: tuple[tuple[str, int], ...]


class Levels:
    """The levels of some procedures.

    Attributes:
        circles: For each procedure that takes part in running a bounded one again, all that do.
    """

    def __init__(self, procedures: Mapping[str, ir.Procedure], bounds: Mapping[str, int]) -> None:
        self._procedures, self._bounds = procedures, bounds
        self.runs = {name: runs_of(procedure) for name, procedure in procedures.items()}
        self.circles = _circles(self.runs, [name for name in bounds if name in procedures])

    @cached_property
    def all(self) -> tuple[Level, ...]:
        """Every level, the first of each procedure first; if there are more than `MOST_LEVELS`, not all."""
        levels = dict.fromkeys(self._first(name) for name in self._procedures if name in self.circles)
        waiting = list(levels)
        while waiting and len(levels) <= MOST_LEVELS:
            level = waiting.pop()
            for name in self.runs[level.procedure]:
                below = self._below(level, name)
                if below is not None and below not in levels:
                    levels[below] = None
                    waiting.append(below)
        return tuple(levels)

    def unroll(self) -> dict[str, ir.Procedure]:
        """Return the procedures with one for each level, and one beyond each bound, which is a fault."""
        result = dict(self._procedures)
        for level in self.all:
            procedure = self._procedures[level.procedure]
            name = self._name(level)
            result[name] = replace(procedure, name=name, body=self._block(procedure.body, level))
        for name in filter(self.circles.__contains__, self._bounds):
            result[_beyond(name)] = self._fault(self._procedures[name])
        return result

    def _fault(self, procedure: ir.Procedure) -> ir.Procedure:
        """Return the procedure that runs in place of one beyond its bound: a fault."""
        message = f"`{procedure.name}` runs itself more than {self._bounds[procedure.name]} levels deep"
        body = (ir.Fail("endless-loop", message, procedure.site),)
        return replace(procedure, name=_beyond(procedure.name), locals=procedure.params, body=body)

    def _first(self, name: str) -> Level:
        """The level of a procedure that is run from outside its circle."""
        return Level(name, ((name, 1),) if name in self._bounds else ())

    def _below(self, level: Level, name: str) -> Level | None:
        """The level of a procedure that one of this level runs.

        None beyond its bound, or outside the circle.
        """
        if name not in self.circles[level.procedure]:
            return None
        if name not in self._bounds:
            return Level(name, level.open_runs)
        runs = {**dict(level.open_runs)}
        runs[name] = runs.get(name, 0) + 1
        return Level(name, tuple(sorted(runs.items()))) if runs[name] <= self._bounds[name] else None

    def _name(self, level: Level) -> str:
        if level == self._first(level.procedure):
            return level.procedure
        return f"{level.procedure}'{'.'.join(str(runs) for _, runs in level.open_runs)}"

    def _block(self, block: ir.Block, level: Level) -> ir.Block:
        return tuple(self._statement(stmt, level) for stmt in block)

    def _statement(self, stmt: ir.Stmt, level: Level) -> ir.Stmt:
        if not isinstance(stmt, ir.Do) or stmt.procedure not in self.circles[level.procedure]:
            return map_parts(stmt, lambda e: e, lambda block: self._block(block, level))
        below = self._below(level, stmt.procedure)
        return replace(stmt, procedure=_beyond(stmt.procedure) if below is None else self._name(below))


def _beyond(procedure: str) -> str:
    return f"{procedure}'beyond"


def runs_of(procedure: ir.Procedure) -> tuple[str, ...]:
    """Return the procedures that a procedure runs itself."""
    return tuple(
        dict.fromkeys(stmt.procedure for stmt in statements(procedure.body) if isinstance(stmt, ir.Do))
    )


def _circles(runs: Mapping[str, Iterable[str]], bounded: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return, for each procedure in a circle with a bounded one, the procedures of the circle."""
    run_by: dict[str, list[str]] = {}
    for name, callees in runs.items():
        for callee in callees:
            run_by.setdefault(callee, []).append(name)
    circles: dict[str, frozenset[str]] = {}
    for name in bounded:
        if name not in circles:
            circle = _reach(name, runs) & _reach(name, run_by)
            circles |= dict.fromkeys(circle, circle)
    return circles


def _reach(start: str, links: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Return what can be reached in at least one step."""
    reached, waiting = set[str](), [start]
    while waiting:
        fresh = [name for name in links.get(waiting.pop(), ()) if name not in reached]
        reached.update(fresh)
        waiting += fresh
    return frozenset(reached)
