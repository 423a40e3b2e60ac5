"""What one compile of a rule set leaves for the next: only what options can affect is checked again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

from rulekit import ir
from rulekit.base.frozen import frozen
from rulekit.base.results import ResultTable
from rulekit.base.source import Span
from rulekit.compiler.model import Model
from rulekit.compiler.names import Names
from rulekit.compiler.options.combinations import VariantPlace, variants_in_options
from rulekit.compiler.populate import populate
from rulekit.compiler.populate.members import Load
from rulekit.compiler.trace import ALL, Read, Trace, Unit, UnitRecord, Units, mappings, watched_record
from rulekit.compiler.typecheck import modifiers_on, typecheck
from rulekit.compiler.world import World
from rulekit.diagnostics import Report
from rulekit.ir.memo import Trees
from rulekit.ruleset import DataFile, Manifest
from rulekit.ruleset.folder import Inputs

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

    def affected_units(self, now: Mapping[str, Mapping[Any, Any]]) -> set[Unit]:
        """Return the units to check again if the input mappings are these."""
        changed = {read for name, of in now.items() for read in _changed_keys(name, self.inputs[name], of)}
        affected: set[Unit] = set()
        waiting = [*self._unsound, *(unit for read in changed for unit in self._readers.get(read, ()))]
        while waiting:
            unit = waiting.pop()
            if unit not in affected:
                affected.add(unit)
                waiting += self._dependents.get(unit, ())
        return affected


def _changed_keys(name: str, before: Mapping[Any, Any], now: Mapping[Any, Any]) -> list[Read]:
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


WORLD = ("world", "")
Given = dict[str, Mapping[Any, Any]]


@frozen
class Passes:
    """The passes that make world and model: from scratch, or with what a base model has of them."""

    populate: Callable[[Names, Load, Report], World] = populate
    typecheck: Callable[[Names, World, Report, Manifest, Mapping[str, DataFile]], Model] = typecheck


class BaseModel:
    """The passes for one rule set: the first time without options, which is kept for all later times.

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
        """Return the world; see `rulekit.compiler.populate`."""
        if self._populated is None:
            return self._first_world(names, load, report)
        assert self._world is not None
        same = all(load(name, at) == file for name, (at, file) in self._loaded.items())
        if same and not self._populated.affected_units(_inputs_of(names)):
            return self._world
        return populate(names, load, report)

    def _first_world(self, names: Names, load: Load, report: Report) -> World:
        trace = Trace()

        def load_noting(name: str, at: Span) -> DataFile | None:
            file = load(name, at)
            self._loaded[name] = at, file
            return file

        world = trace.run(
            WORLD, lambda: populate(watched_record(names, trace, "names."), load_noting, trace.report(report))
        )
        self._world, self._populated = world, Recorded(trace, _inputs_of(names))
        return world

    def typecheck(
        self, names: Names, world: World, report: Report, manifest: Manifest, owner: Mapping[str, DataFile]
    ) -> Model:
        """Return the model; see `rulekit.compiler.typecheck`."""
        given = _inputs_of(names, world) | {"owner": owner, "modifiers_on": modifiers_on(names)}
        if self._typed is None:
            trace = Trace(self._trees)
            model = typecheck(names, world, report, manifest, owner, trace)
            self._typed, self._model = Recorded(trace, given), model
            return model
        assert self._world is not None and self._model is not None
        if (world.months, world.places) == (self._world.months, self._world.places):
            affected, own = self._typed.affected_units(given), Report()
            units = ReusedUnits(self._typed, affected, self._model.sites, self._trees)
            try:
                model = typecheck(names, world, own, manifest, owner, units)
            except Stale:
                pass
            else:
                for finding in own:
                    report.add(finding)
                return model
        return typecheck(names, world, report, manifest, owner)


def _inputs_of(names: Names, world: World | None = None) -> Given:
    records = {"names.": names} | ({} if world is None else {"world.": world})
    return {f"{prefix}{name}": of for prefix, record in records.items() for name, of in mappings(record)}


class Workspace(Inputs):
    """The inputs of one folder with what its compiles have worked out.

    Args:
        answers: The prover's answers about its conditions, as plain JSON; the compiler only hands them on.

    Attributes:
        trees: What is known of trees of its programs.
        base_model: What the first compile, of the set without options, leaves for those with options.
    """

    def __init__(self, answers: ResultTable[Any] | None = None) -> None:
        super().__init__()
        self.answers = answers
        self.trees = Trees()
        self.base_model: BaseModel | None = None

    @property
    def passes(self) -> Passes:
        """The passes that make world and model: from scratch, or with what the base model has of them."""
        base = self.base_model
        return Passes(base.populate, base.typecheck) if base is not None else Passes()

    def variants(self, manifest: Manifest) -> Mapping[str, VariantPlace]:
        """Return the variants in the files of all options, by name."""
        return self.read("variants", lambda own: variants_in_options(manifest), Report())
