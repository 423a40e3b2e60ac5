"""What a condition reads, one cell at a time, each with the values that it may have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, assert_never

from rulekit import ir
from rulekit.analysis.prove.lazy_sets import FilteredSet, KnownSet, LazySet
from rulekit.analysis.prove.search import Cell, Opaque, Search
from rulekit.analysis.prove.value_classes import ValueClasses
from rulekit.base.frozen import frozen
from rulekit.ir import types as t
from rulekit.ir.program import Key, span_of
from rulekit.ir.semantics.faults import Fault
from rulekit.ir.semantics.operations import no_value

MOST_ITEMS: Final = 8
"""Of a list, none, one and so many items are tried."""


@frozen
class ReadMap:
    """A map: whether it has a key, and what for."""

    holds: Callable[[int], bool]
    value: Callable[[int], Any]

    def has(self, key: int) -> bool:
        return self.holds(key)

    def get(self, key: int) -> Any:
        return self.value(key) if self.holds(key) else no_value("nothing for this key")


class StateReader:
    """Reads states and parameters of one question in one search."""

    def __init__(self, program: ir.Program, classes: ValueClasses, search: Search) -> None:
        self._states = program.by_name.states
        self._sizes = program.by_name.sizes
        self._classes = classes
        self._search = search
        self.step: Callable[[], None] = search.spend
        """Counts a member looked at."""
        self.why = search.why
        """What the value worked out last depends on; see `search`."""
        self._readers: dict[str, Callable[[tuple[int, ...]], Any]] = {}
        self._most = max(self._sizes.values(), default=0)
        self._named: dict[Key, int] = {}
        self._numbers = 0
        """Members that the situation names, of one domain and of whatever domain, as masks."""
        self._domains: dict[str, tuple[Key, ...]] = {}
        self.sampled: set[str] = set()
        """What was tried with some of its values only."""
        self.lacking: set[str] = set()
        """The owner's tables that were read and are not there."""

    # -- the state

    def state(self, name: str) -> Callable[[tuple[int, ...]], Any]:
        """What reads a state for some keys; of what has sets, one that is asked member by member."""
        if name not in self._readers:
            self._readers[name] = self._reader(self._states[name])
        return self._readers[name]

    def _reader(self, state: ir.State) -> Callable[[tuple[int, ...]], Any]:
        name, of = state.name, self._of(state.name, state.type, _first(state))
        spans = [span_of(domain, self._sizes) for domain in state.keys]
        faults = ["no-value" if isinstance(domain, str) else "out-of-range" for domain in state.keys]
        if not spans:
            cell = name, ()
            return lambda keys: of(cell)
        if len(spans) == 1:
            return self._reader_by_one(name, of, spans[0], faults[0])

        def read(keys: tuple[int, ...]) -> Any:
            for key, (low, high), fault in zip(keys, spans, faults, strict=True):
                if not low <= key <= high:
                    raise Fault(fault, name)
            return of((name, keys))

        return read

    @staticmethod
    def _reader_by_one(
        name: str, of: Callable[[Cell], Any], span: tuple[int, int], fault: str
    ) -> Callable[[tuple[int, ...]], Any]:
        """Return a quick reader of a state with one key, as most have."""
        low, high = span

        def read(keys: tuple[int, ...]) -> Any:
            if not low <= keys[0] <= high:
                raise Fault(fault, name)
            return of((name, keys))

        return read

    def last_keys(self, name: str) -> int:
        """The values of a state's last key, as a mask."""
        low, high = span_of(self._states[name].keys[-1], self._sizes)
        return sum(1 << key for key in range(max(low, 0), high + 1))

    def missing(self, table: ir.StaticTable, keys: tuple[int, ...], kind: t.Type) -> Any:
        """What a table would hold that is not there: anything."""
        self.lacking.add(table.name)
        name = f"table {table.name}"
        return self._of(name, kind, None)((name, keys))

    # -- parameters

    def parameter(self, param: ir.Param) -> Callable[[], Any]:
        """Return what reads a parameter: a value, or something that is asked as it is read."""
        name, kind = f"parameter {param.name}", param.type
        if not isinstance(kind, t.MapOf):
            of, cell = self._of(name, kind, None), (name, ())
            return lambda: of(cell)
        allowed, value = self._classes.mask_of(kind.key), self._of(name, kind.value, None)

        def holds(key: int) -> bool:
            return bool(allowed >> key & 1 and self._cell((f"{name} has", (key,)), _likely))

        return lambda: ReadMap(holds, lambda key: value((name, (key,))))

    # -- any cell

    def _of(self, name: str, kind: t.Type, first: Any) -> Callable[[Cell], Any]:
        """What reads the cells of one name."""
        if isinstance(kind, t.SetOf):
            everyone = self._everyone(kind)
            return lambda cell: self._set(cell, everyone)
        values, read, names = self._values(name, kind, first), self._search.read, self._names
        return lambda cell: read(cell, values, names)

    def _cell(self, cell: Cell, values: Callable[[], Sequence[Any]]) -> Any:
        return self._search.read(cell, values, self._names)

    def _everyone(self, kind: t.SetOf) -> KnownSet:
        of = kind.of
        return KnownSet(self._classes.mask_of(of) if isinstance(of, t.Member) else (1 << of.high + 1) - 1)

    def _set(self, cell: Cell, everyone: KnownSet) -> LazySet:
        """A set, of which each member is a reading of its own."""
        name, keys = cell
        name = f"{name} has"
        return FilteredSet(
            everyone, lambda member: bool(self._cell((name, (*keys, member)), _unlikely)), self.why
        )

    def _values(self, name: str, kind: t.Type, first: Any) -> Callable[[], Sequence[Any]]:
        """What gives all values of a type that the question tells apart, the declared one in front.

        What it gives raises `Opaque` if they cannot be listed.
        """
        match kind:
            case t.Flag():
                return _likely if first is True else _unlikely
            case t.Int() | t.Month():
                return self._number(name, kind, first if isinstance(first, int) else kind.low - 1)
            case t.Member():
                return self._member(kind, first)
            case t.Optional(of=t.Member() as of):
                return self._member(of, first, t.NONE)
            case t.Optional():
                some = self._values(name, kind.of, first)
                return lambda: _first_in_front([*some(), t.NONE], first)
            case t.ListOf() if not isinstance(kind.of, t.SetOf):
                return self._list(name, kind)
            case (
                t.ListOf() | t.SetOf() | t.MapOf() | t.Ratio() | t.Text() | t.Row() | t.Record() | t.Nothing()
            ):
                return lambda: _opaque(name)
            case _:
                assert_never(kind)

    def _number(self, name: str, kind: t.Int | t.Month, begun: int) -> Callable[[], Sequence[int]]:
        numbers: list[int] = []

        def values() -> Sequence[int]:
            if not numbers:
                some, complete = self._classes.numbers(name, kind, begun)
                numbers.extend(some)
                if not complete:
                    self.sampled.add(name)
            return numbers

        return values

    def _member(self, kind: t.Member, first: Any, *more: Any) -> Callable[[], Sequence[Any]]:
        """Return a function that lists the members to try, then more values, once for the same named ones."""
        listed: dict[int, Sequence[Any]] = {}

        def values() -> Sequence[Any]:
            named = self._named_members(kind.domain)
            if named not in listed:
                listed[named] = _first_in_front([*self._classes.members(kind, named), *more], first)
            return listed[named]

        return values

    def _list(self, name: str, kind: t.ListOf) -> Callable[[], Sequence[Any]]:
        one = self._values(name, kind.of, None)

        def values() -> Sequence[Any]:
            self.sampled.add(name)
            items = one()[:MOST_ITEMS]
            return ((), *((item,) for item in items), tuple(items[: kind.most]))

        return values

    def forget(self) -> None:
        """Begin a new situation."""
        self._named.clear()
        self._numbers = 0

    def _names(self, cell: Cell, value: Any) -> None:
        """Note the members that a cell and its value name."""
        name, keys = cell
        most = self._most
        if keys:
            domains = self._domains.get(name)
            if domains is None:
                state = self._states.get(name.removesuffix(" has"))
                domains = self._domains[name] = () if state is None else state.keys
            for key, domain in zip(keys, domains, strict=False):
                if 0 <= key < most:
                    self._named[domain] = self._named.get(domain, 0) | 1 << key
            # A member of a set, a key of a map: of whatever domain, named is named.
            for key in keys[len(domains) :]:
                if 0 <= key < most:
                    self._numbers |= 1 << key
        if value.__class__ is int and 0 <= value < most:
            self._numbers |= 1 << value

    def _named_members(self, domain: str) -> int:
        """The members of a domain that the situation names so far, as a mask."""
        return self._numbers | self._named.get(domain, 0)


def _likely() -> Sequence[bool]:
    return (True, False)


def _unlikely() -> Sequence[bool]:
    return (False, True)


def _opaque(name: str) -> NoReturn:
    raise Opaque(f"opaque {name}")


def _first(state: ir.State) -> Any:
    return state.initial if state.initial_each is None else None


def _first_in_front(values: Sequence[Any], first: Any) -> Sequence[Any]:
    """The same values with the declared one in front."""
    return [first, *(value for value in values if value != first)] if first in values else values


__all__ = ["ReadMap", "StateReader"]
