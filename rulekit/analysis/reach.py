"""What play can come to: from the sequence of play, scenarios and events along the names that rules use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rulekit.analysis.uses import Uses
from rulekit.compiler.names import Names
from rulekit.syntax.tree import items as i

Place = tuple[str, str]
"""A mapping of `Names` and a name in it; of a table's note, `notes` and the table with the mark."""

_READ: Final = ("defines", "tables", "externs", "populations", "groups", "stores", "unions", "enums")
_COMPONENTS: Final = ("enums", "unions", "populations", "groups", "stores", "calendars")
"""What is there from the start, whoever reads it."""


class ReachFinder:
    """Walks the rules of a set, with whatever options; remembers what each item uses."""

    def __init__(self, sequence: str) -> None:
        self._sequence = sequence
        self._uses: dict[int, tuple[i.Item, Uses]] = {}

    def reached(self, names: Names) -> frozenset[Place]:
        """Return the items that play can come to: by a name that a reached item has, in whatever way.

        A local with the name of an item counts as its use, so that what is not reached is certainly not.
        """
        modifiers: dict[str, list[str]] = {}
        for name, modifier in names.modifiers.items():
            modifiers.setdefault(modifier.target.text, []).append(name)
        waiting = list(self._roots(names))
        reached = set(waiting)
        while waiting:
            for place in self._used_by(waiting.pop(), names, modifiers):
                if place not in reached:
                    reached.add(place)
                    waiting.append(place)
        return frozenset(reached)

    def _roots(self, names: Names) -> Iterator[Place]:
        for name, procedure in names.procedures.items():
            if name == self._sequence or procedure.sort == "scenario":
                yield "procedures", name
        yield from (("events", name) for name in names.events)
        yield from ((space, name) for space in _COMPONENTS for name in getattr(names, space))

    def _used_by(self, place: Place, names: Names, modifiers: Mapping[str, list[str]]) -> Iterator[Place]:
        space, name = place
        item = getattr(names, space, {}).get(name)
        if item is None:
            return
        uses = self._uses_of(item)
        yield from _present(names, _READ, uses.read | uses.changed | uses.counted)
        yield from _present(names, ("choices",), uses.asked)
        yield from _present(names, ("procedures",), uses.done)
        yield from _present(names, ("rolls",), uses.rolled)
        if space in ("rolls", "defines"):
            yield from (("modifiers", modifier) for modifier in modifiers.get(name, ()))
        if isinstance(item, i.Table):
            marks = {cell.mark for row in item.rows for cell in row.cells if cell.mark}
            yield from (("notes", f"{name} {mark}") for mark in marks)
        if name in names.originals and "original" in uses.done | uses.read:
            yield space, names.originals[name]
        yield from (("tables", other) for _, other in names.alternatives.get(name, ()))

    def _uses_of(self, item: i.Item) -> Uses:
        """What an item uses; the item is kept, so that no other gets its identity."""
        if id(item) not in self._uses:
            uses = Uses()
            uses.add(item)
            self._uses[id(item)] = (item, uses)
        return self._uses[id(item)][1]


def _present(names: Names, spaces: Iterable[str], used: Iterable[str]) -> Iterator[Place]:
    used = set(used)
    for space in spaces:
        yield from ((space, name) for name in used & getattr(names, space).keys())
