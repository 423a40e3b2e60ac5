"""What a condition reads, one cell at a time, each with the values that it may have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from rulekit import ir
from rulekit.frozen import frozen
from rulekit.interpret.faults import Fault
from rulekit.interpret.operations import no_value
from rulekit.ir.program import Key, span_of
from rulekit.prove.answers import Cell
from rulekit.prove.classes import Classes
from rulekit.prove.search import Opaque, Search
from rulekit.prove.sets import Fixed, Members, Tested
from rulekit.types import NONE, Flag, Int, ListOf, MapOf, Member, Month, Optional, SetOf, Type

MOST_ITEMS: Final = 8
"""Of a list, none, one and so many items are tried."""


@frozen
class Mapping:
    """A map that is a parameter: whether it has a key, and what for."""

    holds: Callable[[int], bool]
    value: Callable[[int], Any]

    def has(self, key: int) -> bool:
        return self.holds(key)

    def get(self, key: int) -> Any:
        return self.value(key) if self.holds(key) else no_value("nothing for this key")


class Reading:
    """Reads states and parameters of one question in one search."""

    def __init__(self, program: ir.Program, classes: Classes, search: Search) -> None:
        self._states = {state.name: state for state in program.states}
        self._sizes = {domain.name: len(domain.members) for domain in program.domains}
        self._classes = classes
        self._search = search
        self.why = search.why
        """What the value worked out last depends on; see `search`."""
        self._named: defaultdict[Key, set[int]] = defaultdict(set)
        self._domains: dict[str, tuple[Key, ...]] = {}
        self._numbers: set[int] = set()
        self.sampled: set[str] = set()
        """What was tried with some of its values only."""
        self.lacking: set[str] = set()
        """The owner's tables that were read and are not there."""

    def step(self) -> None:
        """Count a member looked at."""
        self._search.spend()

    # -- the state

    def state(self, name: str, keys: tuple[int, ...]) -> Any:
        """The value of a state for these keys; what has sets is asked member by member."""
        state = self._states[name]
        for key, domain in zip(keys, state.keys, strict=True):
            low, high = span_of(domain, self._sizes)
            if not low <= key <= high:
                raise Fault("no-value" if isinstance(domain, str) else "out-of-range", name)
        return self._of((name, keys), name, state.type, _first(state))

    def last_keys(self, name: str) -> int:
        """The values of a state's last key, as a mask."""
        low, high = span_of(self._states[name].keys[-1], self._sizes)
        return sum(1 << key for key in range(max(low, 0), high + 1))

    def missing(self, table: ir.StaticTable, keys: tuple[int, ...], kind: Type) -> Any:
        """What a table would hold that is not there: anything."""
        self.lacking.add(table.name)
        return self._of((f"table {table.name}", keys), f"table {table.name}", kind, None)

    # -- parameters

    def parameter(self, param: ir.Param) -> Any:
        """A parameter: a value, or something that is asked as it is read."""
        name = f"parameter {param.name}"
        kind = param.type
        if isinstance(kind, MapOf):
            keys = self._classes.allowed(kind.key)
            return Mapping(
                lambda key: bool(
                    keys >> key & 1 and self._cell((f"{name} has", (key,)), lambda: (True, False))
                ),
                lambda key: self._of((name, (key,)), name, kind.value, None),
            )
        return self._of((name, ()), name, kind, None)

    # -- any cell

    def _of(self, cell: Cell, name: str, kind: Type, first: Any) -> Any:
        if isinstance(kind, SetOf):
            return self._set(cell, kind)
        return self._cell(cell, lambda: self._values(cell, name, kind, first))

    def _cell(self, cell: Cell, values: Callable[[], Sequence[Any]]) -> Any:
        if cell in self._search.known:
            return self._search.read(cell, values)
        value = self._search.read(cell, values)
        self._names(cell, value)
        return value

    def _set(self, cell: Cell, kind: SetOf) -> Members:
        """A set, of which each member is a reading of its own."""
        of = kind.of
        everyone = self._classes.allowed(of) if isinstance(of, Member) else (1 << of.high + 1) - 1
        name, keys = cell
        return Tested(
            Fixed(everyone),
            lambda member: bool(self._cell((f"{name} has", (*keys, member)), lambda: (False, True))),
            self.why,
        )

    def _values(self, cell: Cell, name: str, kind: Type, first: Any) -> Sequence[Any]:
        """All values of a type that the question tells apart, the declared one in front.

        Raises:
            Opaque: They cannot be listed.
        """
        match kind:
            case Flag():
                return (True, False) if first is True else (False, True)
            case Int() | Month():
                begun = first if isinstance(first, int) else kind.low - 1
                found, complete = self._classes.numbers(name, kind, begun)
                if not complete:
                    self.sampled.add(name)
                return found
            case Member():
                return _begun(list(self._classes.members(kind, lambda: self._known(kind.domain))), first)
            case Optional():
                return _begun([*self._values(cell, name, kind.of, first), NONE], first)
            case ListOf() if not isinstance(kind.of, SetOf):
                self.sampled.add(name)
                items = self._values(cell, name, kind.of, None)[:MOST_ITEMS]
                return ((), *((one,) for one in items), tuple(items[: kind.most]))
            case _:
                raise Opaque(f"opaque {name}")

    def forget(self) -> None:
        """Begin a new situation."""
        self._named.clear()
        self._numbers.clear()

    def _names(self, cell: Cell, value: Any) -> None:
        """Note the members that a cell and its value name."""
        name, keys = cell
        domains = self._domains.get(name)
        if domains is None:
            state = self._states.get(name.removesuffix(" has"))
            domains = self._domains[name] = () if state is None else state.keys
        for key, domain in zip(keys, domains, strict=False):
            self._named[domain].add(key)
        # A member of a set, a key of a map, a value: of whatever domain, named is named.
        if len(keys) > len(domains):
            self._numbers.update(keys[len(domains) :])
        if value.__class__ is int:
            self._numbers.add(value)

    def _known(self, domain: str) -> set[int]:
        """The members of a domain that the situation names so far."""
        return self._numbers | self._named[domain]


def _first(state: ir.State) -> Any:
    return state.initial if state.initial_each is None else None


def _begun(values: list[Any], first: Any) -> list[Any]:
    """The same values with the declared one in front."""
    return [first, *(value for value in values if value != first)] if first in values else values


__all__ = ["Mapping", "Reading"]
