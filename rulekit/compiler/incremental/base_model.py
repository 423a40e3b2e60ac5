"""The model of a set without options, kept for compiles of the same set with options.

The world, which most options do not change, is taken over whole; of the check of types, everything that an
option cannot reach.  See `trace`.
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
from rulekit.compiler.trace import Trace, Units, mappings, watched
from rulekit.compiler.typecheck import modifiers_on, typecheck
from rulekit.compiler.world import World
from rulekit.diagnostics import Report
from rulekit.ir.memo import Trees
from rulekit.ruleset import DataFile, Manifest

WORLD = ("world", "")
Given = dict[str, Mapping[Any, Any]]


class Passes:
    """The passes that make world and model, from scratch."""

    def populate(self, names: Names, load: Load, report: Report) -> World:
        """Return the world; see `rulekit.compiler.populate`."""
        return populate(names, load, report)

    def typecheck(
        self,
        names: Names,
        world: World,
        report: Report,
        manifest: Manifest,
        owner: Mapping[str, DataFile],
    ) -> Model:
        """Return the model; see `rulekit.compiler.typecheck`."""
        return _typecheck(names, world, report, manifest, owner)


class BaseModel(Passes):
    """The same passes for one rule set: the first time without options, which is kept for all later times.

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
        manifest: Manifest,
        owner: Mapping[str, DataFile],
    ) -> Model:
        given = _given(names, world) | {"owner": owner, "modifiers_on": modifiers_on(names)}
        if self._typed is None:
            trace = Trace(self._trees)
            model = _typecheck(names, world, report, manifest, owner, trace)
            self._typed, self._model = Recorded(trace, given), model
            return model
        assert self._world is not None and self._model is not None
        if (world.months, world.places) == (self._world.months, self._world.places):
            affected, own = self._typed.affected(given), Report()
            units = ReusedUnits(self._typed, affected, self._model.sites, self._trees)
            try:
                model = _typecheck(names, world, own, manifest, owner, units)
            except Stale:
                pass
            else:
                for finding in own:
                    report.add(finding)
                return model
        return _typecheck(names, world, report, manifest, owner)


def _typecheck(
    names: Names,
    world: World,
    report: Report,
    manifest: Manifest,
    owner: Mapping[str, DataFile],
    units: Units | None = None,
) -> Model:
    prefix, sides = manifest.prefix, manifest.sides_name
    return typecheck(names, world, report, prefix=prefix, sides=sides, owner=owner, units=units)


def _given(names: Names, world: World | None = None) -> Given:
    records = {"names.": names} | ({} if world is None else {"world.": world})
    return {f"{prefix}{name}": of for prefix, record in records.items() for name, of in mappings(record)}
