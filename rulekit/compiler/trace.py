"""What each unit of a check has read and made: written down while a set is checked as it stands.

A unit is a definition, a table, a choice, a procedure: whatever is checked as a whole.  All that units share
goes through mappings that note who reads what and who puts what there, so nothing has to be said of any rule
of the checker.  See `reuse`, which checks the same set with an option laid over it.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Hashable,
    ItemsView,
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
"""Which mapping, and which key of it; `ALL` where one went through it."""
ALL: Final = "*all*"


class Work:
    """How units are checked: here, one after the other, and nothing is noted.

    Attributes:
        leave: Leaves again what a unit has left in no mapping; see `Context.leave`.
        sites: Those that have their numbers already.
        trees: What is known of trees of the program.
    """

    leave: Callable[..., None]
    sites: Sequence[ir.Site] = ()

    def __init__(self, trees: Trees | None = None) -> None:
        self.trees = trees or Trees()

    def unit(self, key: Unit, make: Callable[[], T]) -> T:
        """What a unit gives, which is asked for once."""
        return make()

    def given(self, name: str, of: Mapping[K, V]) -> Mapping[K, V]:
        """A mapping that units read."""
        return of

    def made(self, name: str) -> MutableMapping[Any, Any]:
        """A mapping that units fill."""
        return {}

    def did(self, what: str, *arguments: Any) -> None:
        """A unit has left something that is in no mapping; see `Context.leave`."""

    def report(self, report: Report) -> Report:
        """Where findings go."""
        return report

    def end(self) -> None:
        """All is checked."""


@dataclass(slots=True)
class Noted:
    """What is known of a unit: what it has read, what it has left in which order, and what it gave.

    `sound`: it came to its end, and nothing was found.
    """

    reads: set[Read] = field(default_factory=set)
    left: list[tuple[Any, ...]] = field(default_factory=list)
    gave: Any = None
    sound: bool = True


class Trace(Work):
    """Notes what units read and leave."""

    def __init__(self, trees: Trees | None = None) -> None:
        super().__init__(trees)
        self.units: dict[Unit, Noted] = {}
        self.makers: dict[Read, set[Unit]] = {}
        self._under_way: list[tuple[Unit, Noted]] = []
        self._found = 0

    def unit(self, key: Unit, make: Callable[[], T]) -> T:
        noted = Noted()
        self.did("unit", key)
        self._under_way.append((key, noted))
        before = self._found
        try:
            noted.sound = False
            noted.gave = made = make()
            noted.sound = self._found == before
            return made
        finally:
            self._under_way.pop()
            # Asked for again it would be another matter: then it is never taken over.
            noted.sound &= self.units.setdefault(key, noted) is noted
            self.units[key].sound &= noted.sound

    def given(self, name: str, of: Mapping[K, V]) -> Mapping[K, V]:
        return Given(self, name, of)

    def made(self, name: str) -> MutableMapping[Any, Any]:
        return Made(self, name)

    def did(self, what: str, *arguments: Any) -> None:
        if self._under_way:
            self._under_way[-1][1].left.append((what, *arguments))

    def report(self, report: Report) -> Report:
        return _Heard(self, report)

    def read(self, name: str, key: Hashable) -> None:
        """Somebody has read a key of a mapping, whether or not it is there."""
        if self._under_way:
            self._under_way[-1][1].reads.add((name, key))

    def put(self, name: str, key: Hashable) -> None:
        """Somebody has put something into a mapping."""
        if self._under_way:
            self.makers.setdefault((name, key), set()).add(self._under_way[-1][0])

    def heard(self) -> None:
        """Something was found."""
        self._found += 1


class _Heard(Report):
    """A report that tells a trace when something comes to it, be it what it has already."""

    def __init__(self, trace: Trace, report: Report) -> None:
        super().__init__()
        self._trace, self._report = trace, report

    def add(self, diagnostic: Diagnostic) -> None:
        self._trace.heard()
        self._report.add(diagnostic)


class Given(Mapping[K, V]):
    """A mapping of which every reading is noted."""

    __slots__ = ("_name", "_of", "_trace")

    def __init__(self, trace: Trace, name: str, of: Mapping[K, V]) -> None:
        self._trace, self._name, self._of = trace, name, of

    def __getitem__(self, key: K) -> V:
        self._trace.read(self._name, key)
        return self._of[key]

    def __contains__(self, key: object) -> bool:
        self._trace.read(self._name, key)
        return key in self._of

    def get(self, key: K, default: Any = None) -> Any:
        self._trace.read(self._name, key)
        return self._of.get(key, default)

    def __iter__(self) -> Iterator[K]:
        self._trace.read(self._name, ALL)
        return iter(self._of)

    def __len__(self) -> int:
        self._trace.read(self._name, ALL)
        return len(self._of)

    def items(self) -> ItemsView[K, V]:
        self._trace.read(self._name, ALL)
        return self._of.items()

    def values(self) -> ValuesView[V]:
        self._trace.read(self._name, ALL)
        return self._of.values()


class Made(Given[Any, Any], MutableMapping[Any, Any]):
    """A mapping that is filled, of which every reading and every writing is noted."""

    __slots__ = ()

    def __init__(self, trace: Trace, name: str) -> None:
        super().__init__(trace, name, {})

    @property
    def plain(self) -> dict[Any, Any]:
        """What is in it."""
        return cast(dict[Any, Any], self._of)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.plain[key] = value
        self._trace.put(self._name, key)
        self._trace.did("put", self._name, key, value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        self._trace.put(self._name, key)
        self._trace.did("first", self._name, key, default)
        return self.plain.setdefault(key, default)

    def __delitem__(self, key: Any) -> None:
        raise TypeError("what a unit has made stays")


def plain(of: Any) -> Any:
    """A mapping that was filled, as it is for those who note nothing."""
    return of.plain if isinstance(of, Made) else of


def watched(record: T, work: Work, prefix: str = "") -> T:
    """A record whose mappings are those that units read."""
    if type(work) is not Trace:
        return record
    made = {name: work.given(f"{prefix}{name}", of) for name, of in mappings(record)}
    return cast(T, replace(cast(Any, record), **made))


def mappings(record: object) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """The mappings of a record, by the names of its fields."""
    for each in fields(cast(Any, record)):
        of = getattr(record, each.name)
        if isinstance(of, Mapping):
            yield each.name, of
