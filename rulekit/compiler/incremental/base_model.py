"""What was made of a set as it stands, for who makes the same of it with options laid over it.

The world, which most options leave alone, is taken over whole; of the check of types, what an option cannot
reach.  See `typecheck.trace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.base.source import Span
from rulekit.compiler.incremental.reuse import Recorded, ReusedUnits, Stale
from rulekit.compiler.model import Model
from rulekit.compiler.names import Names
from rulekit.compiler.populate import populate
from rulekit.compiler.populate.members import Load
from rulekit.compiler.trace import Trace, mappings, watched
from rulekit.compiler.typecheck import laid_on, typecheck
from rulekit.compiler.world import World
from rulekit.diagnostics import Report
from rulekit.ir.memo import Trees
from rulekit.ruleset import DataFile

WORLD = ("world", "")
Given = dict[str, Mapping[Any, Any]]


class Before:
    """Of one rule set: first as it stands, then with options, as often as one likes.

    Args:
        trees: What is known of trees of its programs.
    """

    def __init__(self, trees: Trees) -> None:
        self._trees = trees
        self._populated: Recorded | None = None
        self._loaded: dict[str, tuple[Span, DataFile | None]] = {}
        self._world: World | None = None
        self._typed: Recorded | None = None
        self._model: Model | None = None

    def populate(self, names: Names, load: Load, report: Report) -> World:
        """The world; see `rulekit.compiler.populate`."""
        if self._populated is None:
            return self._first_world(names, load, report)
        assert self._world is not None
        same = all(load(name, at) is file for name, (at, file) in self._loaded.items())
        if same and not self._populated.affected(_given(names)):
            return self._world
        return populate(names, load, report)

    def _first_world(self, names: Names, load: Load, report: Report) -> World:
        trace = Trace()

        def noted(name: str, at: Span) -> DataFile | None:
            file = load(name, at)
            self._loaded[name] = at, file
            return file

        world = trace.run(
            WORLD, lambda: populate(watched(names, trace, "names."), noted, trace.report(report))
        )
        self._world, self._populated = world, Recorded(trace, _given(names))
        return world

    def typecheck(
        self,
        names: Names,
        world: World,
        report: Report,
        *,
        prefix: str,
        sides: str,
        owner: Mapping[str, DataFile],
    ) -> Model:
        """The model; see `rulekit.compiler.typecheck`."""
        given = _given(names, world) | {"owner": owner, "laid": laid_on(names)}
        if self._typed is None:
            trace = Trace(self._trees)
            model = typecheck(names, world, report, prefix=prefix, sides=sides, owner=owner, units=trace)
            self._typed, self._model = Recorded(trace, given), model
            return model
        assert self._world is not None and self._model is not None
        if (world.months, world.places) == (self._world.months, self._world.places):
            affected, own = self._typed.affected(given), Report()
            units = ReusedUnits(self._typed, affected, self._model.sites, self._trees)
            try:
                model = typecheck(names, world, own, prefix=prefix, sides=sides, owner=owner, units=units)
            except Stale:
                pass
            else:
                for found in own:
                    report.add(found)
                return model
        return typecheck(names, world, report, prefix=prefix, sides=sides, owner=owner)


def _given(names: Names, world: World | None = None) -> Given:
    records = {"names.": names} | ({} if world is None else {"world.": world})
    return {f"{prefix}{name}": of for prefix, record in records.items() for name, of in mappings(record)}
