"""Items that no play reaches, each with the reason: a procedure without a caller, a choice never asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from rulekit.analysis.reach.finder import Place
from rulekit.analysis.uses import Uses
from rulekit.compiler.driver import Compiled
from rulekit.syntax.tree import items as i

_Item = i.Procedure | i.Choice | i.Roll | i.Define | i.Table | i.ExternTable | i.Modifier

_ITEMS = {
    "procedures": "is never run",
    "choices": "is never asked",
    "rolls": "is never rolled",
    "defines": "is never read",
    "tables": "is never read",
    "externs": "is never read",
}
"""The mappings of items that only play makes useful, with what is missing where no other item names one."""


def unreached_places(compiled: Compiled, reached: Collection[Place]) -> Iterator[Place]:
    """Yield the items that play does not reach, in the order of the files."""
    for space in (*_ITEMS, "modifiers"):
        yield from ((space, name) for name in getattr(compiled.names, space) if (space, name) not in reached)


def item_at(compiled: Compiled, place: Place) -> _Item:
    """Return an item that play does not reach."""
    item: _Item = getattr(compiled.names, place[0])[place[1]]
    return item


def reasons_of(compiled: Compiled, reached: Collection[Place]) -> Mapping[Place, str]:
    """Return for each item that play does not reach what is missing, in words."""
    return {place: reason(compiled, cause) for place, cause in causes_of(compiled, reached).items()}


def causes_of(compiled: Compiled, reached: Collection[Place]) -> Mapping[Place, Place]:
    """Return for each item that play does not reach the first cause: another such item, or itself.

    Where only items that are not reached themselves use it, the last one of the chain keeps play from it.
    """
    places = list(unreached_places(compiled, reached))
    users = _users(compiled, places)
    return {place: _first_cause(place, users) for place in places}


def _users(compiled: Compiled, places: Collection[Place]) -> Mapping[Place, Place]:
    """For each unreached item another one that uses it, if there is one."""
    names = compiled.names
    by_name: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_name[place[1]].append(place)
    users: dict[Place, Place] = {}
    for user in places:
        name, item = user[1], item_at(compiled, user)
        uses = Uses()
        uses.add(item)
        used = uses.read | uses.asked | uses.done | uses.rolled
        if "original" in used and name in names.originals:
            used.add(names.originals[name])
        for place in (place for other in used if other != name for place in by_name.get(other, ())):
            users.setdefault(place, user)
        if isinstance(item, i.Modifier) and (targets := by_name.get(item.target.text)):
            users[user] = targets[0]
    return users


def _first_cause(place: Place, users: Mapping[Place, Place]) -> Place:
    """The item at the end of the chain of users, or where it comes round."""
    passed = {place}
    while (user := users.get(place)) is not None and user not in passed:
        passed.add(user)
        place = user
    return place


def reason(compiled: Compiled, place: Place) -> str:
    """Return what is missing for play to reach an item that is its own first cause."""
    space, name = place
    item = item_at(compiled, place)
    shown = f"{i.word_of(item)} `{compiled.names.declared.get(name, name)}`"
    if isinstance(item, i.Modifier):
        return f"{shown} modifies what play does not reach"
    if name in compiled.names.declared:
        return f"{shown} is replaced"
    return f"{shown} {_ITEMS[space]}"
