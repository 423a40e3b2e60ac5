"""Record what each unit of a check reads and makes, so that a later check repeats only what has changed.

A unit is a definition, a table, a choice, a procedure: whatever is checked as a whole.  Units share data only
through mappings that record their readers and writers, so that no rule of the checker has to declare what it
depends on.  `incremental.reuse` checks the same rule set with options.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
    ValuesView,
)  # fmt: skip
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeVar, cast

from rulekit import ir
from rulekit.diagnostics import Diagnostic, Report
from rulekit.ir.memo import Trees

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Unit = tuple[str, str]
"""Its sort and its name."""
Read = tuple[str, Hashable]
"""A mapping's name and a key of it; `ALL` if the reader went through the whole mapping."""
ALL: Final = "*all*"


class Units:
    """Run the units of a check one after the other, and record nothing.

    Attributes:
        leave: Repeats what a unit left outside the mappings; see `CheckContext.leave`.
        sites: Sites that already have a number.
        trees: Results about trees of the program.
    """

    leave: Callable[..., None]
    sites: Sequence[ir.Site] = ()

    def __init__(self, trees: Trees | None = None) -> None:
        self.trees = trees or Trees()

    def run(self, key: Unit, make: Callable[[], T]) -> T:
        """Return what a unit makes; each unit is run once."""
        return make()

    def input(self, name: str, of: Mapping[K, V]) -> Mapping[K, V]:
        """Return a mapping that units read."""
        return of

    def output(self, name: str) -> MutableMapping[Any, Any]:
        """Return a new mapping that units fill."""
        return {}

    def note(self, what: str, *arguments: Any) -> None:
        """Record what a unit left outside the mappings; see `CheckContext.leave`."""

    def report(self, report: Report) -> Report:
        """Return the report that units write to."""
        return report

    def finish(self) -> None:
        """End the check: no unit follows."""


@dataclass(slots=True)
class UnitRecord:
    """A unit's reads, its writes in their order, and its result.

    `sound`: it ran to its end and reported nothing.
    """

    reads: set[Read] = field(default_factory=set)
    writes: list[tuple[Any, ...]] = field(default_factory=list)
    result: Any = None
    sound: bool = True


class Trace(Units):
    """Record what units read and write."""

    def __init__(self, trees: Trees | None = None) -> None:
        super().__init__(trees)
        self.units: dict[Unit, UnitRecord] = {}
        self.makers: dict[Read, set[Unit]] = {}
        self._running: list[tuple[Unit, UnitRecord]] = []
        self._findings = 0

    def run(self, key: Unit, make: Callable[[], T]) -> T:
        record = UnitRecord()
        self.note("unit", key)
        self._running.append((key, record))
        before = self._findings
        try:
            record.sound = False
            record.result = result = make()
            record.sound = self._findings == before
            return result
        finally:
            self._running.pop()
            # A unit that ran twice may have made two things: it is never reused.
            record.sound &= self.units.setdefault(key, record) is record
            self.units[key].sound &= record.sound

    def input(self, name: str, of: Mapping[K, V]) -> Mapping[K, V]:
        return InputMapping(self, name, of)

    def output(self, name: str) -> MutableMapping[Any, Any]:
        return OutputMapping(self, name)

    def note(self, what: str, *arguments: Any) -> None:
        if self._running:
            self._running[-1][1].writes.append((what, *arguments))

    def report(self, report: Report) -> Report:
        return _WatchedReport(self, report)

    def note_read(self, name: str, key: Hashable) -> None:
        """Record that the current unit read a key of a mapping, present or not."""
        if self._running:
            self._running[-1][1].reads.add((name, key))

    def note_maker(self, name: str, key: Hashable) -> None:
        """Record that the current unit wrote a key of a mapping."""
        if self._running:
            self.makers.setdefault((name, key), set()).add(self._running[-1][0])

    def note_finding(self, number: int = 1) -> None:
        """Record that the current unit reported so many things; below 0, that it took them back."""
        self._findings += number


class _WatchedReport(Report):
    """A report that tells a trace of each finding, also of one that it already has."""

    def __init__(self, trace: Trace, report: Report) -> None:
        super().__init__()
        self._trace, self._report = trace, report

    def add(self, diagnostic: Diagnostic) -> None:
        self._trace.note_finding()
        self._report.add(diagnostic)

    def withdraw(self, diagnostics: Iterable[Diagnostic]) -> None:
        withdrawn = tuple(diagnostics)
        self._trace.note_finding(-len(withdrawn))
        self._report.withdraw(withdrawn)

    def since(self, number: int) -> tuple[Diagnostic, ...]:
        return self._report.since(number)

    def __len__(self) -> int:
        return len(self._report)


class InputMapping(Mapping[K, V]):
    """A mapping that records every read."""

    __slots__ = ("_name", "_of", "_trace")

    def __init__(self, trace: Trace, name: str, of: Mapping[K, V]) -> None:
        self._trace, self._name, self._of = trace, name, of

    def __getitem__(self, key: K) -> V:
        self._trace.note_read(self._name, key)
        return self._of[key]

    def __contains__(self, key: object) -> bool:
        self._trace.note_read(self._name, key)
        return key in self._of

    def get(self, key: K, default: Any = None) -> Any:
        self._trace.note_read(self._name, key)
        return self._of.get(key, default)

    def __iter__(self) -> Iterator[K]:
        self._trace.note_read(self._name, ALL)
        return iter(self._of)

    def __len__(self) -> int:
        self._trace.note_read(self._name, ALL)
        return len(self._of)

    def items(self) -> ItemsView[K, V]:
        self._trace.note_read(self._name, ALL)
        return self._of.items()

    def values(self) -> ValuesView[V]:
        self._trace.note_read(self._name, ALL)
        return self._of.values()


class OutputMapping(InputMapping[Any, Any], MutableMapping[Any, Any]):
    """A mapping that units fill, which records every read and every write."""

    __slots__ = ()

    def __init__(self, trace: Trace, name: str) -> None:
        super().__init__(trace, name, {})

    @property
    def plain(self) -> dict[Any, Any]:
        """Its content, without records."""
        return cast(dict[Any, Any], self._of)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.plain[key] = value
        self._trace.note_maker(self._name, key)
        self._trace.note("put", self._name, key, value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        self._trace.note_maker(self._name, key)
        self._trace.note("first", self._name, key, default)
        return self.plain.setdefault(key, default)

    def __delitem__(self, key: Any) -> None:
        raise TypeError("the results of a unit cannot be deleted")


def plain(of: Any) -> Any:
    """Return a filled mapping as one that records nothing."""
    return of.plain if isinstance(of, OutputMapping) else of


def watched_record(record: T, units: Units, prefix: str = "") -> T:
    """Return a record with its mappings as units read them."""
    if type(units) is not Trace:
        return record
    inputs = {name: units.input(f"{prefix}{name}", of) for name, of in mappings(record)}
    return cast(T, replace(cast(Any, record), **inputs))


def mappings(record: object) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """Yield the mappings of a record with the names of their fields."""
    for part in fields(cast(Any, record)):
        of = getattr(record, part.name)
        if isinstance(of, Mapping):
            yield part.name, of
