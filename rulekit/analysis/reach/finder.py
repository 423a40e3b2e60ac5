"""Items that play reaches, along names, from the sequence, scenarios and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rulekit.analysis.uses import uses_of
from rulekit.compiler.amend.targets import SPACES, Target
from rulekit.compiler.driver import Compiled
from rulekit.compiler.names import Names
from rulekit.ir.memo import Trees
from rulekit.syntax.tree import items as i

Place = tuple[str, str]
"""A mapping of `Names` and a name in it; for a note, a row or a column of a table, or a `let` of a choice,
`notes`, `rows`, `columns` or `lets`, and both names."""

_READ: Final = ("defines", "tables", "externs", "populations", "groups", "stores", "unions", "enums")
COMPONENTS: Final = ("enums", "unions", "populations", "groups", "stores", "calendars")
"""The mappings of what a game starts with, read or not."""

_HOLDERS: Final = {**SPACES, "row": "tables", "cell": "tables", "norm": "choices", "case": "defines"}
"""For the word of a target or its item: the mapping of `Names` that holds the item."""


class ReachFinder:
    """Walks the rules of a set, with any options, from its sequence, scenarios and events along names.

    Args:
        trees: Keeps the uses of items from one walk to the next.
    """

    def __init__(self, sequence: str, trees: Trees) -> None:
        self._sequence, self._trees = sequence, trees

    def places(self, names: Names) -> frozenset[Place]:
        """Return the items that play can reach: by a name that a reached item has, in whatever way.

        A local with the name of an item counts as its use, so that play certainly reaches no other item.
        """
        return reach_from(self._roots(names), edges(names, self._trees))

    def _roots(self, names: Names) -> Iterator[Place]:
        for name, procedure in names.procedures.items():
            if name == self._sequence or procedure.sort == "scenario":
                yield "procedures", name
        yield from (("events", name) for name in names.events)
        yield from ((space, name) for space in COMPONENTS for name in getattr(names, space))


def reach_from(roots: Iterable[Place], used_by: Callable[[Place], Iterable[Place]]) -> frozenset[Place]:
    """Return some items with all that they use, directly or not."""
    waiting = list(roots)
    reached = set(waiting)
    while waiting:
        for place in used_by(waiting.pop()):
            if place not in reached:
                reached.add(place)
                waiting.append(place)
    return frozenset(reached)


def edges(names: Names, trees: Trees) -> Callable[[Place], Iterator[Place]]:
    """Return the function from an item to what it uses; a roll or definition uses its modifiers."""
    modifiers: dict[str, list[str]] = {}
    for name, modifier in names.modifiers.items():
        modifiers.setdefault(modifier.target.text, []).append(name)
    readable: dict[str, list[Place]] = {}
    for space in _READ:
        for name in getattr(names, space):
            readable.setdefault(name, []).append((space, name))

    def used_by(place: Place) -> Iterator[Place]:
        space, name = place
        item = getattr(names, space, {}).get(name)
        if item is None:
            return
        uses = trees.of("uses", item, uses_of)
        for used in (uses.read, uses.changed, uses.counted):
            for read in used & readable.keys():
                yield from readable[read]
        yield from (("choices", choice) for choice in uses.asked & names.choices.keys())
        yield from (("procedures", procedure) for procedure in uses.done & names.procedures.keys())
        yield from (("rolls", roll) for roll in uses.rolled & names.rolls.keys())
        if space in ("rolls", "defines", "tables"):
            yield from (("modifiers", modifier) for modifier in modifiers.get(name, ()))
        if isinstance(item, i.Table):
            marks = {part.mark for row in item.rows for cell in row.cells for part in cell.results}
            yield from (("notes", f"{name} {mark}") for mark in marks - {""})
        if isinstance(item, i.Choice):
            lets = trees.of("lets read", item, _lets_read)
            yield from (("lets", f"{name} {let}") for let in lets)
        if name in names.originals and "original" in uses.done | uses.read:
            yield space, names.originals[name]
        yield from (("tables", other) for _, other in names.alternatives.get(name, ()))

    return used_by


def _lets_read(choice: i.Choice) -> set[str]:
    """Return the `let`s of a choice that something else in it reads."""
    lets = {let.name.text: let for let in choice.lets}
    parts = (choice.verb, choice.norms, choice.decider, choice.default)
    waiting = list(lets.keys() & uses_of(parts).read)
    reached = set(waiting)
    while waiting:
        waiting += (lets.keys() & uses_of(lets[waiting.pop()]).read) - reached
        reached.update(waiting)
    return reached


def in_play(compiled: Compiled) -> frozenset[Place] | None:
    """Return the items that play can reach; None where the manifest names no sequence of play."""
    sequence = compiled.rule_set.manifest.sequence
    if sequence is None:
        return None
    return ReachFinder(sequence.name, compiled.workspace.trees).places(compiled.names)


def place_of(target: Target, names: Names) -> Place:
    """Return the item that an amendment changes, or changes a part of."""
    if target.word == "statement":
        return ("procedures" if target.name in names.procedures else "events"), target.name
    return _HOLDERS[target.of or target.word], target.name
