"""Possible values of states: as a start leaves them, and as later statements write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from math import prod
from operator import or_

from rulekit import ir
from rulekit.ir import types as t
from rulekit.ir.expr import Value
from rulekit.reports.sheet.reachability.guess import (
    NOTHING,
    Guess,
    Kinds,
    Members,
    join,
    join_all,
    mask_of,
    number,
)

MOST_KEYS = 4096
"""Combinations of keys that are looked at one by one."""
PATIENCE = 12
"""How often what is written at one place may grow before it is taken for anything."""

Cells = Mapping[tuple[int, ...], frozenset[Value]]
"""The values that the cells of a state may hold, by their keys."""


@dataclass(slots=True)
class _Written:
    keys: list[Guess]
    value: Guess
    grown: int = 0


@dataclass(slots=True)
class _Held:
    state: ir.State
    cells: Cells | None
    written: dict[int, _Written] = field(default_factory=dict)


class Memory:
    """The states.

    Args:
        start: For each state its cells; a state that is not in it may hold anything from the start.
        fixed: States that are known to hold nothing else.
    """

    def __init__(
        self, program: ir.Program, kinds: Kinds, start: Mapping[str, Cells], fixed: Mapping[str, Guess]
    ) -> None:
        self._kinds, self._fixed = kinds, fixed
        self._held = {state.name: _Held(state, start.get(state.name)) for state in program.states}
        self._known: dict[tuple[object, ...], Guess] = {}
        self.clock = 0
        self.changed: dict[str, int] = {}
        """When something that others depend on last grew, by its name."""
        self._grown: dict[str, None] = {}

    def read(self, name: str, keys: Sequence[Guess]) -> Guess:
        """Return the possible values of a state for these keys."""
        if name in self._fixed:
            return self._fixed[name]
        key = (name, *keys)
        if key not in self._known:
            self._known[key] = self._read(self._held[name], keys)
        return self._known[key]

    def _read(self, held: _Held, keys: Sequence[Guess]) -> Guess:
        if held.cells is None:
            return self._kinds.spread(None, held.state.type)
        writes = (w for w in held.written.values() if all(map(_meet, w.keys, keys)))
        return join_all((self._start(held, keys), *(write.value for write in writes)))

    def _start(self, held: _Held, keys: Sequence[Guess]) -> Guess:
        assert held.cells is not None
        known = [key for key in keys if isinstance(key, frozenset)]
        if len(known) == len(keys) and prod(map(len, known)) <= MOST_KEYS:
            wanted = (tuple(map(number, cell)) for cell in product(*known))
            cells = {held.cells[name] for name in wanted if name in held.cells}
        else:
            cells = {*held.cells.values()}
        return _of_values(frozenset().union(*cells), held.state.type)

    def flag_members(self, name: str, keys: Sequence[Guess]) -> Members:
        """Return the members whose flag may be set, with the last key open."""
        held = self._held[name]
        domain = held.state.keys[-1]
        size = self._kinds.sizes[domain] if isinstance(domain, str) else domain[1] + 1
        if held.cells is None or name in self._fixed:
            return Members((1 << size) - 1, False)
        mask = 0
        for cell, values in held.cells.items():
            if any(values) and all(_meet(a, frozenset((b,))) for a, b in zip(keys, cell, strict=False)):
                mask |= 1 << cell[-1]
        for write in held.written.values():
            if write.value is None or isinstance(write.value, frozenset) and True in write.value:
                last = write.keys[-1]
                mask |= (1 << size) - 1 if last is None else self._kinds.ids(last, t.Nothing())
        return Members(mask, not held.written and all(len(values) == 1 for values in held.cells.values()))

    def write(self, name: str, place: int, keys: Sequence[Guess], value: Guess) -> None:
        """Something that may be written, by the place in the rules where that is done."""
        held = self._held[name]
        if name in self._fixed or any(key == NOTHING for key in keys) or value == NOTHING:
            return
        value = self._kinds.clip(value, held.state.type)
        known = held.written.get(place)
        if known is None:
            held.written[place] = _Written(list(keys), value)
            self._change(name)
            return
        wider = [join(a, b) for a, b in zip(known.keys, keys, strict=True)]
        more = join(known.value, value)
        if wider != known.keys or more != known.value:
            known.grown += 1
        if known.grown > PATIENCE:
            more = self._wider(more, held.state.type)
            wider = wider if known.grown < 4 * PATIENCE else [None] * len(wider)
        if wider != known.keys or more != known.value:
            known.keys, known.value = wider, more
            self._change(name)

    def touch(self, name: str) -> None:
        """Something grew."""
        self.clock += 1
        self.changed[name] = self.clock
        self._grown[name] = None

    def take_grown(self) -> list[str]:
        """Return what has grown since this was last asked."""
        grown = list(self._grown)
        self._grown.clear()
        return grown

    def grown(self, names: Iterable[str], since: int) -> bool:
        """Return whether any of these has grown since then."""
        return any(self.changed.get(name, 0) > since for name in names)

    def _change(self, name: str) -> None:
        self.touch(name)
        for key in [key for key in self._known if key[0] == name]:
            del self._known[key]

    def _wider(self, guess: Guess, type_: t.Type) -> Guess:
        """Widen guesses that still grow; a number that only rises keeps its lowest value."""
        inner = type_.of if isinstance(type_, t.Optional) else type_
        whole = self._kinds.spread(None, type_)
        numbers = isinstance(inner, t.Int | t.Month)
        if numbers and isinstance(guess, frozenset) and isinstance(whole, frozenset):
            least = min((number(v) for v in guess if v != t.NONE), default=0)
            return frozenset(v for v in whole if (v in guess if v == t.NONE else number(v) >= least))
        return whole

    def begins_anew(self, domain: str, place: int) -> None:
        """Form a group: its fields begin as declared."""
        for name, held in self._held.items():
            if held.state.keys[:1] == (domain,) and not name.startswith("exists:"):
                first = held.state.initial_each[0] if held.state.initial_each else held.state.initial
                keys: list[Guess] = [None] * len(held.state.keys)
                self.write(name, -place - 1, keys, _of_values((first,), held.state.type))

    def held_pieces(self) -> int:
        """The pieces that may be in cups, on stacks, or named by a state, as a mask."""
        mask = 0
        for held in self._held.values():
            type_ = held.state.type
            while isinstance(type_, t.Optional | t.SetOf | t.ListOf):
                type_ = type_.of
            if isinstance(type_, t.Member) and type_.domain == "piece" and held.cells is not None:
                start = _of_values(frozenset().union(*held.cells.values()), held.state.type)
                written = (write.value for write in held.written.values())
                mask |= self._kinds.ids(join_all((start, *written)), type_)
        return mask


def _of_values(values: Iterable[Value], type_: t.Type) -> Guess:
    if isinstance(type_, t.SetOf):
        return join_all(Members(number(value), True) for value in values)
    if isinstance(type_, t.ListOf):
        of = type_.of.of if isinstance(type_.of, t.Optional) else type_.of
        mask = reduce(or_, map(mask_of, values), 0)
        return Members(mask, False) if isinstance(of, t.Member) else None
    if isinstance(type_, t.Flag):
        return frozenset(bool(value) for value in values)
    return frozenset(value for value in values if value != t.GAP)


def _meet(one: Guess, other: Guess) -> bool:
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return not one.isdisjoint(other)
    return True
